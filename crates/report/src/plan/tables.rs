//! The tables of a plan, in the terminal and on the page.

use hotset_outcome::Interval;
use hotset_plan::{ArmScore, HeldOut, Plan};
use hotset_scenario::PlacedFile;

use super::curve_notes;
use super::view::PlanView;
use crate::table::{SITES_SHOWN, optional};
use crate::{Cell, Column, Table, number};

/// Header of what an arm saves.
const SAVES: &str = "saves (95 % interval)";

/// Ways of using the memory for all sites, one below the other; by weighted mean where sites differ in weight.
pub(super) fn arms(view: &PlanView) -> Table {
    let plan = view.plan;
    arms_of(plan, &plan.total.held_out, view.is_weighted())
}

/// The same for one site.
pub(super) fn arms_of_site(plan: &Plan, held_out: &HeldOut) -> Table {
    arms_of(plan, held_out, false)
}

fn arms_of(plan: &Plan, held_out: &HeldOut, weighted: bool) -> Table {
    let plan = match plan.given_up {
        None => "plan",
        Some(_) => "plan, given up",
    };
    let weighted_mean = weighted.then_some("weighted mean");
    let means = ["hit ratio", "mean response"]
        .into_iter()
        .chain(weighted_mean);
    let numbers = means.chain([SAVES, "moved"]).map(Column::number);
    let mut table = Table::new([Column::text("memory used by")].into_iter().chain(numbers));
    let reservations = held_out.reservations.as_ref();
    let arms = [
        ("page cache alone", Some(&held_out.page_cache)),
        ("LRU", Some(&held_out.lru)),
        ("files below 1 MiB", Some(&held_out.size_threshold)),
        ("reservations alone", reservations),
        ("memory groups", held_out.groups.as_ref()),
        ("groups and files", held_out.groups_and_files.as_ref()),
        (plan, Some(&held_out.plan)),
        ("plan, renewed", Some(&held_out.adaptive)),
        ("clairvoyant plan", Some(&held_out.clairvoyant)),
    ];
    for (name, arm) in arms
        .into_iter()
        .filter_map(|(name, arm)| Some((name, arm?)))
    {
        let first = [
            name.into(),
            Cell::percent(arm.hit_ratio),
            Cell::duration(arm.mean_us),
        ];
        let weighted_mean = weighted.then(|| Cell::duration(arm.weighted_mean_us));
        let last = [weighted_gain(arm), optional(arm.moved_bytes, Cell::bytes)];
        let cells = first.into_iter().chain(weighted_mean).chain(last);
        if name == plan {
            table.strong_row(cells)
        } else {
            table.row(cells)
        }
    }
    table
}

/// What an arm saves of the mean against page cache alone, with its interval.
fn gain(score: &ArmScore) -> Cell {
    share_saved(score.gain, score.gain_interval)
}

/// What it saves of the weighted mean, which the plan minimises.
fn weighted_gain(score: &ArmScore) -> Cell {
    share_saved(score.weighted_gain, score.weighted_gain_interval)
}

fn share_saved(gain: Option<f64>, interval: Option<Interval>) -> Cell {
    optional(gain, |gain| match interval {
        Some(interval) => Cell::percent_with_interval(gain, interval.low, interval.high),
        None => Cell::percent(gain),
    })
}

/// Files that are added or dropped, the added first, at most so many of each.
pub(super) fn changes(view: &PlanView, most: usize) -> Table {
    let Some(changes) = &view.changes else {
        return Table::default();
    };
    let rows = [("+", &changes.added), ("-", &changes.dropped)];
    changed(
        view,
        rows.map(|(sign, files)| (sign, files.iter().take(most))),
    )
}

/// Every file that is added, dropped or kept.
pub(super) fn all_changes(view: &PlanView) -> Table {
    let files = view.changes.as_ref().map(|changes| {
        let groups = [&changes.added, &changes.dropped, &changes.kept];
        groups.map(|files| files.as_slice())
    });
    let [added, dropped, kept] = files.unwrap_or_default();
    let rows = [("added", added), ("dropped", dropped), ("kept", kept)];
    changed(view, rows.map(|(change, files)| (change, files.iter())))
}

