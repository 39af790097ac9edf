//! What a drawing of a net shows, in whatever format.

use super::hierarchy::{name, sheets, uses};
use hotset_petri::{Delay, Drawing, DrawnPlace, DrawnTransition, Net, OutputArc, PlaceId};

/// Pages as frames, places and transitions as nodes, arcs as edges.
pub(super) struct Picture {
    /// The net itself comes first; it has no frame.
    pub frames: Vec<Frame>,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

/// The frame of a page.
pub(super) struct Frame {
    pub name: String,
    /// Its nodes, by number.
    pub nodes: Vec<usize>,
    /// The frames in it, by number.
    pub frames: Vec<usize>,
}

/// A place or a transition.
pub(super) struct Node {
    pub shape: Shape,
    /// Its name, then what else stands in it.
    pub lines: Vec<String>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Place,
    Port,
    Transition,
    /// A page that has a sheet of its own.
    Page,
}

/// An arc, or two places that are one.
pub(super) struct Edge {
    pub from: usize,
    pub to: usize,
    pub kind: EdgeKind,
    pub label: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum EdgeKind {
    Arc,
    /// A token is taken and given back.
    BothWays,
    Inhibitor,
    Reset,
    /// Between a socket and its port, in the direction that tokens go.
    Socket,
}

impl Picture {
    /// All nodes on one page without a name.
    pub fn of_one_frame(nodes: Vec<Node>, edges: Vec<Edge>) -> Picture {
        let frame = Frame {
            name: String::new(),
            nodes: (0..nodes.len()).collect(),
            frames: Vec::new(),
        };
        Picture {
            frames: vec![frame],
            nodes,
            edges,
        }
    }

    pub fn of(net: &Net) -> Picture {
        let drawing = net.drawing();
        let places = drawing.places.iter().map(place_node);
        let transitions = drawing
            .transitions
            .iter()
            .map(|it| transition_node(it, drawing));
        let mut frames: Vec<Frame> = Vec::new();
        for sheet in sheets(net) {
            let transitions = sheet.transitions.iter();
            let transitions = transitions.map(|it| it + drawing.places.len());
            frames.push(Frame {
                name: name(sheet.path).to_owned(),
                nodes: sheet.places.iter().copied().chain(transitions).collect(),
                frames: sheet.pages,
            });
        }
        Picture {
            frames,
            nodes: places.chain(transitions).collect(),
            edges: edges(net),
        }
    }
}

pub(super) fn place_node(place: &DrawnPlace) -> Node {
    let mut lines = vec![name(&place.path).to_owned()];
    lines.extend(colour(place));
    lines.extend((place.holding.initial > 0).then(|| dots(place)));
    lines.extend(place.sets.iter().map(|set| format!("fusion: {set}")));
    Node {
        shape: match place.is_port {
            true => Shape::Port,
            false => Shape::Place,
        },
        lines,
    }
}

/// The type of a place's tokens and the order in which they are offered; nothing for unit tokens.
pub(super) fn colour(place: &DrawnPlace) -> Option<String> {
    let order = place.holding.order?;
    Some(format!("{} ({order})", short_type(place.holding.name)))
}

/// Longest initial marking that is drawn in words, characters.
const LONGEST_MARKING: usize = 60;

/// The initial marking: a few unit tokens as dots, a few coloured ones by their values, others as a number.
fn dots(place: &DrawnPlace) -> String {
    match (place.holding.initial, place.holding.order.is_some()) {
        (few @ ..=5, false) => "●".repeat(few as usize),
        (many, false) => many.to_string(),
        (_, true) => {
            let marking = marking(place);
            let short = marking.chars().count() <= LONGEST_MARKING;
            if short { marking } else { counted(place) }
        }
    }
}

/// The initial marking in words.
pub(super) fn marking(place: &DrawnPlace) -> String {
    let counted = counted(place);
    match place.holding.tokens() {
        Some(tokens) if tokens.len() <= 3 => format!("{counted}: {}", tokens.join(", ")),
        _ => counted,
    }
}

fn counted(place: &DrawnPlace) -> String {
    match place.holding.initial {
        1 => "1 token".to_owned(),
        number => format!("{number} tokens"),
    }
}

/// A type's name without the modules that it lives in.
fn short_type(name: &str) -> String {
    let is_of_name = |it: char| it.is_alphanumeric() || it == '_' || it == ':';
    let mut short = String::new();
    let mut rest = name;
    while let Some(start) = rest.find(is_of_name) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|it| !is_of_name(it)).unwrap_or(from.len());
        let (path, after) = from.split_at(end);
        short.push_str(before);
        short.push_str(path.rsplit("::").next().unwrap_or(path));
        rest = after;
    }
    short + rest
}

