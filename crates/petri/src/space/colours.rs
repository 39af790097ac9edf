//! Firings of transitions that have coloured tokens or code, each tried once for each content of the places around it.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hashbrown::{HashMap, HashSet};

use super::contents::Contents;
use super::skeleton::Skeleton;
use crate::net::Net;
use crate::run::{Trial, message_of};
use crate::stream::Decisions;

/// So many outcomes of one binding's code are gone through.
const OUTCOMES: usize = 1 << 16;

/// The coloured places of a net and the transitions around them.
pub struct Colours<'n> {
    trial: Trial<'n>,
    /// By transition: whether its code is known to choose its delay.
    chooses_delay: Vec<bool>,
    are_there: bool,
    /// By place; nothing for unit places.
    contents: Vec<Option<Contents>>,
    /// By transition; nothing for those that have neither colours nor code.
    locals: Vec<Option<Local>>,
}

/// A transition and the coloured places around it.
struct Local {
    places: Vec<u32>,
    /// Of these places, those it takes from whose tokens may come in any order, although one at a time.
    any_first: Vec<usize>,
    /// Where the outcomes of contents lie.
    known: HashMap<Box<[u32]>, Range<u32>>,
    /// New contents of the places, one outcome after the other.
    outcomes: Vec<u32>,
}

/// One way in which a transition fires.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The tokens that it takes, as text.
    pub binding: String,
    /// New contents of the places around it.
    pub contents: Vec<u32>,
}

/// Why a transition cannot be gone through.
pub enum Trouble {
    Panicked {
        message: String,
    },
    Drew,
    TooManyOutcomes,
    /// Its code chooses its delay, so the net has a time that was not known of.
    ChoseDelay,
}

impl<'n> Colours<'n> {
    /// The colours of a net, and the numbers of its initial contents by place: 0 for unit places.
    pub fn new(net: &'n Net, skeleton: &Skeleton) -> (Colours<'n>, Vec<u32>) {
        let mut trial = Trial::new(net);
        let mut contents = Vec::new();
        let mut initial = Vec::new();
        for place in 0..net.places.len() as u32 {
            let of_place = trial.shelf(place).map(|shelf| {
                let is_ordered = !shelf.offers_many() && !skeleton.is_shuffled[place as usize];
                let mut contents = Contents::of(place, is_ordered);
                let list = contents.read(shelf);
                (contents.number(list), contents)
            });
            let (number, of_place) = of_place.unzip();
            initial.push(number.unwrap_or(0));
            contents.push(of_place);
            trial.clear(place);
        }
        let offers_one = |place: u32| trial.shelf(place).is_some_and(|it| !it.offers_many());
        let locals = net.transitions.iter().map(|it| {
            it.body.as_ref()?;
            let given = it.coloured_out.iter().map(|it| it.place);
            let around = it.coloured_in.iter().copied().chain(given);
            let around = around.chain(it.resets.iter().copied());
            let mut places: Vec<u32> = around
                .filter(|&place| contents[place as usize].is_some())
                .collect();
            places.sort_unstable();
            places.dedup();
            let any_first = places.iter().enumerate().filter(|&(_, place)| {
                let is_shuffled = skeleton.is_shuffled[*place as usize];
                is_shuffled && offers_one(*place) && it.coloured_in.contains(place)
            });
            Some(Local {
                any_first: any_first.map(|it| it.0).collect(),
                places,
                known: HashMap::new(),
                outcomes: Vec::new(),
            })
        });
        let locals = locals.collect();
        let colours = Colours {
            locals,
            are_there: contents.iter().any(Option::is_some),
            contents,
            trial,
            chooses_delay: skeleton.chooses_delay.clone(),
        };
        (colours, initial)
    }

    /// Whether any place is coloured.
    #[inline]
    pub fn are_there(&self) -> bool {
        self.are_there
    }

    /// What a coloured place holds; nothing for unit places.
    pub fn contents(&self, place: usize) -> Option<&Contents> {
        self.contents[place].as_ref()
    }

    /// The coloured places around a transition; nothing if it has neither colours nor code.
    pub fn places_around(&self, transition: u32) -> Option<&[u32]> {
        let local = self.locals[transition as usize].as_ref();
        local.map(|local| &local.places[..])
    }

    /// Bytes that it all needs, roughly.
    pub fn bytes(&self) -> u64 {
        let contents = self.contents.iter().flatten().map(Contents::bytes);
        let locals = self.locals.iter().flatten().map(|local| {
            let known = local.known.len() * (4 * local.places.len() + 40);
            (known + 4 * local.outcomes.len()) as u64
        });
        contents.sum::<u64>() + locals.sum::<u64>()
    }

    /// New contents of the places around a transition, one outcome after the other, given the contents that are there. So
    /// many numbers are an outcome as there are places, and at least one. There is nothing for a transition of another kind.
    pub fn after(&mut self, transition: u32, before: &[u32]) -> Result<&[u32], Trouble> {
        let local = self.locals[transition as usize].as_ref();
        let known = local.and_then(|local| local.known.get(before).cloned());
        let range = match known {
            Some(range) => range,
            None => {
                let outcomes = self.try_all(transition, before)?;
                self.keep(transition, before, outcomes)
            }
        };
        let local = self.locals[transition as usize].as_ref();
        Ok(local.map_or(&[], |it| {
            &it.outcomes[range.start as usize..range.end as usize]
        }))
    }

