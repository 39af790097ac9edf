//! A tables 4 to 6: files of one size through the data-centre of A, with each file system, cached and not.

use std::collections::BTreeMap;

use super::centres_of_a::{self, Clients, FILE_SYSTEMS, Published, Switch};
use super::{file_systems, tr65_table2};
use crate::reproduce::asked::Asked;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::centre::{Centre, CentreFigures};
use crate::reproduce::sources::Sources;

/// A row of one of these tables.
pub(super) struct ServedRow {
    /// Its name on the page.
    pub name: String,
    /// Size of the files, as `4K`.
    pub size: &'static str,
    /// Whether they are in memory.
    pub is_cached: bool,
    /// Who asks.
    pub clients: Clients,
}

/// A figure of what came of a data-centre.
pub(super) type Figure = fn(&CentreFigures) -> Option<f64>;

/// Simulated data-centres of some rows, by their names.
pub(super) struct ServedFiles {
    figures: BTreeMap<String, CentreFigures>,
    figure: Figure,
}

impl ServedFiles {
    /// Those of all rows, of which this figure is shown.
    pub fn of(rows: &[ServedRow], sources: &Sources, figure: Figure) -> Self {
        let centres: Vec<Centre> = rows.iter().flat_map(ServedRow::centres).collect();
        Self {
            figures: sources.centres(&centres),
            figure,
        }
    }

    /// The cells of a row, each with what was measured.
    pub fn cells(
        &self,
        row: &ServedRow,
        published: impl Fn(&str) -> Option<f64>,
        measured: impl Fn(&str) -> Option<f64>,
    ) -> Vec<ReproducedCell> {
        let cells = file_systems::row(&row.name, published, measured).into_iter();
        cells.map(|cell| self.with_simulated(row, cell)).collect()
    }

    fn with_simulated(&self, row: &ServedRow, cell: ReproducedCell) -> ReproducedCell {
        let Some(centre) = row.centre(&cell.column) else {
            return cell;
        };
        let simulated = self.figure_of(&centre.name);
        let switches = Switch::of(&cell.column, (row.is_cached, row.clients));
        let cause = switches.into_iter().find_map(|switch| {
            let of = (cell.column.as_str(), row.clients);
            let switched = self.figure_of(&switch.put_in(&centre, of).name)?;
            let published = Published {
                figure: cell.published?,
                bare_us: row.bare_us(&cell.column),
            };
            switch.cause(published, simulated?, switched)
        });
        cell.simulated(simulated).explained(cause.as_deref())
    }

    fn figure_of(&self, centre: &str) -> Option<f64> {
        (self.figure)(self.figures.get(centre)?)
    }
}

impl ServedRow {
    /// The data-centre with a file system; nothing with one that the document does not have.
    fn centre(&self, file_system: &str) -> Option<Centre> {
        let is_known = FILE_SYSTEMS.contains(&file_system);
        let state = match self.is_cached {
            true => "cached",
            false => "uncached",
        };
        let clients = match self.clients {
            Clients::One => "one",
            Clients::All => "all",
        };
        let name = format!("a-{file_system}-{state}-{}-{clients}", self.size);
        let asked = (self.clients, self.asked(file_system));
        is_known.then(|| centres_of_a::centre(name, file_system, asked))
    }

    /// With each file system, and with what may be the cause of an error.
    fn centres(&self) -> Vec<Centre> {
        let mut all = Vec::new();
        for file_system in FILE_SYSTEMS {
            let Some(centre) = self.centre(file_system) else {
                continue;
            };
            let switches = Switch::of(file_system, (self.is_cached, self.clients));
            let of = (file_system, self.clients);
            all.extend(
                switches
                    .into_iter()
                    .map(|switch| switch.put_in(&centre, of)),
            );
            all.push(centre);
        }
        all
    }

    /// What opening and reading take by themselves by A table 2, where one response is waited for.
    fn bare_us(&self, file_system: &str) -> Option<f64> {
        match self.clients {
            Clients::One => tr65_table2::bare_us(file_system, self.is_cached, bytes(self.size)),
            Clients::All => None,
        }
    }

    fn asked(&self, file_system: &str) -> Asked {
        let bytes = bytes(self.size);
        // Many times as many as there are clients.
        let requests = match self.clients {
            Clients::One => 200,
            Clients::All => 2000,
        };
        match (self.is_cached, self.clients) {
            (true, Clients::One) => Asked::OneFile { bytes, requests },
            // Twice as many files as clients.
            (true, Clients::All) => Asked::OneEach {
                bytes,
                files: 128,
                requests,
            },
            (false, _) => Asked::EachOnce {
                bytes,
                files: requests,
                cached_percent: 0,
                disks: centres_of_a::disks(file_system),
            },
        }
    }
}

/// A size as the documents write it: `4K`, `1M`.
fn bytes(size: &str) -> u64 {
    let (number, unit) = match size.strip_suffix('M') {
        Some(number) => (number, 1 << 20),
        None => (size.trim_end_matches('K'), 1 << 10),
    };
    number.parse::<u64>().unwrap_or_default() * unit
}
