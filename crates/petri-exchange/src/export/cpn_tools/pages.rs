//! What stands on the pages of a file of CPN Tools.
//!
//! A place that offers its tokens in their order holds one token there: the list of them. Who takes from it takes the list's head,
//! who gives to it adds to its end. Tokens that come later wait in a place of their own on the page of who gives them.

use super::declarations::Declarations;
use super::delay::later;
use super::id::{Ids, Kind, id};
use super::refusal::{first_of, refused};
use crate::export::ExportError;
use crate::export::hierarchy::{Sheet, Use, is_above, name, page, uses};
use crate::standard_ml::{self, Scope, identifier};
use hotset_petri::ColourSet;
use hotset_petri::Urgent;
use hotset_petri::{DrawnPlace, DrawnTransition, Net, OutputArc, PlaceId, Wording};

/// A page.
#[derive(Default)]
pub struct Leaf {
    pub title: String,
    pub places: Vec<Spot>,
    pub transitions: Vec<Step>,
    pub arcs: Vec<Arc>,
}

/// A place.
pub struct Spot {
    pub id: String,
    pub name: String,
    pub set: String,
    pub marking: String,
    /// Where tokens go through a port.
    pub port: Option<&'static str>,
    pub fusion: Option<String>,
}

/// A transition.
#[derive(Default)]
pub struct Step {
    pub id: String,
    pub name: String,
    pub guard: String,
    pub delay: String,
    pub code: String,
    /// The page that it stands for.
    pub page: Option<Substitution>,
}

/// The page that a transition stands for, and pairs of its ports and their sockets.
pub struct Substitution {
    pub page: String,
    pub ports: String,
}

/// An arc between a place and a transition of the page.
pub struct Arc {
    pub place: usize,
    pub transition: usize,
    pub orientation: &'static str,
    pub text: String,
}

/// Makes the pages of a net.
pub struct Pages<'n> {
    pub net: &'n Net,
    pub declarations: Declarations,
    pub ids: Ids,
    uses: Vec<Use>,
}

/// What a transition does to a queue.
struct Queue {
    place: usize,
    /// The variable of the token that it takes.
    head: Option<String>,
    /// What it adds to the end.
    tail: Vec<String>,
}

/// The page that is being made.
struct PageDraft<'s> {
    leaf: Leaf,
    /// The places on it as drawing.
    places: &'s [usize],
    /// Queues, with the places in which their tokens wait for their time.
    waiting: Vec<(usize, usize)>,
}

impl PageDraft<'_> {
    fn arc(&mut self, place: usize, transition: usize, orientation: &'static str, text: String) {
        let place = self.places.iter().position(|it| *it == place);
        let place = place.expect("arcs to other pages are refused");
        self.arc_at(place, transition, orientation, text);
    }

    /// The same, where the number of the place on this page is known.
    fn arc_at(&mut self, place: usize, transition: usize, orientation: &'static str, text: String) {
        self.leaf.arcs.push(Arc {
            place,
            transition,
            orientation,
            text,
        });
    }
}

