//! A sign of life on standard error for whatever takes longer than a second, on a terminal only.

use std::any::Any;
use std::io::IsTerminal;
use std::ops::Deref;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hotset_actions::{Message, Part, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{interrupt, output};

/// Jobs shorter than this show nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often a spinner turns.
const TURN: Duration = Duration::from_millis(120);

/// A bar over bytes that appears once its job has taken a second.
struct Bar {
    bar: Line,
    started: Instant,
    shown: bool,
}

impl Bar {
    /// A bar labelled `what`.
    fn bytes(what: &'static str) -> Bar {
        Bar::hidden(
            what,
            "{msg} {wide_bar} {bytes}/{total_bytes} ({bytes_per_sec}, {eta} left)",
        )
    }

    /// A bar labelled `what` over a job whose parts are not counted.
    fn share(what: &'static str) -> Bar {
        Bar::hidden(what, "{msg} {wide_bar} {percent} % ({elapsed}, {eta} left)")
    }

    fn hidden(what: &'static str, template: &str) -> Bar {
        let bar = Line::hidden(template);
        bar.set_message(what);
        Bar {
            bar,
            started: Instant::now(),
            shown: false,
        }
    }

    /// Moves the bar to a share of the job, 0 to 1.
    fn set_share(&mut self, done: f64) {
        const STEPS: f64 = 1000.0;
        self.set_of((done * STEPS) as u64, Some(STEPS as u64));
    }

    /// Moves the bar to `done` of `total`, where the total is known.
    fn set_of(&mut self, done: u64, total: Option<u64>) {
        if !self.shown && self.started.elapsed() > PATIENCE {
            show(&self.bar);
            self.shown = true;
        }
        if let Some(total) = total {
            self.bar.set_length(total);
        }
        self.bar.set_position(done);
    }
}

/// A bar over requests with a line of its own, on a terminal from the first second on.
pub struct Status {
    bar: Line,
    shown: bool,
}

impl Status {
    /// A bar labelled `what`.
    pub fn new(what: &'static str) -> Status {
        let bar = Line::hidden("{prefix} {elapsed} {wide_bar} {human_pos}/{human_len}\n  {msg}");
        bar.set_prefix(what);
        Status { bar, shown: false }
    }

    /// Moves the bar to `done` of `total` and sets its line.
    pub fn set(&mut self, done: u64, total: u64, line: String) {
        if !self.shown {
            show(&self.bar);
            self.shown = true;
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.bar.set_message(line);
    }
}

/// A spinner that appears once a job of unknown length has taken a second and goes when dropped.
struct Spinner {
    _line: Line,
    /// Dropped with the spinner, which ends the thread that turns it.
    _alive: Sender<()>,
}

impl Spinner {
    /// A spinner labelled `what`.
    fn new(what: &'static str) -> Spinner {
        let bar = Line::hidden("{spinner} {msg} ({elapsed})");
        bar.set_message(what);
        let (alive, ended) = channel();
        let turned = bar.0.clone();
        std::thread::spawn(move || {
            let still_there = |wait| ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout);
            if still_there(PATIENCE) {
                show(&turned);
                while still_there(TURN) {
                    turned.tick();
                }
            }
        });
        Spinner {
            _line: bar,
            _alive: alive,
        }
    }
}

/// What a run of many steps is doing now: a spinner on a terminal, else a line a step on standard error, so that a log of
/// a run that takes hours shows how far it is.
struct Steps(Option<Line>);

impl Steps {
    /// Nothing yet.
    fn new() -> Steps {
        if !std::io::stderr().is_terminal() {
            return Steps(None);
        }
        let bar = Line::hidden("{spinner} {msg} ({elapsed})");
        show(&bar);
        bar.enable_steady_tick(TURN);
        Steps(Some(bar))
    }

    /// Now it is `what`.
    fn set(&self, what: &str) {
        match &self.0 {
            Some(bar) => bar.set_message(what.to_owned()),
            None => output::say(what),
        }
    }
}

/// What a job does, shown on standard error; Ctrl-C ends the job.
#[derive(Default)]
pub struct Terminal(Mutex<Option<Sign>>);

/// A sign of life of one part of a job.
enum Sign {
    Bar(Bar),
    Spinner {
        /// Goes when it is dropped.
        _spinner: Spinner,
    },
    Steps(Steps),
}

impl Terminal {
    fn sign(&self) -> MutexGuard<'_, Option<Sign>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on_bar(&self, moves: impl FnOnce(&mut Bar)) {
        if let Some(Sign::Bar(bar)) = &mut *self.sign() {
            moves(bar);
        }
    }
}

impl Watch for Terminal {
    fn begin(&self, part: Part) {
        self.end();
        *self.sign() = Some(match part {
            Part::Bytes(what) => Sign::Bar(Bar::bytes(what)),
            Part::Share(what) => Sign::Bar(Bar::share(what)),
            Part::Uncounted(what) => Sign::Spinner {
                _spinner: Spinner::new(what),
            },
        });
    }

    fn bytes(&self, done: u64, total: Option<u64>) {
        self.on_bar(|bar| bar.set_of(done, total));
    }

    fn share(&self, done: f64) {
        self.on_bar(|bar| bar.set_share(done));
    }

    fn step(&self, what: &str) {
        let mut sign = self.sign();
        if !matches!(*sign, Some(Sign::Steps(_))) {
            *sign = Some(Sign::Steps(Steps::new()));
        }
        if let Some(Sign::Steps(steps)) = &*sign {
            steps.set(what);
        }
    }

    fn end(&self) {
        *self.sign() = None;
    }

    fn warn(&self, warning: Message) {
        output::warn(&warning.spelt(output::flag));
    }

    fn note(&self, note: Message) {
        output::note(&note.spelt(output::flag));
    }

    fn stops(&self) -> bool {
        interrupt::pending()
    }

    fn hold_interrupts(&self) -> Box<dyn Any> {
        Box::new(interrupt::Guard::new())
    }

    fn has_stopped(&self) {
        interrupt::forget();
    }
}

/// A line on standard error that goes when it is dropped.
struct Line(ProgressBar);

impl Line {
    /// Nothing is seen of it yet.
    fn hidden(template: &str) -> Line {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        // A template that could not be read would cost its looks only.
        let style = ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar());
        bar.set_style(style);
        Line(bar)
    }
}

impl Deref for Line {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.0
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// indicatif draws nothing when standard error is not a terminal.
fn show(bar: &ProgressBar) {
    bar.set_draw_target(ProgressDrawTarget::stderr());
}
