//! Files of CPN Tools, version 4, by the published document type: <http://cpntools.org/DTD/6/cpn.dtd>.
//!
//! Pages become pages, and in the page above a substitution transition whose ports are assigned to their sockets. Time is counted
//! in microseconds, because the whole numbers of CPN Tools end at 2³⁰: nanoseconds would end delays at one second.

use hashbrown::HashMap;

use super::hierarchy::{Sheet, sheets};
use super::layout::{Area, MOST_NODES, grid, layout};
use super::picture::{Edge, EdgeKind, Node, Picture, Shape};
use super::xml::{Element, document};
use super::{ExportError, Exporter};
use hotset_petri::Net;
use id::{Ids, Kind, id};
use pages::{Leaf, Pages, Spot, Step, check};

mod declarations;
mod delay;
mod id;
mod pages;
mod refusal;

const DOCTYPE: &str = "workspaceElements PUBLIC \"-//CPN//DTD CPNXML 1.0//EN\" \
                       \"http://cpntools.org/DTD/6/cpn.dtd\"";

/// A timed hierarchical net for CPN Tools. Closures are refused, because no file can hold them: keys, guards and code are
/// written with [`expr!`](hotset_petri::expr), and structures are declared with [`colour!`](hotset_petri::colour). Refused are urgencies, too, for
/// which the document type has no word, inhibitor arcs that count, places that order tokens by urgency, and arcs to places of other pages.
///
/// A sink keeps its tokens there. Tokens of a queue that are ready at the same microsecond come to it in any order.
#[derive(Clone, Copy, Debug)]
pub struct CpnTools;

impl Exporter for CpnTools {
    fn export(&self, net: &Net) -> Result<String, ExportError> {
        check(net)?;
        let sheets = sheets(net);
        let mut pages = Pages::of(net);
        let leaves: Vec<Leaf> = (0..sheets.len())
            .map(|it| pages.page(&sheets, it))
            .collect::<Result<_, _>>()?;
        let Pages {
            declarations,
            mut ids,
            ..
        } = pages;
        let declarations = declarations.block(&mut ids);
        let leaves = leaves.iter().enumerate();
        let pages = leaves.map(|(index, leaf)| page(leaf, index, &mut ids));
        let pages = Vec::from_iter(pages);
        let net = Element::new("cpnet")
            .and(Element::new("globbox").and(declarations))
            .and_all(pages)
            .and_all(fusion_sets(net, &mut ids))
            .and(Element::new("instances").and(instance(&sheets, 0, &mut ids)))
            .and(Element::new("options"))
            .and(Element::new("binders"))
            .and(Element::new("monitorblock").with("name", "Monitors"))
            .and(Element::new("IndexNode").with("expanded", "true"));
        let generator = Element::new("generator");
        let generator = generator.with("tool", "CPN Tools").with("version", "4.0.1");
        let root = Element::new("workspaceElements")
            .and(generator.with("format", "6"))
            .and(net);
        Ok(document(&root, Some(DOCTYPE)))
    }
}

