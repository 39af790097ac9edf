//! The live part of `hotset demo`.

use crate::terminal::{paragraph, section, wrapped};
use crate::{Cell, Column, Style, Table, number};
use hotset_demo::{Comparison, Demonstration, Figures};
use hotset_scenario::CostLine;

/// A plan that was applied: what was predicted, and what was measured.
pub struct DemonstrationView<'a>(pub &'a Demonstration);

impl DemonstrationView<'_> {
    /// The gain of all sites, then predictions and measurements line by line.
    #[must_use]
    pub fn terminal(&self, style: Style) -> String {
        let headline = self.headline();
        let parts = [
            paragraph(style, &headline, Style::strong),
            wrapped(&self.what_was_done(), style),
            section(style, "Predicted and measured", &self.table().render(style)),
            format!("\n{}", wrapped(&self.how_predicted(), style)),
        ];
        parts.concat()
    }

    fn headline(&self) -> String {
        match self.0.groups.last() {
            None => "There were no requests.".to_owned(),
            Some(all) => format!(
                "Applied for real, the plan cuts the mean response from {} to {}: {} times as fast (predicted: {} times)",
                number::duration(all.measured.before_us),
                number::duration(all.measured.after_us),
                number::plain(all.measured.speedup()),
                number::plain(all.predicted.speedup()),
            ),
        }
    }

    fn what_was_done(&self) -> String {
        let Demonstration {
            folder,
            requests,
            held_files,
            held_bytes,
            left_out,
            ..
        } = self.0;
        let left_out = match left_out {
            0 => String::new(),
            count => format!(
                " {} of the plan could not be held.",
                number::counted(*count, "file", "files")
            ),
        };
        format!(
            "A small server read the sites' files in {} past the page cache. One client sent the same {} twice, the first ones \
             that the plan has not seen: before the plan was applied, and after. {} ({}) were held in a hot root. All of it is \
             removed again.{left_out}",
            folder.display(),
            number::counted(*requests, "request", "requests"),
            number::counted(*held_files, "file", "files"),
            number::bytes(*held_bytes),
        )
    }

    /// A line for what was predicted of a site, and below it one for what was measured.
    fn table(&self) -> Table {
        let mut table = Table::new([
            Column::text("site"),
            Column::text(""),
            Column::percent("from memory"),
            Column::duration("mean before"),
            Column::duration("mean after"),
            Column::number("times as fast"),
        ]);
        for Comparison {
            name,
            predicted,
            measured,
        } in &self.0.groups
        {
            table.row(row(name, "predicted", predicted));
            table.row(row("", "measured", measured));
        }
        table
    }

    fn how_predicted(&self) -> String {
        let costs = &self.0.costs;
        format!(
            "Predicted before any of these requests was sent. Each costs what a file of its size takes from memory if the plan \
             holds it, else from disk. That was fitted to {} single requests for other files: {} from disk, and {} from memory. \
             There is no page cache in this prediction, and none in this measurement, so the figures differ from those of the \
             report.",
            number::count(costs.requests),
            line_in_words(costs.disk),
            line_in_words(costs.memory),
        )
    }
}

fn row(name: &str, what: &str, figures: &Figures) -> [Cell; 6] {
    [
        name.into(),
        what.into(),
        Cell::percent(figures.hit_ratio),
        Cell::duration(figures.before_us),
        Cell::duration(figures.after_us),
        Cell::plain(figures.speedup()),
    ]
}

/// A rate in bytes per microsecond is one in MB/s.
fn line_in_words(line: CostLine) -> String {
    format!(
        "{} plus {} MB/s",
        number::duration(line.fixed_us),
        number::plain(line.bytes_per_us)
    )
}
