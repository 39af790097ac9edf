//! The Petri Net Markup Language, ISO/IEC 15909-2: place/transition nets with pages and reference places.

use hashbrown::{HashMap, HashSet};
use roxmltree::{Document, Node};

use super::ImportError;
use crate::pnml::{NAMESPACE, PLACE_TRANSITION_NET, TOOL};
use hotset_petri::{Delay, DrawnTransition, Net, NetError, PlaceId, Sketch, Units};

/// What to write inside a `transition` for it to have a delay: exponential, a millisecond in the mean.
pub const DELAYED_BY_A_MILLISECOND: &str = "<toolspecific tool=\"hotset\" version=\"1\"><delay law=\"exponential\">0.001</delay></toolspecific>";

/// Pages in pages in pages: more than anybody draws.
const DEEPEST: usize = 64;

/// Reads a place/transition net. Monitors watch how many tokens its places hold. Graphics and what other programs say of themselves (`toolspecific`) are passed over. A reference
/// place that refers to the page above is a port, any other a member of a fusion set. A transition that takes nothing fires at once, and
/// again each time its delay is over.
///
/// # Errors
/// The first thing that is no place/transition net, with its line.
pub fn pnml(text: &str) -> Result<Net, ImportError> {
    let document = Document::parse(text).map_err(|error| ImportError {
        line: error.pos().row,
        problem: error.to_string(),
    })?;
    let net = net_of(&document)?;
    let mut reading = PnmlReader::new(&document);
    let mut name = net.attribute("id").unwrap_or("net").to_owned();
    for child in children(net) {
        match child.tag_name().name() {
            "name" => name = reading.label(child)?,
            "page" => reading.page(child, &ParentPage::default())?,
            "toolspecific" => {}
            _ => return Err(reading.unknown(child, "a net")),
        }
    }
    reading.net(&name)
}

/// The one net of a document.
fn net_of<'d>(document: &'d Document<'d>) -> Result<Node<'d, 'd>, ImportError> {
    let error = |node: Node<'_, '_>, problem: &str| ImportError {
        line: document.text_pos_at(node.range().start).row,
        problem: problem.to_owned(),
    };
    let root = document.root_element();
    if !root.has_tag_name((NAMESPACE, "pnml")) {
        let problem = format!("is not PNML: the root element must be `pnml` of {NAMESPACE}");
        return Err(error(root, &problem));
    }
    let mut nets = children(root);
    let net = nets.next().ok_or_else(|| error(root, "holds no net"))?;
    if let Some(second) = nets.next() {
        return Err(error(
            second,
            "holds a second net; give each a file of its own",
        ));
    }
    match net.attribute("type") {
        Some(PLACE_TRANSITION_NET) => Ok(net),
        other => {
            let other = other.unwrap_or("nothing");
            let problem = format!("the net's type is {other}; only {PLACE_TRANSITION_NET} is read");
            Err(error(net, &problem))
        }
    }
}

fn children<'d>(node: Node<'d, 'd>) -> impl Iterator<Item = Node<'d, 'd>> {
    node.children().filter(Node::is_element)
}

/// What is said of an element, and whether hotset itself wrote that: names, graphics and the words of other tools are passed over.
fn words<'d>(node: Node<'d, 'd>) -> impl Iterator<Item = (bool, Node<'d, 'd>)> {
    let said = children(node).filter(|it| !matches!(it.tag_name().name(), "name" | "graphics"));
    said.flat_map(|child| match child.tag_name().name() {
        "toolspecific" if child.attribute("tool") == Some(TOOL) => {
            children(child).map(|it| (true, it)).collect()
        }
        "toolspecific" => Vec::new(),
        _ => vec![(false, child)],
    })
}

/// The page that a page is on.
#[derive(Default)]
struct ParentPage {
    /// The path, with a slash behind it where there is one.
    prefix: String,
    depth: usize,
}

/// What an identifier names.
#[derive(Clone, Copy)]
enum Referent {
    Place(PlaceId),
    Transition(usize),
}

