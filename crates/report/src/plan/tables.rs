//! The tables of a plan, in the terminal and on the page.

use hotset_plan::{HeldOut, NodePlan, Plan, StoreAdvice};

use super::headline;
use super::view::PlanView;
use crate::table::{SITES_SHOWN, optional};
use crate::{Column, Table, number};

/// Ways of using the memory, one below the other.
pub(super) fn arms(held_out: &HeldOut) -> Table {
    let mut table = Table::new([
        Column::text("memory used by"),
        Column::number("hit ratio"),
        Column::number("mean response"),
        Column::number("saves (95 % interval)"),
        Column::number("moved"),
    ]);
    for (name, arm) in [
        ("page cache alone", &held_out.page_cache),
        ("LRU", &held_out.lru),
        ("files below 1 MiB", &held_out.size_threshold),
        ("plan", &held_out.plan),
        ("plan, renewed", &held_out.adaptive),
        ("clairvoyant plan", &held_out.clairvoyant),
    ] {
        let cells = [
            name.to_owned(),
            number::percent(arm.hit_ratio),
            number::duration(arm.mean_us),
            headline::gain(arm),
            optional(arm.moved_bytes, number::bytes),
        ];
        if name == "plan" {
            table.strong_row(cells)
        } else {
            table.row(cells)
        }
    }
    table
}

/// Sites: what is held of each and what that buys it.
pub(super) fn sites(plan: &Plan) -> Table {
    let mut table = Table::new([
        Column::flexible("site"),
        Column::number("accesses"),
        Column::number("held"),
        Column::number("files"),
        Column::number("page cache"),
        Column::number("plan"),
        Column::number("saves (95 % interval)"),
    ]);
    for site in plan.sites.iter().take(SITES_SHOWN) {
        table.row([
            site.site.clone(),
            number::count(site.held_out.accesses),
            number::bytes(site.held_bytes),
            number::count(site.held_objects),
            number::duration(site.held_out.page_cache.mean_us),
            number::duration(site.held_out.plan.mean_us),
            headline::gain(&site.held_out.plan),
        ]);
    }
    table.count_rest(plan.sites.len());
    table
}

/// Nodes: what each holds and what that buys; nothing for a single one.
pub(super) fn nodes(view: &PlanView) -> Table {
    let mut table = Table::new([
        Column::flexible("node"),
        Column::number("memory"),
        Column::number("accesses"),
        Column::number("held"),
        Column::number("files"),
        Column::number("page cache"),
        Column::number("plan"),
        Column::number("saves (95 % interval)"),
    ]);
    let row = |(name, node): (&String, &NodePlan)| {
        [
            name.clone(),
            number::bytes(node.memory_bytes),
            number::count(node.held_out.accesses),
            number::bytes(node.held.bytes),
            number::count(node.held.objects),
            number::duration(node.held_out.page_cache.mean_us),
            number::duration(node.held_out.plan.mean_us),
            headline::gain(&node.held_out.plan),
        ]
    };
    if view.has_several_nodes() {
        let nodes = view.nodes.iter().zip(&view.plan.nodes);
        nodes.map(row).for_each(|cells| table.row(cells));
    }
    table
}

/// The first `most` held files of a site.
pub(super) fn held_files(view: &PlanView, site: &str, most: usize) -> Table {
    let node = view.has_several_nodes().then(|| Column::flexible("node"));
    let columns = [
        Column::flexible("file"),
        Column::number("size"),
        Column::number("reads"),
        Column::number("reads/h"),
        Column::number("saved µs/byte"),
    ];
    let mut table = Table::new(columns.into_iter().chain(node));
    for file in view.files_of(site).into_iter().take(most) {
        let cells = [
            path_text(&file.path.0),
            number::bytes(file.size_bytes),
            number::count(file.reason.requests),
            optional(file.reason.requests_per_hour, number::plain),
            number::plain(file.reason.saved_us_per_byte),
        ];
        let node = view.has_several_nodes().then(|| file.node.clone());
        table.row(cells.into_iter().chain(node));
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

/// Mean response against memory.
pub(super) fn curve(plan: &Plan) -> Table {
    let mut table = Table::new([
        Column::number("memory"),
        Column::number("hit ratio"),
        Column::number("with the plan"),
        Column::number("mean response"),
        Column::number("with the plan"),
        Column::number("saves (95 % interval)"),
    ]);
    for point in &plan.curve {
        let cells = [
            number::bytes(point.memory_bytes),
            number::percent(point.page_cache.hit_ratio),
            number::percent(point.plan.hit_ratio),
            number::duration(point.page_cache.mean_us),
            number::duration(point.plan.mean_us),
            headline::gain(&point.plan),
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
    let mut table = Table::new([Column::number("saves"), Column::number("needs")]);
    for (share, memory) in view.memory_needed {
        let none = || "not reached at any size tried".to_owned();
        table.row([
            number::percent(*share),
            memory.map_or_else(none, number::bytes),
        ]);
    }
    table
}

/// What each store would make of each site's traffic, the best in front.
pub(super) fn stores(view: &PlanView) -> Table {
    let mut table = Table::new([
        Column::flexible("site"),
        Column::text("best store"),
        Column::number("response"),
        Column::number("hit ratio"),
        Column::number("miss size"),
        Column::flexible("other stores"),
    ]);
    for (site, advice) in view.plan.sites.iter().zip(view.advice).take(SITES_SHOWN) {
        let (best, others): (Vec<_>, Vec<_>) = advice
            .stores
            .iter()
            .partition(|store| Some(&store.store) == advice.best.as_ref());
        let other = |store: &&StoreAdvice| {
            format!("{} {}", store.store, number::duration(store.plan_mean_us))
        };
        table.row([
            site.site.clone(),
            optional(advice.best.clone(), |name| name),
            optional(best.first(), |store| number::duration(store.plan_mean_us)),
            number::percent(advice.plan_hit_ratio),
            whole_bytes(advice.mean_miss_bytes),
            others.iter().map(other).collect::<Vec<_>>().join(", "),
        ]);
    }
    table.count_rest(view.advice.len());
    table
}

fn whole_bytes(bytes: f64) -> String {
    if bytes.is_finite() {
        number::bytes(bytes.round() as u64)
    } else {
        number::NONE.to_owned()
    }
}
