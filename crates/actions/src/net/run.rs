//! Replications of a net, until its monitors are known well enough.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use hotset_outcome::{Provenance, ProvenanceKind};
use hotset_petri::nets::LENGTH;
use hotset_petri::{Answer, Experiment, Net, StoppingRule, Time, Watcher};
use hotset_report::NetRunView;

use super::named;
use crate::{Field, JobError, Message, Part, Watch};

/// Which net is run, and for how long.
#[derive(Clone)]
pub struct Options {
    /// The net.
    pub net: named::Options,
    /// Simulated time that each replication is measured; that of the library where none is given.
    pub until: Option<Time>,
    /// Replications; as many as `precision` takes where none are given.
    pub replications: Option<u32>,
    /// Half width of each interval as a share of its mean.
    pub precision: f64,
    /// Seed of every random choice.
    pub seed: u64,
}

/// What replications came to.
pub struct RunResult {
    net: Net,
    answer: Answer,
    provenance: Provenance,
    seed: u64,
    seconds: f64,
}

impl RunResult {
    /// What reports show.
    pub fn view(&self) -> NetRunView<'_> {
        let name = self.net.name();
        NetRunView {
            net: name,
            answer: &self.answer,
            outcome: self.answer.outcome(name, self.provenance.clone()),
            seed: self.seed,
            seconds: self.seconds,
        }
    }

    /// What is to be known of it after the report.
    pub fn warnings(&self) -> Vec<Message> {
        let answer = &self.answer;
        let seen = |name: &&str| answer.estimates.iter().any(|it| it.name == *name);
        let unseen = self.net.monitors().filter(|name| !seen(name));
        let unseen = unseen.map(|name| {
            longer(&format!(
                "{name}: saw too little for an interval; run longer"
            ))
        });
        let mut warnings: Vec<Message> = unseen.collect();
        if answer.stopped {
            return warnings;
        }
        if !answer.is_settled {
            warnings.push(longer(
                "means still changed after a quarter of the pilot runs: these are likely not those of a steady state; run longer",
            ));
        }
        if !answer.is_precise {
            warnings.push(longer(
                "some intervals are wider than asked for; run longer",
            ));
        }
        warnings
    }

    /// Whether it ran to its end.
    ///
    /// # Errors
    /// It was stopped, which is to be said after the report.
    pub fn check(&self) -> Result<(), JobError> {
        match self.answer.stopped {
            true => Err(JobError::Interrupted(
                "interrupted; the report is about what was run until then",
            )),
            false => Ok(()),
        }
    }
}

fn longer(what: &str) -> Message {
    format!("{what} ({})", Field::Until).into()
}

/// Runs the net.
///
/// # Errors
/// A net that cannot be built or run.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<RunResult, JobError> {
    let net = options.net.build()?;
    let experiment = Experiment {
        length: options.until.unwrap_or(LENGTH),
        enough: match options.replications {
            Some(replications) => StoppingRule::Replications(replications as usize),
            None => StoppingRule::Precision(options.precision),
        },
        seed: options.seed,
        ..Experiment::default()
    };
    let started = Instant::now();
    let answer = {
        let _held = watch.hold_interrupts();
        watch.begin(Part::Share("running replications"));
        let answer = experiment.run(&net, &Progress::new(watch));
        watch.has_stopped();
        watch.end();
        answer.map_err(|error| options.net.ended_by(error))?
    };
    Ok(RunResult {
        provenance: provenance(options, &answer),
        net,
        answer,
        seed: options.seed,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// How the run came about: its parameters, and how long it was.
fn provenance(options: &Options, answer: &Answer) -> Provenance {
    let set = options.net.set.iter();
    let set = set.map(|(name, value)| (name.clone(), value.to_string()));
    let own = [
        ("seconds", answer.length.secs().to_string()),
        ("warm_up_seconds", answer.warm_up.secs().to_string()),
        ("replications", answer.replications.to_string()),
    ];
    let own = own.map(|(name, value)| (name.to_owned(), value));
    Provenance {
        seed: Some(options.seed),
        settings: set.chain(own).collect(),
        ..Provenance::new(ProvenanceKind::Simulated)
    }
}

/// How far the runs are.
struct Progress<'w> {
    watch: &'w dyn Watch,
    done: Mutex<f64>,
    wanted: AtomicUsize,
}

impl<'w> Progress<'w> {
    fn new(watch: &'w dyn Watch) -> Self {
        Progress {
            watch,
            done: Mutex::new(0.0),
            wanted: AtomicUsize::new(1),
        }
    }
}

impl Watcher for Progress<'_> {
    fn expect_runs(&self, runs: usize) {
        self.wanted.store(runs, Ordering::Relaxed);
    }

    fn advance_by(&self, share: f64) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        *done += share;
        self.watch
            .share(*done / self.wanted.load(Ordering::Relaxed) as f64);
    }

    fn is_stopped(&self) -> bool {
        self.watch.stops()
    }
}
