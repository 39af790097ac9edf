//! Random numbers: a stream for each transition.

use std::convert::Infallible;
use std::hash::Hasher;
use std::sync::LazyLock;

use rand::rand_core::TryRng;
use rand::{Rng, RngExt};
use rand_pcg::Pcg64Dxsm;
use siphasher::sip128::{Hasher128, SipHasher24};

/// The random numbers of one transition in one replication.
///
/// A stream is named by the seed, the number of the replication and the transition's path. What one transition draws
/// therefore changes no other's numbers, and adding a transition leaves the others' numbers as they were. The numbers
/// are those of PCG-DXSM, a linear congruential counter with a mixed output, and the same on every machine.
#[derive(Clone, Debug)]
pub struct Stream {
    numbers: Pcg64Dxsm,
    /// Where all outcomes are wanted, those of whole numbers and chances are decided here.
    decisions: Option<Box<Decisions>>,
}

/// Decisions of a piece of code that draws: run again and again, it goes through all of its outcomes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Decisions {
    /// Those made until now: which outcome, and of how many.
    made: Vec<(u64, u64)>,
    /// The one that is asked for next.
    next: usize,
}

impl Decisions {
    fn decide(&mut self, outcomes: u64) -> u64 {
        if self.next == self.made.len() {
            self.made.push((0, outcomes));
        }
        self.next += 1;
        self.made[self.next - 1].0
    }

    /// Turns to the next outcome, if there is one.
    pub fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((outcome, outcomes)) = self.made.pop() {
            if outcome + 1 < outcomes {
                self.made.push((outcome + 1, outcomes));
                return true;
            }
        }
        false
    }
}

/// The layers of the exponential density for the ziggurat method.
struct Ziggurat {
    /// Right ends, the outermost first; the first is the width of a rectangle that has the area of the tail's layer.
    x: [f64; LAYERS + 1],
    /// The density there.
    f: [f64; LAYERS + 1],
}

const LAYERS: usize = 256;
/// Where the tail begins, and the area of a layer: Marsaglia and Tsang, "The ziggurat method for generating random
/// variables", Journal of Statistical Software 5 (2000).
const TAIL: f64 = 7.697_117_470_131_05;
const AREA: f64 = 0.003_949_659_822_581_557;

static ZIGGURAT: LazyLock<Ziggurat> = LazyLock::new(|| {
    let mut x = [0.0; LAYERS + 1];
    x[0] = AREA / libm::exp(-TAIL);
    x[1] = TAIL;
    for layer in 2..LAYERS {
        x[layer] = -libm::log(AREA / x[layer - 1] + libm::exp(-x[layer - 1]));
    }
    let f = x.map(|x| libm::exp(-x));
    Ziggurat { x, f }
});

impl Stream {
    /// The stream of this name.
    #[must_use]
    pub fn named(seed: u64, replication: u64, path: &str) -> Stream {
        let part = |part: u64| {
            let mut hasher = SipHasher24::new_with_keys(seed, replication);
            hasher.write_u64(part);
            hasher.write(path.as_bytes());
            hasher.finish128().as_u128()
        };
        Stream {
            numbers: Pcg64Dxsm::new(part(0), part(1)),
            decisions: None,
        }
    }

    /// From now on, these decide.
    pub(crate) fn follow(&mut self, decisions: Decisions) {
        self.decisions = Some(Box::new(decisions));
    }

    /// The decisions as they are now.
    pub(crate) fn decisions(&mut self) -> Decisions {
        self.decisions
            .take()
            .map_or_else(Decisions::default, |it| *it)
    }

    /// Whether nothing but decisions was drawn since this copy was made.
    pub(crate) fn drew_as(&self, copy: &Stream) -> bool {
        self.numbers == copy.numbers
    }

    /// Uniform over the numbers above 0, up to and including 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        // 53 bits, the precision of the type.
        ((self.numbers.next_u64() >> 11) + 1) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Exponentially distributed with mean 1, by the ziggurat method. Its logarithms and powers are software ones, so that
    /// every machine draws the same numbers.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        let Ziggurat { x, f } = &*ZIGGURAT;
        loop {
            let bits = self.numbers.next_u64();
            let layer = bits as usize % LAYERS;
            let value = ((bits >> 11) as f64 + 0.5) * (1.0 / (1u64 << 53) as f64) * x[layer];
            if value < x[layer + 1] {
                return value;
            }
            if layer == 0 {
                return TAIL - libm::log(self.unit());
            }
            let height = f[layer + 1] + (f[layer] - f[layer + 1]) * self.unit();
            if height < libm::exp(-value) {
                return value;
            }
        }
    }

    /// Uniform over the whole numbers below `bound`, which must not be 0. The bias is below `bound` / 2⁶⁴.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        match &mut self.decisions {
            None => ((u128::from(self.numbers.next_u64()) * u128::from(bound)) >> 64) as u64,
            Some(decisions) => decisions.decide(bound),
        }
    }

    /// True with this probability.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        match &mut self.decisions {
            None => self.numbers.random::<f64>() < probability,
            Some(_) if probability <= 0.0 => false,
            Some(_) if probability >= 1.0 => true,
            Some(decisions) => decisions.decide(2) == 1,
        }
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.numbers.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.numbers.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.numbers.try_fill_bytes(bytes)
    }
}
