//! The page of a plan: everything on one page.

use super::view::PlanView;
use super::{curve_notes, headline, order, tables};
use crate::describe;
use crate::page::{Document, KeyFigure, Section, plots};
use crate::plot::{Axis, Ink, Plot, Series, Unit};
use crate::reading::Reading;
use crate::{Provenance, number, printable};
use hotset_outcome::Interval;
use hotset_plan::{Arm, ArmScore, CurvePoint, Plan, SitePlan};
use maud::{Markup, html};

/// Rows of held files on the page, shared among the sites; the plan file has all of them.
const FILES_SHOWN: usize = 1_000;
/// Rows that each of these sites has at least.
const FILES_OF_A_SITE: usize = 10;
/// Sites with tables of their own; the others are in the table of sites.
const SITES_SHOWN: usize = 20;

/// A plan, how it scored, and the traffic it is for, as one page.
pub(super) fn page(view: &PlanView, provenance: &Provenance) -> String {
    let plan = view.plan;
    let mut sections = vec![
        Section::new("gain", "What the plan saves", gain(view)),
        Section::new("memory", "Gain with more or less memory", memory(view)),
        Section::new("sites", "Site by site", sites(view)),
        Section::new("files", "Which files, and why", files(view)),
    ];
    if let Some(heading) = headline::changes(view) {
        sections.push(Section::new(
            "changes",
            "What changes",
            changes(view, &heading),
        ));
    }
    if !view.advice.is_empty() {
        sections.push(Section::new(
            "stores",
            "Best store for each site",
            stores(view),
        ));
    }
    sections.extend(describe::sections(
        view.description,
        &Reading::new(view.reading, &view.description.time_zone),
    ));
    Document {
        title: "hotset: which files to hold in memory",
        headline: headline::headline(view),
        figures: key_figures(plan),
        sections,
        provenance,
    }
    .render()
}

fn key_figures(plan: &Plan) -> Vec<KeyFigure> {
    let (arm, alone) = (
        &plan.total.held_out[Arm::Plan],
        &plan.total.held_out[Arm::PageCache],
    );
    let before = |value: String| format!("{value} with the page cache alone");
    let mut figures = Vec::new();
    if let (Some(gain), Some(interval)) = (arm.weighted_gain, arm.weighted_gain_interval) {
        let text = number::percent_with_interval(gain, interval.low, interval.high);
        let interval = text
            .split_once('(')
            .map_or("", |(_, rest)| rest.trim_end_matches(')'));
        let remark = format!("95 % interval {interval}");
        let label = match plan.given_up {
            None => "Mean response saved",
            Some(_) => "Saved by the plan given up",
        };
        figures.push(KeyFigure::new(label, number::percent(gain), remark));
    }
    let response = number::duration(arm.mean_us);
    figures.push(KeyFigure::new(
        "Mean response",
        response,
        before(number::duration(alone.mean_us)),
    ));
    let hit_ratio = number::percent(arm.hit_ratio);
    figures.push(KeyFigure::new(
        "Hit ratio",
        hit_ratio,
        before(number::percent(alone.hit_ratio)),
    ));
    let files = number::counted(plan.held.objects, "file", "files");
    figures.push(KeyFigure::new(
        "Held",
        number::bytes(plan.held.bytes),
        files,
    ));
    let total = format!("of {}", number::bytes(plan.memory_bytes));
    figures.push(KeyFigure::new(
        "Left to the page cache",
        number::bytes(plan.page_cache_bytes),
        total,
    ));
    figures
}

fn gain(view: &PlanView) -> Markup {
    let plan = view.plan;
    let reads = number::counted(plan.total.held_out.accesses, "file read", "file reads");
    let stores = view.stores();
    let caption = format!(
        "Scored on the last {reads}, which the plan has not seen; misses are read from {stores}."
    );
    html! {
        (tables::arms(view).html(&caption))
        @for sentence in [order::reversals(plan), headline::site_by_site(view), headline::closed_loop(plan), headline::rejected(plan), headline::groups_untried(plan), headline::not_learnt(view)].into_iter().flatten() {
            p { (printable(&sentence)) }
        }
        @for sentence in [headline::bound(plan), headline::floor(plan)].into_iter().flatten() { p { (sentence) } }
        (tables::targets(plan).html("Targets on the file reads held out, and the memory of their own that sites would need."))
        (tables::groups(view).html("Memory groups of the sites, and what of them nothing else may take."))
        @if let Some(targets) = headline::targets(plan) { p { (targets) } }
        (tables::percentiles(plan).html("How responses spread on the file reads held out."))
        (tables::nodes(view).html("What each node holds, and its mean response on its file reads held out."))
        @if let Some(nodes) = headline::nodes(view) { p { (printable(&nodes)) } }
        p { "The renewed plan is made again as the traffic changes. The clairvoyant plan knows the future: "
            "no plan that is made once does better." }
    }
}