impl<'n> Pages<'n> {
    pub fn of(net: &'n Net) -> Pages<'n> {
        let mut declarations = Declarations::default();
        declarations.set(&ColourSet::Unit);
        Pages {
            net,
            declarations,
            ids: Ids::default(),
            uses: uses(net),
        }
    }

    /// A page with all that is on it.
    pub fn page(&mut self, sheets: &[Sheet<'_>], index: usize) -> Result<Leaf, ExportError> {
        let sheet = &sheets[index];
        let mut page = PageDraft {
            leaf: Leaf::default(),
            places: &sheet.places,
            waiting: Vec::new(),
        };
        page.leaf.title = match index {
            0 => self.net.name().to_owned(),
            _ => name(sheet.path).to_owned(),
        };
        for &place in &sheet.places {
            let spot = self.place(place)?;
            page.leaf.places.push(spot);
        }
        for &transition in &sheet.transitions {
            self.transition(&self.net.drawing().transitions[transition], &mut page)?;
        }
        for &below in &sheet.pages {
            self.substitution(&sheets[below], below, &mut page);
        }
        Ok(page.leaf)
    }

    fn drawn(&self, place: usize) -> &'n DrawnPlace {
        &self.net.drawing().places[place]
    }

    fn is_queue(&self, place: usize) -> bool {
        self.drawn(place).holding.order == Some("FIFO")
    }

    /// The colour set of the tokens of a place.
    fn set(&mut self, place: usize) -> String {
        let set = self.drawn(place).holding.set.as_ref();
        self.declarations.set(set.unwrap_or(&ColourSet::Unit))
    }

    fn place(&mut self, index: usize) -> Result<Spot, ExportError> {
        let place = self.drawn(index);
        let set = self.set(index);
        Ok(Spot {
            id: id(Kind::Place, index),
            name: name(&place.path).to_owned(),
            set: match self.is_queue(index) {
                true => self.declarations.list(&set),
                false => set,
            },
            // A port takes its marking from its socket, and all members of a fusion set say the same.
            marking: match place.socket {
                Some(_) => String::new(),
                None => self.marking(index),
            },
            port: place.socket.map(|_| self.direction(index)),
            fusion: place.sets.first().cloned(),
        })
    }

    fn marking(&self, index: usize) -> String {
        let (root, tokens) = self.net.root(index);
        let mut places = self.net.drawing().places.iter().enumerate();
        let filled = places.find(|(at, it)| it.holding.initial > 0 && self.net.root(*at).0 == root);
        let constants = filled
            .map(|it| it.1.holding.constants())
            .unwrap_or_default();
        let constants = Vec::from_iter(constants.iter().map(standard_ml::constant));
        match (self.is_queue(index), tokens) {
            (true, _) => format!("1`[{}]", constants.join(", ")),
            (_, 0) => String::new(),
            _ if self.drawn(index).holding.order.is_none() => multiset(tokens),
            _ => Vec::from_iter(constants.iter().map(|it| one(it))).join(" ++ "),
        }
    }

    /// Where tokens go through a port. Whoever uses a queue takes the list of its tokens and gives it back.
    fn direction(&self, port: usize) -> &'static str {
        match self.uses[port] {
            _ if self.is_queue(port) => "I/O",
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

    /// Adds a transition, and its arcs.
    fn transition(
        &mut self,
        it: &DrawnTransition,
        page: &mut PageDraft<'_>,
    ) -> Result<(), ExportError> {
        let number = page.leaf.transitions.len();
        let mut taken = Vec::new();
        let variables = self.variables(it, &mut taken);
        let places = it
            .coloured_in
            .iter()
            .chain(it.coloured_out.iter().map(|it| &it.place));
        let signed = places.map(|it| &self.drawn(index(*it)).holding.set);
        let scope = Scope {
            variables: &variables,
            signed: signed.flatten().any(ColourSet::is_signed),
        };
        page.leaf.transitions.push(Step {
            id: self.ids.next(),
            name: name(&it.path).to_owned(),
            guard: guard(it, &scope, self.net)?,
            delay: later(&it.delay, it)?,
            ..Step::default()
        });
        let given = self.given(
            it,
            &scope,
            &mut taken,
            &mut page.leaf.transitions[number].code,
        )?;
        self.unit_arcs(it, number, page)?;
        let queues = self.coloured_arcs(it, &variables, given, page)?;
        for queue in queues {
            self.queue_arcs(&queue, number, &mut taken, page);
        }
        Ok(())
    }

    /// The variables of the tokens that a transition takes, named as its closures name them.
    fn variables(&mut self, it: &DrawnTransition, taken: &mut Vec<String>) -> Vec<String> {
        let count = it.coloured_in.len();
        let sources = [&it.code, &it.guard].into_iter().flatten();
        let names = sources.filter_map(|it| match it {
            Wording::Expression(source) => Some(standard_ml::names(source, count)),
            Wording::Closure => None,
        });
        let names = Vec::from_iter(names);
        let arcs = it.coloured_in.iter().enumerate();
        let variables = arcs.map(|(at, place)| {
            let place = index(*place);
            let given = names
                .iter()
                .find_map(|names| names.get(at).cloned().flatten());
            let name = given.unwrap_or_else(|| word(name(&self.drawn(place).path)));
            let set = self.set(place);
            self.declarations.variable(&name, &set, taken)
        });
        variables.collect()
    }

    /// What the code gives for each coloured output arc. Where chance decides, that is a variable of a code segment.
    fn given(
        &mut self,
        it: &DrawnTransition,
        scope: &Scope<'_>,
        taken: &mut Vec<String>,
        segment: &mut String,
    ) -> Result<Vec<String>, ExportError> {
        let arcs = &it.coloured_out;
        let Some(Wording::Expression(source)) = &it.code else {
            return Ok(Vec::new());
        };
        let code = standard_ml::code(source, scope, arcs.len());
        let action = match code.map_err(|what| refused(&it.path, what))? {
            standard_ml::ArcTexts::Expressions(texts) => return Ok(texts),
            standard_ml::ArcTexts::ByChance(_) if arcs.is_empty() => return Ok(Vec::new()),
            standard_ml::ArcTexts::ByChance(action) => action,
        };
        if arcs.iter().any(|it| it.quantity.is_some()) {
            let what = "a number of tokens of which chance decides";
            return Err(refused(&it.path, what));
        }
        let outputs = arcs.iter().map(|it| {
            let place = index(it.place);
            let set = self.set(place);
            let name = format!("new_{}", word(name(&self.drawn(place).path)));
            self.declarations.variable(&name, &set, taken)
        });
        let outputs = Vec::from_iter(outputs);
        let input = match scope.variables {
            [] => String::new(),
            variables => format!("input ({});\n", variables.join(", ")),
        };
        *segment = format!(
            "{input}output ({});\naction\n({action});",
            outputs.join(", ")
        );
        Ok(outputs)
    }

    /// Arcs of unit tokens, inhibitors and resets.
    fn unit_arcs(
        &self,
        it: &DrawnTransition,
        number: usize,
        page: &mut PageDraft<'_>,
    ) -> Result<(), ExportError> {
        if it.takes_nothing() {
            // There it would fire for ever at one moment, whatever its delay.
            return Err(refused(&it.path, "a transition that takes nothing"));
        }
        for &(place, count) in &it.needs {
            page.arc(index(place), number, "PtoT", multiset(count));
        }
        for give in &it.gives {
            let text = multiset(give.count) + &later(&give.after, it)?;
            page.arc(index(give.place), number, "TtoP", text);
        }
        for &(place, _) in &it.inhibitors {
            page.arc(index(place), number, "Inhibitor", String::new());
        }
        for &place in &it.resets {
            page.arc(index(place), number, "Reset", String::new());
        }
        Ok(())
    }

    /// Arcs of coloured tokens, but for those of queues.
    fn coloured_arcs(
        &mut self,
        it: &DrawnTransition,
        variables: &[String],
        given: Vec<String>,
        page: &mut PageDraft<'_>,
    ) -> Result<Vec<Queue>, ExportError> {
        let number = page.leaf.transitions.len() - 1;
        let mut queues: Vec<Queue> = Vec::new();
        for (place, variable) in it.coloured_in.iter().zip(variables) {
            let place = index(*place);
            match self.is_queue(place) {
                true => queues.push(Queue {
                    place,
                    head: Some(variable.clone()),
                    tail: Vec::new(),
                }),
                false => page.arc(place, number, "PtoT", variable.clone()),
            }
        }
        for (arc, text) in it.coloured_out.iter().zip(given) {
            let place = index(arc.place);
            let tokens = match arc.quantity {
                None => one(&text),
                Some("maybe") => format!("({text})"),
                Some(_) => return Err(refused(&it.path, "any number of tokens on an arc")),
            };
            let after = later(&arc.after, it)?;
            let is_at_once = after.is_empty() && it.delay.is_none();
            match (self.is_queue(place), is_at_once) {
                (false, _) => page.arc(place, number, "TtoP", tokens + &after),
                (true, false) => {
                    let waiting = self.waiting(place, page);
                    page.arc_at(waiting, number, "TtoP", tokens + &after);
                }
                (true, true) if arc.quantity.is_some() => {
                    return Err(refused(&it.path, "a queue that gets a token or none"));
                }
                (true, true) => match queues.iter_mut().find(|it| it.place == place) {
                    Some(queue) => queue.tail.push(text),
                    None => queues.push(Queue {
                        place,
                        head: None,
                        tail: vec![text],
                    }),
                },
            }
        }
        Ok(queues)
    }

    /// The list of a queue is taken, and given back as it is then.
    fn queue_arcs(
        &mut self,
        queue: &Queue,
        number: usize,
        taken: &mut Vec<String>,
        page: &mut PageDraft<'_>,
    ) {
        let set = self.set(queue.place);
        let list = self.declarations.list(&set);
        let name = word(name(&self.drawn(queue.place).path));
        let all = self
            .declarations
            .variable(&format!("all_{name}"), &list, taken);
        let before = match &queue.head {
            Some(head) => format!("{head}::{all}"),
            None => all.clone(),
        };
        let added = queue.tail.iter().map(|it| format!("^^[{it}]"));
        let after = all + &String::from_iter(added);
        page.arc(queue.place, number, "PtoT", before);
        page.arc(queue.place, number, "TtoP", after);
    }

    /// The place of a page in which tokens of a queue wait for their time, and the transition that ends it.
    fn waiting(&mut self, queue: usize, page: &mut PageDraft<'_>) -> usize {
        if let Some(known) = page.waiting.iter().find(|it| it.0 == queue) {
            return known.1;
        }
        let waiting = page.leaf.places.len();
        page.waiting.push((queue, waiting));
        let of = name(&self.drawn(queue).path);
        let set = self.set(queue);
        page.leaf.places.push(Spot {
            id: self.ids.next(),
            name: format!("{of}, on the way"),
            set: set.clone(),
            marking: String::new(),
            port: None,
            fusion: None,
        });
        let number = page.leaf.transitions.len();
        page.leaf.transitions.push(Step {
            id: self.ids.next(),
            name: format!("{of}, arriving"),
            ..Step::default()
        });
        let mut taken = Vec::new();
        let token = self.declarations.variable(&word(of), &set, &mut taken);
        page.arc_at(waiting, number, "PtoT", token.clone());
        let arriving = Queue {
            place: queue,
            head: None,
            tail: vec![token],
        };
        self.queue_arcs(&arriving, number, &mut taken, page);
        waiting
    }

    /// Adds the transition that stands for a page, and its arcs to the sockets.
    fn substitution(&mut self, sheet: &Sheet<'_>, below: usize, page: &mut PageDraft<'_>) {
        let number = page.leaf.transitions.len();
        let ports = sheet.places.iter();
        let ports = ports.filter_map(|port| Some((*port, self.drawn(*port).socket? as usize)));
        let ports: Vec<(usize, usize)> = ports.collect();
        let pair = |&(port, socket): &(usize, usize)| {
            format!("({},{})", id(Kind::Place, port), id(Kind::Place, socket))
        };
        page.leaf.transitions.push(Step {
            id: id(Kind::Substitution, below),
            name: name(sheet.path).to_owned(),
            page: Some(Substitution {
                page: id(Kind::Page, below),
                ports: ports.iter().map(pair).collect(),
            }),
            ..Step::default()
        });
        for (port, socket) in ports {
            let orientation = match self.direction(port) {
                "In" => "PtoT",
                "Out" => "TtoP",
                _ => "BOTHDIR",
            };
            page.arc(socket, number, orientation, String::new());
        }
    }
}

/// The keys of joins, then the guard itself.
fn guard(it: &DrawnTransition, scope: &Scope<'_>, net: &Net) -> Result<String, ExportError> {
    let written = |written: &Wording, scope: &Scope<'_>| match written {
        Wording::Closure => Err(refused(&it.path, "a closure")),
        Wording::Expression(source) => {
            standard_ml::condition(source, scope).map_err(|what| refused(&it.path, what))
        }
    };
    let mut conditions = Vec::new();
    for (before, key) in &it.joins {
        let place = &net.drawing().places[index(it.coloured_in[*before])];
        if place.holding.order != Some("keyed") {
            return Err(refused(&it.path, "a join of a place that is not keyed"));
        }
        let known = Scope {
            variables: &scope.variables[..*before],
            signed: scope.signed,
        };
        let key = written(key, &known)?;
        conditions.push(format!("#1 {} = {key}", scope.variables[*before]));
    }
    if let Some(guard) = &it.guard {
        conditions.push(written(guard, scope)?);
    }
    Ok(match conditions.is_empty() {
        true => String::new(),
        false => format!("[{}]", conditions.join(", ")),
    })
}

/// Refuses a net before anything is made of it: by its first transition that no file can hold, otherwise by its first place. All others
/// are named behind it, so that who wants to write them differently need not find them one by one.
pub fn check(net: &Net) -> Result<(), ExportError> {
    let drawing = net.drawing();
    let transitions = drawing.transitions.iter();
    let transitions = transitions.filter_map(|it| check_transition(it, net).err());
    let places = drawing.places.iter();
    let places = places.filter_map(|it| check_place(it, net).err());
    first_of(transitions.chain(places)).map_or(Ok(()), Err)
}

fn check_place(place: &DrawnPlace, net: &Net) -> Result<(), ExportError> {
    let refuse = |what: &str| Err(refused(&place.path, what));
    if place.holding.set.is_none() {
        let what = format!(
            "tokens of the Rust type {}; declare it with `colour!`",
            place.holding.name
        );
        return Err(refused(&place.path, what));
    }
    if place.holding.order == Some("priority") {
        return refuse("an order of tokens by their urgency");
    }
    if place.sets.len() + usize::from(place.socket.is_some()) > 1 {
        return refuse("a place of two fusion sets, or a port in one");
    }
    match place.socket {
        Some(socket) if !is_above(&net.drawing().places[socket as usize].path, &place.path) => {
            refuse("a port whose socket is not on the page above")
        }
        _ => Ok(()),
    }
}

fn check_transition(it: &DrawnTransition, net: &Net) -> Result<(), ExportError> {
    let refuse = |what: &str| Err(refused(&it.path, what));
    let place = |it: &PlaceId| &net.drawing().places[index(*it)];
    let is_closure = |it: &Wording| matches!(it, Wording::Closure);
    let mut quantities = it.coloured_out.iter().map(|arc| arc.quantity);
    if quantities.any(|it| it == Some(OutputArc::ONE_OF)) {
        return refuse("arcs to one of several places");
    }
    if it.joins.iter().any(|it| is_closure(&it.1)) {
        return refuse("the key of its join, which is a closure; write it with `join_expr`");
    }
    if it.guard.as_ref().is_some_and(is_closure) {
        return refuse("its guard, which is a closure; write it with `when_expr`");
    }
    if it.code.as_ref().is_some_and(is_closure) {
        return refuse("its code, which is a closure; write it with `fire_expr`");
    }
    if it.coloured_out.iter().any(|arc| arc.is_timed) {
        return refuse("tokens with delays of their own");
    }
    if it.urgency != Urgent::NORMAL.0 {
        return refuse("an urgency");
    }
    if it.inhibitors.iter().any(|arc| arc.1 > 1) {
        return refuse("an inhibitor arc that counts");
    }
    let mut whole = it.inhibitors.iter().map(|it| &it.0).chain(&it.resets);
    if whole.any(|it| place(it).holding.order == Some("FIFO")) {
        return refuse("an inhibitor or reset arc of a queue");
    }
    let own = page(&it.path);
    let units = it.needs.iter().chain(&it.inhibitors).map(|it| &it.0);
    let given = it
        .gives
        .iter()
        .map(|it| &it.place)
        .chain(it.coloured_out.iter().map(|it| &it.place));
    let mut all = units.chain(&it.resets).chain(&it.coloured_in).chain(given);
    match all.any(|it| page(&place(it).path) != own) {
        true => refuse("an arc to a place of another page; connect a port"),
        false => Ok(()),
    }
}

fn index(place: PlaceId) -> usize {
    place.number()
}

/// A name that a variable can have.
fn word(name: &str) -> String {
    let words = name.to_lowercase();
    let words = words.split(|it: char| !it.is_ascii_alphanumeric());
    let words = Vec::from_iter(words.filter(|it| !it.is_empty())).join("_");
    match words.starts_with(|it: char| it.is_ascii_alphabetic()) {
        true => identifier(&words),
        false => format!("token_{words}"),
    }
}

fn multiset(tokens: u32) -> String {
    format!("{tokens}`()")
}

/// One token of a value.
fn one(value: &str) -> String {
    let is_word = value
        .chars()
        .all(|it| it.is_alphanumeric() || it == '_' || it == '\'');
    let is_closed = value == "()" || value.starts_with('{') || value.starts_with('"');
    match is_word || is_closed {
        true => format!("1`{value}"),
        false => format!("1`({value})"),
    }
}
