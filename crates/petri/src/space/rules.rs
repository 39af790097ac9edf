//! Transitions on packed markings: which are enabled, and what follows.

use hashbrown::HashMap;

use super::colours::{Colours, Trouble};
use super::layout::Layout;
use super::skeleton::Skeleton;
use crate::net::{Net, TransitionSpec};

/// What a transition does to one word of a marking.
#[derive(Clone, Copy)]
struct Change {
    word: usize,
    free: u64,
    needs: u64,
    /// All bits but those of places that are reset.
    keeps: u64,
    gives: u64,
}

/// A word in which some places must hold few enough tokens.
#[derive(Clone, Copy)]
struct Limit {
    word: usize,
    free: u64,
    most: u64,
}

struct Rule {
    transition: u32,
    level: usize,
    changes: std::ops::Range<usize>,
    limits: Vec<Limit>,
    /// Coloured places that must hold fewer tokens than this.
    coloured_limits: Vec<(u32, u32)>,
    /// The coloured places around it, where there are colours or code.
    around: Option<Vec<u32>>,
}

/// The transitions of a net in a layout, the most urgent first.
pub struct Rules {
    rules: Vec<Rule>,
    changes: Vec<Change>,
}

/// Markings that follow from one, with the transitions that lead there.
pub struct Successors {
    pub rows: Vec<u64>,
    pub transitions: Vec<u32>,
    /// No more words of rows than this.
    pub most_words: usize,
    /// The contents around a coloured transition.
    around: Vec<u32>,
}

impl Default for Successors {
    /// As many as there are.
    fn default() -> Self {
        Successors {
            rows: Vec::new(),
            transitions: Vec::new(),
            most_words: usize::MAX,
            around: Vec::new(),
        }
    }
}

/// Why successors cannot be said.
pub enum Stop {
    /// They are more words than they may be.
    OutOfMemory,
    /// The number of a place does not fit into its field.
    Overflow(usize),
    Trouble {
        transition: u32,
        trouble: Trouble,
    },
}

/// Bits that the fields of unit places need so that every arc fits in.
pub fn widths(net: &Net, initial: &[u32]) -> Vec<u32> {
    /// Fields of coloured places have the number of a list.
    const LISTS: u32 = 4;
    let mut most = initial.to_vec();
    for it in &net.transitions {
        let mut given: HashMap<u32, u32> = HashMap::new();
        for (place, count, _) in &it.gives {
            let given = given.entry(*place).or_default();
            *given = given.saturating_add(*count);
        }
        let arcs = it.needs.iter().chain(&it.inhibitors).copied();
        for (place, count) in arcs.chain(given) {
            let most = &mut most[place as usize];
            *most = count.max(*most);
        }
    }
    let coloured = net.places.iter().map(|place| place.shelf.is_some());
    let widths = most.iter().zip(coloured).map(|(most, is_coloured)| {
        let bits = u32::BITS - most.leading_zeros();
        bits.max(if is_coloured { LISTS } else { 1 })
    });
    widths.collect()
}

/// The places in an order in which those of one transition lie side by side: the fewer words a transition changes, the
/// better.
pub fn order(net: &Net) -> Vec<usize> {
    let of_transition = |it: &TransitionSpec| {
        let units = it.needs.iter().map(|it| it.0);
        let units = units.chain(it.gives.iter().map(|it| it.0));
        let coloured = it.coloured_in.iter().copied();
        let places = units.chain(coloured.chain(it.coloured_out.iter().map(|it| it.place)));
        Vec::from_iter(places)
    };
    let mut is_there = vec![false; net.places.len()];
    let connected = net.transitions.iter().flat_map(of_transition);
    let mut order: Vec<usize> = connected
        .chain(0..net.places.len() as u32)
        .map(|place| place as usize)
        .collect();
    order.retain(|&place| !std::mem::replace(&mut is_there[place], true));
    order
}

impl Rules {
    pub fn new(net: &Net, skeleton: &Skeleton, colours: &Colours<'_>, layout: &Layout) -> Rules {
        let mut rules = Rules {
            rules: Vec::new(),
            changes: Vec::new(),
        };
        for (transition, it) in net.transitions.iter().enumerate() {
            // No number of tokens is below 0.
            if it.inhibitors.iter().any(|&(_, below)| below == 0) {
                continue;
            }
            let from = rules.changes.len();
            rules.changes.extend(changes(it, net, layout));
            rules.rules.push(Rule {
                transition: transition as u32,
                level: if skeleton.is_timed { 0 } else { it.level },
                changes: from..rules.changes.len(),
                limits: limits(it, net, layout),
                coloured_limits: coloured(&it.inhibitors, net, true),
                around: colours
                    .places_around(transition as u32)
                    .map(<[u32]>::to_vec),
            });
        }
        rules.rules.sort_by_key(|rule| rule.level);
        rules
    }

    /// All markings that follow from one.
    pub fn successors(
        &self,
        row: &[u64],
        layout: &Layout,
        colours: &mut Colours<'_>,
        into: &mut Successors,
    ) -> Result<(), Stop> {
        into.rows.clear();
        into.transitions.clear();
        let mut level = 0;
        for rule in &self.rules {
            if rule.level > level && !into.transitions.is_empty() {
                break;
            }
            level = rule.level;
            if !self.is_enabled(rule, row, layout, colours) {
                continue;
            }
            match &rule.around {
                None => self.fire(rule, row, layout, into)?,
                Some(places) => self.fire_coloured(rule, places, row, layout, colours, into)?,
            }
        }
        Ok(())
    }

