//! What something takes once nothing was done for a while: processors, virtual machines and drives may sleep meanwhile.

use std::io::{self, Read as _, Write as _};
use std::thread;
use std::time::Duration;

use hotset_machine::OnFile;
use serde::Serialize;

use crate::sampling::{Sampling, time_us};
use crate::{Figure, ProbeError};

/// Deeds in a row after the first one.
const IN_A_ROW: usize = 15;
/// What messages about a pipe name.
const PIPE: &str = "a pipe";

/// What something takes once nothing was done for a while.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct AfterIdleness {
    /// How long, milliseconds.
    pub idle_ms: u64,
    /// What it takes the first time.
    pub first: Figure,
    /// What it takes each of the next fifteen times on average, one right after the other.
    pub next: Figure,
}

impl AfterIdleness {
    /// Figures that each of them makes.
    pub(crate) const FIGURES: usize = 2;

    /// Of a deed that says what it took, microseconds, and is told how many there were before.
    ///
    /// # Errors
    /// Those of the deed.
    pub(crate) fn of(
        idle_ms: u64,
        sampling: &Sampling,
        mut deed_us: impl FnMut(usize) -> Result<f64, ProbeError>,
    ) -> Result<Self, ProbeError> {
        let idle = Duration::from_millis(idle_ms);
        let first = sampling.figure(|number| {
            thread::sleep(idle);
            deed_us(number)
        })?;
        let next = sampling.figure(|number| {
            thread::sleep(idle);
            let start = number * (IN_A_ROW + 1);
            let _first_us = deed_us(start)?;
            let mut all_us = 0.0;
            for number in start + 1..=start + IN_A_ROW {
                all_us += deed_us(number)?;
            }
            Ok(all_us / IN_A_ROW as f64)
        })?;
        Ok(Self {
            idle_ms,
            first,
            next,
        })
    }
}

/// What it takes until a thread runs that sleeps and is woken by another: half of what handing over to it and back takes. At once, and after each of
/// these times of idleness. Whoever waits for a device is woken, and so are threads of the kernel in between.
///
/// # Errors
/// When there is no pipe to be had.
pub(crate) fn wakes(
    idle_ms: &[u64],
    sampling: &Sampling,
) -> Result<Vec<AfterIdleness>, ProbeError> {
    let (mut asked, mut ask) = io::pipe().on("make", PIPE)?;
    let (mut answered, mut answer) = io::pipe().on("make", PIPE)?;
    // With the end that asks, which goes before it is waited for, the other thread ends.
    thread::scope(move |scope| {
        scope.spawn(move || {
            let mut byte = [0];
            while asked.read_exact(&mut byte).is_ok() && answer.write_all(&byte).is_ok() {}
        });
        let mut half_us = |_: usize| -> Result<f64, ProbeError> {
            let us = time_us(|| {
                let mut byte = [0];
                ask.write_all(&byte).on("write to", PIPE)?;
                Ok(answered.read_exact(&mut byte).on("read", PIPE)?)
            })?;
            Ok(us / 2.0)
        };
        let times = std::iter::once(0).chain(idle_ms.iter().copied());
        let wakes = times.map(|idle_ms| AfterIdleness::of(idle_ms, sampling, &mut half_us));
        wakes.collect()
    })
}
