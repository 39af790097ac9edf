//! `hotset compare`: outcomes side by side.
//!
//! | deed | place |
//! | --- | --- |
//! | what is shown, in which order; what `--json` prints | `mod.rs` |
//! | its tables; its plots | `tables.rs`; `plots.rs` |
//! | what it comes to, and what to know of it, in sentences | `headline.rs` |

mod headline;
mod plots;
mod tables;

use hotset_outcome::{GroupKind, Outcome, SideBySide};
use serde::Serialize;

use crate::plan::CLAIRVOYANT;
use crate::{Document, Json, Page, Sheets, Tone, View, first_byte, number, printable};

/// Outcomes whose means are figures of the page.
const FIGURES_SHOWN: usize = 5;

/// Outcomes side by side. Its fields are the keys of `--json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ComparisonView<'a> {
    /// The figures laid beside those of the baseline.
    #[serde(flatten)]
    pub side_by_side: &'a SideBySide,
    /// The outcomes as they were read.
    pub outcomes: &'a [Outcome],
}

impl View for ComparisonView<'_> {
    /// What they served, means with ratios to the first, percentiles, groups, resources, links.
    fn document(&self) -> Document<'_> {
        let of = self.side_by_side;
        let has_first_bytes = plots::has_first_bytes(of);
        let percentiles = match has_first_bytes {
            true => "How long until the first byte",
            false => "How long responses took",
        };
        let kinds = GroupKind::ALL.map(|kind| (kind.name(), tables::group_heading(kind)));
        let mut to = Document::new(headline::headline(of), Tone::Strong)
            .titled("hotset: outcomes side by side")
            .with_sections([("means", "Side by side"), ("percentiles", percentiles)])
            .with_sections(kinds)
            .with_sections([
                ("machine", "Resources and links"),
                ("origin", "Where each comes from"),
            ]);
        self.show_figures(&mut to);
        self.show_totals(to.section("means"));
        let caption = match has_first_bytes {
            true => {
                "Percentiles of the time to the first byte on an open connection. Where it was not measured, another time is \
                 named."
            }
            false => "Percentiles of the time named.",
        };
        to.section("percentiles")
            .table(move |_| tables::percentiles(of))
            .heading("Percentiles")
            .caption(caption)
            .sheet("percentiles");
        let line = has_first_bytes.then(|| {
            format!(
                "The line at {} in the plot above is the threshold that “A Study of the Performance of Diskless Web Servers” (IBM \
                 Research, 2002) draws into its plots of the same time.",
                first_byte::line_in_words()
            )
        });
        to.on_page(|to| _ = to.sentence(line));
        for kind in GroupKind::ALL {
            to.section(kind.name())
                .table(move |_| tables::compared_groups(of, kind))
                .heading(tables::group_heading(kind))
                .caption(format!(
                    "Each {} in every outcome. ÷ base: divided by the same figure of {}.",
                    kind.name(),
                    printable(&of.baseline)
                ))
                .sheet(tables::sheet_of_groups(kind));
        }
        to.section("machine")
            .table(move |_| tables::resources(of))
            .heading("Resources")
            .caption("How busy each resource was, and how many requests were there on average.")
            .sheet("resources");
        to.table(move |_| tables::links(of))
            .heading("Links")
            .caption("What the node at the end of each link sent and received.")
            .sheet("links");
        to.section("origin")
            .table(move |_| tables::origins(of))
            .caption("As stated in the documents.");
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

impl Sheets for ComparisonView<'_> {}

impl Page for ComparisonView<'_> {}

impl ComparisonView<'_> {
    /// Means of the first few outcomes.
    fn show_figures(&self, to: &mut Document) {
        let compared = self.side_by_side.compared.iter();
        let known = compared.filter_map(|of| Some((of, of.total.mean_us?)));
        for (of, mean_us) in known.take(FIGURES_SHOWN) {
            let what = of.total.mean_of.map(tables::latency_text);
            let (what, kind) = (what.unwrap_or_default(), of.provenance.kind.name());
            let remark = format!("mean {what} time, {kind}");
            to.figure(&of.name, number::duration(mean_us), remark);
        }
    }

    fn show_totals<'s>(&'s self, to: &mut Document<'s>) {
        let of = self.side_by_side;
        for note in headline::notes(of) {
            to.warning(note);
        }
        to.on_page(|to| _ = to.sentence(clairvoyant(of)));
        to.plots(move || plots::means_and_distributions(of));
        to.table(move |_| tables::served(of))
            .heading("Served")
            .caption("What each outcome served.")
            .sheet("served");
        to.table(move |_| tables::means(of))
            .heading("Mean, with 95 % intervals")
            .caption(format!(
                "Means with 95 % intervals, and each mean divided by that of {}. Paired: both served the same requests in \
                 the same order and are resampled together. Independent: the interval follows from that of each mean.",
                printable(&of.baseline)
            ))
            .sheet("means");
    }
}

/// What an outcome of `hotset plan` is called that no reader need know; nothing where there is none.
fn clairvoyant(of: &SideBySide) -> Option<String> {
    let mut outcomes = of.compared.iter();
    let is_there = outcomes.any(|it| it.name.contains("clairvoyant"));
    is_there.then(|| CLAIRVOYANT.to_owned())
}
