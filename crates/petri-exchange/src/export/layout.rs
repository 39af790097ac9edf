//! Where everything in a picture stands: layers from left to right, by the library `dagre`.

use dagre::graph::{Graph, GraphOptions};
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, RankDir};
use unicode_width::UnicodeWidthStr;

use super::picture::{Node, Picture, Shape};

/// Height of the first line of a node, in pixels, and of those below it.
pub const NAME_HEIGHT: f64 = 17.0;
pub const NOTE_HEIGHT: f64 = 14.0;
/// Width of a narrow character of a name and of a note, in pixels: what the widest common sans-serif fonts need.
const NAME_CHARACTER: f64 = 8.0;
const NOTE_CHARACTER: f64 = 6.6;
/// Around all that is drawn, in pixels.
const MARGIN: f64 = 24.0;
/// Height of the title of a frame, which stands in its upper edge.
pub const TITLE_HEIGHT: f64 = 22.0;
/// Between two nodes of a layer, and between two layers, in pixels.
const BETWEEN_NODES: f64 = 34.0;
const BETWEEN_LAYERS: f64 = 56.0;

/// More nodes than these are no picture that anybody can read, and laying them out takes minutes.
pub const MOST_NODES: usize = 500;

/// A rectangle: its middle and its size.
#[derive(Clone, Copy)]
pub struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

pub type Point = (f64, f64);

/// A line, and where its label stands.
pub struct Line {
    pub points: Vec<Point>,
    pub label: Option<Area>,
}

/// Everything has its place.
pub struct Layout {
    pub width: f64,
    pub height: f64,
    /// The first one is the net, which has no frame.
    pub frames: Vec<Option<Area>>,
    pub nodes: Vec<Area>,
    pub edges: Vec<Line>,
}

type LaidOutGraph = Graph<NodeLabel, EdgeLabel>;

pub fn layout(picture: &Picture) -> Layout {
    let mut graph = graph(picture);
    let options = LayoutOptions {
        rankdir: RankDir::LR,
        nodesep: BETWEEN_NODES,
        edgesep: 16.0,
        ranksep: BETWEEN_LAYERS,
        marginx: MARGIN,
        marginy: MARGIN + TITLE_HEIGHT,
        ..LayoutOptions::default()
    };
    dagre::layout(&mut graph, Some(options));
    let frames = (0..picture.frames.len()).map(|it| area(graph.node(&frame_id(it))?));
    let nodes = (0..picture.nodes.len()).map(|it| area(graph.node(&node_id(it))?));
    let mut layout = Layout {
        width: 0.0,
        height: 0.0,
        frames: frames.collect(),
        nodes: nodes.map(|it| it.expect("each node is laid out")).collect(),
        edges: Vec::new(),
    };
    layout.edges = picture
        .edges
        .iter()
        .enumerate()
        .map(|(number, edge)| {
            let (from, to) = (node_id(edge.from), node_id(edge.to));
            let line = graph.edge(&from, &to, Some(&number.to_string()));
            let line = line.expect("each edge is laid out");
            let mut points: Vec<Point> = line.points.iter().map(|it| (it.x, it.y)).collect();
            let ends = (edge.from, edge.to);
            attach(&mut points, ends, picture, &layout.nodes);
            let label = edge.label.as_ref().and_then(|_| line.x.zip(line.y));
            Line {
                points,
                label: label.map(|(x, y)| Area {
                    x,
                    y,
                    width: line.width,
                    height: line.height,
                }),
            }
        })
        .collect();
    let edges = &layout.edges;
    let areas = || {
        let areas = layout.frames.iter().flatten().chain(&layout.nodes);
        areas.chain(edges.iter().filter_map(|it| it.label.as_ref()))
    };
    let points = || edges.iter().flat_map(|it| &it.points);
    let right = areas().map(|it| it.x + it.width / 2.0);
    let right = right.chain(points().map(|it| it.0)).fold(0.0, f64::max);
    let bottom = areas().map(|it| it.y + it.height / 2.0);
    let bottom = bottom.chain(points().map(|it| it.1)).fold(0.0, f64::max);
    (layout.width, layout.height) = (right + MARGIN, bottom + MARGIN);
    layout
}

