//! `hotset net run --trace`.

use serde::Serialize;

use crate::terminal::paragraph;
use crate::{Column, Style, Table, View, json, number};

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
struct NetTrace<'a> {
    net: &'a str,
    seed: u64,
    dead: bool,
    trace: &'a [TracedFiring<'a>],
}

impl View for NetTraceView<'_> {
    crate::by_hand!();
    /// A line for each firing.
    fn terminal(&self, style: Style) -> String {
        let count = self.firings.len() as u64;
        let headline = format!(
            "{}: the first {} with seed {}{}.",
            self.net,
            number::counted(count, "firing", "firings"),
            self.seed,
            if self.is_dead {
                "; nothing can fire after them"
            } else {
                ""
            },
        );
        let mut table = Table::new([
            Column::number("seconds"),
            Column::text("transition"),
            Column::text("tokens taken"),
        ]);
        for it in &self.firings {
            let seconds = format!("{:.9}", it.seconds);
            table.row([seconds.as_str(), it.transition, it.binding]);
        }
        paragraph(style, &headline, Style::strong) + &table.render(style)
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(&NetTrace {
            net: self.net,
            seed: self.seed,
            dead: self.is_dead,
            trace: &self.firings,
        })
    }
}
