//! The tables of a plan.

use std::iter;

use hotset_outcome::Interval;
use hotset_plan::{Advice, Arm, ArmScore, HeldOutScores, SitePlan, StoreAdvice};
use hotset_scenario::PlacedFile;

use super::view::PlanView;
use super::{curve_notes, order};
use crate::{Cell, Column, Rows, Table};

/// Sites that get a row of their own where people read.
const SITES_IN_TABLES: usize = 200;
/// Header of the mean that a plan minimises, where sites differ in weight.
const WEIGHTED_MEAN: &str = "weighted mean";

/// What an arm saves.
pub(super) fn saves() -> Column {
    Column::percent("saves (95 % interval)").with_interval()
}

/// What an arm saves of the mean against page cache alone, with its interval.
fn gain(score: &ArmScore) -> Cell {
    share_saved(score.gain, score.gain_interval)
}

/// What it saves of the weighted mean, which the plan minimises.
pub(super) fn weighted_gain(score: &ArmScore) -> Cell {
    share_saved(score.weighted_gain, score.weighted_gain_interval)
}

fn share_saved(gain: Option<f64>, interval: Option<Interval>) -> Cell {
    Cell::known(gain.map(|gain| match interval {
        Some(interval) => Cell::percent_with_interval(gain, interval.low, interval.high),
        None => Cell::percent(gain),
    }))
}

/// What is held of a part of the traffic.
struct Part<'a> {
    name: &'a str,
    memory_bytes: u64,
    held_bytes: u64,
    held_files: u64,
    held_out: &'a HeldOutScores,
}

/// What is held of each part and what that buys it.
fn held(parts: Rows<Part>) -> Rows<Part> {
    parts
        .count("accesses", |it| it.held_out.accesses)
        .bytes("held", |it| it.held_bytes)
        .count("files", |it| it.held_files)
        .duration("page cache", |it| it.held_out[Arm::PageCache].mean_us)
        .duration("plan", |it| it.held_out[Arm::Plan].mean_us)
        .column(saves(), |it| gain(&it.held_out[Arm::Plan]))
        .leading()
}

impl<'a> PlanView<'a> {
    /// Ways of using the memory, one below the other, with the weighted mean or without.
    pub(super) fn arms(
        &self,
        held_out: &'a HeldOutScores,
        weighted: bool,
    ) -> Rows<(Arm, &'a ArmScore)> {
        let arms = held_out.arms.iter();
        Table::of(arms)
            .text("memory used by", |it| match it.0 {
                Arm::Plan if self.plan.given_up.is_some() => "plan, given up",
                arm => order::name(arm),
            })
            .percent("hit ratio", |it| it.1.hit_ratio)
            .duration("mean response", |it| it.1.mean_us)
            .duration(WEIGHTED_MEAN, |it| it.1.weighted_mean_us)
            .shown_if(weighted)
            .column(saves(), |it| weighted_gain(it.1))
            .leading()
            .bytes("moved", |it| it.1.moved_bytes)
            .strong(|it| it.0 == Arm::Plan)
    }

    /// Targets of the sites: nothing where none has any.
    pub(super) fn targets(&self) -> impl Into<Table> {
        let sites = self.plan.sites.iter();
        let targets = sites.flat_map(|site| site.targets.iter().map(move |target| (site, target)));
        Table::of(targets)
            .flexible("site", |it| &it.0.site)
            .text("target", |it| &it.1.target)
            .duration("page cache", |it| it.1.page_cache_us)
            .duration("plan", |it| it.1.plan_us)
            .text("met", |it| yes_or_no(it.1.is_met))
            .column(
                Column::bytes("page cache of its own"),
                |(site, target)| match (target.is_met, target.needed_bytes) {
                    (true, _) => Cell::unknown(),
                    (false, Some(bytes)) => Cell::bytes(bytes),
                    (false, None) if site.training_accesses == 0 => "nothing learnt".into(),
                    (false, None) => "no size is enough".into(),
                },
            )
    }