/// Where nodes stand in rows, about as many in each as there are rows.
pub fn grid(nodes: &[Node]) -> Vec<Area> {
    let columns = nodes.len().isqrt() + 1;
    let sizes: Vec<(f64, f64)> = nodes.iter().map(size).collect();
    let widest = sizes.iter().map(|it| it.0).fold(0.0, f64::max);
    let highest = sizes.iter().map(|it| it.1).fold(0.0, f64::max);
    let numbered = sizes.iter().enumerate();
    let areas = numbered.map(|(number, &(width, height))| Area {
        x: MARGIN + widest / 2.0 + (number % columns) as f64 * (widest + BETWEEN_LAYERS),
        y: MARGIN + highest / 2.0 + (number / columns) as f64 * (highest + BETWEEN_NODES),
        width,
        height,
    });
    areas.collect()
}

fn node_id(index: usize) -> String {
    format!("n{index}")
}

fn frame_id(index: usize) -> String {
    format!("f{index}")
}

/// What the library lays out.
fn graph(picture: &Picture) -> LaidOutGraph {
    let mut graph = LaidOutGraph::with_options(GraphOptions {
        directed: true,
        multigraph: true,
        compound: true,
    });
    for (index, node) in picture.nodes.iter().enumerate() {
        let (width, height) = size(node);
        let label = NodeLabel {
            width,
            height,
            ..NodeLabel::default()
        };
        graph.set_node(node_id(index), Some(label));
    }
    for index in 1..picture.frames.len() {
        graph.set_node(frame_id(index), Some(NodeLabel::default()));
    }
    for (index, frame) in picture.frames.iter().enumerate() {
        let nodes = frame.nodes.iter().map(|it| node_id(*it));
        let members = nodes.chain(frame.frames.iter().map(|it| frame_id(*it)));
        for member in members.filter(|_| index > 0) {
            graph.set_parent(&member, Some(&frame_id(index)));
        }
    }
    for (index, edge) in picture.edges.iter().enumerate() {
        let text = edge.label.as_deref().map_or(0.0, note_width);
        let label = EdgeLabel {
            width: text,
            height: if text > 0.0 { NOTE_HEIGHT + 4.0 } else { 0.0 },
            labelpos: dagre::layout::types::LabelPos::Center,
            ..EdgeLabel::default()
        };
        let (from, to) = (node_id(edge.from), node_id(edge.to));
        graph.set_edge(from, to, Some(label), Some(&index.to_string()));
    }
    graph
}

/// The width that a note needs, in pixels.
fn note_width(text: &str) -> f64 {
    text.width() as f64 * NOTE_CHARACTER + 6.0
}

/// The size of a node's shape around its text, in pixels.
fn size(node: &Node) -> (f64, f64) {
    let name = node.lines[0].width() as f64 * NAME_CHARACTER;
    let notes = node.lines[1..].iter().map(|it| note_width(it));
    let width = notes.fold(name, f64::max);
    let height = NAME_HEIGHT + (node.lines.len() - 1) as f64 * NOTE_HEIGHT;
    match node.shape {
        Shape::Transition | Shape::Page => ((width + 20.0).max(44.0), height + 16.0),
        // The smallest ellipse around a rectangle is √2 as wide and as high.
        Shape::Place | Shape::Port => {
            let (width, height) = (width * 1.3 + 8.0, height * 1.3 + 14.0);
            (width.max(44.0), height.max(44.0))
        }
    }
}

fn area(label: &NodeLabel) -> Option<Area> {
    Some(Area {
        x: label.x?,
        y: label.y?,
        width: label.width,
        height: label.height,
    })
}

/// The library ends lines at the rectangles around nodes; those of places are ellipses.
fn attach(points: &mut [Point], (from, to): (usize, usize), picture: &Picture, nodes: &[Area]) {
    let is_round = |node: usize| matches!(picture.nodes[node].shape, Shape::Place | Shape::Port);
    let last = points.len() - 1;
    if is_round(from) {
        points[0] = on_ellipse(nodes[from], points[1]);
    }
    if is_round(to) {
        points[last] = on_ellipse(nodes[to], points[last - 1]);
    }
}

/// Where the line from the middle of an ellipse to a point leaves it.
fn on_ellipse(area: Area, (x, y): Point) -> Point {
    let (dx, dy) = (x - area.x, y - area.y);
    let (across, down) = (dx / (area.width / 2.0), dy / (area.height / 2.0));
    let length = across.hypot(down).max(f64::MIN_POSITIVE);
    (area.x + dx / length, area.y + dy / length)
}
