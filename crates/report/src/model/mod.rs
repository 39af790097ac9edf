//! `hotset model`.

mod specweb99;

use serde::Serialize;

use crate::{Document, Json, ScenarioView, Table, Tone, View, printable};

pub use specweb99::{SpecWeb99Disk, SpecWeb99Split, SpecWeb99View};

/// The data-centre of a scenario, calculated. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ModelView {
    /// As `hotset simulate scenario` has it. Of times there are means alone.
    #[serde(flatten)]
    pub scenario: ScenarioView,
    /// How it was calculated: exact-mva, approximate-mva or open-queues.
    pub method: String,
    /// Where hit ratios come from: exact, from the requests in their order, or che, from how often each file is asked for.
    pub hit_ratio_method: String,
    /// What a request of each site asks of each resource.
    pub demands: Vec<DemandFigures>,
    /// Between what the throughput of each class of clients lies; empty where requests come by the clock.
    pub bounds: Vec<BoundFigures>,
}

/// What a request of a site asks of a resource, on average.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DemandFigures {
    /// Name of the node.
    pub node: String,
    /// The resource, as the outcome names it behind its node.
    pub resource: String,
    /// The site, or the type of page of an application.
    pub site: String,
    /// How often a request asks it.
    pub visits: f64,
    /// Its service of a request, microseconds.
    pub demand_us: f64,
}

/// Between what the throughput of a class of clients lies.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct BoundFigures {
    /// Name of the clients.
    pub client: String,
    /// Whatever resources ask.
    pub asymptotic: ThroughputRange,
    /// As if all resources asked alike; null for several classes or several processors of a node.
    pub balanced: Option<ThroughputRange>,
}

/// A range of throughput.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ThroughputRange {
    /// No fewer requests a second.
    pub low_per_s: f64,
    /// No more requests a second.
    pub high_per_s: f64,
}

/// Demands that are shown in a terminal.
const SHOWN_DEMANDS: usize = 24;

impl View for ModelView {
    /// What each site gets, what is busy, what asks for it, and what would help.
    fn document(&self) -> Document<'_> {
        let tone = match self.scenario.stable {
            true => Tone::Strong,
            false => Tone::Warning,
        };
        let mut to = Document::new(self.headline(), tone);
        self.scenario.findings(&mut to);
        to.table(move |_| self.demands()).heading("Demands");
        to.table(move |_| self.bounds()).heading("Bounds");
        self.scenario.basis(&mut to);
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

impl ModelView {
    fn headline(&self) -> String {
        let method = match self.method.as_str() {
            "exact-mva" => "mean value analysis",
            "approximate-mva" => "approximate mean value analysis",
            _ => "formulas of open queues",
        };
        format!("{}, by {method}", self.scenario.answered())
    }

    fn demands(&self) -> impl Into<Table> {
        let of =
            |it: &&DemandFigures| format!("{} {}", printable(&it.node), printable(&it.resource));
        Table::of(&self.demands)
            .flexible("site", |it| &it.site)
            .flexible("resource", of)
            .plain("visits", |it| it.visits)
            .duration("service", |it| it.demand_us)
            .first(SHOWN_DEMANDS)
    }

    fn bounds(&self) -> impl Into<Table> {
        Table::of(&self.bounds)
            .flexible("clients", |it| &it.client)
            .per_second("at least", |it| it.asymptotic.low_per_s)
            .per_second("at most", |it| it.asymptotic.high_per_s)
            .per_second("balanced", |it| it.balanced.map(|it| it.low_per_s))
            .per_second("to", |it| it.balanced.map(|it| it.high_per_s))
            .without_unknown_columns()
    }
}
