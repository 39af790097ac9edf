//! `hotset status`.

use hotset_live::{FileState, PlacerKind, Status};
use hotset_scenario::FilePath;
use serde::Serialize;

use crate::apply::Amount;
use crate::terminal::{paragraph, section, sections, wrapped};
use crate::{Column, Style, Table, View, json, number, printable};

/// Rows of a list of files that people are shown.
const SHOWN_FILES: usize = 10;

/// What is held now, and what is wrong with it.
pub struct StatusView<'a>(pub &'a Status);

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    state: &'static str,
    placer: Option<PlacerKind>,
    sites: Vec<SiteDocument<'a>>,
    memory: Memory,
    problems: Vec<ProblemDocument<'a>>,
    faults: &'a [String],
}

#[derive(Serialize)]
struct SiteDocument<'a> {
    site: &'a str,
    held: Amount,
    left_out: u64,
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

impl<'a> StatusView<'a> {
    /// `held`: as it should be; `degraded`: in part; `placing`: not yet; `released`: nothing is held.
    fn state(&self) -> &'static str {
        match &self.0.state {
            None if self.0.is_placing => "placing",
            None => "released",
            Some(_) if self.0.is_sound() => "held",
            Some(_) => "degraded",
        }
    }

    fn sites(&self) -> Vec<SiteDocument<'a>> {
        let files = self.0.state.as_ref().map_or(&[][..], |state| &state.files);
        let mut names: Vec<&str> = files.iter().map(|file| file.site.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let site = |site: &'a str| {
            let of_site: Vec<&FileState> = files.iter().filter(|file| file.site == site).collect();
            let left_out = of_site
                .iter()
                .filter(|file| file.status.identity().is_none());
            SiteDocument {
                site,
                left_out: left_out.count() as u64,
                held: Amount::held(of_site.iter().copied()),
            }
        };
        names.into_iter().map(site).collect()
    }

    fn memory(&self) -> Memory {
        let state = self.0.state.as_ref();
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

    fn site_table(&self) -> Table {
        let mut table = Table::new([
            Column::text("site"),
            Column::number("files"),
            Column::number("held"),
            Column::number("left out"),
        ]);
        for site in self.sites() {
            table.row([
                site.site,
                &number::count(site.held.objects),
                &number::bytes(site.held.bytes),
                &number::count(site.left_out),
            ]);
        }
        table
    }

    fn problem_table(&self) -> Table {
        let mut table = Table::new([
            Column::text("site"),
            Column::flexible("file"),
            Column::flexible("problem"),
        ]);
        for problem in self.0.problems.iter().take(SHOWN_FILES) {
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
    /// Whether all is held, by site, and what is not.
    fn terminal(&self, style: Style) -> String {
        let faults: String = (self.0.faults.iter())
            .map(|fault| wrapped(fault, style))
            .collect();
        let heading = match self.0.problems.len() {
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
            section(style, "Faults", &faults),
            sections(style, tables),
        ];
        parts.concat()
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(&Document {
            state: self.state(),
            placer: self.0.state.as_ref().map(|state| state.placer),
            sites: self.sites(),
            memory: self.memory(),
            problems: (self.0.problems.iter())
                .map(|problem| ProblemDocument {
                    site: &problem.site,
                    path: &problem.path,
                    problem: &problem.problem,
                })
                .collect(),
            faults: &self.0.faults,
        })
    }
}
