//! `hotset replay --sessions`: what visitors saw of an application.

#[cfg(feature = "schemas")]
use std::collections::BTreeMap;

use hotset_outcome::Outcome;
use hotset_replay::{Metrics, SessionCounts, SessionsResult};
use serde::Serialize;

use super::tables;
use super::view::{ReplayPart, ReplaySecond, second};
use crate::{Document, Json, Page, Sheets, Table, Tone, View, json, number};

/// A replay of sessions. Its fields are the keys of `--json`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SessionsView {
    /// Where requests were sent.
    pub url: String,
    /// Name of the mix.
    pub mix: String,
    /// Emulated browsers.
    pub clients: u64,
    /// Mean think time, microseconds; 0 at full speed.
    pub think_mean_us: f64,
    /// Whether visitors think, or ask at full speed.
    pub is_paced: bool,
    /// All pages.
    #[serde(flatten)]
    pub total: ReplayPart,
    /// By type of page, in the order of the mix.
    pub pages: Vec<PageFigures>,
    /// Pages answered a second, from the end of ramp and warm-up to the end of the duration.
    pub pages_per_s: f64,
    /// That time, seconds.
    pub elapsed_seconds: f64,
    /// What visitors did.
    pub sessions: SessionCounts,
    /// Largest share of the time that a thread of the client was busy.
    pub busy_share: f64,
    /// Connections opened.
    pub connections: u64,
    /// Connections opened again because the server had closed them between two requests.
    pub reopened_connections: u64,
    /// Whether it was interrupted.
    pub interrupted: bool,
    /// Requests that were under way then.
    pub unfinished: u64,
    /// Second by second.
    pub timeline: Vec<ReplaySecond>,
    /// How it came about: (what, value) in the order shown.
    #[serde(serialize_with = "json::as_map")]
    #[cfg_attr(feature = "schemas", schemars(with = "BTreeMap<String, String>"))]
    pub provenance: Vec<(String, String)>,
    /// The same for `hotset compare`.
    pub outcomes: Vec<Outcome>,
}

/// Pages of one type.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PageFigures {
    /// Name of the type.
    pub page: String,
    /// Pages that ended, answered or not.
    pub count: u64,
    /// Mean time from sending a request to the last byte of its page; null where none was answered.
    pub mean_us: Option<f64>,
    /// 95th percentile of the same.
    pub p95_us: Option<f64>,
    /// Pages that failed.
    pub errors: u64,
}

impl PageFigures {
    fn of((page, measured): &(String, Metrics)) -> PageFigures {
        let times = measured.total.distribution();
        PageFigures {
            page: page.clone(),
            count: measured.requests,
            mean_us: times.mean_us,
            p95_us: times.p95_us,
            errors: measured.errors.total(),
        }
    }
}

impl SessionsView {
    /// What of it `replayed` says; the rest is empty.
    pub fn of(replayed: &SessionsResult) -> SessionsView {
        SessionsView {
            total: (&replayed.total).into(),
            pages: replayed.pages.iter().map(PageFigures::of).collect(),
            pages_per_s: replayed.pages_per_s,
            elapsed_seconds: replayed.elapsed.as_secs_f64(),
            sessions: replayed.sessions,
            busy_share: replayed.busy_share,
            connections: replayed.connections,
            reopened_connections: replayed.reopened_connections,
            interrupted: replayed.interrupted,
            unfinished: replayed.unfinished,
            timeline: replayed.timeline.iter().zip(0..).map(second).collect(),
            ..Self::default()
        }
    }

    fn headline(&self) -> String {
        let total = &self.total;
        let pages = number::counted(total.requests, "page", "pages");
        let elapsed = number::long_duration(self.elapsed_seconds * 1e6);
        let pace = match self.is_paced {
            true => "paced",
            false => "at full speed",
        };
        let mut text = format!(
            "{pages} of the mix {} in {elapsed}, {pace}: {} answered",
            self.mix,
            number::per_second(self.pages_per_s)
        );
        if let (Some(mean), Some(p95)) = (total.total_us.mean, total.total_us.p95) {
            let (mean, p95) = (number::duration(mean), number::duration(p95));
            text += &format!("; whole after {mean} (mean), {p95} (p95)");
        }
        text += &match total.errors {
            0 => "; no errors".to_owned(),
            errors => format!("; {}", number::counted(errors, "error", "errors")),
        };
        if self.interrupted {
            text += "; interrupted";
        }
        text
    }

    fn notes(&self) -> Vec<String> {
        let of = &self.sessions;
        let think = match self.is_paced {
            true => format!("think time {} (mean)", number::duration(self.think_mean_us)),
            false => "no think time".to_owned(),
        };
        let clients = number::counted(self.clients, "browser", "browsers");
        let mut notes = vec![
            format!("{}: {clients}, {think}", self.url),
            format!(
                "{} began, {} ended",
                number::counted(of.begun, "session", "sessions"),
                number::count(of.ended)
            ),
            format!(
                "pages were reached by {} and {}, {} of them by POST; {} went back",
                number::counted(of.links, "link", "links"),
                number::counted(of.forms, "form", "forms"),
                number::count(of.posts),
                number::count(of.back)
            ),
            format!(
                "{} came from pages received, {} were filled in",
                number::counted(of.carried, "value", "values"),
                number::count(of.filled)
            ),
        ];
        if of.without_link > 0 {
            let pages = number::counted(of.without_link, "page", "pages");
            notes.push(format!(
                "nothing led to {pages}: what was sent for them was made up"
            ));
        }
        if of.broken > 0 {
            let sessions = number::counted(of.broken, "session", "sessions");
            notes.push(format!("errors ended {sessions}"));
        }
        notes
    }

    fn pages(&self) -> impl Into<Table> {
        let all = self.total.requests.max(1) as f64;
        let pages = self.pages.iter().filter(|page| page.count > 0);
        Table::of(pages)
            .flexible("page", |it| &it.page)
            .count("count", |it| it.count)
            .percent("of all", move |it| it.count as f64 / all)
            .duration("mean", |it| it.mean_us)
            .duration("p95", |it| it.p95_us)
            .count("errors", |it| it.errors)
    }
}

/// Sections of the page.
const SECTIONS: [(&str, &str); 3] = [
    ("pages", "Page by page"),
    ("errors", "Errors"),
    ("visitors", "What visitors did"),
];

impl View for SessionsView {
    /// Rates and times, pages by their types, errors, what visitors did.
    fn document(&self) -> Document<'_> {
        let tone = match self.total.errors {
            0 => Tone::Strong,
            _ => Tone::Warning,
        };
        let mut to = Document::new(self.headline(), tone)
            .titled("hotset: sessions replayed")
            .with_sections(SECTIONS);
        to.section("visitors").notes(self.notes());
        to.section("pages")
            .table(move |_| self.pages())
            .heading("Pages by type")
            .caption("Times from sending a request to the last byte of its page, of pages that were answered.")
            .sheet("pages");
        to.table(move |_| tables::seconds(&self.timeline))
            .sheet("seconds");
        to.section("errors")
            .table(move |_| tables::errors(&self.total))
            .heading("Errors")
            .caption("Pages that failed. Their times are in no other table.")
            .sheet("errors");
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

impl Sheets for SessionsView {}

impl Page for SessionsView {}
