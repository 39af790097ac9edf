//! What to remember: ways of counting that compete, and the one that has done best lately.

use std::f64::consts::LN_2;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::counts::Counts;
use super::exact;
use super::heat::Heat;
use super::numbers::{Numbers, picked};
use crate::select::{Budget, Ranking, best_by_heat};
use crate::value::Values;

/// Half-lives, in periods, of the experts whose counts fade.
const HALF_LIVES: [f64; 4] = [64.0, 32.0, 16.0, 8.0];

/// Experts that count from a renewal on, the one that counts from the first access on among them.
const WINDOWS: usize = 8;

/// Periods in which what an expert did before counts half.
const SCORE_HALF_LIFE: f64 = 4.0;

/// Standard errors that count as more than chance: two, the usual 95 %.
const SIGNIFICANT: f64 = 2.0;

/// How an expert counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Counting {
    Fading(Heat),
    /// Counts from a renewal on; the accesses of each file until then, and the time of the renewal.
    Since {
        before: Vec<u32>,
        birth: f64,
    },
}

/// What recent accesses say of two experts.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Duel {
    /// Weighted microseconds that the one saved more than the other, older ones counting less.
    #[serde(with = "exact")]
    ahead_us: f64,
    /// Sum of the squares of the same.
    #[serde(with = "exact")]
    noise: f64,
}

impl Duel {
    fn fade(&mut self, factor: f64) {
        self.ahead_us *= factor;
        self.noise *= factor;
    }

    /// Whether the one is ahead by more than chance.
    fn is_won(self) -> bool {
        self.ahead_us > SIGNIFICANT * self.noise.sqrt()
    }

    fn is_lost(self) -> bool {
        -self.ahead_us > SIGNIFICANT * self.noise.sqrt()
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Expert {
    counting: Counting,
    /// Against each expert before it.
    duels: Vec<Duel>,
}

impl Expert {
    fn new(counting: Counting, before: usize) -> Self {
        Self {
            counting,
            duels: vec![Duel::default(); before],
        }
    }

    /// What it counts, where each file was accessed `total` times so far.
    fn counts<'e>(&'e self, total: &'e [u32]) -> Counts<'e> {
        match &self.counting {
            Counting::Fading(heat) => heat.counts(),
            Counting::Since { before, .. } => Counts::since(total, before),
        }
    }

    /// Periods that it remembers at `now`: all for plain counting.
    fn memory(&self, now: f64) -> f64 {
        match &self.counting {
            // The mean age of what fades.
            Counting::Fading(heat) => heat.half_life() / LN_2,
            Counting::Since { birth: 0.0, .. } => f64::INFINITY,
            Counting::Since { birth, .. } => now - birth,
        }
    }

    fn is_sound(&self, position: usize, files: usize) -> bool {
        let counting = match &self.counting {
            Counting::Fading(heat) => {
                let half_life = position
                    .checked_sub(1)
                    .and_then(|fading| HALF_LIVES.get(fading));
                half_life == Some(&heat.half_life()) && heat.is_sound(files)
            }
            Counting::Since { before, birth } => {
                let fades = (1..=HALF_LIVES.len()).contains(&position);
                !fades && birth.is_finite() && before.len() <= files
            }
        };
        counting && self.duels.len() == position
    }
}

/// What became of the experts at a renewal.
pub(super) struct Turnover {
    /// Whether one came, the last.
    pub is_added: bool,
    /// The place of the one that went, after that.
    pub gone: Option<usize>,
    /// Of which of those that remain the counts of all files were scaled anew.
    pub rescaled: Vec<bool>,
}

/// All experts: plain counting, those that fade, then those that count from a renewal on, the oldest first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Experts {
    experts: Vec<Expert>,
    /// Accesses of each file so far, at most 2³² − 1: counts of a million files, thirteen times over, have to fit into memory.
    total: Vec<u32>,
    /// Which experts would hold each file, as bits.
    held_by: Vec<u16>,
    /// Time of the last renewal.
    now: f64,
}

impl Experts {
    pub fn new() -> Self {
        let plain = Counting::Since {
            before: Vec::new(),
            birth: 0.0,
        };
        let fading = HALF_LIVES.map(|half_life| Counting::Fading(Heat::new(half_life)));
        let experts = std::iter::once(plain).chain(fading).enumerate();
        Self {
            experts: experts
                .map(|(before, counting)| Expert::new(counting, before))
                .collect(),
            total: Vec::new(),
            held_by: Vec::new(),
            now: 0.0,
        }
    }