    fn keep(&mut self, transition: u32, before: &[u32], outcomes: Vec<Outcome>) -> Range<u32> {
        let Some(local) = &mut self.locals[transition as usize] else {
            return 0..0;
        };
        let from = local.outcomes.len() as u32;
        for outcome in outcomes {
            local.outcomes.extend(outcome.contents);
            if local.places.is_empty() {
                local.outcomes.push(0);
            }
        }
        let range = from..local.outcomes.len() as u32;
        local.known.insert(before.into(), range.clone());
        range
    }

    /// All ways in which a transition fires, given the contents of the places around it.
    pub fn try_all(&mut self, transition: u32, before: &[u32]) -> Result<Vec<Outcome>, Trouble> {
        let tried = catch_unwind(AssertUnwindSafe(|| self.try_heads(transition, before)));
        tried.unwrap_or_else(|panic| {
            let message = message_of(&*panic);
            Err(Trouble::Panicked { message })
        })
    }

    /// Tries each choice of first tokens of places whose tokens come in any order.
    fn try_heads(&mut self, transition: u32, before: &[u32]) -> Result<Vec<Outcome>, Trouble> {
        let Some(local) = &self.locals[transition as usize] else {
            return Ok(Vec::new());
        };
        let places = local.places.clone();
        let any_first = local.any_first.clone();
        let lists = places.iter().zip(before).map(|(&place, &number)| {
            let contents = self.contents[place as usize].as_ref();
            contents.map_or_else(Vec::new, |it| it.list(number).to_vec())
        });
        let lists: Vec<Vec<u32>> = lists.collect();
        let mut job = Job {
            transition,
            places: &places,
            outcomes: Vec::new(),
            seen: HashSet::new(),
        };
        let mut heads = vec![0; any_first.len()];
        if any_first.iter().any(|&it| lists[it].is_empty()) {
            return Ok(Vec::new());
        }
        loop {
            let mut laid = lists.clone();
            let mut kept = vec![Vec::new(); places.len()];
            for (&at, &head) in any_first.iter().zip(&heads) {
                let first = laid[at].remove(head);
                kept[at] = std::mem::replace(&mut laid[at], vec![first]);
            }
            self.try_bindings(&mut job, &laid, &kept)?;
            let next = any_first.iter().zip(&mut heads).any(|(&at, head)| {
                *head = (*head + 1) % lists[at].len();
                *head > 0
            });
            if !next {
                return Ok(job.outcomes);
            }
        }
    }

    /// Tries each binding of the tokens that are `laid`, with everything that its code may decide.
    fn try_bindings(
        &mut self,
        job: &mut Job<'_>,
        laid: &[Vec<u32>],
        kept: &[Vec<u32>],
    ) -> Result<(), Trouble> {
        self.lay(job.places, laid);
        for nth in 0..self.trial.bindings(job.transition) {
            let mut decisions = Decisions::default();
            for outcomes in 1.. {
                self.lay(job.places, laid);
                let tried = self.trial.fire(job.transition, nth, decisions);
                if tried.drew {
                    return Err(Trouble::Drew);
                }
                if tried.chose_delay && !self.chooses_delay[job.transition as usize] {
                    return Err(Trouble::ChoseDelay);
                }
                let contents = self.collect(job.places, kept);
                let outcome = Outcome {
                    binding: tried.binding,
                    contents,
                };
                if job.seen.insert(outcome.clone()) {
                    job.outcomes.push(outcome);
                }
                decisions = tried.decisions;
                if !decisions.advance() {
                    break;
                }
                if outcomes == OUTCOMES {
                    return Err(Trouble::TooManyOutcomes);
                }
            }
        }
        places_cleared(&mut self.trial, job.places);
        Ok(())
    }

    fn lay(&mut self, places: &[u32], laid: &[Vec<u32>]) {
        places_cleared(&mut self.trial, places);
        for (&place, list) in places.iter().zip(laid) {
            if let Some(contents) = &self.contents[place as usize] {
                contents.lay(list, &mut self.trial);
            }
        }
    }

    /// The contents that a firing left, together with what was kept out of its sight.
    fn collect(&mut self, places: &[u32], kept: &[Vec<u32>]) -> Vec<u32> {
        let numbers = places.iter().zip(kept).map(|(&place, kept)| {
            let contents = self.contents[place as usize].as_mut();
            let (contents, shelf) = contents.zip(self.trial.shelf(place))?;
            let mut list = contents.read(shelf);
            list.extend(kept);
            Some(contents.number(list))
        });
        numbers.map(|number| number.unwrap_or(0)).collect()
    }
}

/// A transition that is being tried.
struct Job<'a> {
    transition: u32,
    places: &'a [u32],
    outcomes: Vec<Outcome>,
    seen: HashSet<Outcome>,
}

fn places_cleared(trial: &mut Trial<'_>, places: &[u32]) {
    places.iter().for_each(|&place| trial.clear(place));
}
