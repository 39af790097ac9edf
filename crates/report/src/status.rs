//! `hotset status`.

use hotset_live::{FileState, PlacerKind, ReadCounts, RunStatus, Status};
use hotset_scenario::FilePath;
use serde::Serialize;

use crate::apply::Amount;
use crate::terminal::{paragraph, section, sections, wrapped};
use crate::{Column, Style, Table, View, json, number, printable};

/// Rows of a list of files that people are shown.
const SHOWN_FILES: usize = 10;

/// What is held now, and what is wrong with it.
pub struct StatusView<'a> {
    /// What was found.
    pub status: &'a Status,
    /// What the daemon that keeps the state has told last, if one does.
    pub daemon: Option<&'a RunStatus>,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    state: &'static str,
    placer: Option<PlacerKind>,
    sites: Vec<SiteDocument<'a>>,
    memory: Memory,
    problems: Vec<ProblemDocument<'a>>,
    faults: &'a [String],
    /// Of the daemon that runs: over the last interval in which files were read.
    hit_ratio: Option<f64>,
    mean_us: Option<f64>,
    /// Since the daemon began.
    moved_bytes: Option<u64>,
    staleness_ms: Option<u64>,
    daemon: Option<DaemonDocument>,
}

#[derive(Serialize)]
struct DaemonDocument {
    pid: u32,
    is_alive: bool,
    interval_seconds: f64,
    told_ms: u64,
    predicted_hit_ratio: Option<f64>,
    last_interval: ServedDocument,
    since_start: ServedDocument,
}

#[derive(Serialize)]
struct ServedDocument {
    reads: u64,
    hit_ratio: Option<f64>,
    mean_us: Option<f64>,
    moved_bytes: u64,
}

impl From<ReadCounts> for ServedDocument {
    fn from(tally: ReadCounts) -> Self {
        Self {
            reads: tally.reads,
            hit_ratio: tally.hit_ratio(),
            mean_us: tally.mean_us(),
            moved_bytes: tally.moved_bytes,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct SiteDocument<'a> {
    pub(crate) site: &'a str,
    pub(crate) held: Amount,
    left_out: u64,
    last_interval: Option<ServedDocument>,
    since_start: Option<ServedDocument>,
}

#[derive(Serialize)]
struct Memory {
    held_bytes: u64,
    budget_bytes: u64,
}

#[derive(Serialize)]
struct ProblemDocument<'a> {
    site: &'a str,
    path: &'a FilePath,
    problem: &'a str,
}

impl ServedDocument {
    /// Reads, the share of them that were of held files, and their mean time.
    fn cells(self) -> [String; 3] {
        [
            number::count(self.reads),
            self.hit_ratio.map_or_else(String::new, number::percent),
            self.mean_us.map_or_else(String::new, number::duration),
        ]
    }
}

impl<'a> StatusView<'a> {
    /// `held`: as it should be; `degraded`: in part; `placing`: not yet; `released`: nothing is held.
    fn state(&self) -> &'static str {
        match &self.status.state {
            None if self.status.is_placing => "placing",
            None => "released",
            Some(_) if self.status.is_sound() => "held",
            Some(_) => "degraded",
        }
    }

