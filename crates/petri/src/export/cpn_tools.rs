//! Files of CPN Tools, version 4, by the published document type: <http://cpntools.org/DTD/6/cpn.dtd>.
//!
//! Pages become pages, and in the page above a substitution transition whose ports are assigned to their sockets. Time is counted
//! in microseconds, because the whole numbers of CPN Tools end at 2³⁰: nanoseconds would end delays at one second.

use std::cell::Cell;

use hashbrown::HashMap;

use super::hierarchy::{Sheet, Use, name, sheets, uses};
use super::layout::{Area, layout};
use super::picture::{Edge, EdgeKind, Frame, Node, Picture, Shape};
use super::xml::{Element, document};
use super::{ExportError, Exporter};
use crate::Urgent;
use crate::author::{DraftPlace, DraftTransition, Net, PlaceId};
use crate::delay::Delay;

const DOCTYPE: &str = "workspaceElements PUBLIC \"-//CPN//DTD CPNXML 1.0//EN\" \
                       \"http://cpntools.org/DTD/6/cpn.dtd\"";

/// A timed hierarchical net for CPN Tools. Coloured places, guards and code are refused: they are closures, which no file can hold.
/// So are urgencies, for which the document type has no word, inhibitor arcs that count, and arcs to places of other pages.
#[derive(Clone, Copy, Debug)]
pub struct CpnTools;

impl Exporter for CpnTools {
    fn export(&self, net: &Net) -> Result<String, ExportError> {
        check(net)?;
        let sheets = sheets(net);
        let writing = Writing {
            net,
            uses: uses(net),
            arcs: Cell::new(0),
        };
        let pages: Result<Vec<Element>, ExportError> = (0..sheets.len())
            .map(|it| writing.page(&sheets, it))
            .collect();
        let net = Element::new("cpnet")
            .and(declarations())
            .and_all(pages?)
            .and_all(writing.fusion_sets())
            .and(Element::new("instances").and(instance(&sheets, 0)))
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

fn refused(path: &str, what: impl Into<String>) -> ExportError {
    ExportError {
        path: path.to_owned(),
        format: "CPN Tools",
        what: what.into(),
    }
}

/// Refuses what a file of CPN Tools cannot hold.
fn check(net: &Net) -> Result<(), ExportError> {
    for place in &net.authored.places {
        check_place(place, net)?;
    }
    for transition in &net.authored.transitions {
        check_transition(transition, net)?;
    }
    Ok(())
}

fn check_place(place: &DraftPlace, net: &Net) -> Result<(), ExportError> {
    let refuse = |what: &str| Err(refused(&place.path, what));
    if place.holding.shelf.is_some() {
        let what = format!("tokens of the Rust type {}", place.holding.name);
        return Err(refused(&place.path, what));
    }
    if place.sets.len() + usize::from(place.socket.is_some()) > 1 {
        return refuse("a place of two fusion sets, or a port in one");
    }
    match place.socket {
        Some(socket) if !is_above(&net.authored.places[socket as usize].path, &place.path) => {
            refuse("a port whose socket is not on the page above")
        }
        _ => Ok(()),
    }
}

fn check_transition(it: &DraftTransition, net: &Net) -> Result<(), ExportError> {
    let refuse = |what: &str| Err(refused(&it.path, what));
    if it.body.is_some() {
        return refuse("its guard and code, which are closures");
    }
    if it.urgency != Urgent::NORMAL.0 {
        return refuse("an urgency");
    }
    if it.inhibitors.iter().any(|arc| arc.1 > 1) {
        return refuse("an inhibitor arc that counts");
    }
    let page = page_of(&it.path);
    let far = |place: &PlaceId| page_of(&net.authored.places[place.index as usize].path) != page;
    match arcs(it).iter().any(|arc| far(&arc.place)) {
        true => refuse("an arc to a place of another page; connect a port"),
        false => Ok(()),
    }
}

fn page_of(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(page, _)| page)
}

/// Whether a place is on the page above another's.
fn is_above(above: &str, below: &str) -> bool {
    page_of(below).is_some_and(|page| page_of(page) == page_of(above))
}

/// An arc as CPN Tools has it.
struct Arc<'n> {
    place: PlaceId,
    orientation: &'static str,
    count: u32,
    after: Option<&'n Delay>,
}