/// A reference place that is yet to be joined with what it refers to.
struct Reference<'d> {
    node: Node<'d, 'd>,
    place: PlaceId,
    own: PlaceWords,
}

/// What hotset's own words say of a place.
#[derive(Default)]
struct PlaceWords {
    /// The fusion sets that it is a member of.
    sets: Vec<String>,
    is_port: bool,
}

struct PnmlReader<'d> {
    /// Where its lines end. Bytes.
    line_ends: Vec<usize>,
    net: Sketch,
    named: HashMap<&'d str, Referent>,
    transitions: Vec<DrawnTransition>,
    references: Vec<Reference<'d>>,
    arcs: Vec<Node<'d, 'd>>,
    /// Where each path was declared.
    lines: HashMap<String, u32>,
}

fn line_ends(text: &str) -> Vec<usize> {
    text.match_indices('\n').map(|(at, _)| at).collect()
}

impl<'d> PnmlReader<'d> {
    fn new(document: &'d Document<'d>) -> PnmlReader<'d> {
        PnmlReader {
            line_ends: line_ends(document.input_text()),
            net: Sketch::default(),
            named: HashMap::new(),
            transitions: Vec::new(),
            references: Vec::new(),
            arcs: Vec::new(),
            lines: HashMap::new(),
        }
    }

    fn line(&self, node: Node<'d, 'd>) -> u32 {
        let before = self
            .line_ends
            .partition_point(|&end| end < node.range().start);
        u32::try_from(before + 1).unwrap_or(u32::MAX)
    }

    fn error(&self, node: Node<'d, 'd>, problem: impl Into<String>) -> ImportError {
        ImportError {
            line: self.line(node),
            problem: problem.into(),
        }
    }

    fn unknown(&self, node: Node<'d, 'd>, within: &str) -> ImportError {
        let name = node.tag_name().name();
        self.error(
            node,
            format!("`{name}` is no element of {within} in a place/transition net"),
        )
    }

    fn page(&mut self, node: Node<'d, 'd>, above: &ParentPage) -> Result<(), ImportError> {
        if above.depth > DEEPEST {
            let problem = format!("pages are nested deeper than {DEEPEST}");
            return Err(self.error(node, problem));
        }
        let mut page = ParentPage {
            prefix: String::new(),
            depth: above.depth + 1,
        };
        // The outermost page is the net itself.
        if above.depth > 0 {
            let path = self.name(node, &above.prefix)?;
            page.prefix = format!("{path}/");
            self.net.page(path);
        }
        for child in children(node) {
            match child.tag_name().name() {
                "place" => self.place(child, &page)?,
                "referencePlace" => self.reference(child, &page)?,
                "transition" => self.transition(child, &page)?,
                "arc" => self.arcs.push(child),
                "page" => self.page(child, &page)?,
                "name" | "graphics" | "toolspecific" => {}
                _ => return Err(self.unknown(child, "a page")),
            }
        }
        Ok(())
    }

    /// The path of a node by its name or, where it has none, by its identifier.
    fn name(&mut self, node: Node<'d, 'd>, prefix: &str) -> Result<String, ImportError> {
        let label = children(node).find(|it| it.tag_name().name() == "name");
        let name = match label {
            Some(label) => self.label(label)?,
            None => self.attribute(node, "id")?.to_owned(),
        };
        let path = self.net.name(prefix, &name);
        let path = path.map_err(|error| self.error(node, error.to_string()))?;
        self.lines.insert(path.clone(), self.line(node));
        Ok(path)
    }

    fn attribute(&self, node: Node<'d, 'd>, name: &str) -> Result<&'d str, ImportError> {
        let value = node.attribute(name);
        value.ok_or_else(|| {
            let element = node.tag_name().name();
            self.error(node, format!("`{element}` has no `{name}`"))
        })
    }

    /// Gives an identifier its meaning.
    fn identify(&mut self, node: Node<'d, 'd>, named: Referent) -> Result<(), ImportError> {
        let id = self.attribute(node, "id")?;
        match self.named.insert(id, named) {
            None => Ok(()),
            Some(_) => Err(self.error(node, format!("the identifier `{id}` is taken"))),
        }
    }

    /// The text of a label.
    fn label(&self, node: Node<'d, 'd>) -> Result<String, ImportError> {
        let mut text = String::new();
        for child in children(node) {
            match child.tag_name().name() {
                "text" => text = child.text().unwrap_or_default().trim().to_owned(),
                "graphics" | "toolspecific" => {}
                _ => return Err(self.unknown(child, node.tag_name().name())),
            }
        }
        Ok(text)
    }

    /// The number that a label says.
    fn number(&self, node: Node<'d, 'd>, least: u32) -> Result<u32, ImportError> {
        let text = self.label(node)?;
        let number = text.parse().ok().filter(|number| *number >= least);
        number.ok_or_else(|| {
            let what = node.tag_name().name();
            let problem = format!(
                "{what} `{text}`: must be a whole number from {least} to {}",
                u32::MAX
            );
            self.error(node, problem)
        })
    }

    fn place(&mut self, node: Node<'d, 'd>, page: &ParentPage) -> Result<(), ImportError> {
        let path = self.name(node, &page.prefix)?;
        let mut tokens = 0;
        let mut own = PlaceWords::default();
        for (is_own, word) in words(node) {
            match word.tag_name().name() {
                _ if is_own => self.of_place(word, &mut own)?,
                "initialMarking" => tokens = self.number(word, 0)?,
                _ => return Err(self.unknown(word, "a place")),
            }
        }
        let place = self.net.unit(path, tokens);
        self.net.watch(place);
        own.sets.iter().for_each(|set| self.net.fuse(set, place));
        self.identify(node, Referent::Place(place))
    }

    fn reference(&mut self, node: Node<'d, 'd>, page: &ParentPage) -> Result<(), ImportError> {
        let path = self.name(node, &page.prefix)?;
        let mut own = PlaceWords::default();
        for (is_own, word) in words(node) {
            match is_own {
                true => self.of_place(word, &mut own)?,
                false => return Err(self.unknown(word, "a reference place")),
            }
        }
        let place = self.net.unit(path, 0);
        self.references.push(Reference { node, place, own });
        self.identify(node, Referent::Place(place))
    }

    fn of_place(&self, word: Node<'d, 'd>, own: &mut PlaceWords) -> Result<(), ImportError> {
        match word.tag_name().name() {
            "fusion" => own.sets.push(self.attribute(word, "set")?.to_owned()),
            "port" => own.is_port = true,
            _ => return Err(self.unknown(word, "hotset's words on a place")),
        }
        Ok(())
    }

    fn transition(&mut self, node: Node<'d, 'd>, page: &ParentPage) -> Result<(), ImportError> {
        let mut transition = DrawnTransition::new(self.name(node, &page.prefix)?);
        for (is_own, word) in words(node) {
            match word.tag_name().name() {
                "delay" if is_own => transition.delay = self.delay(word)?,
                "urgency" if is_own => transition.urgency = self.urgency(word)?,
                _ if is_own => return Err(self.unknown(word, "hotset's words on a transition")),
                _ => return Err(self.unknown(word, "a transition")),
            }
        }
        let number = self.transitions.len();
        self.transitions.push(transition);
        self.identify(node, Referent::Transition(number))
    }

    fn delay(&self, node: Node<'d, 'd>) -> Result<Delay, ImportError> {
        let text = node.text().unwrap_or_default();
        let numbers: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
        let law = self.attribute(node, "law")?;
        let delay = numbers
            .ok()
            .and_then(|numbers| Delay::from_parts(law, &numbers));
        delay.ok_or_else(|| self.error(node, format!("`{law}` of `{text}` is no delay")))
    }

    fn urgency(&self, node: Node<'d, 'd>) -> Result<u32, ImportError> {
        let text = node.text().unwrap_or_default();
        let number = text.trim().parse();
        number.map_err(|_| self.error(node, format!("`{text}` is no urgency")))
    }

    /// Joins everything that names something else, and checks the net.
    fn net(mut self, name: &str) -> Result<Net, ImportError> {
        self.check_circles()?;
        for reference in std::mem::take(&mut self.references) {
            self.refer(&reference)?;
        }
        for arc in std::mem::take(&mut self.arcs) {
            self.arc(arc)?;
        }
        for transition in std::mem::take(&mut self.transitions) {
            self.net.transition(transition);
        }
        let lines = self.lines;
        self.net
            .finish(name)
            .map_err(|error: NetError| ImportError {
                line: lines.get(&error.path).copied().unwrap_or(1),
                problem: error.to_string(),
            })
    }

    /// Every reference place refers to a place in the end.
    fn check_circles(&self) -> Result<(), ImportError> {
        let of = |it: &Reference<'d>| it.node.attribute("id").zip(it.node.attribute("ref"));
        let to: HashMap<&str, &str> = self.references.iter().filter_map(of).collect();
        let mut ends: HashSet<&str> = HashSet::new();
        for reference in &self.references {
            let mut passed = HashSet::new();
            let mut id = reference.node.attribute("id").unwrap_or_default();
            while let Some(next) = to.get(id).filter(|_| !ends.contains(id)) {
                if !passed.insert(id) {
                    let problem = "refers to itself, by a circle of reference places";
                    return Err(self.error(reference.node, problem));
                }
                id = next;
            }
            ends.extend(passed);
        }
        Ok(())
    }

    fn refer(&mut self, reference: &Reference<'d>) -> Result<(), ImportError> {
        let (node, place) = (reference.node, reference.place);
        let id = self.attribute(node, "ref")?;
        let Some(&Referent::Place(to)) = self.named.get(id) else {
            let problem = format!("refers to `{id}`, and no place has that identifier");
            return Err(self.error(node, problem));
        };
        let PlaceWords { sets, is_port } = &reference.own;
        let is_fused = !sets.is_empty() && !is_port;
        if !is_fused && self.net.is_above(to, place) {
            self.net.connect(place, to);
        } else if !is_fused {
            let set = self.net.path(to).to_owned();
            self.net.fuse(&set, to);
            self.net.fuse(&set, place);
        }
        sets.iter().for_each(|set| self.net.fuse(set, place));
        Ok(())
    }

    fn arc(&mut self, node: Node<'d, 'd>) -> Result<(), ImportError> {
        let mut count = 1;
        let mut after = Delay::NONE;
        for (is_own, word) in words(node) {
            match word.tag_name().name() {
                "delay" if is_own => after = self.delay(word)?,
                _ if is_own => return Err(self.unknown(word, "hotset's words on an arc")),
                "inscription" => count = self.number(word, 1)?,
                _ => return Err(self.unknown(word, "an arc")),
            }
        }
        let (from, to) = (self.end(node, "source")?, self.end(node, "target")?);
        match (from, to) {
            (Referent::Place(place), Referent::Transition(transition)) => {
                self.transitions[transition].needs.push((place, count));
            }
            (Referent::Transition(transition), Referent::Place(place)) => {
                let units = Units {
                    place,
                    count,
                    after,
                };
                self.transitions[transition].gives.push(units);
            }
            _ => return Err(self.error(node, "an arc joins a place and a transition")),
        }
        Ok(())
    }

    /// What stands at an end of an arc.
    fn end(&self, node: Node<'d, 'd>, end: &str) -> Result<Referent, ImportError> {
        let id = self.attribute(node, end)?;
        let named = self.named.get(id).copied();
        named.ok_or_else(|| {
            let problem = format!("the arc's {end} `{id}` is no place or transition of the net");
            self.error(node, problem)
        })
    }
}
