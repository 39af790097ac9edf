//! A bar on standard error for whatever takes longer than a second, on a terminal only.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Jobs shorter than this show no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that appears once its job has taken a second.
pub struct Bar {
    bar: ProgressBar,
    started: Instant,
    shown: bool,
}

impl Bar {
    /// A bar over bytes, labelled `what`.
    pub fn bytes(what: &'static str) -> Bar {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let template = "{msg} {wide_bar} {bytes}/{total_bytes} ({bytes_per_sec}, {eta} left)";
        // A template that could not be read would cost its looks only.
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar()),
        );
        bar.set_message(what);
        Bar {
            bar,
            started: Instant::now(),
            shown: false,
        }
    }

    /// Moves the bar to `done` of `total`, where the total is known.
    pub fn set_of(&mut self, done: u64, total: Option<u64>) {
        if !self.shown && self.started.elapsed() > PATIENCE {
            // indicatif draws nothing when standard error is not a terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.shown = true;
        }
        if let Some(total) = total {
            self.bar.set_length(total);
        }
        self.bar.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
