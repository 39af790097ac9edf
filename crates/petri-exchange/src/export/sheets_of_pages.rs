//! Pictures of a large net: a sheet for each page. Pages on it are boxes, and places of other pages that its transitions use are drawn
//! as ports.

use hashbrown::HashMap;

use super::hierarchy::{Sheet, name, sheets};
use super::picture::{Edge, EdgeKind, Node, Picture, Shape, arcs, place_node, transition_node};
use hotset_petri::Net;

/// The picture of each page that is not empty, under its path; the net's own comes first.
pub(super) fn pictures(net: &Net) -> Vec<(String, Picture)> {
    let sheets = sheets(net);
    let drawn = sheets.iter().map(|sheet| {
        let title = match sheet.path {
            "" => net.name().to_owned(),
            path => path.to_owned(),
        };
        (title, Drawing::new(net).of(sheet, &sheets))
    });
    drawn.filter(|(_, it)| !it.nodes.is_empty()).collect()
}

/// A sheet that is being drawn.
struct Drawing<'n> {
    net: &'n Net,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// The node of each place or transition that is on it, by its number in the net.
    drawn: HashMap<usize, usize>,
}

impl<'n> Drawing<'n> {
    fn new(net: &'n Net) -> Self {
        Self {
            net,
            nodes: Vec::new(),
            edges: Vec::new(),
            drawn: HashMap::new(),
        }
    }

    fn of(mut self, sheet: &Sheet<'_>, sheets: &[Sheet<'_>]) -> Picture {
        for &place in &sheet.places {
            self.place(place, true);
        }
        for &transition in &sheet.transitions {
            self.transition(transition);
        }
        for &page in &sheet.pages {
            self.page(sheets[page].path);
        }
        join_both_ways(&mut self.edges);
        Picture::of_one_frame(self.nodes, self.edges)
    }

    fn transition(&mut self, number: usize) {
        let transition = &self.net.drawing().transitions[number];
        let at = self.add(transition_node(transition, self.net.drawing()));
        let global = self.net.drawing().places.len() + number;
        self.drawn.insert(global, at);
        let mut edges = Vec::new();
        arcs(transition, global, &mut edges);
        for edge in edges {
            let (from, to) = (self.end(edge.from), self.end(edge.to));
            self.edges.push(Edge { from, to, ..edge });
        }
    }

    /// A page as a box, with an edge for each place outside it that its transitions use.
    fn page(&mut self, path: &str) {
        let page = self.add(Node {
            shape: Shape::Page,
            lines: vec![name(path).to_owned()],
        });
        let inside = format!("{path}/");
        let transitions = self.net.drawing().transitions.iter().enumerate();
        let mut edges = Vec::new();
        for (number, it) in transitions.filter(|(_, it)| it.path.starts_with(&inside)) {
            arcs(it, self.net.drawing().places.len() + number, &mut edges);
        }
        for edge in edges {
            let places = self.net.drawing().places.len();
            let taken = edge.from < places;
            let place = if taken { edge.from } else { edge.to };
            let Some(place) = self.outside(place, &inside) else {
                continue;
            };
            let place = self.end(place);
            let (from, to) = if taken { (place, page) } else { (page, place) };
            if !self.edges.iter().any(|it| (it.from, it.to) == (from, to)) {
                self.edges.push(Edge {
                    from,
                    to,
                    kind: EdgeKind::Arc,
                    label: None,
                });
            }
        }
    }

    /// The place that a place inside a page is connected to outside; itself where it is outside.
    fn outside(&self, mut place: usize, inside: &str) -> Option<usize> {
        let places = &self.net.drawing().places;
        while places[place].path.starts_with(inside) {
            place = places[place].socket? as usize;
        }
        Some(place)
    }

    /// The node of a place or a transition; a place of another page is added.
    fn end(&mut self, global: usize) -> usize {
        match self.drawn.get(&global) {
            Some(&at) => at,
            None => self.place(global, false),
        }
    }

    fn place(&mut self, number: usize, is_own: bool) -> usize {
        let place = &self.net.drawing().places[number];
        let mut node = place_node(place);
        if !is_own {
            node.shape = Shape::Port;
            node.lines.truncate(1);
        }
        let at = self.add(node);
        self.drawn.insert(number, at);
        at
    }

    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

/// A token that is taken and given back is an arc with two heads.
fn join_both_ways(edges: &mut Vec<Edge>) {
    let plain = |it: &Edge| it.kind == EdgeKind::Arc && it.label.is_none();
    let mut joined: Vec<Edge> = Vec::new();
    for edge in edges.drain(..) {
        let back = joined
            .iter_mut()
            .find(|it| plain(it) && plain(&edge) && (it.from, it.to) == (edge.to, edge.from));
        match back {
            Some(back) => back.kind = EdgeKind::BothWays,
            None => joined.push(edge),
        }
    }
    *edges = joined;
}
