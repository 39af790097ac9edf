//! `hotset net run`: replications of a net.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use hotset_outcome::{Provenance, ProvenanceKind};
use hotset_petri::nets::LENGTH;
use hotset_petri::{Answer, Enough, Experiment, Time, Watcher};
use hotset_replay::schedule::parse_duration;
use hotset_report::NetRunView;

use super::NetArgs;
use super::trace::{self, Trace};
use crate::output::{self, Interrupted};
use crate::progress::Bar;
use crate::{interrupt, option_values};

/// What `hotset net run` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    net: NetArgs,
    /// Simulated time that each replication is measured, after its warm-up [default: 10s]
    #[arg(long, value_name = "DURATION", value_parser = until)]
    until: Option<Time>,
    /// Run so many replications; a single one gets its intervals from batch means
    #[arg(long, value_name = "N", conflicts_with = "precision", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    replications: Option<u32>,
    /// Run replications until each interval's half width is this share of its mean, at most 1000 of them
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = option_values::percent)]
    precision: f64,
    /// List the first firings of a single run instead, each with its time and the tokens that it took
    #[arg(
        long,
        value_name = "FIRINGS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "20",
        conflicts_with_all = ["replications", "precision"],
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    trace: Option<u32>,
    /// Seed of every random choice
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn until(text: &str) -> Result<Time, String> {
    match parse_duration(text)? {
        Duration::ZERO => Err("nothing happens in no time; give a longer one".into()),
        length => u64::try_from(length.as_nanos())
            .map(Time::from_nanos)
            .map_err(|_| "the clock of a net ends after 584 years".into()),
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let net = args.net.build()?;
    if let Some(firings) = args.trace {
        let trace = Trace {
            firings: firings as usize,
            until: args.until,
            seed: args.seed,
        };
        return trace::run(&net, &trace, args.json);
    }
    let experiment = Experiment {
        length: args.until.unwrap_or(LENGTH),
        enough: match args.replications {
            Some(replications) => Enough::Replications(replications as usize),
            None => Enough::Precision(args.precision),
        },
        seed: args.seed,
        ..Experiment::default()
    };
    let started = Instant::now();
    let answer = {
        let _guard = interrupt::Guard::new();
        let answer = experiment.run(&net, &Progress::new());
        interrupt::forget();
        answer?
    };
    let view = NetRunView {
        net: net.name(),
        answer: &answer,
        outcome: answer.outcome(net.name(), provenance(args, &answer)),
        seed: args.seed,
        seconds: started.elapsed().as_secs_f64(),
    };
    output::print_view(&view, args.json)?;
    for name in net.monitors() {
        if !answer.estimates.iter().any(|it| it.name == name) {
            output::warn(&format!(
                "{name}: saw too little for an interval; run longer (--until)"
            ));
        }
    }
    if answer.stopped {
        bail!(Interrupted(
            "interrupted; the report is about what was run until then"
        ));
    }
    if !answer.is_settled {
        output::warn(
            "means still changed after a quarter of the pilot runs: these are likely not those of a steady state; run longer (--until)",
        );
    }
    if !answer.is_precise {
        output::warn("some intervals are wider than asked for; run longer (--until)");
    }
    Ok(())
}

/// How the run came about: its parameters, and how long it was.
fn provenance(args: &Args, answer: &Answer) -> Provenance {
    let set = args.net.set.iter();
    let set = set.map(|(name, value)| (name.clone(), value.to_string()));
    let own = [
        ("seconds", answer.length.secs().to_string()),
        ("warm_up_seconds", answer.warm_up.secs().to_string()),
        ("replications", answer.replications.to_string()),
    ];
    let own = own.map(|(name, value)| (name.to_owned(), value));
    Provenance {
        seed: Some(args.seed),
        settings: set.chain(own).collect(),
        ..Provenance::new(ProvenanceKind::Simulated)
    }
}

/// How far the runs are. Ctrl-C stops them.
struct Progress {
    bar: Mutex<(Bar, f64)>,
    wanted: AtomicUsize,
}

impl Progress {
    fn new() -> Progress {
        Progress {
            bar: Mutex::new((Bar::share("running replications"), 0.0)),
            wanted: AtomicUsize::new(1),
        }
    }
}

impl Watcher for Progress {
    fn wants(&self, runs: usize) {
        self.wanted.store(runs, Ordering::Relaxed);
    }

    fn ran(&self, share: f64) {
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        bar.1 += share;
        let done = bar.1 / self.wanted.load(Ordering::Relaxed) as f64;
        bar.0.set_share(done);
    }

    fn stops(&self) -> bool {
        interrupt::pending()
    }
}
