//! `hotset status`.

use hotset_live::{
    FileState, PlacerKind, Problem, ReadCounts, RunStatus, Saving, SiteFigures, Status, Tally,
};
use serde::Serialize;

use crate::apply::{Memory, held};
use crate::saving::{SavingValue, SavingWords};
use crate::{Document, Json, Table, Tone, View, number};

/// Rows of a list of files that people are shown.
const SHOWN_FILES: usize = 10;

/// Why nothing is learnt from requests of a client beyond its share, and what to do.
pub const BEYOND_SHARE: &str = "a client sent more than its share of the site's requests; behind a proxy, have the server log the \
    clients' addresses, or raise `client_share` of the site in the scenario (usually 10%)";

/// Why nothing is learnt from requests for new names beyond those that are looked up.
pub const BEYOND_NAMES: &str = "too many names were new in one interval; those that are asked for again are looked up in the next";

/// Why nothing is learnt from requests of sites that are not followed, and what to do.
pub const OF_OTHER_SITES: &str = "no [[site]] of the scenario takes them; see its `match`, or where it has none its `name`, which is \
    that of the virtual host in the log";

/// What is held now, and what is wrong with it.
pub struct StatusView<'a> {
    /// What was found.
    pub status: &'a Status,
    /// What the daemon that keeps the state has told last, if one does.
    pub daemon: Option<&'a RunStatus>,
}