    /// Learns the accesses of a `stretch` that ends at `now`, by rising number of the file; each expert fills `budget`.
    pub fn learn(
        &mut self,
        stretch: &[(u32, u32)],
        now: f64,
        numbers: &Numbers,
        values: &Values,
        budget: Budget,
    ) {
        self.count(stretch, now, numbers, values);
        let total = &self.total;
        let choose = |expert: &Expert| {
            let counts = expert.counts(total);
            let heat = move |step| {
                let heat = counts.all(step);
                heat.map(move |(file, heat)| (numbers.id(file), heat))
            };
            best_by_heat(values, heat, budget)
        };
        let held: Vec<Vec<u32>> = self.experts.par_iter().map(choose).collect();
        self.hold(&held, numbers);
    }

    /// The same but for what each expert holds then; what became of the experts.
    pub fn count(
        &mut self,
        stretch: &[(u32, u32)],
        now: f64,
        numbers: &Numbers,
        values: &Values,
    ) -> Turnover {
        let (elapsed, files) = (now - self.now, numbers.len());
        self.total.resize(files, 0);
        self.held_by.resize(files, 0);
        self.compete(stretch, elapsed, numbers, values);
        let is_added = self.now > 0.0;
        let gone = if is_added { self.add_window() } else { None };
        self.now = now;
        for &(file, accesses) in stretch {
            let total = &mut self.total[file as usize];
            *total = total.saturating_add(accesses);
        }
        let add = |expert: &mut Expert| match &mut expert.counting {
            Counting::Fading(heat) => heat.add(stretch, elapsed, files),
            Counting::Since { .. } => false,
        };
        Turnover {
            is_added,
            gone,
            rescaled: self.experts.par_iter_mut().map(add).collect(),
        }
    }

    /// What each expert counts.
    pub fn counts(&self) -> Vec<Counts<'_>> {
        let experts = self.experts.iter();
        experts.map(|expert| expert.counts(&self.total)).collect()
    }

    /// Which experts would hold each file, as bits, to be changed.
    pub fn held_by(&mut self) -> &mut [u16] {
        &mut self.held_by
    }

    /// Files and what the fading count with the longest memory knows of them.
    pub fn patient(&self) -> impl Iterator<Item = (u32, f64)> {
        let mut experts = self.experts.iter();
        let patient = experts.find(|expert| matches!(expert.counting, Counting::Fading(_)));
        let heat = patient.map(|expert| expert.counts(&self.total).all(1));
        heat.into_iter().flatten()
    }

    /// Goes on with these files alone, which get new numbers in their order.
    pub fn keep(&mut self, numbers: &[u32]) {
        for expert in &mut self.experts {
            match &mut expert.counting {
                Counting::Fading(heat) => heat.keep(numbers),
                Counting::Since { before, .. } => *before = picked(before, numbers),
            }
        }
        self.total = picked(&self.total, numbers);
        self.held_by = picked(&self.held_by, numbers);
    }

    /// What the leading expert ranks, for whoever fills some `pages`.
    pub fn ranking(&self, numbers: &Numbers, values: &Values, pages: u64) -> Ranking {
        let counts = self.experts[self.leader()].counts(&self.total);
        let heat = move |step| {
            let heat = counts.all(step);
            heat.map(move |(file, heat)| (numbers.id(file), heat))
        };
        Ranking::for_room(values, heat, pages)
    }

    /// Notes what each expert holds.
    fn hold(&mut self, held: &[Vec<u32>], numbers: &Numbers) {
        self.held_by.fill(0);
        for (expert, objects) in held.iter().enumerate() {
            for &object in objects {
                self.held_by[numbers.known(object)] |= 1 << expert;
            }
        }
    }