    /// Memory groups of the sites, node by node; nothing where the plan has none.
    pub(super) fn groups(&self) -> impl Into<Table> {
        let nodes = self.nodes.iter().zip(&self.plan.nodes);
        let groups = nodes.flat_map(|(node, plan)| {
            let sites = self.plan.sites.iter().zip(&plan.groups);
            sites.map(move |(site, group)| (node, site, group))
        });
        Table::of(groups.filter(|(_, _, group)| group.memory_bytes > 0))
            .flexible("node", |it| it.0)
            .shown_if(self.has_several_nodes())
            .flexible("site", |it| &it.1.site)
            .bytes("group", |it| it.2.memory_bytes)
            .bytes("floor", |it| it.2.floor_bytes)
    }

    /// Nodes: what each holds and what that buys; nothing for a single one.
    pub(super) fn nodes_table(&self) -> impl Into<Table> {
        let nodes = self.nodes.iter().zip(&self.plan.nodes);
        let nodes = nodes.filter(|_| self.has_several_nodes());
        let nodes = Table::of(nodes.map(|(name, node)| Part {
            name,
            memory_bytes: node.memory_bytes,
            held_bytes: node.held.bytes,
            held_files: node.held.objects,
            held_out: &node.held_out,
        }));
        let nodes = nodes.flexible("node", |it| it.name);
        held(nodes.bytes("memory", |it| it.memory_bytes))
    }