/// What `--json` prints.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Value<'a> {
    /// Held: all is as it should be; degraded: something is not; placing: the first plan is being applied; released:
    /// nothing is held.
    state: State,
    /// How files are held.
    placer: Option<PlacerKind>,
    /// Site by site.
    sites: Vec<SiteValue<'a>>,
    /// Memory that is held, and that may be.
    memory: Memory,
    /// Held files that are not wholly in memory, or not the current ones.
    problems: &'a [Problem],
    /// What is wrong with what holds files or follows the logs, beside single files.
    faults: &'a [String],
    /// Share of the file reads in the logs that were of held files, over the last interval with reads; null unless
    /// `hotset run` keeps the state and has seen a read.
    hit_ratio: Option<f64>,
    /// Mean of the times that the server logged for these reads, microseconds; null where it logs none.
    mean_us: Option<f64>,
    /// Bytes of files that `hotset run` has moved into memory since its start; null unless it keeps the state.
    moved_bytes: Option<u64>,
    /// For how long an answer may be older than the file on disk because of what is held: 0 where files are pinned;
    /// null where nothing bounds it, as for copies of files on FUSE, or nothing is held.
    staleness_ms: Option<u64>,
    /// The `hotset run` that keeps the state, or that died without releasing it; null without one.
    daemon: Option<DaemonValue>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum State {
    /// All is as it should be.
    Held,
    /// Something is not.
    Degraded,
    /// The first plan is being applied.
    Placing,
    /// Nothing is held.
    Released,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct DaemonValue {
    /// Its process.
    pid: u32,
    /// Where false, every figure is that of no reads.
    is_alive: bool,
    /// How long a choice of files stays.
    interval_seconds: f64,
    /// When it told these figures, milliseconds since 1970.
    told_ms: u64,
    /// Share of reads that the files chosen last would have had, as far as is known what is asked for.
    predicted_hit_ratio: Option<f64>,
    /// Share of the files that the page cache alone is predicted by; null before the first interval with reads.
    followed_share: Option<f64>,
    /// Whether holding saves more than a hundredth of what the page cache alone would have waited for its stores, over the last ten
    /// intervals with reads, times counting by the weights of sites; null before that is known.
    holding_pays: Option<bool>,
    /// The last interval with reads.
    last_interval: Served,
    /// All reads since it began.
    since_start: Served,
    /// Requests since it began that no site of its scenario takes.
    of_other_sites: u64,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Served {
    /// File reads in the logs.
    reads: u64,
    /// Share of them that were of held files; null without reads.
    hit_ratio: Option<f64>,
    /// Mean of the times that the server logged for them, microseconds; null where it logs none.
    mean_us: Option<f64>,
    /// Bytes of files that were not held before.
    moved_bytes: u64,
    /// What holding has saved beside the page cache alone; null before the first interval with reads.
    saving: Option<SavingValue>,
    /// Requests that nothing was learnt from, by reason.
    passed_over: PassedOver,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct PassedOver {
    /// Their client had had its share of the site's requests: `client_share` of the site.
    client_share: u64,
    /// Too many names were new in one interval.
    new_names: u64,
}

impl Served {
    fn of(tally: ReadCounts, saving: Option<Saving>) -> Self {
        Self {
            saving: saving.map(|saving| SavingValue::of(&saving, &tally)),
            reads: tally.reads,
            hit_ratio: tally.hit_ratio(),
            mean_us: tally.mean_us(),
            moved_bytes: tally.moved_bytes,
            passed_over: PassedOver {
                client_share: tally.beyond_share,
                new_names: tally.beyond_names,
            },
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct SiteValue<'a> {
    /// Its name.
    pub(crate) site: &'a str,
    /// Files that are held: a living process has them locked, or their copies are served.
    pub(crate) held: Tally,
    /// Files of the plan that are not held.
    left_out: u64,
    /// Null unless `hotset run` follows the site.
    last_interval: Option<Served>,
    /// Null unless `hotset run` follows the site.
    since_start: Option<Served>,
}

impl<'a> StatusView<'a> {
    fn state(&self) -> State {
        match &self.status.state {
            None if self.status.is_placing => State::Placing,
            None => State::Released,
            Some(_) if self.status.is_sound() => State::Held,
            Some(_) => State::Degraded,
        }
    }

    pub(crate) fn sites(&self) -> Vec<SiteValue<'a>> {
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
            SiteValue {
                last_interval: figures.map(|it| Served::of(it.last, it.saving.map(|it| it.last))),
                since_start: figures.map(|it| Served::of(it.all, it.saving.map(|it| it.all))),
                site,
                left_out: left_out.count() as u64,
                held: held(self.status.held_files().filter(|file| file.site == site)),
            }
        };
        names.into_iter().map(site).collect()
    }

    fn memory(&self) -> Memory {
        let state = self.status.state.as_ref();
        Memory {
            held_bytes: self.status.held_bytes,
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
            State::Released => "Nothing is held.".to_owned(),
            State::Placing => {
                "Files are being placed; none is called held before all are.".to_owned()
            }
            State::Held => format!("All is held as it should be: {memory}."),
            State::Degraded => match self.left_out() {
                Some(files) => format!("Nothing is held: {files} left out."),
                None => format!("Not all is held as it should be: {memory}."),
            },
        }
    }

    /// The files of a plan of which each is left out, counted.
    fn left_out(&self) -> Option<String> {
        let files = &self.status.state.as_ref()?.files;
        let is_left_out = |file: &FileState| file.status.identity().is_none();
        let is_none = !files.is_empty() && files.iter().all(is_left_out);
        is_none.then(|| number::counted(files.len() as u64, "file is", "files are"))
    }

    pub(crate) fn site_table(&self) -> impl Into<Table> {
        let last = |it: &SiteValue, words: fn(&Served) -> Option<String>| {
            let last = it.last_interval.as_ref();
            last.and_then(words).unwrap_or_default()
        };
        let table = Table::of(self.sites())
            .text("site", |it| it.site)
            .count("files", |it| it.held.objects)
            .figure("held", |it| number::bytes(it.held.bytes))
            .count("left out", |it| it.left_out);
        match self.running() {
            None => table,
            Some(_) => table
                .figure("reads", |it| last(it, |it| Some(number::count(it.reads))))
                .figure("hit ratio", |it| {
                    last(it, |it| it.hit_ratio.map(number::percent))
                })
                .leading()
                .figure("mean", |it| last(it, |it| it.mean_us.map(number::duration))),
        }
    }

    /// What a daemon that runs has told.
    fn running(&self) -> Option<&'a RunStatus> {
        self.daemon.filter(|daemon| daemon.is_alive())
    }

    fn daemon_value(&self) -> Option<DaemonValue> {
        let daemon = self.daemon?;
        let is_alive = daemon.is_alive();
        // What a dead process has told is not repeated.
        let figures = self.running().map(|daemon| daemon.figures.clone());
        let figures = figures.unwrap_or_default();
        let savings = figures.savings.as_ref();
        let (last, all) = (
            savings.map(|it| it.total.last),
            savings.map(|it| it.total.all),
        );
        Some(DaemonValue {
            followed_share: savings.map(|it| it.followed_share),
            holding_pays: savings.and_then(|it| it.payoff.pays),
            pid: daemon.process.pid,
            is_alive,
            interval_seconds: daemon.interval.as_secs_f64(),
            told_ms: daemon.time_ms,
            predicted_hit_ratio: figures.predicted_hit_ratio,
            last_interval: Served::of(figures.last(), last),
            since_start: Served::of(figures.all(), all),
            of_other_sites: figures.of_other_sites,
        })
    }

    /// What the daemon has come to. That it is dead is a fault.
    fn of_the_daemon(&self) -> Option<String> {
        let daemon = self.running()?;
        let (last, all) = (daemon.figures.last(), daemon.figures.all());
        let Some(hit_ratio) = last.hit_ratio() else {
            return Some(format!(
                "`hotset run` follows the logs. {}",
                without_reads(daemon)
            ));
        };
        let mean = last.mean_us().map_or_else(String::new, |mean_us| {
            format!(" The server took {} on average.", number::duration(mean_us))
        });
        Some(format!(
            "In the last interval {} of {} were of held files; since the start {} of {}.{mean} {} were moved into memory since the start.",
            number::percent(hit_ratio),
            number::counted(last.reads, "file read", "file reads"),
            all.hit_ratio().map_or_else(String::new, number::percent),
            number::count(all.reads),
            number::bytes(all.moved_bytes),
        ))
    }

    /// What a daemon that runs says of what it has saved.
    pub(crate) fn saving(&self) -> Option<SavingWords<'a>> {
        SavingWords::of(&self.running()?.figures)
    }

    /// Requests that nothing is learnt from, each reason with what lifts it.
    pub(crate) fn passed_over(&self) -> Vec<String> {
        let Some(daemon) = self.running() else {
            return Vec::new();
        };
        let line = |of: String, requests: u64, why: &str| {
            let requests = number::counted(requests, "request", "requests");
            format!("{requests} {of}: {why}.")
        };
        let of_site = |site: &SiteFigures| {
            let of = format!("of {} in the last interval", site.site);
            let reasons = [
                (site.last.beyond_share, BEYOND_SHARE),
                (site.last.beyond_names, BEYOND_NAMES),
            ];
            let reasons = reasons.into_iter().filter(|(requests, _)| *requests > 0);
            let lines = reasons.map(|(requests, why)| line(of.clone(), requests, why));
            lines.collect::<Vec<_>>()
        };
        let others = Some(daemon.figures.of_other_sites).filter(|others| *others > 0);
        let others =
            others.map(|others| line("since the start".to_owned(), others, OF_OTHER_SITES));
        let sites = daemon.figures.sites.iter().flat_map(of_site);
        sites.chain(others).collect()
    }

    fn problems(&self) -> impl Into<Table> {
        Table::of(self.status.problems.iter().take(SHOWN_FILES))
            .text("site", |it| &it.site)
            .flexible("file", |it| {
                String::from_utf8_lossy(&it.path.0).into_owned()
            })
            .flexible("problem", |it| &it.problem)
    }
}

impl View for StatusView<'_> {
    /// Whether all is held, by site, and what is not.
    fn document(&self) -> Document<'_> {
        let problems = match self.status.problems.len() {
            count if count > SHOWN_FILES => {
                format!("Problems, {SHOWN_FILES} of {}", number::count(count as u64))
            }
            _ => "Problems".to_owned(),
        };
        let mut to = Document::new(self.headline(), Tone::Strong);
        let saving = self.saving();
        to.sentence(self.of_the_daemon())
            .sentence(saving.as_ref().map(SavingWords::saved))
            .sentence(saving.as_ref().and_then(SavingWords::warning))
            .lines("Faults", &self.status.faults)
            .lines("Requests that nothing is learnt from", &self.passed_over());
        to.table(move |_| self.site_table()).heading("Sites");
        if let Some(saving) = saving {
            to.table(move |_| saving.table())
                .heading("What holding has saved, predicted");
        }
        to.table(move |_| self.problems()).heading(problems);
        to
    }

    fn value(&self) -> impl Json {
        let daemon = self.running();
        let last = daemon.map(|daemon| daemon.figures.last());
        Value {
            state: self.state(),
            placer: self.status.state.as_ref().map(|state| state.placer),
            sites: self.sites(),
            memory: self.memory(),
            problems: &self.status.problems,
            faults: &self.status.faults,
            hit_ratio: last.and_then(|last| last.hit_ratio()),
            mean_us: last.and_then(|last| last.mean_us()),
            moved_bytes: daemon.map(|daemon| daemon.figures.all().moved_bytes),
            staleness_ms: (self.status.state.as_ref()).and_then(|state| state.staleness_ms),
            daemon: self.daemon_value(),
        }
    }
}

/// Why a daemon that runs knows of no read.
pub(crate) fn without_reads(daemon: &RunStatus) -> String {
    match daemon.figures.history.is_empty() {
        true => format!(
            "Files are chosen every {}, for the first time when the first of these intervals is over.",
            number::duration(daemon.interval.as_secs_f64() * 1e6)
        ),
        false => "No file was read yet.".to_owned(),
    }
}
