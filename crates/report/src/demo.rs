//! The live part of `hotset demo`.

use crate::{Document, Table, Tone, number};
use hotset_demo::Demonstration;
use hotset_scenario::CostLine;

/// A plan that was applied: what was predicted, and what was measured.
pub struct DemonstrationView<'a>(pub &'a Demonstration);

impl DemonstrationView<'_> {
    /// The gain of all sites, then predictions and measurements line by line.
    #[must_use]
    pub fn document(&self) -> Document<'_> {
        let mut to = Document::new(self.headline(), Tone::Strong);
        to.sentence(self.what_was_done());
        to.table(move |_| self.table())
            .heading("Predicted and measured");
        to.paragraph(self.how_predicted());
        to
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
    fn table(&self) -> impl Into<Table> {
        let rows = self.0.groups.iter().flat_map(|of| {
            [
                (of.name.as_str(), "predicted", &of.predicted),
                ("", "measured", &of.measured),
            ]
        });
        Table::of(rows)
            .text("site", |it| it.0)
            .text("", |it| it.1)
            .percent("from memory", |it| it.2.hit_ratio)
            .duration("mean before", |it| it.2.before_us)
            .duration("mean after", |it| it.2.after_us)
            .plain("times as fast", |it| it.2.speedup())
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

/// A rate in bytes per microsecond is one in MB/s.
fn line_in_words(line: CostLine) -> String {
    format!(
        "{} plus {} MB/s",
        number::duration(line.fixed_us),
        number::plain(line.bytes_per_us)
    )
}
