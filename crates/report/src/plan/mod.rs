//! `hotset plan`: what a plan buys, and what it consists of.
//!
//! | deed | place |
//! | --- | --- |
//! | what is shown, in which order | `mod.rs` |
//! | what a plan comes to, and what is to be known of it, in sentences | `headline.rs`, `curve_notes.rs`, `order.rs` |
//! | sizes to choose from, where nobody named one | `proposal.rs` |
//! | what database servers get | `databases.rs` |
//! | its tables | `tables.rs` |
//! | its plots | `plots.rs` |
//! | what a view is given; what `--json` prints | `view.rs`; `value.rs` |
//! | a format of the plan file | `plan_file` |

mod curve_notes;
mod databases;
mod headline;
mod order;
mod plan_file;
mod plots;
mod proposal;
mod tables;
mod value;
mod view;

use hotset_plan::{Arm, SitePlan, Verdict};
use hotset_scenario::PlacedFile;

use crate::reading::Reading;
use crate::{Document, Json, Page, Sheets, Tone, View, describe, number, printable};

pub use plan_file::{PlanFile, PlanFileError, PlanFileFormat};
pub use view::{OnDisk, PlanView, StoreBasis};

/// Sites whose files are listed in the terminal.
const SITES_IN_TERMINAL: usize = 5;
/// Files listed for a site there; the plan file has all of them.
const FILES_IN_TERMINAL: usize = 10;
/// Sites with tables of their own on the page; the others are in the table of sites.
const SITES_ON_PAGE: usize = 20;
/// Rows of held files on the page, shared among the sites.
const FILES_ON_PAGE: usize = 1_000;
/// Rows that each of these sites has at least.
const FILES_OF_A_SITE: usize = 10;

/// What a name says that no reader need know.
pub(crate) const CLAIRVOYANT: &str =
    "The clairvoyant plan knows the future: no plan that is made once does better.";

/// What the page of a plan has beside the description of its traffic.
const SECTIONS: [(&str, &str); 8] = [
    ("choose", "How much memory to hold files in"),
    ("databases", "Files and databases"),
    ("gain", "What the plan saves"),
    ("memory", "Gain with more or less memory"),
    ("sites", "Site by site"),
    ("files", "Which files, and why"),
    ("changes", "What changes"),
    ("stores", "Best store for each site"),
];

impl View for PlanView<'_> {
    /// What it buys, each way of using the memory side by side, sites, held files, memory.
    fn document(&self) -> Document<'_> {
        let tone = match self.verdict() {
            Verdict::Hold | Verdict::Unchanged => Tone::Good,
            Verdict::Leave => Tone::Warning,
        };
        let headline = headline::headline(self);
        let mut to = Document::new(databases::headline(self, headline), tone)
            .titled("hotset: which files to hold in memory")
            .with_sections(SECTIONS)
            .with_sections(describe::SECTIONS);
        self.show_figures(&mut to);
        Reading::new(self.reading, &self.description.time_zone).show(to.section("counted"));
        proposal::show(self, to.section("choose"));
        databases::show(self, to.section("databases"));
        self.show_gain(to.section("gain"));
        self.show_sites(&mut to);
        self.show_changes(to.section("changes"));
        self.show_files(to.section("files"));
        self.show_memory(to.section("memory"));
        self.show_stores(to.section("stores"));
        self.show_bounds(to.section("gain"));
        to.on_page(|to| describe::show_traffic(self.description, to));
        self.usage.show(&mut to);
        to
    }

    fn value(&self) -> impl Json {
        value::Value::from(self)
    }
}

impl Sheets for PlanView<'_> {}

impl Page for PlanView<'_> {}