    pub(crate) fn sites(&self) -> Vec<SiteDocument<'a>> {
        let state = self.status.state.as_ref();
        let files = state.map_or(&[][..], |state| &state.files);
        let followed = self
            .running()
            .map_or(&[][..], |daemon| &daemon.figures.sites);
        let followed = followed.iter().map(|site| site.site.as_str());
        let mut names: Vec<&str> = files.iter().map(|file| file.site.as_str()).collect();
        names.extend(followed);
        names.sort_unstable();
        names.dedup();
        let site = |site: &'a str| {
            let of_site: Vec<&FileState> = files.iter().filter(|file| file.site == site).collect();
            let left_out = of_site
                .iter()
                .filter(|file| file.status.identity().is_none());
            let figures = self
                .running()
                .and_then(|daemon| daemon.figures.of_site(site));
            SiteDocument {
                last_interval: figures.map(|figures| figures.last.into()),
                since_start: figures.map(|figures| figures.all.into()),
                site,
                left_out: left_out.count() as u64,
                held: Amount::held(of_site.iter().copied()),
            }
        };
        names.into_iter().map(site).collect()
    }

    fn memory(&self) -> Memory {
        let state = self.status.state.as_ref();
        Memory {
            held_bytes: state.map_or(0, |state| state.held_bytes()),
            budget_bytes: state.map_or(0, |state| state.budget_bytes),
        }
    }

    fn headline(&self) -> String {
        let Memory {
            held_bytes,
            budget_bytes,
        } = self.memory();
        let memory = format!(
            "{} of {} that may be held",
            number::bytes(held_bytes),
            number::bytes(budget_bytes)
        );
        match self.state() {
            "released" => "Nothing is held.".to_owned(),
            "placing" => "Files are being placed; none is called held before all are.".to_owned(),
            "held" => format!("All is held as it should be: {memory}."),
            _ => format!("Not all is held as it should be: {memory}."),
        }
    }

    pub(crate) fn site_table(&self) -> Table {
        let mut columns = vec![
            Column::text("site"),
            Column::number("files"),
            Column::number("held"),
            Column::number("left out"),
        ];
        if self.running().is_some() {
            columns.extend(["reads", "hit ratio", "mean"].map(Column::number));
        }
        let mut table = Table::new(columns);
        for site in self.sites() {
            let mut row = vec![
                site.site.to_owned(),
                number::count(site.held.objects),
                number::bytes(site.held.bytes),
                number::count(site.left_out),
            ];
            if self.running().is_some() {
                row.extend(
                    site.last_interval
                        .map_or_else(Default::default, ServedDocument::cells),
                );
            }
            table.row(row);
        }
        table
    }

    /// What a daemon that runs has told.
    fn running(&self) -> Option<&'a RunStatus> {
        self.daemon.filter(|daemon| daemon.is_alive())
    }

    fn daemon_document(&self) -> Option<DaemonDocument> {
        let daemon = self.daemon?;
        let is_alive = daemon.is_alive();
        // What a dead process has told is not repeated.
        let figures = self.running().map(|daemon| daemon.figures.clone());
        let figures = figures.unwrap_or_default();
        Some(DaemonDocument {
            pid: daemon.process.pid,
            is_alive,
            interval_seconds: daemon.interval.as_secs_f64(),
            told_ms: daemon.time_ms,
            predicted_hit_ratio: figures.predicted_hit_ratio,
            last_interval: figures.last().into(),
            since_start: figures.all().into(),
        })
    }

    /// What the daemon has come to, or that it is gone.
    fn daemon_line(&self) -> String {
        let Some(daemon) = self.daemon else {
            return String::new();
        };
        if !daemon.is_alive() {
            return format!(
                "`hotset run` (process {}) has died. Start it again, or release what it may have left.",
                daemon.process.pid
            );
        }
        let (last, all) = (daemon.figures.last(), daemon.figures.all());
        let Some(hit_ratio) = last.hit_ratio() else {
            return "`hotset run` follows the logs. No file was read yet.".to_owned();
        };
        let mean = last.mean_us().map_or_else(String::new, |mean_us| {
            format!(" The server took {} on average.", number::duration(mean_us))
        });
        format!(
            "In the last interval {} of {} were of held files; since the start {} of {}.{mean} {} were moved into memory since the start.",
            number::percent(hit_ratio),
            number::counted(last.reads, "file read", "file reads"),
            all.hit_ratio().map_or_else(String::new, number::percent),
            number::count(all.reads),
            number::bytes(all.moved_bytes),
        )
    }

    fn problem_table(&self) -> Table {
        let mut table = Table::new([
            Column::text("site"),
            Column::flexible("file"),
            Column::flexible("problem"),
        ]);
        for problem in self.status.problems.iter().take(SHOWN_FILES) {
            let path = String::from_utf8_lossy(&problem.path.0);
            table.row([
                problem.site.as_str(),
                &printable(&path),
                problem.problem.as_str(),
            ]);
        }
        table
    }
}

impl View for StatusView<'_> {
    crate::by_hand!();
    /// Whether all is held, by site, and what is not.
    fn terminal(&self, style: Style) -> String {
        let faults: String = (self.status.faults.iter())
            .map(|fault| wrapped(fault, style))
            .collect();
        let heading = match self.status.problems.len() {
            count if count > SHOWN_FILES => {
                format!("Problems, {SHOWN_FILES} of {}", number::count(count as u64))
            }
            _ => "Problems".to_owned(),
        };
        let tables = [
            ("Sites", self.site_table()),
            (heading.as_str(), self.problem_table()),
        ];
        let parts = [
            paragraph(style, &self.headline(), Style::strong),
            match self.daemon_line().as_str() {
                "" => String::new(),
                line => paragraph(style, line, |_, line| line.to_owned()),
            },
            section(style, "Faults", &faults),
            sections(style, tables),
        ];
        parts.concat()
    }

    fn json(&self) -> serde_json::Result<String> {
        let daemon = self.running();
        let last = daemon.map(|daemon| daemon.figures.last());
        json::text(&Document {
            state: self.state(),
            placer: self.status.state.as_ref().map(|state| state.placer),
            sites: self.sites(),
            memory: self.memory(),
            problems: (self.status.problems.iter())
                .map(|problem| ProblemDocument {
                    site: &problem.site,
                    path: &problem.path,
                    problem: &problem.problem,
                })
                .collect(),
            faults: &self.status.faults,
            hit_ratio: last.and_then(|last| last.hit_ratio()),
            mean_us: last.and_then(|last| last.mean_us()),
            moved_bytes: daemon.map(|daemon| daemon.figures.all().moved_bytes),
            staleness_ms: (self.status.state.as_ref()).and_then(|state| state.staleness_ms),
            daemon: self.daemon_document(),
        })
    }
}