fn arcs(it: &DraftTransition) -> Vec<Arc<'_>> {
    let arc = |place, orientation, count, after| Arc {
        place,
        orientation,
        count,
        after,
    };
    let needs = it
        .needs
        .iter()
        .map(|need| arc(need.0, "PtoT", need.1, None));
    let gives = it.gives.iter();
    let gives = gives.map(|it| arc(it.place, "TtoP", it.count, Some(&it.after)));
    let inhibitors = it
        .inhibitors
        .iter()
        .map(|it| arc(it.0, "Inhibitor", 0, None));
    let resets = it.resets.iter().map(|it| arc(*it, "Reset", 0, None));
    needs.chain(gives).chain(inhibitors).chain(resets).collect()
}

/// The colour set of all tokens, and the unit of time.
fn declarations() -> Element {
    let unit = Element::new("color")
        .with("id", id(Kind::Declaration, 0))
        .and(Element::new("id").text("UNIT"))
        .and(Element::new("timed"))
        .and(Element::new("unit"))
        .and(Element::new("layout").text("colset UNIT = unit timed;"));
    let us = "fun us (seconds: real) = Real.round (seconds * 1000000.0);";
    let us = Element::new("ml")
        .with("id", id(Kind::Declaration, 1))
        .text(us);
    let block = Element::new("block").with("id", id(Kind::Declaration, 2));
    let block = block.and(Element::new("id").text("Tokens, and microseconds of time"));
    Element::new("globbox").and(block.and(unit).and(us))
}

/// The instance of a page, with those of the pages on it.
fn instance(sheets: &[Sheet<'_>], index: usize) -> Element {
    let instance = Element::new("instance").with("id", id(Kind::Instance, index));
    let instance = match index {
        0 => instance.with("page", id(Kind::Page, 0)),
        _ => instance.with("trans", id(Kind::Substitution, index)),
    };
    let below = sheets[index].pages.iter();
    instance.and_all(below.map(|it| self::instance(sheets, *it)))
}

/// What an identifier is for.
#[derive(Clone, Copy)]
enum Kind {
    Declaration,
    Page,
    Instance,
    Place,
    Colour,
    Marking,
    Port,
    FusionInfo,
    Transition,
    Time,
    Substitution,
    SubpageInfo,
    Arc,
    Annotation,
    Socket,
    SocketAnnotation,
    Fusion,
    /// How many kinds there are.
    Count,
}

/// Identifiers look as those that CPN Tools makes.
fn id(kind: Kind, index: usize) -> String {
    format!("ID{}", 1 + index * Kind::Count as usize + kind as usize)
}

struct Writing<'n> {
    net: &'n Net,
    uses: Vec<Use>,
    /// Arcs written so far.
    arcs: Cell<usize>,
}

/// A page that is drawn: where its places, its transitions and the pages on it stand.
struct Drawn {
    places: HashMap<usize, Area>,
    transitions: HashMap<usize, Area>,
    pages: HashMap<usize, Area>,
}

