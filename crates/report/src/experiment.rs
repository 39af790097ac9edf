//! `hotset experiment`.

use hotset_experiment::{ExperimentEntry, Item, Report};
use hotset_scenario::{ApplicationProfile, PageProfile, ServerProfile};
use serde::Serialize;

use crate::{Cell, Document, Json, Table, View, number};

/// What there is to measure and what has been measured. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PointsView {
    /// Program and version.
    pub tool: String,
    /// The points in the order in which they are measured.
    pub points: Vec<Item>,
}

impl View for PointsView {
    fn document(&self) -> Document<'_> {
        let mut to = Document::default();
        to.table(move |_| {
            let first = self.points.first().map(|item| item.point.values());
            let axes = first.into_iter().flatten().map(|(name, _)| name);
            let mut table = Table::of(&self.points);
            for (number, axis) in axes.enumerate() {
                table = table.text(axis, |it| {
                    Cell::from(it.point.values().nth(number).map_or("", |(_, value)| value))
                });
            }
            table.text("state", |it| if it.measured { "measured" } else { "to do" })
        })
        .bare();
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

/// The experiments below a folder. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ExperimentsView {
    /// Program and version.
    pub tool: String,
    /// The experiments, by the path of their files.
    pub experiments: Vec<ExperimentEntry>,
}

impl View for ExperimentsView {
    /// A row for each, then what is wrong with those that cannot be used.
    fn document(&self) -> Document<'_> {
        let mut to = Document::default();
        if self.experiments.is_empty() {
            to.sentence("There is no experiment file below this folder.".to_owned());
            return to;
        }
        let points = |it: &ExperimentEntry, count: usize| match it.problem {
            None => number::count(count as u64),
            Some(_) => String::new(),
        };
        to.table(move |_| {
            Table::of(&self.experiments)
                .text("experiment", |it| it.file.display().to_string())
                .text("kind", |it| it.kind)
                .figure("points", move |it| points(it, it.points))
                .figure("measured", move |it| points(it, it.measured))
        })
        .bare();
        let problems = self.experiments.iter().filter_map(|it| it.problem.clone());
        to.lines("Cannot be used", &problems.collect::<Vec<_>>());
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

/// What servers cost, by the results of an experiment. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ServerProfileView {
    /// Program and version.
    pub tool: String,
    /// Where the figures are from.
    pub source: String,
    /// The servers that were measured.
    pub servers: Vec<ServerFigures>,
}

/// What a request, a byte and a connection cost a server's processors.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ServerFigures {
    /// The server, as scenarios write it.
    pub server: &'static str,
    /// A request and its answer, beside the answer's bytes, microseconds.
    pub request_us: f64,
    /// A byte of an answer, nanoseconds.
    pub ns_per_byte: f64,
    /// A connection that is opened and closed, microseconds; 0 where that was not measured.
    pub connection_us: f64,
}

impl ServerProfileView {
    /// That of a profile.
    pub fn of(tool: String, profile: &ServerProfile) -> Self {
        let servers = [
            ("nginx", profile.nginx),
            ("nginx-proxy", profile.nginx_proxy),
            ("apache", profile.apache),
        ];
        let measured = servers.into_iter().filter_map(|(server, costs)| {
            let costs = costs?;
            Some(ServerFigures {
                server,
                request_us: costs.request_us,
                ns_per_byte: costs.ns_per_byte,
                connection_us: costs.connection_us,
            })
        });
        Self {
            tool,
            source: profile.source.clone(),
            servers: measured.collect(),
        }
    }
}

impl View for ServerProfileView {
    /// A row for each server, then where the figures are from.
    fn document(&self) -> Document<'_> {
        let mut to = Document::default();
        to.table(move |_| {
            Table::of(&self.servers)
                .text("server", |it| it.server)
                .duration("request", |it| it.request_us)
                .plain("ns a byte", |it| it.ns_per_byte)
                .duration("connection", |it| it.connection_us)
        })
        .bare();
        to.sentence(format!("Processor time, from {}.", self.source));
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

/// What pages of an application take of its servers, by the results of an experiment. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ApplicationProfileView {
    /// Program and version.
    pub tool: String,
    /// Where the figures are from.
    pub source: String,
    /// Types of pages.
    pub pages: Vec<PageCostFigures>,
}

/// What a page of a type takes, on average. Times are those of processors, microseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PageCostFigures {
    /// Name of the type.
    pub page: String,
    /// The web server's.
    pub web_us: f64,
    /// The application's.
    pub application_us: f64,
    /// The database's.
    pub database_us: f64,
    /// Pages of tables that it looks for.
    pub page_reads: f64,
    /// How often it waits for the database's log.
    pub log_flushes: f64,
}

impl ApplicationProfileView {
    /// That of a profile.
    pub fn of(tool: String, profile: &ApplicationProfile) -> Self {
        let figures = |page: &PageProfile| PageCostFigures {
            page: page.name.clone(),
            web_us: page.web_us,
            application_us: page.application_us,
            database_us: page.database_us,
            page_reads: page.page_reads,
            log_flushes: page.log_flushes,
        };
        Self {
            tool,
            source: profile.source.clone(),
            pages: profile.pages.iter().map(figures).collect(),
        }
    }
}

impl View for ApplicationProfileView {
    /// A row for each type of page, then where the figures are from.
    fn document(&self) -> Document<'_> {
        let mut to = Document::default();
        to.table(move |_| {
            Table::of(&self.pages)
                .text("page", |it| &it.page)
                .duration("web", |it| it.web_us)
                .duration("application", |it| it.application_us)
                .duration("database", |it| it.database_us)
                .plain("page reads", |it| it.page_reads)
                .plain("log flushes", |it| it.log_flushes)
        })
        .bare();
        to.sentence(format!("Processor time, from {}.", self.source));
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

/// Results of an experiment beside what is predicted and published. Its fields are the keys of `--json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ExperimentView {
    /// Program and version.
    pub tool: String,
    /// The results.
    #[serde(flatten)]
    pub report: Report,
}

impl View for ExperimentView {
    /// Table by table, then what else is to be said.
    fn document(&self) -> Document<'_> {
        let Report {
            points,
            tables,
            remarks,
            not_measured,
            ..
        } = &self.report;
        let mut to = Document::default();
        if points.is_empty() {
            to.sentence("No results yet: run the experiment first.".to_owned());
            return to;
        }
        for (title, table) in tables {
            to.table(|_| table.clone()).heading(title);
        }
        let missing = not_measured.iter();
        let missing = missing.map(|(what, reason)| format!("{what} is not measured: {reason}"));
        for (number, remark) in remarks.iter().cloned().chain(missing).enumerate() {
            match number {
                0 => to.paragraph(remark),
                _ => to.sentence(remark),
            };
        }
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}