/// The instance of a page, with those of the pages on it.
fn instance(sheets: &[Sheet<'_>], index: usize, ids: &mut Ids) -> Element {
    let instance = Element::new("instance").with("id", ids.next());
    let instance = match index {
        0 => instance.with("page", id(Kind::Page, 0)),
        _ => instance.with("trans", id(Kind::Substitution, index)),
    };
    let below = sheets[index].pages.iter();
    instance.and_all(below.map(|it| self::instance(sheets, *it, ids)))
}

/// A page: its places, its transitions, its arcs.
fn page(leaf: &Leaf, index: usize, ids: &mut Ids) -> Element {
    let drawn = draw(leaf);
    let (places, transitions) = drawn.split_at(leaf.places.len());
    let page = Element::new("page").with("id", id(Kind::Page, index));
    let mut page = page.and(Element::new("pageattr").with("name", &leaf.title));
    for (spot, area) in leaf.places.iter().zip(places) {
        page = page.and(place(spot, *area, ids));
    }
    for (step, area) in leaf.transitions.iter().zip(transitions) {
        page = page.and(transition(step, *area, ids));
    }
    for arc in &leaf.arcs {
        let (spot, step) = (&leaf.places[arc.place], &leaf.transitions[arc.transition]);
        let ends = (places[arc.place], transitions[arc.transition]);
        let own = [ids.next(), ids.next()];
        let joined = [&spot.id, &step.id].map(String::as_str);
        page = page.and(arc_element(&own, joined, arc.orientation, ends, &arc.text));
    }
    page
}

/// Where everything on a page stands: places first, then transitions. Nodes that are too many to be laid out stand in rows.
fn draw(leaf: &Leaf) -> Vec<Area> {
    /// Room for inscriptions of arcs. Longer ones reach over the picture.
    const LABEL: usize = 16;
    let node = |shape, name: &str| Node {
        shape,
        lines: vec![name.to_owned()],
    };
    let places = leaf.places.iter().map(|it| node(Shape::Place, &it.name));
    let transitions = leaf.transitions.iter();
    let transitions = transitions.map(|it| node(Shape::Transition, &it.name));
    let nodes: Vec<Node> = places.chain(transitions).collect();
    if nodes.len() > MOST_NODES {
        return grid(&nodes);
    }
    let edges = leaf.arcs.iter().map(|it| {
        let transition = leaf.places.len() + it.transition;
        let (from, to) = match it.orientation {
            "TtoP" => (transition, it.place),
            _ => (it.place, transition),
        };
        Edge {
            from,
            to,
            kind: EdgeKind::Arc,
            label: (!it.text.is_empty()).then(|| it.text.chars().take(LABEL).collect()),
        }
    });
    layout(&Picture::of_one_frame(nodes, edges.collect())).nodes
}

fn place(it: &Spot, area: Area, ids: &mut Ids) -> Element {
    let below = (area.x, area.y + area.height / 2.0 + 12.0);
    let above = (area.x, area.y - area.height / 2.0 - 12.0);
    let kind = Element::new("type").with("id", ids.next());
    let mark = Element::new("initmark").with("id", ids.next());
    let element = object(Element::new("place").with("id", &it.id), area_middle(area))
        .and(Element::new("text").text(it.name.as_str()))
        .and(sized(Element::new("ellipse"), area))
        .and(inscription(kind, below, &it.set))
        .and(inscription(mark, above, &it.marking));
    let port = it.port.map(|direction| {
        let port = Element::new("port").with("id", ids.next());
        object(port.with("type", direction), below)
    });
    let fusion = it.fusion.as_ref().map(|set| {
        let info = Element::new("fusioninfo").with("id", ids.next());
        object(info.with("name", set), below)
    });
    element.and_all(port).and_all(fusion)
}

/// A transition; where it stands for a page, with that page.
fn transition(it: &Step, area: Area, ids: &mut Ids) -> Element {
    let above = area.y - area.height / 2.0 - 12.0;
    let below = area.y + area.height / 2.0 + 12.0;
    let element = rectangle(&it.id, area)
        .and(Element::new("text").text(it.name.as_str()))
        .and(sized(Element::new("box"), area));
    if let Some(page) = &it.page {
        let info = Element::new("subpageinfo").with("id", ids.next());
        let info = object(info.with("name", &it.name), (area.x, below));
        let substitution = Element::new("subst")
            .with("subpage", &page.page)
            .with("portsock", &page.ports);
        return element.and(substitution.and(info));
    }
    let mut said =
        |name, at, text: &str| inscription(Element::new(name).with("id", ids.next()), at, text);
    let left = area.x - area.width / 2.0;
    let right = area.x + area.width / 2.0;
    element
        .and(said("cond", (left, above), &it.guard))
        .and(said("time", (right, above), &it.delay))
        .and(said("code", (right, below), &it.code))
}

fn fusion_sets(net: &Net, ids: &mut Ids) -> Vec<Element> {
    let mut sets: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (index, place) in net.drawing().places.iter().enumerate() {
        for set in &place.sets {
            let number = *numbers.entry(set).or_insert(sets.len());
            if number == sets.len() {
                sets.push((set, Vec::new()));
            }
            sets[number].1.push(index);
        }
    }
    let element = |(name, members): (&str, Vec<usize>)| {
        let member = |it: usize| Element::new("fusion_elm").with("idref", id(Kind::Place, it));
        Element::new("fusion")
            .with("id", ids.next())
            .with("name", name)
            .and_all(members.into_iter().map(member))
    };
    sets.into_iter().map(element).collect()
}

type Point = (f64, f64);

fn area_middle(area: Area) -> Point {
    (area.x, area.y)
}

/// The attributes that every object starts with. The y axis points upwards.
fn object(element: Element, (x, y): Point) -> Element {
    let position = Element::new("posattr")
        .with("x", decimal(x))
        .with("y", decimal(-y));
    let fill = Element::new("fillattr").with("colour", "White");
    let line = Element::new("lineattr").with("colour", "Black");
    let text = Element::new("textattr").with("colour", "Black");
    element
        .and(position)
        .and(fill.with("pattern", "").with("filled", "false"))
        .and(line.with("thick", 1).with("type", "Solid"))
        .and(text.with("bold", "false"))
}

fn rectangle(id: &str, area: Area) -> Element {
    let element = Element::new("trans")
        .with("id", id)
        .with("explicit", "false");
    object(element, area_middle(area))
}

fn sized(shape: Element, area: Area) -> Element {
    shape
        .with("w", decimal(area.width))
        .with("h", decimal(area.height))
}

fn inscription(element: Element, at: Point, text: &str) -> Element {
    let words = Element::new("text")
        .with("tool", "CPN Tools")
        .with("version", "4.0.1");
    object(element, at).and(words.text(text))
}

/// An arc between a place and a transition, with its inscription in the middle.
fn arc_element(
    [id, annotation]: &[String; 2],
    [place, transition]: [&str; 2],
    orientation: &str,
    (a, b): (Area, Area),
    text: &str,
) -> Element {
    let arc = Element::new("arc").with("id", id);
    let arc = arc.with("orientation", orientation).with("order", 1);
    let head = Element::new("arrowattr").with("headsize", "1.200000");
    let annotation = Element::new("annot").with("id", annotation);
    let middle = ((a.x + b.x) / 2.0, (a.y + b.y) / 2.0);
    object(arc, (0.0, 0.0))
        .and(head.with("currentcyckle", 2))
        .and(Element::new("transend").with("idref", transition))
        .and(Element::new("placeend").with("idref", place))
        .and(inscription(annotation, middle, text))
}

fn decimal(number: f64) -> String {
    format!("{number:.6}")
}
