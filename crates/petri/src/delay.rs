//! How long after a firing its tokens are ready.

use std::fmt;
use std::sync::Arc;

use rand_distr::Distribution;

use crate::stream::Stream;
use crate::time::Time;

/// How long after a firing its tokens are ready. All times are in seconds.
#[derive(Clone)]
pub struct Delay(Law);

#[derive(Clone)]
enum Law {
    Constant(f64),
    Exponential(f64),
    Uniform(f64, f64),
    Erlang(u32, f64),
    Empirical(Arc<[f64]>),
    Drawn(Arc<dyn Fn(&mut Stream) -> f64 + Send + Sync>),
}

/// A delay that is negative, not a number, or beyond the clock, in seconds.
pub(crate) struct BadDelay(pub f64);

/// Most stages of an Erlang delay that is read: each is drawn, and of so many the sum hardly varies.
const MOST_STAGES: f64 = 1e6;

impl Delay {
    /// No delay: tokens are ready at once.
    pub const NONE: Delay = Delay(Law::Constant(0.0));

    /// Always the same.
    #[must_use]
    pub fn constant(seconds: f64) -> Delay {
        Delay(Law::Constant(seconds))
    }

    /// Exponentially distributed.
    #[must_use]
    pub fn exponential(mean: f64) -> Delay {
        Delay(Law::Exponential(mean))
    }

    /// Uniform between two bounds.
    #[must_use]
    pub fn uniform(low: f64, high: f64) -> Delay {
        Delay(Law::Uniform(low, high))
    }

    /// The sum of `stages` exponential times: Erlang, with a squared coefficient of variation of 1/`stages`.
    #[must_use]
    pub fn erlang(stages: u32, mean: f64) -> Delay {
        Delay(Law::Erlang(stages, mean))
    }

    /// One of these measured times, each as likely as the others.
    #[must_use]
    pub fn empirical(seconds: impl Into<Arc<[f64]>>) -> Delay {
        Delay(Law::Empirical(seconds.into()))
    }

    /// Drawn from a distribution of `rand_distr`, or from one of your own. Its logarithms may be the machine's: then the
    /// last digits may differ between machines.
    #[must_use]
    pub fn drawn(seconds: impl Distribution<f64> + Send + Sync + 'static) -> Delay {
        Delay(Law::Drawn(Arc::new(move |stream| seconds.sample(stream))))
    }

    /// Whether tokens are always ready at once.
    #[must_use]
    pub fn is_none(&self) -> bool {
        matches!(self.0, Law::Constant(seconds) if seconds == 0.0)
    }

    /// The name of its law and the law's numbers; nothing for one that code draws.
    #[must_use]
    pub fn parts(&self) -> Option<(&'static str, Vec<f64>)> {
        Some(match &self.0 {
            Law::Constant(seconds) => ("constant", vec![*seconds]),
            Law::Exponential(mean) => ("exponential", vec![*mean]),
            Law::Uniform(low, high) => ("uniform", vec![*low, *high]),
            Law::Erlang(stages, mean) => ("erlang", vec![f64::from(*stages), *mean]),
            Law::Empirical(values) => ("empirical", values.to_vec()),
            Law::Drawn(_) => return None,
        })
    }

    /// The delay of these parts; nothing where there is no such law of so many numbers.
    #[must_use]
    pub fn from_parts(law: &str, numbers: &[f64]) -> Option<Delay> {
        Some(match (law, numbers) {
            ("constant", &[seconds]) => Delay::constant(seconds),
            ("exponential", &[mean]) => Delay::exponential(mean),
            ("uniform", &[low, high]) => Delay::uniform(low, high),
            ("erlang", &[stages, mean])
                if stages.fract() == 0.0 && (1.0..=MOST_STAGES).contains(&stages) =>
            {
                Delay::erlang(stages as u32, mean)
            }
            ("empirical", values) => Delay::empirical(values),
            _ => return None,
        })
    }

    /// The mean of an exponential delay; nothing for other delays.
    pub(crate) fn exponential_mean(&self) -> Option<f64> {
        match self.0 {
            Law::Exponential(mean) if mean > 0.0 => Some(mean),
            _ => None,
        }
    }

    /// Refuses parameters that could give a bad delay.
    pub(crate) fn check(&self) -> Result<(), BadDelay> {
        let parameters: &[f64] = match &self.0 {
            Law::Constant(seconds) => &[*seconds],
            Law::Exponential(mean) => &[*mean],
            Law::Uniform(low, high) if low > high => return Err(BadDelay(high - low)),
            Law::Uniform(low, high) => &[*low, *high],
            Law::Erlang(0, _) => return Err(BadDelay(f64::NAN)),
            Law::Erlang(_, mean) => &[*mean],
            Law::Empirical(values) if values.is_empty() => return Err(BadDelay(f64::NAN)),
            Law::Empirical(values) => values,
            Law::Drawn(_) => &[],
        };
        let bad = parameters.iter().find(|&&it| Time::from_secs(it).is_none());
        bad.map_or(Ok(()), |&it| Err(BadDelay(it)))
    }

    /// The next delay, in nanoseconds.
    #[inline]
    pub(crate) fn draw(&self, stream: &mut Stream) -> Result<Time, BadDelay> {
        let seconds = match &self.0 {
            Law::Constant(seconds) => *seconds,
            Law::Exponential(mean) => mean * stream.exponential(),
            Law::Uniform(low, high) => low + (high - low) * stream.unit(),
            Law::Erlang(stages, mean) => {
                let sum: f64 = (0..*stages).map(|_| stream.exponential()).sum();
                sum * mean / f64::from(*stages)
            }
            Law::Empirical(values) => values[stream.below(values.len() as u64) as usize],
            Law::Drawn(draw) => draw(stream),
        };
        Time::from_secs(seconds).ok_or(BadDelay(seconds))
    }
}

impl Default for Delay {
    fn default() -> Self {
        Delay::NONE
    }
}

impl fmt::Debug for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Law::Constant(seconds) => write!(f, "{seconds} s"),
            Law::Exponential(mean) => write!(f, "exponential, mean {mean} s"),
            Law::Uniform(low, high) => write!(f, "uniform, {low} to {high} s"),
            Law::Erlang(stages, mean) => write!(f, "Erlang-{stages}, mean {mean} s"),
            Law::Empirical(values) => write!(f, "one of {} measured times", values.len()),
            Law::Drawn(_) => write!(f, "drawn"),
        }
    }
}