impl Writing<'_> {
    fn page(&self, sheets: &[Sheet<'_>], index: usize) -> Result<Element, ExportError> {
        let sheet = &sheets[index];
        let title = match index {
            0 => self.net.name(),
            _ => name(sheet.path),
        };
        let drawn = self.draw(sheets, sheet);
        let mut page = Element::new("page")
            .with("id", id(Kind::Page, index))
            .and(Element::new("pageattr").with("name", title));
        for &place in &sheet.places {
            page = page.and(self.place(place, drawn.places[&place]));
        }
        for &transition in &sheet.transitions {
            page = page.and_all(self.transition(transition, &drawn)?);
        }
        for &below in &sheet.pages {
            page = page.and_all(self.substitution(&sheets[below], below, &drawn));
        }
        Ok(page)
    }

    /// Where everything on a page stands.
    fn draw(&self, sheets: &[Sheet<'_>], sheet: &Sheet<'_>) -> Drawn {
        let authored = &self.net.authored;
        let node = |shape, text: &str| Node {
            shape,
            lines: vec![text.to_owned()],
        };
        let places = sheet.places.iter();
        let places = places.map(|it| node(Shape::Place, name(&authored.places[*it].path)));
        let transitions = sheet.transitions.iter().map(|it| {
            let it = &authored.transitions[*it];
            let mut lines = vec![name(&it.path).to_owned()];
            lines.extend((!it.delay.is_none()).then(|| format!("{:?}", it.delay)));
            Node {
                shape: Shape::Transition,
                lines,
            }
        });
        let pages = sheet.pages.iter();
        let pages = pages.map(|it| node(Shape::Transition, name(sheets[*it].path)));
        let nodes: Vec<Node> = places.chain(transitions).chain(pages).collect();
        let frame = Frame {
            name: String::new(),
            nodes: (0..nodes.len()).collect(),
            frames: Vec::new(),
        };
        let laid_out = layout(&Picture {
            frames: vec![frame],
            edges: self.edges(sheets, sheet),
            nodes,
        });
        let mut areas = laid_out.nodes.into_iter();
        let mut take = |numbers: &[usize]| numbers.iter().copied().zip(areas.by_ref()).collect();
        Drawn {
            places: take(&sheet.places),
            transitions: take(&sheet.transitions),
            pages: take(&sheet.pages),
        }
    }

    /// The arcs of a page between its nodes: places first, then transitions, then the pages on it.
    fn edges(&self, sheets: &[Sheet<'_>], sheet: &Sheet<'_>) -> Vec<Edge> {
        let numbered = sheet.places.iter().enumerate();
        let numbers: HashMap<usize, usize> = numbered.map(|(at, it)| (*it, at)).collect();
        let edge = |from, to| Edge {
            from,
            to,
            kind: EdgeKind::Arc,
            label: Some("1`()".to_owned()),
        };
        let mut edges = Vec::new();
        for (at, it) in sheet.transitions.iter().enumerate() {
            let transition = sheet.places.len() + at;
            for arc in arcs(&self.net.authored.transitions[*it]) {
                let place = numbers[&(arc.place.index as usize)];
                edges.push(match arc.orientation {
                    "TtoP" => edge(transition, place),
                    _ => edge(place, transition),
                });
            }
        }
        for (at, below) in sheet.pages.iter().enumerate() {
            let page = sheet.places.len() + sheet.transitions.len() + at;
            for (port, socket) in self.assigned(&sheets[*below]) {
                let socket = numbers[&socket];
                edges.push(match self.uses[port].taken {
                    true => edge(socket, page),
                    false => edge(page, socket),
                });
            }
        }
        edges
    }

    /// The ports of a page with their sockets.
    fn assigned(&self, sheet: &Sheet<'_>) -> Vec<(usize, usize)> {
        let places = &self.net.authored.places;
        let ports = sheet.places.iter();
        ports
            .filter_map(|port| Some((*port, places[*port].socket? as usize)))
            .collect()
    }

    fn place(&self, index: usize, area: Area) -> Element {
        let place = &self.net.authored.places[index];
        // A port takes its marking from its socket, and all members of a fusion set say the same.
        let initial = match place.socket {
            Some(_) => 0,
            None => self.net.places[self.net.dense[index] as usize].initial,
        };
        let marking = match initial {
            0 => String::new(),
            tokens => multiset(tokens),
        };
        let below = (area.x, area.y + area.height / 2.0 + 12.0);
        let above = (area.x, area.y - area.height / 2.0 - 12.0);
        let kind = Element::new("type").with("id", id(Kind::Colour, index));
        let mark = Element::new("initmark").with("id", id(Kind::Marking, index));
        let element = object(
            Element::new("place").with("id", id(Kind::Place, index)),
            area_middle(area),
        )
        .and(Element::new("text").text(name(&place.path)))
        .and(sized(Element::new("ellipse"), area))
        .and(inscription(kind, below, "UNIT"))
        .and(inscription(mark, above, &marking));
        let port = place.socket.map(|_| {
            let port = Element::new("port").with("id", id(Kind::Port, index));
            object(port.with("type", self.direction(index)), below)
        });
        let fusion = place.sets.first().map(|set| {
            let info = Element::new("fusioninfo").with("id", id(Kind::FusionInfo, index));
            object(info.with("name", set), below)
        });
        element.and_all(port).and_all(fusion)
    }

    /// Where tokens go through a port.
    fn direction(&self, port: usize) -> &'static str {
        match self.uses[port] {
            Use {
                taken: true,
                given: false,
            } => "In",
            Use {
                taken: false,
                given: true,
            } => "Out",
            _ => "I/O",
        }
    }

    /// The transition, then its arcs.
    fn transition(&self, index: usize, drawn: &Drawn) -> Result<Vec<Element>, ExportError> {
        let it = &self.net.authored.transitions[index];
        let area = drawn.transitions[&index];
        let own = id(Kind::Transition, index);
        let delay = match it.delay.is_none() {
            true => String::new(),
            false => format!("@+{}", in_us(&it.delay, it)?),
        };
        let time = Element::new("time").with("id", id(Kind::Time, index));
        let below = (area.x, area.y + area.height / 2.0 + 12.0);
        let transition = rectangle(&own, area)
            .and(Element::new("text").text(name(&it.path)))
            .and(sized(Element::new("box"), area))
            .and(inscription(time, below, &delay));
        let mut elements = vec![transition];
        for arc in arcs(it) {
            let mut text = match arc.count {
                0 => String::new(),
                count => multiset(count),
            };
            if let Some(after) = arc.after.filter(|after| !after.is_none()) {
                text += &format!("@+{}", in_us(after, it)?);
            }
            let place = arc.place.index as usize;
            let ends = (drawn.places[&place], area);
            let number = self.arcs.replace(self.arcs.get() + 1);
            let ids = [id(Kind::Arc, number), id(Kind::Annotation, number)];
            let joined = [id(Kind::Place, place), own.clone()];
            elements.push(arc_element(&ids, &joined, arc.orientation, ends, &text));
        }
        Ok(elements)
    }

    /// The transition that stands for a page, then its arcs to the sockets.
    fn substitution(&self, sheet: &Sheet<'_>, index: usize, drawn: &Drawn) -> Vec<Element> {
        let area = drawn.pages[&index];
        let own = id(Kind::Substitution, index);
        let assigned = self.assigned(sheet);
        let pair = |&(port, socket): &(usize, usize)| {
            format!("({},{})", id(Kind::Place, port), id(Kind::Place, socket))
        };
        let ports: String = assigned.iter().map(pair).collect();
        let below = (area.x, area.y + area.height / 2.0 + 12.0);
        let info = Element::new("subpageinfo").with("id", id(Kind::SubpageInfo, index));
        let info = object(info.with("name", name(sheet.path)), below);
        let substitution = Element::new("subst")
            .with("subpage", id(Kind::Page, index))
            .with("portsock", ports)
            .and(info);
        let transition = rectangle(&own, area)
            .and(Element::new("text").text(name(sheet.path)))
            .and(sized(Element::new("box"), area))
            .and(substitution);
        let arcs = assigned.iter().map(|&(port, socket)| {
            let orientation = match self.direction(port) {
                "In" => "PtoT",
                "Out" => "TtoP",
                _ => "BOTHDIR",
            };
            let ends = (drawn.places[&socket], area);
            let ids = [id(Kind::Socket, port), id(Kind::SocketAnnotation, port)];
            let joined = [id(Kind::Place, socket), own.clone()];
            arc_element(&ids, &joined, orientation, ends, "")
        });
        [transition].into_iter().chain(arcs).collect()
    }

    fn fusion_sets(&self) -> Vec<Element> {
        let mut sets: Vec<(&str, Vec<usize>)> = Vec::new();
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for (index, place) in self.net.authored.places.iter().enumerate() {
            for set in &place.sets {
                let number = *numbers.entry(set).or_insert(sets.len());
                if number == sets.len() {
                    sets.push((set, Vec::new()));
                }
                sets[number].1.push(index);
            }
        }
        let element = |(number, (name, members)): (usize, (&str, Vec<usize>))| {
            let member = |it: usize| Element::new("fusion_elm").with("idref", id(Kind::Place, it));
            Element::new("fusion")
                .with("id", id(Kind::Fusion, number))
                .with("name", name)
                .and_all(members.into_iter().map(member))
        };
        sets.into_iter().enumerate().map(element).collect()
    }
}

fn multiset(tokens: u32) -> String {
    format!("{tokens}`()")
}

/// A delay as an expression of whole microseconds. The functions are those of CPN Tools: the parameter of `exponential` and of
/// each stage of `erlang` is a rate.
fn in_us(delay: &Delay, of: &DraftTransition) -> Result<String, ExportError> {
    let parts = delay.parts();
    let seconds = match parts
        .as_ref()
        .map(|(law, numbers)| (*law, numbers.as_slice()))
    {
        Some(("constant", &[seconds])) => real(seconds),
        Some(("exponential", &[mean])) if mean > 0.0 => {
            format!("exponential({})", real(1.0 / mean))
        }
        Some(("uniform", &[low, high])) => format!("uniform({}, {})", real(low), real(high)),
        Some(("erlang", &[stages, mean])) if mean > 0.0 => {
            format!("erlang({stages}, {})", real(stages / mean))
        }
        Some(("empirical", values)) => {
            let list: Vec<String> = values.iter().map(|it| real(*it)).collect();
            let last = values.len() - 1;
            format!("List.nth([{}], discrete(0, {last}))", list.join(", "))
        }
        // An exponential time of mean 0.
        Some(_) => real(0.0),
        None => return Err(refused(&of.path, "a delay drawn by code")),
    };
    Ok(format!("us({seconds})"))
}

/// A number that is not negative, in the words of Standard ML.
fn real(number: f64) -> String {
    format!("{number:?}").replace('e', "E").replace('-', "~")
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
    [place, transition]: &[String; 2],
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
