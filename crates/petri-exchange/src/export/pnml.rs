//! The Petri Net Markup Language, ISO/IEC 15909-2, grammar of 2009: <https://www.pnml.org>.
//!
//! Ports and members of fusion sets become reference places. What the language has no word for and what only narrows down
//! how the net behaves (delays, urgencies) stands in `toolspecific` elements, which other programs pass over.

use super::hierarchy::{Sheet, name, sheets};
use super::xml::{Element, document};
use super::{ExportError, Exporter};
use hotset_petri::Delay;
use hotset_petri::Urgent;
use hotset_petri::{DrawnTransition, Net, PlaceId};

use crate::pnml;

/// A place/transition net in the Petri Net Markup Language. Coloured places, guards, code, and inhibitor and reset arcs are
/// refused.
#[derive(Clone, Copy, Debug)]
pub struct Pnml;

impl Exporter for Pnml {
    fn export(&self, net: &Net) -> Result<String, ExportError> {
        check(net)?;
        let sheets = sheets(net);
        let mut writer = PnmlWriter { net, arcs: 0 };
        let page = writer.page(&sheets, 0)?;
        let net = Element::new("net")
            .with("id", "net")
            .with("type", pnml::PLACE_TRANSITION_NET)
            .and(label("name", net.name()))
            .and(page);
        let root = Element::new("pnml").with("xmlns", pnml::NAMESPACE).and(net);
        Ok(document(&root, None))
    }
}

fn refused(path: &str, what: impl Into<String>) -> ExportError {
    ExportError {
        path: path.to_owned(),
        format: "PNML of place/transition nets",
        what: what.into(),
        others: Vec::new(),
    }
}

/// Refuses what the language has no word for and what changes how the net behaves.
fn check(net: &Net) -> Result<(), ExportError> {
    let mut places = net.drawing().places.iter();
    if let Some(place) = places.find(|it| it.holding.order.is_some()) {
        return Err(refused(&place.path, "coloured tokens"));
    }
    for it in &net.drawing().transitions {
        let what = match it {
            _ if !it.inhibitors.is_empty() => "an inhibitor arc",
            _ if !it.resets.is_empty() => "a reset arc",
            _ if it.has_body() => "a guard or code",
            _ => continue,
        };
        return Err(refused(&it.path, what));
    }
    Ok(())
}

struct PnmlWriter<'n> {
    net: &'n Net,
    arcs: usize,
}

impl PnmlWriter<'_> {
    fn page(&mut self, sheets: &[Sheet<'_>], index: usize) -> Result<Element, ExportError> {
        let sheet = &sheets[index];
        let mut page = Element::new("page").with("id", format!("page{index}"));
        if index > 0 {
            page = page.and(label("name", name(sheet.path)));
        }
        page = page.and_all(sheet.places.iter().map(|it| self.place(*it)));
        for &transition in &sheet.transitions {
            page = page.and_all(self.transition(transition)?);
        }
        for &below in &sheet.pages {
            page = page.and(self.page(sheets, below)?);
        }
        Ok(page)
    }

    /// A place that stands for itself, or one that refers to its socket or to the first of its fusion set.
    fn place(&self, index: usize) -> Element {
        let place = &self.net.drawing().places[index];
        let (root, initial) = self.net.root(index);
        let is_root = root == index;
        let kind = if is_root { "place" } else { "referencePlace" };
        let mut element = Element::new(kind).with("id", place_id(index));
        if !is_root {
            let to = place.socket.map_or(root, |socket| socket as usize);
            element = element.with("ref", place_id(to));
        }
        element = element.and(label("name", name(&place.path)));
        if is_root && initial > 0 {
            element = element.and(label("initialMarking", initial.to_string()));
        }
        let sets = place.sets.iter();
        let sets = sets.map(|set| Element::new("fusion").with("set", set));
        // A member of a fusion set may be a port too.
        let is_both = place.socket.is_some() && !place.sets.is_empty();
        let port = is_both.then(|| Element::new("port"));
        element.and_all(own(sets.chain(port)))
    }

    /// The transition, then its arcs.
    fn transition(&mut self, index: usize) -> Result<Vec<Element>, ExportError> {
        let it = &self.net.drawing().transitions[index];
        let id = format!("transition{index}");
        let urgency = (it.urgency != Urgent::NORMAL.0).then(|| {
            let number = it.urgency.to_string();
            Element::new("urgency").text(number)
        });
        let words = delay(&it.delay, it)?.into_iter().chain(urgency);
        let transition = Element::new("transition")
            .with("id", &id)
            .and(label("name", name(&it.path)))
            .and_all(own(words));
        let mut elements = vec![transition];
        for &(place, count) in &it.needs {
            elements.push(self.arc(&place_of(place), &id, count));
        }
        for give in &it.gives {
            let arc = self.arc(&id, &place_of(give.place), give.count);
            elements.push(arc.and_all(own(delay(&give.after, it)?)));
        }
        Ok(elements)
    }

    fn arc(&mut self, from: &str, to: &str, count: u32) -> Element {
        self.arcs += 1;
        let arc = Element::new("arc")
            .with("id", format!("arc{}", self.arcs))
            .with("source", from)
            .with("target", to);
        match count {
            1 => arc,
            _ => arc.and(label("inscription", count.to_string())),
        }
    }
}

fn place_id(index: usize) -> String {
    format!("place{index}")
}

fn place_of(place: PlaceId) -> String {
    place_id(place.number())
}

/// A label of the language: text in an element of its own.
fn label(name: &'static str, text: impl Into<String>) -> Element {
    Element::new(name).and(Element::new("text").text(text))
}

/// What is hotset's own, where there is something.
fn own(words: impl IntoIterator<Item = Element>) -> Option<Element> {
    let mut words = words.into_iter().peekable();
    words.peek()?;
    let element = Element::new("toolspecific");
    let element = element
        .with("tool", pnml::TOOL)
        .with("version", pnml::VERSION);
    Some(element.and_all(words))
}

fn delay(delay: &Delay, of: &DrawnTransition) -> Result<Option<Element>, ExportError> {
    if delay.is_none() {
        return Ok(None);
    }
    let Some((law, numbers)) = delay.parts() else {
        return Err(refused(&of.path, "a delay drawn by code"));
    };
    let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
    let element = Element::new("delay").with("law", law);
    Ok(Some(element.text(numbers.join(" "))))
}