pub(super) fn transition_node(it: &DrawnTransition, drawing: &Drawing) -> Node {
    let mut lines = vec![name(&it.path).to_owned()];
    lines.extend(later(&it.delay));
    let guard = it.guard.as_ref();
    lines.extend(guard.map(|it| format!("[{}]", it.in_words().unwrap_or("guard"))));
    lines.extend(urgency(it));
    let objects = drawing.borrowed(it);
    lines.extend(objects.map(|it| format!("borrows {}", name(it))));
    Node {
        shape: Shape::Transition,
        lines,
    }
}

/// How urgent a transition is, unless it is as most.
pub(super) fn urgency(it: &DrawnTransition) -> Option<String> {
    let is_normal = it.urgency == hotset_petri::Urgent::NORMAL.0;
    (!is_normal).then(|| format!("urgency {}", it.urgency))
}

/// A delay as it stands on arcs.
fn later(delay: &Delay) -> Option<String> {
    (!delay.is_none()).then(|| format!("@+ {delay:?}"))
}

/// The places of a net come first among the nodes, then its transitions.
fn edges(net: &Net) -> Vec<Edge> {
    let places = &net.drawing().places;
    let mut edges = Vec::new();
    let uses = uses(net);
    for (port, place) in places.iter().enumerate() {
        let Some(socket) = place.socket else { continue };
        let is_out = uses[port].given && !uses[port].taken;
        let (from, to) = match is_out {
            true => (port, socket as usize),
            false => (socket as usize, port),
        };
        edges.push(Edge {
            from,
            to,
            kind: EdgeKind::Socket,
            label: None,
        });
    }
    for (index, it) in net.drawing().transitions.iter().enumerate() {
        arcs(it, places.len() + index, &mut edges);
    }
    edges
}

pub(super) fn arcs(it: &DrawnTransition, transition: usize, edges: &mut Vec<Edge>) {
    let mut taking = |place: PlaceId, kind, label| {
        edges.push(Edge {
            from: place.number(),
            to: transition,
            kind,
            label,
        });
    };
    for place in &it.coloured_in {
        taking(*place, EdgeKind::Arc, None);
    }
    for &(place, count) in &it.needs {
        taking(place, EdgeKind::Arc, several(count));
    }
    for &(place, below) in &it.inhibitors {
        let label = (below > 1).then(|| format!("< {below}"));
        taking(place, EdgeKind::Inhibitor, label);
    }
    for place in &it.resets {
        taking(*place, EdgeKind::Reset, None);
    }
    let coloured = it.coloured_out.iter();
    let coloured = coloured.map(|it| (it.place, said(it), &it.after));
    let units = it.gives.iter();
    let units = units.map(|it| (it.place, several(it.count), &it.after));
    for (place, quantity, after) in coloured.chain(units) {
        let words: Vec<String> = quantity.into_iter().chain(later(after)).collect();
        edges.push(Edge {
            from: transition,
            to: place.number(),
            kind: EdgeKind::Arc,
            label: (!words.is_empty()).then(|| words.join(" ")),
        });
    }
}

/// How many tokens an arc gives, and that each has a delay of its own; nothing for one token without.
pub(super) fn said(arc: &OutputArc) -> Option<String> {
    let words = arc.quantity.into_iter();
    let words = Vec::from_iter(words.chain(arc.is_timed.then_some("timed")));
    (!words.is_empty()).then(|| words.join(", "))
}

/// A number of tokens, unless it is one.
fn several(count: u32) -> Option<String> {
    (count != 1).then(|| count.to_string())
}