    /// Whether a transition is enabled as far as unit tokens and inhibitors go.
    #[inline]
    fn is_enabled(&self, rule: &Rule, row: &[u64], layout: &Layout, colours: &Colours<'_>) -> bool {
        let has = |it: &Change| ((row[it.word] | it.free) - it.needs) & it.free == it.free;
        let fits = |it: &Limit| ((it.most | it.free) - row[it.word]) & it.free == it.free;
        self.changes[rule.changes.clone()].iter().all(has)
            && rule.limits.iter().all(fits)
            && rule.coloured_limits.iter().all(|&(place, below)| {
                let number = layout.get(row, place as usize) as u32;
                let contents = colours.contents(place as usize);
                contents.is_none_or(|it| it.list(number).len() < below as usize)
            })
    }

    /// Adds the marking after a firing, as far as unit tokens go.
    #[inline]
    fn fire(
        &self,
        rule: &Rule,
        row: &[u64],
        layout: &Layout,
        into: &mut Successors,
    ) -> Result<(), Stop> {
        let from = into.rows.len();
        if from + row.len() > into.most_words {
            return Err(Stop::OutOfMemory);
        }
        into.rows.extend_from_slice(row);
        into.transitions.push(rule.transition);
        let after = &mut into.rows[from..];
        let mut overflow = 0;
        for it in &self.changes[rule.changes.clone()] {
            let word = &mut after[it.word];
            *word = ((*word - it.needs) & it.keeps) + it.gives;
            overflow |= *word & it.free;
        }
        match overflow {
            0 => Ok(()),
            _ => Err(Stop::Overflow(layout.overflowed(after).unwrap_or(0))),
        }
    }

    fn fire_coloured(
        &self,
        rule: &Rule,
        places: &[u32],
        row: &[u64],
        layout: &Layout,
        colours: &mut Colours<'_>,
        into: &mut Successors,
    ) -> Result<(), Stop> {
        let before = places.iter().map(|&it| layout.get(row, it as usize) as u32);
        into.around.clear();
        into.around.extend(before);
        let outcomes = colours
            .after(rule.transition, &into.around)
            .map_err(|trouble| Stop::Trouble {
                transition: rule.transition,
                trouble,
            })?;
        for contents in outcomes.chunks_exact(places.len().max(1)) {
            self.fire(rule, row, layout, into)?;
            let from = into.rows.len() - row.len();
            for (&place, &number) in places.iter().zip(contents) {
                let place = place as usize;
                if u64::from(number) > layout.most(place) {
                    return Err(Stop::Overflow(place));
                }
                layout.set(&mut into.rows[from..], place, u64::from(number));
            }
        }
        Ok(())
    }
}

/// Arcs from coloured places, or from the others.
fn coloured(arcs: &[(u32, u32)], net: &Net, coloured: bool) -> Vec<(u32, u32)> {
    let of_kind = |it: &&(u32, u32)| net.places[it.0 as usize].shelf.is_some() == coloured;
    arcs.iter().filter(of_kind).copied().collect()
}

/// What a transition does to each word of a marking, as far as unit tokens go.
fn changes(it: &TransitionSpec, net: &Net, layout: &Layout) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    let mut change = |place: u32, change: &dyn Fn(&mut Change)| {
        let word = layout.word(place as usize);
        let known = changes.iter().position(|it| it.word == word);
        let at = known.unwrap_or_else(|| {
            changes.push(Change {
                word,
                free: layout.free(word),
                needs: 0,
                keeps: u64::MAX,
                gives: 0,
            });
            changes.len() - 1
        });
        change(&mut changes[at]);
    };
    let placed = |place: u32, count: u32| layout.placed(place as usize, u64::from(count));
    for &(place, count) in &it.needs {
        change(place, &|it| it.needs += placed(place, count));
    }
    for &place in &it.resets {
        if net.places[place as usize].shelf.is_none() {
            let field = layout.placed(place as usize, layout.most(place as usize));
            change(place, &|it| it.keeps &= !field);
        }
    }
    for &(place, count, _) in &it.gives {
        change(place, &|it| it.gives += placed(place, count));
    }
    changes
}

/// The words in which inhibitors bound unit places.
fn limits(it: &TransitionSpec, net: &Net, layout: &Layout) -> Vec<Limit> {
    let mut limits: Vec<Limit> = Vec::new();
    for (place, below) in coloured(&it.inhibitors, net, false) {
        let place = place as usize;
        let word = layout.word(place);
        let free = layout.free(word);
        let known = limits.iter().position(|it| it.word == word);
        let at = known.unwrap_or_else(|| {
            // Numbers of any size in all other places.
            limits.push(Limit {
                word,
                free,
                most: !free,
            });
            limits.len() - 1
        });
        let field = layout.placed(place, layout.most(place));
        // The lower one, if there are several for a place.
        let most = layout
            .placed(place, u64::from(below - 1))
            .min(limits[at].most & field);
        limits[at].most = limits[at].most & !field | most;
    }
    limits
}