fn memory(view: &PlanView) -> Markup {
    html! {
        (plots(&[response_against_memory(view), gain_against_memory(view.plan)]))
        @for note in curve_notes::notes(view.plan) { p { (note) } }
        (tables::memory_needed(view).html("Memory needed to cut the mean response by this share."))
        (tables::curve(view).html("The page cache alone and the plan, for each size of memory tried; yours is in bold."))
    }
}

fn response_against_memory(view: &PlanView) -> Plot {
    let line = |arm: fn(&CurvePoint) -> &ArmScore| {
        let points = view.plan.curve.iter();
        let response = |point: &CurvePoint| arm(point).weighted_mean_us;
        points
            .map(|point| (point.memory_bytes as f64, response(point)))
            .collect()
    };
    Plot {
        title: match view.is_weighted() {
            true => "Weighted mean response against memory",
            false => "Mean response against memory",
        },
        description: "On the file reads held out. Lower is better.",
        x: Axis::log("memory", Unit::Bytes),
        y: Axis::linear("mean response", Unit::Duration),
        series: vec![
            Series::line(
                "page cache alone",
                Ink::Baseline,
                line(|point| &point.page_cache),
            ),
            Series::line("plan", Ink::Main, line(|point| &point.plan)),
        ]
        .into_iter()
        .chain(knee(view.plan))
        .collect(),
    }
}

/// The knee of the plan's curve.
fn knee(plan: &Plan) -> Option<Series> {
    plan.knee_memory_bytes
        .map(|memory| Series::at("knee", memory as f64))
}

fn gain_against_memory(plan: &Plan) -> Plot {
    let scores = || {
        plan.curve
            .iter()
            .map(|point| (point.memory_bytes as f64, &point.plan))
    };
    let bounds = |interval: Interval| (interval.low, interval.high);
    let band = scores().filter_map(|(memory, arm)| {
        let (low, high) = arm.weighted_gain_interval.map(bounds)?;
        Some((memory, low, high))
    });
    let line = scores().filter_map(|(memory, arm)| Some((memory, arm.weighted_gain?)));
    Plot {
        title: "Gain against memory",
        description: "How much lower the mean response is with the plan than with the page cache alone.",
        x: Axis::log("memory", Unit::Bytes),
        y: Axis::linear("saved", Unit::Share),
        series: vec![
            Series::band("95 % interval", Ink::Main, band.collect()),
            Series::line("plan", Ink::Main, line.collect()),
        ]
        .into_iter()
        .chain(knee(plan))
        .collect(),
    }
}

fn changes(view: &PlanView, heading: &str) -> Markup {
    html! {
        p { (heading) "." }
        (tables::changes(view, FILES_SHOWN).list_html("Files to add and to drop."))
    }
}

fn sites(view: &PlanView) -> Markup {
    let plan = view.plan;
    html! {
        (tables::sites(plan).html("What the plan holds of each site, and the site's mean response on the file reads held out."))
        @if plan.sites.len() > 1 {
            @for site in plan.sites.iter().take(SITES_SHOWN) {
                (tables::arms_of_site(plan, &site.held_out).html(&format!("Site {}", printable(&site.site))))
            }
        }
        (left_out(plan.sites.len()))
    }
}

/// Says how many of `sites` are not shown one by one.
fn left_out(sites: usize) -> Markup {
    let hidden = sites.saturating_sub(SITES_SHOWN) as u64;
    html! {
        @if hidden > 0 { p { (number::counted(hidden, "more site is", "more sites are")) " not shown one by one." } }
    }
}

fn files(view: &PlanView) -> Markup {
    let plan = view.plan;
    let holding = || plan.sites.iter().filter(|site| site.held_objects > 0);
    let each = (FILES_SHOWN / holding().count().max(1)).max(FILES_OF_A_SITE);
    html! {
        @if plan.held.objects == 0 {
            p { "None: the page cache alone did at least as well." }
        } @else {
            p { "Files that save most for each page of memory come first. The last column is the time that each byte held "
                "saved in the training part, compared with reading the file from its store every time." }
        }
        @for site in holding().take(SITES_SHOWN) { (held_files(view, site, each)) }
        (left_out(holding().count()))
    }
}

fn held_files(view: &PlanView, site: &SitePlan, most: usize) -> Markup {
    let held = number::counted(site.held_objects, "file", "files");
    let hidden = site.held_objects.saturating_sub(most as u64);
    let caption = format!("{held}, {}", number::bytes(site.held_bytes));
    html! {
        h3 { (printable(&site.site)) }
        (tables::held_files(view, &site.site, most).list_html(&caption))
        @if hidden > 0 { p { "… and " (number::count(hidden)) " more; the plan file lists all of them." } }
    }
}

fn stores(view: &PlanView) -> Markup {
    html! {
        (tables::stores(view).html("Mean response of each site if all sites were in that store, with the plan that is best for it."))
        p { "A plain local store suits a site that finds most of its files in memory. The more bytes each miss reads, "
            "the more a store's throughput counts." }
    }
}