impl PlanView<'_> {
    fn show_figures(&self, to: &mut Document) {
        let plan = self.plan;
        let held_out = &plan.total.held_out;
        let (arm, alone) = (&held_out[Arm::Plan], &held_out[Arm::PageCache]);
        let before = |value: String| format!("{value} with the page cache alone");
        if let (Some(gain), Some(interval)) = (arm.weighted_gain, arm.weighted_gain_interval) {
            let text = number::percent_with_interval(gain, interval.low, interval.high);
            let interval = text.split_once('(').map_or("", |(_, rest)| rest);
            let remark = format!("95 % interval {}", interval.trim_end_matches(')'));
            let label = match plan.given_up {
                None => "Mean response saved",
                Some(_) => "Saved by the plan given up",
            };
            to.figure(label, number::percent(gain), remark);
        }
        let mean = [arm, alone].map(|it| number::duration(it.mean_us));
        let hits = [arm, alone].map(|it| number::percent(it.hit_ratio));
        for (label, [with_plan, alone]) in [("Mean response", mean), ("Hit ratio", hits)] {
            to.figure(label, with_plan, before(alone));
        }
        let files = number::counted(plan.held.objects, "file", "files");
        to.figure("Held", number::bytes(plan.held.bytes), files);
        let page_cache = number::bytes(plan.page_cache_bytes);
        let memory = format!("of {}", number::bytes(plan.memory_bytes));
        to.figure("Left to the page cache", page_cache, memory);
    }

    fn show_gain<'s>(&'s self, to: &mut Document<'s>) {
        let plan = self.plan;
        let reads = number::counted(plan.total.held_out.accesses, "file read", "file reads");
        let stores = self.stores();
        to.table(move |_| self.arms(&plan.total.held_out, self.is_weighted()))
            .heading(format!(
                "Scored on the {reads} held out; misses are read from {stores}"
            ))
            .caption(format!(
                "Scored on the last {reads}, which the plan has not seen; misses are read from {stores}."
            ))
            .sheet("arms");
        let renewed = "The renewed plan is made again as the traffic changes.";
        to.on_page(|to| _ = to.sentence(format!("{renewed} {CLAIRVOYANT}")));
        to.remark(headline::on_common_stores(self))
            .in_terminal(|to| {
                _ = to.remark(order::reversals(plan, "With --page-cache whole-files"));
            })
            .on_page(|to| {
                _ = to.remark(order::reversals(plan, "Beside one of whole files"));
            })
            .remark(headline::site_by_site(self))
            .remark(headline::closed_loop(plan))
            .remark(headline::rejected(plan))
            .in_terminal(|to| {
                _ = to.remark(headline::groups_untried(plan, "try --groups"));
            })
            .on_page(|to| {
                _ = to.remark(headline::groups_untried(plan, "plan with memory groups"));
            })
            .remark(headline::not_learnt(self));
        to.table(move |_| self.targets())
            .heading("Targets")
            .caption("Targets on the file reads held out, and the memory of their own that sites would need.")
            .sheet("targets");
        to.table(move |_| self.groups())
            .heading("Memory groups")
            .caption("Memory groups of the sites, and what of them nothing else may take.")
            .sheet("groups");
        to.remark(headline::targets(plan));
        to.table(move |_| self.nodes_table())
            .heading("Nodes")
            .caption("What each node holds, and its mean response on its file reads held out.")
            .sheet("nodes");
        to.remark(headline::nodes(self))
            .remark(headline::writers(self));
    }

    fn show_sites<'s>(&'s self, to: &mut Document<'s>) {
        let plan = self.plan;
        let sites = to.section("sites").table(move |_| self.sites());
        sites
            .caption("What the plan holds of each site, and the site's mean response on the file reads held out.")
            .sheet("sites");
        if plan.sites.len() > 1 {
            sites.heading("Sites");
            for site in plan.sites.iter().take(SITES_ON_PAGE) {
                to.table(move |_| self.arms(&site.held_out, false))
                    .caption(format!("Site {}", printable(&site.site)));
            }
        }
        to.on_page(|to| not_one_by_one(plan.sites.len(), to));
        to.section("gain")
            .table(move |_| self.percentiles())
            .heading("Responses by percentile")
            .caption("How responses spread on the file reads held out.")
            .sheet("percentiles");
    }

    fn show_changes<'s>(&'s self, to: &mut Document<'s>) {
        to.lead(headline::changes(self));
        to.table(move |most| self.changed_files(most))
            .bare()
            .caption("Files to add and to drop.")
            .list()
            .sheet("changes")
            .first(FILES_IN_TERMINAL, FILES_ON_PAGE)
            .rest(["--csv lists all", "the two plan files list all"], |most| {
                let hidden = |files: &[&PlacedFile]| files.len().saturating_sub(most) as u64;
                let changes = self.changes.as_ref();
                changes.map_or(0, |it| hidden(&it.added) + hidden(&it.dropped))
            });
    }

    fn show_files<'s>(&'s self, to: &mut Document<'s>) {
        let sites = self.plan.sites.iter();
        let holding: Vec<&SitePlan> = sites.filter(|site| site.held_objects > 0).collect();
        let on_page = (FILES_ON_PAGE / holding.len().max(1)).max(FILES_OF_A_SITE);
        let what = match self.plan.held.objects {
            0 => "None: the page cache alone did at least as well.",
            _ => {
                "Files that save most for each page of memory come first. The last column is the time that each byte held saved \
                 in the training part, compared with reading the file from its store every time."
            }
        };
        to.on_page(|to| _ = to.sentence(what.to_owned()));
        for (place, &site) in holding.iter().take(SITES_ON_PAGE).enumerate() {
            let files = number::counted(site.held_objects, "file", "files");
            let (name, bytes) = (printable(&site.site), number::bytes(site.held_bytes));
            let heading = format!("{name}: {files} to hold, {bytes}");
            let table = to.table(move |most| self.held_files(Some(&site.site), most));
            table
                .caption(&heading)
                .list()
                .first(FILES_IN_TERMINAL, on_page)
                .rest(
                    ["-o plan.json lists all", "the plan file lists all"],
                    |most| site.held_objects.saturating_sub(most as u64),
                );
            if place < SITES_IN_TERMINAL {
                table.heading(heading);
            }
        }
        to.table(move |most| self.held_files(None, most))
            .sheet("held-files");
        let more = holding.len().saturating_sub(SITES_IN_TERMINAL) as u64;
        let sites = number::counted(more, "more site", "more sites");
        let more =
            (more > 0).then(|| format!("Files of {sites} are held; -o plan.json lists them"));
        to.in_terminal(|to| _ = to.remark(more));
        to.on_page(|to| not_one_by_one(holding.len(), to));
    }

    fn show_memory<'s>(&'s self, to: &mut Document<'s>) {
        to.plots(move || {
            vec![
                plots::response_against_memory(self),
                plots::gain_against_memory(self.plan),
            ]
        });
        to.table(move |_| self.curve())
            .heading("Gain with more or less memory")
            .caption("The page cache alone and the plan, for each size of memory tried; yours is in bold.")
            .sheet("gain-by-memory");
        to.remark(curve_notes::notes(self.plan).join(" "));
        to.table(move |_| self.memory_for_gains())
            .heading("Memory needed for a gain")
            .caption("Memory needed to cut the mean response by this share.")
            .sheet("memory-for-gain");
    }

    fn show_stores<'s>(&'s self, to: &mut Document<'s>) {
        to.table(move |_| self.stores_side_by_side())
            .heading("Best store for each site")
            .caption("Mean response of each site if all sites were in that store, with the plan that is best for it.");
        to.table(move |_| self.store_by_store()).sheet("stores");
        if !self.advice.is_empty() {
            let which = "A plain local store suits a site that finds most of its files in memory. The more bytes each miss reads, the \
                         more a store's throughput counts.";
            to.on_page(|to| _ = to.sentence(which.to_owned()));
        }
    }

    fn show_bounds(&self, to: &mut Document) {
        to.remark(headline::bound(self.plan))
            .remark(headline::floor(self.plan));
    }
}

/// Says how many of `sites` the page does not show one by one.
fn not_one_by_one(sites: usize, to: &mut Document) {
    let more = sites.saturating_sub(SITES_ON_PAGE) as u64;
    let sites = number::counted(more, "more site is", "more sites are");
    to.sentence((more > 0).then(|| format!("{sites} not shown one by one.")));
}
