//! Scalable vector graphics, laid out: <https://www.w3.org/TR/SVG2/>.

use super::layout::{
    Area, Line, MOST_NODES, NAME_HEIGHT, NOTE_HEIGHT, Point, TITLE_HEIGHT, layout,
};

use super::picture::{Edge, EdgeKind, Frame, Node, Picture, Shape};
use super::sheets_of_pages::pictures;
use super::xml::{Element, document};
use super::{ExportError, Exporter};
use hotset_petri::Net;

/// A net with pages and more nodes than these is drawn page by page: lines would run across the whole picture.
const MOST_NODES_AT_ONCE: usize = 60;

/// A picture: places are ellipses, ports have a double line, transitions are boxes, pages are frames. A dashed line joins a port
/// with its socket, an inhibitor arc ends in a circle, a reset arc in a double arrow.
///
/// A large net has its pages one below the other. There a page on another is a box with a double line, places of other pages are
/// drawn as ports, and a token that is taken and given back is an arrow with two heads.
#[derive(Clone, Copy, Debug)]
pub struct Svg;

const STYLE: &str = "\
text { font-family: 'DejaVu Sans', Verdana, Arial, sans-serif; text-anchor: middle; fill: #1c2733; }
.name { font-size: 13px; }
.note { font-size: 11px; fill: #4a5866; }
.title { font-size: 13px; font-weight: bold; text-anchor: start; fill: #4a5866; }
.frame { fill: #f6f8fa; stroke: #b3bfca; stroke-width: 1.2; }
.place { fill: #ffffff; stroke: #1f6fb2; stroke-width: 1.6; }
.transition { fill: #eef1f4; stroke: #1c2733; stroke-width: 1.6; }
.arc { fill: none; stroke: #4a5866; stroke-width: 1.2; }
.socket { fill: none; stroke: #1f6fb2; stroke-width: 1.2; stroke-dasharray: 5 4; }
.back { fill: #ffffff; fill-opacity: 0.85; }";

impl Exporter for Svg {
    fn export(&self, net: &Net) -> Result<String, ExportError> {
        let picture = Picture::of(net);
        if picture.nodes.len() > MOST_NODES {
            return Err(ExportError {
                path: net.name().to_owned(),
                format: "a picture",
                what: format!(
                    "{} places and transitions; it takes {MOST_NODES} at most",
                    picture.nodes.len()
                ),
                others: Vec::new(),
            });
        }
        let drawn = match picture.frames.len() > 1 && picture.nodes.len() > MOST_NODES_AT_ONCE {
            true => page_by_page(net),
            false => draw_parts(&picture),
        };
        Ok(document(&draw(drawn, net.name()), None))
    }
}

/// What is drawn, and how large it is.
struct Canvas {
    parts: Vec<Element>,
    width: f64,
    height: f64,
}

fn draw(drawn: Canvas, name: &str) -> Element {
    let (width, height) = (drawn.width, drawn.height);
    Element::new("svg")
        .with("xmlns", "http://www.w3.org/2000/svg")
        .with("width", width)
        .with("height", height)
        .with("viewBox", format!("0 0 {width} {height}"))
        .and(Element::new("title").text(name))
        .and(Element::new("style").text(STYLE))
        .and(arrow_heads())
        .and(
            Element::new("rect")
                .with("width", "100%")
                .with("height", "100%")
                .with("fill", "#ffffff"),
        )
        .and_all(drawn.parts)
}

/// Frames, then lines, then what they join.
fn draw_parts(picture: &Picture) -> Canvas {
    let layout = layout(picture);
    let frames = picture.frames.iter().zip(&layout.frames);
    let frames = frames.filter_map(|(frame, area)| Some(draw_frame(frame, (*area)?)));
    let edges = picture.edges.iter().zip(&layout.edges);
    let nodes = picture.nodes.iter().zip(&layout.nodes);
    Canvas {
        parts: frames
            .chain(edges.map(|(edge, line)| draw_edge(edge, line)))
            .chain(nodes.map(|(node, area)| draw_node(node, *area)))
            .collect(),
        width: layout.width.ceil(),
        height: layout.height.ceil(),
    }
}

/// Between two sheets, in pixels.
const BETWEEN_SHEETS: f64 = 24.0;

/// The pages of a net, one below the other.
fn page_by_page(net: &Net) -> Canvas {
    let (mut parts, mut width, mut height) = (Vec::new(), 0.0_f64, BETWEEN_SHEETS);
    for (title, picture) in pictures(net) {
        let sheet = draw_parts(&picture);
        let area = Area {
            x: BETWEEN_SHEETS + sheet.width / 2.0,
            y: height + (sheet.height + TITLE_HEIGHT) / 2.0,
            width: sheet.width,
            height: sheet.height,
        };
        let frame = Frame {
            name: title,
            nodes: Vec::new(),
            frames: Vec::new(),
        };
        parts.push(draw_frame(&frame, area));
        let place = format!(
            "translate({BETWEEN_SHEETS} {})",
            round(height + TITLE_HEIGHT / 2.0)
        );
        parts.push(
            Element::new("g")
                .with("transform", place)
                .and_all(sheet.parts),
        );
        width = width.max(sheet.width);
        height += sheet.height + TITLE_HEIGHT + BETWEEN_SHEETS;
    }
    Canvas {
        parts,
        width: (width + 2.0 * BETWEEN_SHEETS).ceil(),
        height: height.ceil(),
    }
}

/// What lines end in.
fn arrow_heads() -> Element {
    let head = |id, width: u32, shape: Element| {
        Element::new("marker")
            .with("id", id)
            .with("viewBox", format!("0 0 {width} 10"))
            .with("refX", width)
            .with("refY", 5)
            .with("markerWidth", width * 9 / 10)
            .with("markerHeight", 9)
            .with("markerUnits", "userSpaceOnUse")
            .with("orient", "auto-start-reverse")
            .and(shape.with("stroke", "#4a5866"))
    };
    let triangle = |path| Element::new("path").with("d", path).with("fill", "#4a5866");
    let circle = Element::new("circle")
        .with("cx", 5)
        .with("cy", 5)
        .with("r", 4);
    Element::new("defs")
        .and(head("arrow", 10, triangle("M1 1 L10 5 L1 9 z")))
        .and(head(
            "reset",
            20,
            triangle("M1 1 L10 5 L1 9 z M11 1 L20 5 L11 9 z"),
        ))
        .and(head("inhibitor", 10, circle.with("fill", "#ffffff")))
}

/// A page: its title stands inside its upper edge.
fn draw_frame(frame: &Frame, area: Area) -> Element {
    let (left, top) = (area.x - area.width / 2.0, area.y - area.height / 2.0);
    let rectangle = Element::new("rect")
        .with("class", "frame")
        .with("x", round(left))
        .with("y", round(top - TITLE_HEIGHT / 2.0))
        .with("width", round(area.width))
        .with("height", round(area.height + TITLE_HEIGHT / 2.0))
        .with("rx", 8);
    let title = Element::new("text")
        .with("class", "title")
        .with("x", round(left + 10.0))
        .with("y", round(top - TITLE_HEIGHT / 2.0 + 17.0))
        .text(frame.name.as_str());
    Element::new("g").and(rectangle).and(title)
}

fn draw_node(node: &Node, area: Area) -> Element {
    let shapes = match node.shape {
        Shape::Transition => vec![rectangle(area).with("class", "transition").with("rx", 2)],
        Shape::Page => {
            let inner = Area {
                width: area.width - 7.0,
                height: area.height - 7.0,
                ..area
            };
            let boxes =
                [area, inner].map(|it| rectangle(it).with("class", "transition").with("rx", 2));
            boxes.into()
        }
        Shape::Place => vec![ellipse(area, 0.0)],
        Shape::Port => vec![ellipse(area, 0.0), ellipse(area, 3.5)],
    };
    let height = NAME_HEIGHT + (node.lines.len() - 1) as f64 * NOTE_HEIGHT;
    let first = area.y - height / 2.0 + NAME_HEIGHT - 4.0;
    let lines = node.lines.iter().enumerate().map(|(number, line)| {
        let class = if number == 0 { "name" } else { "note" };
        words(class, (area.x, first + number as f64 * NOTE_HEIGHT), line)
    });
    Element::new("g").and_all(shapes).and_all(lines)
}

fn rectangle(area: Area) -> Element {
    Element::new("rect")
        .with("x", round(area.x - area.width / 2.0))
        .with("y", round(area.y - area.height / 2.0))
        .with("width", round(area.width))
        .with("height", round(area.height))
}

/// An ellipse in an area, so much smaller than it.
fn ellipse(area: Area, smaller: f64) -> Element {
    Element::new("ellipse")
        .with("class", "place")
        .with("cx", round(area.x))
        .with("cy", round(area.y))
        .with("rx", round(area.width / 2.0 - smaller))
        .with("ry", round(area.height / 2.0 - smaller))
}

fn words(class: &str, (x, y): Point, text: &str) -> Element {
    Element::new("text")
        .with("class", class)
        .with("x", round(x))
        .with("y", round(y))
        .text(text)
}

fn draw_edge(edge: &Edge, line: &Line) -> Element {
    let path = Element::new("path").with("d", smooth(&line.points));
    let path = match edge.kind {
        EdgeKind::Socket => path.with("class", "socket"),
        EdgeKind::Arc => path.with("class", "arc").with("marker-end", "url(#arrow)"),
        EdgeKind::BothWays => path
            .with("class", "arc")
            .with("marker-start", "url(#arrow)")
            .with("marker-end", "url(#arrow)"),
        EdgeKind::Inhibitor => path
            .with("class", "arc")
            .with("marker-end", "url(#inhibitor)"),
        EdgeKind::Reset => path.with("class", "arc").with("marker-end", "url(#reset)"),
    };
    let label = edge.label.as_deref().zip(line.label);
    let label = label.into_iter().flat_map(|(text, area)| {
        let back = rectangle(area).with("class", "back");
        [back, words("note", (area.x, area.y + 4.0), text)]
    });
    Element::new("g").and(path).and_all(label)
}

/// A path through the middles between the points of a line, with its points as those that the curve bends to.
fn smooth(points: &[Point]) -> String {
    let middle = |a: Point, b: Point| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let at = |it: Point| format!("{} {}", round(it.0), round(it.1));
    let mut path = format!("M{}", at(points[0]));
    for pair in points[1..].windows(2) {
        path += &format!(" Q{} {}", at(pair[0]), at(middle(pair[0], pair[1])));
    }
    path + &format!(" L{}", at(points[points.len() - 1]))
}

/// A tenth of a pixel is enough.
fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