    /// Scores the sets held so far against each other.
    fn compete(
        &mut self,
        stretch: &[(u32, u32)],
        elapsed: f64,
        numbers: &Numbers,
        values: &Values,
    ) {
        let fade = (-elapsed / SCORE_HALF_LIFE).exp2();
        let duels = self.experts.iter_mut().flat_map(|expert| &mut expert.duels);
        duels.for_each(|duel| duel.fade(fade));
        let holders = self.holders(stretch, numbers, values);
        let score = |(index, expert): (usize, &mut Expert)| {
            for &(held_by, saved_us, noise) in &holders {
                let own = held_by >> index & 1;
                let differ = held_by ^ own.wrapping_neg();
                let ahead_us = if own == 1 { saved_us } else { -saved_us };
                for (other, duel) in expert.duels.iter_mut().enumerate() {
                    // A branch would be guessed wrong as often as not.
                    let differs = u64::from(differ >> other & 1).wrapping_neg();
                    duel.ahead_us += f64::from_bits(ahead_us.to_bits() & differs);
                    duel.noise += f64::from_bits(noise.to_bits() & differs);
                }
            }
        };
        self.experts.par_iter_mut().enumerate().for_each(score);
    }

    /// For each file of a stretch that some experts hold and some do not: who does, as bits, what holding it saved, and
    /// the sum of the squares of that.
    fn holders(
        &self,
        stretch: &[(u32, u32)],
        numbers: &Numbers,
        values: &Values,
    ) -> Vec<(u32, f64, f64)> {
        let everyone = (1 << self.experts.len()) - 1;
        let holder = |&(file, accesses): &(u32, u32)| {
            let held_by = u32::from(self.held_by[file as usize]);
            let saved_us = values.saved_us(numbers.id(file));
            let accesses = f64::from(accesses);
            (held_by != 0 && held_by != everyone).then_some((
                held_by,
                accesses * saved_us,
                accesses * saved_us * saved_us,
            ))
        };
        stretch.iter().filter_map(holder).collect()
    }

    /// Adds an expert that counts from now on. Where there are too many, the one goes whose neighbours are closest in age,
    /// by ratio, so that ages stay spread from the newest to the oldest; never the one that leads. Which one went.
    fn add_window(&mut self) -> Option<usize> {
        let counting = Counting::Since {
            before: self.total.clone(),
            birth: self.now,
        };
        self.experts.push(Expert::new(counting, self.experts.len()));
        let (oldest, newest) = (HALF_LIVES.len() + 1, self.experts.len() - 1);
        if newest - oldest < WINDOWS {
            return None;
        }
        let (leading, now) = (self.leader(), self.now + 1.0);
        let age = |index: usize| self.experts[index].memory(now);
        let spread = |index: usize| age(index + 1) / age(index - 1);
        let can_go = (oldest + 1..newest).filter(|&index| index != leading);
        let index = can_go.max_by(|&a, &b| spread(a).total_cmp(&spread(b)))?;
        self.experts.remove(index);
        self.experts[index..].iter_mut().for_each(|expert| {
            expert.duels.remove(index);
        });
        Some(index)
    }

    /// The expert of the longest memory that none with a shorter one beats: how O. Lepski, "On a problem of adaptive
    /// estimation in Gaussian white noise", Theory of Probability and its Applications 35 (1991), chooses a bandwidth.
    pub fn leader(&self) -> usize {
        let memory = |index: usize| self.experts[index].memory(self.now);
        let beaten = |index: usize| {
            let beats = |other: usize| {
                if other > index {
                    self.experts[other].duels[index].is_won()
                } else {
                    self.experts[index].duels[other].is_lost()
                }
            };
            (0..self.experts.len())
                .any(|other| other != index && memory(other) < memory(index) && beats(other))
        };
        let unbeaten = (0..self.experts.len()).filter(|&index| !beaten(index));
        unbeaten
            .max_by(|&a, &b| memory(a).total_cmp(&memory(b)))
            .unwrap_or(0)
    }

    /// Whether they can go on with so many `files`.
    pub fn is_sound(&self, files: usize) -> bool {
        let count = HALF_LIVES.len() + 1..=HALF_LIVES.len() + 1 + WINDOWS;
        let mut experts = self.experts.iter().enumerate();
        count.contains(&self.experts.len())
            && experts.all(|(position, expert)| expert.is_sound(position, files))
            && self.total.len() <= files
            && self.held_by.len() <= files
            && self.now.is_finite()
    }
}
