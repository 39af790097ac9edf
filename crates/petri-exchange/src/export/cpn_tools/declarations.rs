//! Colour sets and variables of a file of CPN Tools.

use super::id::Ids;
use crate::export::xml::Element;
use crate::standard_ml::{identifier, member};
use hotset_petri::ColourSet;

/// The colour sets and variables that a net needs, each declared once and after those that it is made of.
#[derive(Default)]
pub struct Declarations {
    sets: Vec<Declaration>,
    variables: Vec<(String, String)>,
}

struct Declaration {
    name: String,
    /// What it is, after its name.
    meaning: String,
    body: Element,
    timed: bool,
}

impl Declarations {
    /// The name of a colour set.
    pub fn set(&mut self, set: &ColourSet) -> String {
        let (name, meaning, body) = match set {
            ColourSet::Unit => plain("unit"),
            ColourSet::Bool => plain("bool"),
            ColourSet::Int { .. } => plain("int"),
            ColourSet::Text => plain("string"),
            ColourSet::Product(parts) => {
                let parts = Vec::from_iter(parts.iter().map(|it| self.set(it)));
                let (name, meaning) = (parts.join("_x_"), parts.join(" * "));
                let body = Element::new("product").and_all(parts.into_iter().map(named));
                (name, format!("product {meaning}"), body)
            }
            ColourSet::Record(name, fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(name, set)| (identifier(name), self.set(set)));
                let fields = Vec::from_iter(fields);
                let texts = fields.iter().map(|(name, set)| format!("{name}: {set}"));
                let meaning = format!("record {}", Vec::from_iter(texts).join(" * "));
                let field =
                    |(name, set)| Element::new("recordfield").and(named(name)).and(named(set));
                let body = Element::new("record").and_all(fields.into_iter().map(field));
                (identifier(name), meaning, body)
            }
            ColourSet::Enumeration(name, members) => {
                let members = Vec::from_iter(members.iter().map(|it| member(name, it)));
                let meaning = format!("with {}", members.join(" | "));
                let body = Element::new("enum").and_all(members.into_iter().map(named));
                (identifier(name), meaning, body)
            }
        };
        self.declare(name, meaning, body, true)
    }

    /// The name of the colour set of lists of another.
    pub fn list(&mut self, of: &str) -> String {
        let body = Element::new("list").and(named(of));
        self.declare(format!("LIST_OF_{of}"), format!("list {of}"), body, false)
    }

    fn declare(&mut self, name: String, meaning: String, body: Element, timed: bool) -> String {
        let known = |it: &&Declaration| it.meaning == meaning && it.name.starts_with(&name);
        if let Some(known) = self.sets.iter().find(known) {
            return known.name.clone();
        }
        let is_free = |name: &String| self.sets.iter().all(|it| it.name != *name);
        let name = numbered(&name).find(is_free).unwrap_or_default();
        self.sets.push(Declaration {
            name: name.clone(),
            meaning,
            body,
            timed,
        });
        name
    }

    /// A variable of a colour set, of this name if it is free; not one of those that are taken.
    pub fn variable(&mut self, name: &str, set: &str, taken: &mut Vec<String>) -> String {
        let of_set = |name: &String| {
            let known = self.variables.iter().find(|it| it.0 == *name);
            known.is_none_or(|it| it.1 == set) && !taken.contains(name)
        };
        let name = numbered(name).find(of_set).unwrap_or_default();
        taken.push(name.clone());
        if !self.variables.iter().any(|it| it.0 == name) {
            self.variables.push((name.clone(), set.to_owned()));
        }
        name
    }

    /// All declarations, with what turns seconds into the time of the model.
    pub fn block(self, ids: &mut Ids) -> Element {
        let block = Element::new("block").with("id", ids.next());
        let mut block = block.and(named("Tokens, and microseconds of time"));
        for it in self.sets {
            let timed = if it.timed { " timed" } else { "" };
            let layout = format!("colset {} = {}{timed};", it.name, it.meaning);
            let set = Element::new("color")
                .with("id", ids.next())
                .and(named(it.name.as_str()));
            let set = set
                .and_all(it.timed.then(|| Element::new("timed")))
                .and(it.body);
            block = block.and(set.and(Element::new("layout").text(layout)));
        }
        for (name, set) in self.variables {
            let layout = format!("var {name}: {set};");
            let variable = Element::new("var").with("id", ids.next());
            let variable = variable
                .and(Element::new("type").and(named(set)))
                .and(named(name));
            block = block.and(variable.and(Element::new("layout").text(layout)));
        }
        let us = "fun us (seconds: real) = Real.round (seconds * 1000000.0);";
        block.and(Element::new("ml").with("id", ids.next()).text(us))
    }
}

/// A name, then the same with numbers from 2 on.
fn numbered(name: &str) -> impl Iterator<Item = String> {
    let more = (2..).map(move |it| format!("{name}{it}"));
    [name.to_owned()].into_iter().chain(more)
}

/// A set that Standard ML has: its name, meaning and element.
fn plain(name: &'static str) -> (String, String, Element) {
    (name.to_uppercase(), name.to_owned(), Element::new(name))
}

fn named(name: impl Into<String>) -> Element {
    Element::new("id").text(name)
}
