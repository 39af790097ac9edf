//! The tables of a plan, in the terminal and on the page.

use hotset_outcome::Interval;
use hotset_plan::{Advice, Arm, ArmScore, HeldOut, Plan, StoreAdvice};
use hotset_scenario::PlacedFile;

use super::view::PlanView;
use super::{curve_notes, order};
use crate::table::{SITES_SHOWN, optional};
use crate::{Cell, Column, Table};

/// What an arm saves.
fn saves() -> Column {
    Column::percent("saves (95 % interval)").with_interval()
}

/// Ways of using the memory for all sites, one below the other; by weighted mean where sites differ in weight.
pub(super) fn arms(view: &PlanView) -> Table {
    let plan = view.plan;
    arms_of(plan, &plan.total.held_out, view.is_weighted())
}

/// The same with every column.
pub(super) fn all_of_arms(plan: &Plan) -> Table {
    arms_of(plan, &plan.total.held_out, true)
}

/// The same for one site.
pub(super) fn arms_of_site(plan: &Plan, held_out: &HeldOut) -> Table {
    arms_of(plan, held_out, false)
}

fn arms_of(plan: &Plan, held_out: &HeldOut, weighted: bool) -> Table {
    let first = [
        Column::text("memory used by"),
        Column::percent("hit ratio"),
        Column::duration("mean response"),
    ];
    let weighted_mean = weighted.then(|| Column::duration("weighted mean"));
    let first = first.into_iter().chain(weighted_mean);
    let mut table = Table::new(first.chain([saves(), Column::bytes("moved")]));
    for (arm, score) in held_out.arms.iter() {
        let name = match arm {
            Arm::Plan if plan.given_up.is_some() => "plan, given up",
            _ => order::name(arm),
        };
        let first = [
            name.into(),
            Cell::percent(score.hit_ratio),
            Cell::duration(score.mean_us),
        ];
        let weighted_mean = weighted.then(|| Cell::duration(score.weighted_mean_us));
        let last = [
            weighted_gain(score),
            optional(score.moved_bytes, Cell::bytes),
        ];
        let cells = first.into_iter().chain(weighted_mean).chain(last);
        if arm == Arm::Plan {
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

/// Which columns say whose a file is.
#[derive(Clone, Copy)]
struct Owner {
    node: bool,
    site: bool,
}

impl Owner {
    fn columns(self) -> impl Iterator<Item = Column> {
        let columns = [("node", self.node), ("site", self.site)].into_iter();
        let shown = columns.filter(|(_, shown)| *shown);
        shown.map(|(name, _)| Column::flexible(name))
    }

    fn cells(self, file: &PlacedFile) -> impl Iterator<Item = Cell> {
        let names = [(&file.node, self.node), (&file.site, self.site)].into_iter();
        let shown = names.filter(|(_, shown)| *shown);
        shown.map(|(name, _)| Cell::from(name))
    }
}

/// Files that are added or dropped, the added first, at most so many of each.
pub(super) fn changes(view: &PlanView, most: usize) -> Table {
    let owner = Owner {
        node: view.has_several_nodes(),
        site: true,
    };
    let changes = view.changes.as_ref();
    let rows = changes.map(|changes| [("+", &changes.added), ("-", &changes.dropped)]);
    let rows = rows.into_iter().flatten();
    changed(
        owner,
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
    let owner = Owner {
        node: true,
        site: true,
    };
    changed(owner, rows.map(|(change, files)| (change, files.iter())))
}

fn changed<'a, 'f: 'a>(
    owner: Owner,
    rows: impl IntoIterator<Item = (&'a str, impl Iterator<Item = &'a &'f PlacedFile>)>,
) -> Table {
    let columns = [
        Column::text("change"),
        Column::flexible("file"),
        Column::bytes("size"),
    ];
    let mut table = Table::new(columns.into_iter().chain(owner.columns()));
    for (change, files) in rows {
        for file in files {
            let cells = [
                change.into(),
                path_text(&file.path.0).into(),
                Cell::bytes(file.size_bytes),
            ];
            table.row(cells.into_iter().chain(owner.cells(file)));
        }
    }
    table
}

/// What is held of a part of the traffic and what that buys it.
fn held_columns() -> [Column; 6] {
    [
        Column::number("accesses"),
        Column::bytes("held"),
        Column::number("files"),
        Column::duration("page cache"),
        Column::duration("plan"),
        saves(),
    ]
}

fn held_cells(bytes: u64, objects: u64, held_out: &HeldOut) -> [Cell; 6] {
    [
        Cell::count(held_out.accesses),
        Cell::bytes(bytes),
        Cell::count(objects),
        Cell::duration(held_out[Arm::PageCache].mean_us),
        Cell::duration(held_out[Arm::Plan].mean_us),
        gain(&held_out[Arm::Plan]),
    ]
}

/// Sites: what is held of each and what that buys it.
pub(super) fn sites(plan: &Plan) -> Table {
    let first = [Column::flexible("site")].into_iter();
    let mut table = Table::new(first.chain(held_columns()));
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
    let numbers = ["mean", "p50", "p95", "p99"].map(Column::duration);
    let mut table = Table::new(first.into_iter().chain(numbers));
    let all = [("all", &plan.total.held_out)];
    let sites = plan.sites.iter().filter(|_| plan.sites.len() > 1);
    let sites = sites.map(|site| (site.site.as_str(), &site.held_out));
    for (site, held_out) in all.into_iter().chain(sites) {
        for arm in [Arm::PageCache, Arm::Plan] {
            let score = &held_out[arm];
            let percentiles = [score.p50_us, score.p95_us, score.p99_us];
            let first = [
                site.into(),
                order::name(arm).into(),
                Cell::duration(score.mean_us),
            ];
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
    let numbers = ["page cache", "plan"].map(Column::duration);
    let last = [Column::text("met"), Column::bytes("page cache of its own")];
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
                    (false, Some(bytes)) => Cell::bytes(bytes),
                    (false, None) if site.training_accesses == 0 => "nothing learnt".into(),
                    (false, None) => "no size is enough".into(),
                },
            ]);
        }
    }
    table
}

/// Memory groups of the sites, node by node where there are several; nothing where the plan has none.
pub(super) fn groups(view: &PlanView) -> Table {
    groups_of(view, view.has_several_nodes())
}

/// The same with every column.
pub(super) fn all_of_groups(view: &PlanView) -> Table {
    groups_of(view, true)
}

fn groups_of(view: &PlanView, with_node: bool) -> Table {
    let node = with_node.then(|| Column::flexible("node"));
    let columns = [
        Column::flexible("site"),
        Column::bytes("group"),
        Column::bytes("floor"),
    ];
    let mut table = Table::new(node.into_iter().chain(columns));
    for (name, node) in view.nodes.iter().zip(&view.plan.nodes) {
        let groups = view.plan.sites.iter().zip(&node.groups);
        for (site, group) in groups.filter(|(_, group)| group.memory_bytes > 0) {
            let node = with_node.then(|| Cell::from(name));
            let cells = [
                Cell::from(&site.site),
                Cell::bytes(group.memory_bytes),
                Cell::bytes(group.floor_bytes),
            ];
            table.row(node.into_iter().chain(cells));
        }
    }
    table
}

/// Nodes: what each holds and what that buys; nothing for a single one.
pub(super) fn nodes(view: &PlanView) -> Table {
    let first = [Column::flexible("node"), Column::bytes("memory")];
    let mut table = Table::new(first.into_iter().chain(held_columns()));
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
    let owner = Owner {
        node: view.has_several_nodes(),
        site: false,
    };
    placed(owner, view.files_of(site).into_iter().take(most))
}

/// Every held file of every site.
pub(super) fn all_held_files(view: &PlanView) -> Table {
    let owner = Owner {
        node: true,
        site: true,
    };
    placed(owner, view.placement.files.iter())
}

fn placed<'a>(owner: Owner, files: impl Iterator<Item = &'a PlacedFile>) -> Table {
    let columns = [
        Column::flexible("file"),
        Column::bytes("size"),
        Column::number("reads"),
        Column::number("reads/h"),
        Column::number("saved µs/byte"),
    ];
    let mut table = Table::new(columns.into_iter().chain(owner.columns()));
    for file in files {
        let cells = [
            path_text(&file.path.0).into(),
            Cell::bytes(file.size_bytes),
            Cell::count(file.reason.requests),
            optional(file.reason.requests_per_hour, Cell::plain),
            Cell::plain(file.reason.saved_us_per_byte),
        ];
        table.row(cells.into_iter().chain(owner.cells(file)));
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

/// Header of the mean that a plan minimises, where sites differ in weight.
const WEIGHTED_MEAN: &str = "weighted mean";

/// Mean response against memory, by weight where sites differ in weight.
pub(super) fn curve(view: &PlanView) -> Table {
    let mean = match view.is_weighted() {
        true => WEIGHTED_MEAN,
        false => "mean response",
    };
    curve_of(view.plan, mean)
}

/// The same, whatever the weights.
pub(super) fn weighted_curve(plan: &Plan) -> Table {
    curve_of(plan, WEIGHTED_MEAN)
}

fn curve_of(plan: &Plan, mean: &str) -> Table {
    let mut table = Table::new([
        Column::bytes("memory"),
        Column::percent("hit ratio"),
        Column::percent("with the plan"),
        Column::duration(mean),
        Column::duration("with the plan"),
        saves(),
        Column::text("remark"),
    ]);
    for point in &plan.curve {
        let memory = point.memory_bytes;
        let cells = [
            Cell::bytes(memory).shown_as(curve_notes::memory_text(plan, memory)),
            Cell::percent(point.page_cache.hit_ratio),
            Cell::percent(point.plan.hit_ratio),
            Cell::duration(point.page_cache.weighted_mean_us),
            Cell::duration(point.plan.weighted_mean_us),
            weighted_gain(&point.plan),
            curve_notes::mark(plan, point).into(),
        ];
        if memory == plan.memory_bytes {
            table.strong_row(cells)
        } else {
            table.row(cells)
        }
    }
    table
}

/// Memory needed for a gain.
pub(super) fn memory_needed(view: &PlanView) -> Table {
    let mut table = Table::new([Column::percent("saves"), Column::bytes("needs")]);
    for (share, memory) in view.memory_needed {
        let none = || "not reached at any size tried".into();
        table.row([Cell::percent(*share), memory.map_or_else(none, Cell::bytes)]);
    }
    table
}

/// What each store would make of each site's traffic, with the plan for that store: a column for each store.
pub(super) fn stores(view: &PlanView) -> Table {
    let first = [
        Column::flexible("site"),
        Column::text("best store"),
        Column::percent("hit ratio"),
        Column::bytes("miss size"),
    ];
    let candidates = view.advice.first();
    let stores = candidates.iter().flat_map(|advice| &advice.stores);
    let stores = stores.map(|store| Column::duration(&store.store));
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

/// The same: a row for each store.
pub(super) fn store_by_store(view: &PlanView) -> Table {
    let mut table = Table::new([
        Column::text("site"),
        Column::text("store"),
        Column::text("best"),
        Column::duration("page cache"),
        Column::duration("plan"),
        Column::bytes("held"),
    ]);
    let of_site = |advice: &Advice, store: &StoreAdvice| {
        let is_best = advice.best.as_ref() == Some(&store.store);
        [
            Cell::from(&store.store),
            if is_best { "yes" } else { "no" }.into(),
            Cell::duration(store.page_cache_mean_us),
            Cell::duration(store.plan_mean_us),
            Cell::bytes(store.held_bytes),
        ]
    };
    for (site, advice) in view.plan.sites.iter().zip(view.advice) {
        for store in &advice.stores {
            let first = [Cell::from(&site.site)].into_iter();
            table.row(first.chain(of_site(advice, store)));
        }
    }
    table
}

fn whole_bytes(bytes: f64) -> Cell {
    match bytes.is_finite() {
        true => Cell::bytes(bytes.round() as u64),
        false => Cell::unknown(),
    }
}