    /// Sites: what is held of each and what that buys it.
    pub(super) fn sites(&self) -> impl Into<Table> {
        let site = |site: &'a SitePlan| Part {
            name: &site.site,
            memory_bytes: 0,
            held_bytes: site.held_bytes,
            held_files: site.held_objects,
            held_out: &site.held_out,
        };
        let sites = Table::of(self.plan.sites.iter().map(site));
        held(sites.first(SITES_IN_TABLES).flexible("site", |it| it.name))
    }

    /// How responses spread, of all sites and of each, with the page cache alone and with the plan.
    pub(super) fn percentiles(&self) -> impl Into<Table> {
        let sites = self.plan.sites.iter();
        let sites = sites.filter(|_| self.plan.sites.len() > 1);
        let sites = sites.map(|site| (site.site.as_str(), &site.held_out));
        let all = iter::once(("all", &self.plan.total.held_out));
        let scores = all.chain(sites).flat_map(|(site, held_out)| {
            let arms = [Arm::PageCache, Arm::Plan];
            arms.map(|arm| (site, order::name(arm), &held_out[arm]))
        });
        Table::of(scores)
            .first(2 * SITES_IN_TABLES)
            .flexible("site", |it| it.0)
            .text("memory used by", |it| it.1)
            .duration("mean", |it| it.2.mean_us)
            .duration("p50", |it| it.2.p50_us)
            .duration("p95", |it| it.2.p95_us)
            .duration("p99", |it| it.2.p99_us)
    }

    /// The first `most` files that are added, those that are dropped, and every other file of the plan for spreadsheets.
    pub(super) fn changed_files(&self, most: usize) -> impl Into<Table> {
        let changes = self.changes.iter().flat_map(|changes| {
            let kept = if most == usize::MAX { most } else { 0 };
            [
                ("+", "added", &changes.added, most),
                ("-", "dropped", &changes.dropped, most),
                ("", "kept", &changes.kept, kept),
            ]
        });
        let files = changes.flat_map(|(sign, change, files, most)| {
            let files = files.iter().take(most);
            files.map(move |file| (sign, change, *file))
        });
        Table::of(files)
            .text("change", |it| Cell::from(it.0).in_sheets(it.1))
            .flexible("file", |it| path_text(&it.2.path.0))
            .bytes("size", |it| it.2.size_bytes)
            .flexible("node", |it| &it.2.node)
            .shown_if(self.has_several_nodes())
            .flexible("site", |it| &it.2.site)
    }

    /// Held files, the most valuable of each node first, of one site or of all.
    pub(super) fn held_files(&self, site: Option<&str>, most: usize) -> impl Into<Table> + use<'a> {
        let files: Vec<&PlacedFile> = match site {
            Some(site) => self.files_of(site),
            None => self.placement.files.iter().collect(),
        };
        Table::of(files.into_iter().take(most))
            .flexible("file", |it| path_text(&it.path.0))
            .bytes("size", |it| it.size_bytes)
            .count("reads", |it| it.reason.requests)
            .plain("reads/h", |it| it.reason.requests_per_hour)
            .plain("saved µs/byte", |it| it.reason.saved_us_per_byte)
            .flexible("node", |it| &it.node)
            .shown_if(self.has_several_nodes())
            .flexible("site", |it| &it.site)
            .shown_if(site.is_none())
    }

    /// Mean response against memory, by weight where sites differ in weight.
    pub(super) fn curve(&self) -> impl Into<Table> {
        let plan = self.plan;
        let mean = match self.is_weighted() {
            true => WEIGHTED_MEAN,
            false => "mean response",
        };
        Table::of(&plan.curve)
            .column(Column::bytes("memory"), |it| {
                let text = curve_notes::memory_text(plan, it.memory_bytes);
                Cell::bytes(it.memory_bytes).shown_as(text)
            })
            .percent("hit ratio", |it| it.page_cache.hit_ratio)
            .percent("with the plan", |it| it.plan.hit_ratio)
            .duration(mean, |it| it.page_cache.weighted_mean_us)
            .in_sheets(WEIGHTED_MEAN)
            .duration("with the plan", |it| it.plan.weighted_mean_us)
            .column(saves(), |it| {
                share_saved(it.plan.weighted_gain, curve_notes::gain_interval(it))
            })
            .leading()
            .text("remark", |it| curve_notes::mark(plan, it))
            .strong(|it| it.memory_bytes == plan.memory_bytes)
    }

    /// Memory needed for a gain.
    pub(super) fn memory_for_gains(&self) -> impl Into<Table> {
        Table::of(self.memory_needed)
            .percent("saves", |it| it.0)
            .column(Column::bytes("needs"), |it| {
                let none = || "not reached at any size tried".into();
                it.1.map_or_else(none, Cell::bytes)
            })
    }

    /// What each store would make of each site's traffic, with the plan for that store: a column for each store.
    pub(super) fn stores_side_by_side(&self) -> impl Into<Table> {
        let mut table = Table::of(self.advised())
            .first(SITES_IN_TABLES)
            .flexible("site", |it| &it.0.site)
            .text("best store", |it| Cell::known(it.1.best.as_ref()))
            .percent("hit ratio", |it| it.1.plan_hit_ratio)
            .bytes("miss size", |it| {
                let bytes = it.1.mean_miss_bytes;
                bytes.is_finite().then(|| bytes.round() as u64)
            });
        let stores = self.advice.first().map_or(&[][..], |advice| &advice.stores);
        for (number, store) in stores.iter().enumerate() {
            let mean_us = |it: &StoreAdvice| it.plan_mean_us;
            table = table.duration(&store.store, |it| it.1.stores.get(number).map(mean_us));
        }
        table
    }

    /// The same: a row for each store.
    pub(super) fn store_by_store(&self) -> impl Into<Table> {
        let stores = self.advised().flat_map(|(site, advice)| {
            let stores = advice.stores.iter();
            stores.map(move |store| (site, advice, store))
        });
        Table::of(stores)
            .text("site", |it| &it.0.site)
            .text("store", |it| &it.2.store)
            .text("best", |it| {
                yes_or_no(it.1.best.as_ref() == Some(&it.2.store))
            })
            .duration("page cache", |it| it.2.page_cache_mean_us)
            .duration("plan", |it| it.2.plan_mean_us)
            .bytes("held", |it| it.2.held_bytes)
    }

    fn advised(&self) -> impl Iterator<Item = (&'a SitePlan, &'a Advice)> {
        self.plan.sites.iter().zip(self.advice)
    }
}

fn yes_or_no(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}

/// A path as text: bytes that are not UTF-8 are percent-encoded again.
fn path_text(path: &[u8]) -> String {
    let mut text = String::new();
    for chunk in path.utf8_chunks() {
        text.push_str(chunk.valid());
        let bytes = chunk.invalid().iter();
        bytes.for_each(|byte| text.push_str(&format!("%{byte:02X}")));
    }
    text
}