fn changed<'a, 'f: 'a>(
    view: &PlanView,
    rows: impl IntoIterator<Item = (&'a str, impl Iterator<Item = &'a &'f PlacedFile>)>,
) -> Table {
    let node = view.has_several_nodes().then(|| Column::flexible("node"));
    let columns = [
        Column::text("change"),
        Column::flexible("file"),
        Column::number("size"),
    ];
    let columns = columns
        .into_iter()
        .chain(node)
        .chain([Column::flexible("site")]);
    let mut table = Table::new(columns);
    for (change, files) in rows {
        for file in files {
            let first = [
                change.into(),
                path_text(&file.path.0).into(),
                Cell::bytes(file.size_bytes),
            ];
            let node = view.has_several_nodes().then(|| Cell::from(&file.node));
            table.row(
                first
                    .into_iter()
                    .chain(node)
                    .chain([Cell::from(&file.site)]),
            );
        }
    }
    table
}

/// What is held of a part of the traffic and what that buys it.
const HELD: [&str; 6] = ["accesses", "held", "files", "page cache", "plan", SAVES];

fn held_cells(bytes: u64, objects: u64, held_out: &HeldOut) -> [Cell; 6] {
    [
        Cell::count(held_out.accesses),
        Cell::bytes(bytes),
        Cell::count(objects),
        Cell::duration(held_out.page_cache.mean_us),
        Cell::duration(held_out.plan.mean_us),
        gain(&held_out.plan),
    ]
}

/// Sites: what is held of each and what that buys it.
pub(super) fn sites(plan: &Plan) -> Table {
    let mut table = Table::of_numbers(Column::flexible("site"), HELD);
    for site in &plan.sites {
        let cells = held_cells(site.held_bytes, site.held_objects, &site.held_out);
        table.row([Cell::from(&site.site)].into_iter().chain(cells));
    }
    table.hide_beyond(SITES_SHOWN);
    table
}

/// How responses spread, of all sites and of each, with the page cache alone and with the plan.
pub(super) fn percentiles(plan: &Plan) -> Table {
    let first = [Column::flexible("site"), Column::text("memory used by")];
    let numbers = ["mean", "p50", "p95", "p99"].map(Column::number);
    let mut table = Table::new(first.into_iter().chain(numbers));
    let all = [("all", &plan.total.held_out)];
    let sites = plan.sites.iter().filter(|_| plan.sites.len() > 1);
    let sites = sites.map(|site| (site.site.as_str(), &site.held_out));
    for (site, held_out) in all.into_iter().chain(sites) {
        for (arm, score) in [
            ("page cache alone", &held_out.page_cache),
            ("plan", &held_out.plan),
        ] {
            let percentiles = [score.p50_us, score.p95_us, score.p99_us];
            let first = [site.into(), arm.into(), Cell::duration(score.mean_us)];
            let percentiles = percentiles.map(|us| optional(us, Cell::duration));
            table.row(first.into_iter().chain(percentiles));
        }
    }
    table.hide_beyond(2 * SITES_SHOWN);
    table
}

/// Targets of the sites: nothing where none has any.
pub(super) fn targets(plan: &Plan) -> Table {
    let first = [Column::flexible("site"), Column::text("target")];
    let numbers = ["page cache", "plan"].map(Column::number);
    let last = [Column::text("met"), Column::text("page cache of its own")];
    let mut table = Table::new(first.into_iter().chain(numbers).chain(last));
    for site in &plan.sites {
        for target in &site.targets {
            table.row([
                Cell::from(&site.site),
                Cell::from(&target.target),
                optional(target.page_cache_us, Cell::duration),
                optional(target.plan_us, Cell::duration),
                if target.is_met { "yes" } else { "no" }.into(),
                match (target.is_met, target.needed_bytes) {
                    (true, _) => Cell::unknown(),
                    (false, Some(bytes)) => number::bytes(bytes).into(),
                    (false, None) if site.training_accesses == 0 => "nothing learnt".into(),
                    (false, None) => "no size is enough".into(),
                },
            ]);
        }
    }
    table
}

/// Memory groups of the sites: nothing where the plan has none.
pub(super) fn groups(plan: &Plan) -> Table {
    let mut table = Table::of_numbers(Column::flexible("site"), ["group", "floor"]);
    for site in &plan.sites {
        if let Some(group) = site.group {
            table.row([
                Cell::from(&site.site),
                Cell::bytes(group.memory_bytes),
                Cell::bytes(group.floor_bytes),
            ]);
        }
    }
    table
}

/// Nodes: what each holds and what that buys; nothing for a single one.
pub(super) fn nodes(view: &PlanView) -> Table {
    let first = [Column::flexible("node"), Column::number("memory")];
    let mut table = Table::new(first.into_iter().chain(HELD.map(Column::number)));
    if view.has_several_nodes() {
        for (name, node) in view.nodes.iter().zip(&view.plan.nodes) {
            let first = [name.into(), Cell::bytes(node.memory_bytes)];
            let cells = held_cells(node.held.bytes, node.held.objects, &node.held_out);
            table.row(first.into_iter().chain(cells));
        }
    }
    table
}

