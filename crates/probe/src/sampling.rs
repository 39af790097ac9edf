//! Measuring again and again, until a figure is tight.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::{Figure, ProbeError};

/// The least samples of a figure: from six on, an interval of order statistics has a coverage of 95 %.
const LEAST: usize = 8;
/// The most: the chance that all of more lie on one side of the median is no longer a normal floating-point number.
const MOST: usize = 1000;
/// Intervals are computed anew each time that so many samples have come.
const STEP: usize = 8;

/// How long figures are sampled, and whom that is told.
pub(crate) struct Sampling<'p> {
    patience: Duration,
    /// Is given the share that is done, 0 to 1; says whether to go on.
    goes_on: &'p dyn Fn(f64) -> bool,
    figures: usize,
    done: Cell<usize>,
}

impl<'p> Sampling<'p> {
    /// For so many figures, each sampled no longer than `patience`.
    pub fn new(patience: Duration, figures: usize, goes_on: &'p dyn Fn(f64) -> bool) -> Self {
        Self {
            patience,
            goes_on,
            figures,
            done: Cell::new(0),
        }
    }

    /// The figure of what `sample` takes, in microseconds. It is told how many there were before. The first is discarded.
    ///
    /// # Errors
    /// Those of `sample`, and when the caller no longer wants to know.
    pub fn figure(
        &self,
        sample: impl FnMut(usize) -> Result<f64, ProbeError>,
    ) -> Result<Figure, ProbeError> {
        Ok(self.samples(LEAST, sample)?.0)
    }

    /// As [`Sampling::figure`], and the samples themselves: at least so many, where there is time.
    ///
    /// # Errors
    /// As [`Sampling::figure`].
    pub fn samples(
        &self,
        least: usize,
        mut sample: impl FnMut(usize) -> Result<f64, ProbeError>,
    ) -> Result<(Figure, Vec<f64>), ProbeError> {
        let started = Instant::now();
        sample(0)?;
        let mut samples = Vec::new();
        loop {
            self.go_on()?;
            samples.push(sample(samples.len() + 1)?);
            let count = samples.len();
            let is_late = started.elapsed() > self.patience && count >= LEAST;
            let is_due = count.is_multiple_of(STEP) && count >= least;
            if !is_late && !is_due {
                continue;
            }
            if let Some(figure) = Figure::of(&samples)
                && (is_late || figure.is_tight() || count >= MOST)
            {
                self.done.set(self.done.get() + 1);
                return Ok((figure, samples));
            }
        }
    }

    /// Has `round` take a sample of so many figures, until it says that all are tight, or until `sets` times the patience is
    /// over.
    ///
    /// # Errors
    /// As [`Sampling::figure`].
    pub fn rounds(
        &self,
        figures: usize,
        sets: u32,
        mut round: impl FnMut() -> Result<bool, ProbeError>,
    ) -> Result<(), ProbeError> {
        let started = Instant::now();
        for done in 1..=MOST {
            self.go_on()?;
            let is_tight = round()?;
            if done >= LEAST && (is_tight || started.elapsed() > self.patience * sets) {
                break;
            }
        }
        self.done.set(self.done.get() + figures);
        Ok(())
    }

    /// So many figures cannot be measured here.
    pub fn pass_over(&self, figures: usize) {
        self.done.set(self.done.get() + figures);
    }

    /// # Errors
    /// When the caller no longer wants to know.
    pub fn go_on(&self) -> Result<(), ProbeError> {
        match (self.goes_on)(self.done.get() as f64 / self.figures as f64) {
            true => Ok(()),
            false => Err(ProbeError::Interrupted),
        }
    }
}

/// What `call` takes, microseconds.
pub(crate) fn time_us(call: impl FnOnce() -> Result<(), ProbeError>) -> Result<f64, ProbeError> {
    let started = Instant::now();
    call()?;
    Ok(started.elapsed().as_nanos() as f64 / 1000.0)
}
