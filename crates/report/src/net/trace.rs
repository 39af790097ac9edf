//! `hotset net run --trace`.

use serde::Serialize;

use crate::{Document, Json, Table, Tone, View, number};

/// The first firings of a run.
pub struct NetTraceView<'a> {
    /// The net's name.
    pub net: &'a str,
    /// Seed of every random choice.
    pub seed: u64,
    /// Firings in their order.
    pub firings: Vec<TracedFiring<'a>>,
    /// Whether nothing could fire after them.
    pub is_dead: bool,
}

/// One firing.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TracedFiring<'a> {
    /// When, in simulated seconds.
    #[serde(rename = "simulated_seconds")]
    pub seconds: f64,
    /// The transition's path.
    pub transition: &'a str,
    /// The coloured tokens that it took, as text.
    pub binding: &'a str,
}

/// What `hotset net run --trace --json` prints.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct NetTrace<'a> {
    /// Name of the net.
    net: &'a str,
    /// Seed of every random choice.
    seed: u64,
    /// Whether nothing could fire after the last one.
    dead: bool,
    /// Firings in their order.
    trace: &'a [TracedFiring<'a>],
}

impl View for NetTraceView<'_> {
    /// A line for each firing.
    fn document(&self) -> Document<'_> {
        let firings = number::counted(self.firings.len() as u64, "firing", "firings");
        let dead = match self.is_dead {
            true => "; nothing can fire after them",
            false => "",
        };
        let headline = format!(
            "{}: the first {firings} with seed {}{dead}.",
            self.net, self.seed
        );
        let mut to = Document::new(headline, Tone::Strong);
        to.table(move |_| {
            Table::of(&self.firings)
                .figure("seconds", |it| format!("{:.9}", it.seconds))
                .text("transition", |it| it.transition)
                .text("tokens taken", |it| it.binding)
        })
        .bare();
        to
    }

    fn value(&self) -> impl Json {
        NetTrace {
            net: self.net,
            seed: self.seed,
            dead: self.is_dead,
            trace: &self.firings,
        }
    }
}