/// The first `most` held files of a site.
pub(super) fn held_files(view: &PlanView, site: &str, most: usize) -> Table {
    placed(view, view.files_of(site).into_iter().take(most), false)
}

/// Every held file of every site.
pub(super) fn all_held_files(view: &PlanView) -> Table {
    placed(view, view.placement.files.iter(), true)
}

fn placed<'a>(
    view: &PlanView,
    files: impl Iterator<Item = &'a PlacedFile>,
    with_site: bool,
) -> Table {
    let site = with_site.then(|| Column::flexible("site"));
    let node = view.has_several_nodes().then(|| Column::flexible("node"));
    let columns = [
        Column::flexible("file"),
        Column::number("size"),
        Column::number("reads"),
        Column::number("reads/h"),
        Column::number("saved µs/byte"),
    ];
    let mut table = Table::new(columns.into_iter().chain(node).chain(site));
    for file in files {
        let cells = [
            path_text(&file.path.0).into(),
            Cell::bytes(file.size_bytes),
            Cell::count(file.reason.requests),
            optional(file.reason.requests_per_hour, Cell::plain),
            Cell::plain(file.reason.saved_us_per_byte),
        ];
        let node = view.has_several_nodes().then(|| Cell::from(&file.node));
        let site = with_site.then(|| Cell::from(&file.site));
        table.row(cells.into_iter().chain(node).chain(site));
    }
    table
}

/// A path as text: bytes that are not UTF-8 are percent-encoded again.
fn path_text(path: &[u8]) -> String {
    let mut text = String::new();
    for chunk in path.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk
            .invalid()
            .iter()
            .for_each(|byte| text.push_str(&format!("%{byte:02X}")));
    }
    text
}

/// Mean response against memory, by weight where sites differ in weight.
pub(super) fn curve(view: &PlanView) -> Table {
    let (plan, weighted) = (view.plan, view.is_weighted());
    let mean = match weighted {
        true => "weighted mean",
        false => "mean response",
    };
    let numbers = [
        "memory",
        "hit ratio",
        "with the plan",
        mean,
        "with the plan",
        SAVES,
    ];
    let columns = numbers.map(Column::number).into_iter();
    let mut table = Table::new(columns.chain([Column::text("remark")]));
    for point in &plan.curve {
        let cells = [
            Cell::bytes(point.memory_bytes),
            Cell::percent(point.page_cache.hit_ratio),
            Cell::percent(point.plan.hit_ratio),
            Cell::duration(point.page_cache.weighted_mean_us),
            Cell::duration(point.plan.weighted_mean_us),
            weighted_gain(&point.plan),
            curve_notes::mark(plan, point).into(),
        ];
        if point.memory_bytes == plan.memory_bytes {
            table.strong_row(cells)
        } else {
            table.row(cells)
        }
    }
    table
}

/// Memory needed for a gain.
pub(super) fn memory_needed(view: &PlanView) -> Table {
    let mut table = Table::of_numbers(Column::number("saves"), ["needs"]);
    for (share, memory) in view.memory_needed {
        let none = || "not reached at any size tried".into();
        table.row([Cell::percent(*share), memory.map_or_else(none, Cell::bytes)]);
    }
    table
}

/// What each store would make of each site's traffic, with the plan for that store.
pub(super) fn stores(view: &PlanView) -> Table {
    let first = [
        Column::flexible("site"),
        Column::text("best store"),
        Column::number("hit ratio"),
        Column::number("miss size"),
    ];
    let candidates = view.advice.first();
    let stores = candidates.iter().flat_map(|advice| &advice.stores);
    let stores = stores.map(|store| Column::number(&store.store));
    let mut table = Table::new(first.into_iter().chain(stores));
    for (site, advice) in view.plan.sites.iter().zip(view.advice) {
        let first = [
            Cell::from(&site.site),
            optional(advice.best.as_ref(), Cell::from),
            Cell::percent(advice.plan_hit_ratio),
            whole_bytes(advice.mean_miss_bytes),
        ];
        let means = advice.stores.iter();
        let means = means.map(|store| Cell::duration(store.plan_mean_us));
        table.row(first.into_iter().chain(means));
    }
    table.hide_beyond(SITES_SHOWN);
    table
}

fn whole_bytes(bytes: f64) -> Cell {
    match bytes.is_finite() {
        true => Cell::bytes(bytes.round() as u64),
        false => Cell::unknown(),
    }
}
