//! D chapter 7, once more: hotset's model of a parallel file system beside one that runs today, where the document has its own beside PVFS 1.

use std::collections::BTreeMap;
use std::path::Path;

use hotset_lab::{Control, LabError};
use hotset_models::fio::{JobFile, SimulationError, System, simulate_parallel};
use hotset_models::remote::pvfs::{ClientKind, PvfsSystem};
use hotset_scenario::Profile;
use serde::{Deserialize, Serialize};

use crate::ExperimentError;
use crate::quantile::median;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::published_table::{PublishedRow, PublishedTable};
use crate::reproduce::sources::Sources;
use crate::reproduce::turns::in_turns;

/// OrangeFS by record and clients.
pub(super) struct OnOrangeFs;

const NAME: &str = "cpn-orangefs";
/// It is simulated where the documents' machines are, as it takes a while.
const WITH: &str = "documents/d-raid5.toml";
/// All is in memory, of which this profile has the costs.
const PROFILE: &str = "nvme";
/// A client's file has so many records, and at least so many bytes. More take longer and say the same.
const RECORDS: u64 = 4;
const LEAST_BYTES: u64 = 1 << 20;
/// Runs that differ by more than this do not count.
const SPREAD: f64 = 1.5;
/// "within 20%", with one client to six (D §7.3.1 to §7.3.6).
const WITHIN: f64 = 20.0;
const CLIENTS: usize = 6;
const SECTIONS: &str = "D §7.3.1 to §7.3.6";
/// Reads are further off at the "last two points at large block sizes" (§7.3.5): here those of this size and more.
const LARGEST_BYTES: u64 = 4 << 20;
/// Writes are at the "two data points at smallest block sizes" (§7.3.4): here those of this size and less.
const SMALLEST_BYTES: u64 = 8 << 10;
/// "All points, except the last one, are within or very close", and of writes "the majority" (§7.3.1): so many of a hundred.
const MOST: f64 = 75.0;

/// MB/s of all clients, by operation, record and clients.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Rates(BTreeMap<String, f64>);

/// What clients do.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    operation: String,
    record_bytes: u64,
    clients: usize,
}

impl DocumentStudy for OnOrangeFs {
    fn name(&self) -> &'static str {
        NAME
    }

    fn title(&self) -> &'static str {
        "Throughput of OrangeFS 2.10 with one client to eight, MB/s of all together"
    }

    fn section(&self) -> &'static str {
        "D ch. 7"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "The document validates its model of PVFS with figures that it only draws. Here is hotset's model beside OrangeFS, which PVFS has become, on another machine",
            "Measured on the loopback interface of two processors, reads warm in the servers' memory: the mean of the best and the worst run. Cells whose runs differ by more than half have no error",
            "The machine had other work: half of its processors were left, by what the least and the median read and write took. That was brought in when the throughputs had been seen",
            "Costs follow from what reads of 4 KB, 64 KB and 1 MB of one client took, so those three rows with one client are inputs and have no error. Those of writes follow from the least latencies of writes and creates",
            "When the throughputs had been seen, three things were added that OrangeFS' sources tell: buffers of a flow cost and not the flow, the client's library has no threads, and servers note that files grow",
        ]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let table = PublishedTable::of(include_str!("../published/orangefs-throughput.csv"));
        let places: Vec<Place> = table.rows().filter_map(Place::of).collect();
        let simulated = sources.simulated(NAME, WITH, |_, control| rates(&places, control));
        let Some(Rates(rates)) = simulated else {
            return Vec::new();
        };
        let cells = table.rows().filter_map(|row| {
            let place = Place::of(row)?;
            let (best, worst) = (row.figure("best")?, row.figure("worst")?);
            let simulated = rates.get(&place.key()).copied();
            let measured = f64::midpoint(best, worst);
            let counts = best <= SPREAD * worst && !place.is_input();
            let error = simulated.map(|it| 100.0 * (it / measured - 1.0));
            let cell = ReproducedCell::new(place.row(), place.column(), None);
            Some(
                cell.simulated(simulated)
                    .measured(Some(measured))
                    .off_by(error.filter(|_| counts)),
            )
        });
        cells.collect()
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let of = |operation: &str, records: &str, text: &str| {
            let errors = errors(cells, operation);
            let within = errors.iter().filter(|it| it.abs() <= WITHIN).count();
            let share = 100.0 * within as f64 / errors.len().max(1) as f64;
            DocumentClaim::new(
                text,
                SECTIONS,
                (!errors.is_empty()).then_some(share >= MOST),
                match median(errors.iter().map(|it| it.abs())) {
                    None => "Not simulated.".to_owned(),
                    Some(middle) => format!(
                        "Of hotset's model beside OrangeFS: {within} of {} figures with up to six clients and records {records} are, and {middle:.0} % is the median.",
                        errors.len()
                    ),
                },
            )
        };
        vec![
            of(
                "read",
                "below 4 MB",
                "simulated reads of a parallel file system are within 20 % of measured ones up to six clients, but for the largest blocks",
            ),
            of(
                "write",
                "above 8 KB",
                "simulated writes of a parallel file system are within 20 % of measured ones up to six clients, but for the smallest blocks",
            ),
        ]
    }
}

/// Errors of an operation with as many clients and such records as the document speaks of.
fn errors(cells: &[ReproducedCell], operation: &str) -> Vec<f64> {
    let table = PublishedTable::of(include_str!("../published/orangefs-throughput.csv"));
    let places = table
        .rows()
        .filter_map(Place::of)
        .filter(|place| place.operation == operation && place.is_claimed_near());
    let found = places.filter_map(|place| {
        let (row, column) = (place.row(), place.column());
        let mut cells = cells.iter();
        let cell = cells.find(|cell| cell.row == row && cell.column == column);
        cell?.error_percent
    });
    found.collect()
}

impl Place {
    fn of(row: PublishedRow<'_>) -> Option<Self> {
        Some(Self {
            operation: row.text("operation").to_owned(),
            record_bytes: row.text("record_bytes").parse().ok()?,
            clients: row.text("clients").parse().ok()?,
        })
    }

    fn key(&self) -> String {
        format!("{}-{}-{}", self.operation, self.record_bytes, self.clients)
    }

    fn row(&self) -> String {
        match self.record_bytes {
            bytes if bytes >= 1 << 20 => format!("{} records of {}m", self.operation, bytes >> 20),
            bytes => format!("{} records of {}k", self.operation, bytes >> 10),
        }
    }

    fn column(&self) -> String {
        match self.clients {
            1 => "1 client".to_owned(),
            clients => format!("{clients} clients"),
        }
    }

    /// Whether the document says that what it simulates of such a place is near.
    fn is_claimed_near(&self) -> bool {
        let has_such_records = match self.operation.as_str() {
            "write" => self.record_bytes > SMALLEST_BYTES,
            _ => self.record_bytes < LARGEST_BYTES,
        };
        has_such_records && self.clients <= CLIENTS
    }

    /// Whether costs are made of it.
    fn is_input(&self) -> bool {
        let of_costs = [4 << 10, 64 << 10, 1 << 20].contains(&self.record_bytes);
        self.operation == "read" && self.clients == 1 && of_costs
    }

    /// MB/s of all clients.
    fn simulated(&self, profile: &Profile, control: &dyn Control) -> Result<f64, ExperimentError> {
        let size = (self.record_bytes * RECORDS).max(LEAST_BYTES);
        let job = format!(
            "[job]\nrw={}\nbs={}\nsize={size}\n",
            self.operation, self.record_bytes
        );
        let unusable = |why: String| ExperimentError::Unusable(format!("{NAME}: {why}"));
        let file = JobFile::parse(&job, Path::new(NAME));
        let jobs = file.map_err(|error| unusable(error.to_string()))?.jobs;
        let system = System {
            profile,
            memory_bytes: None,
            seed: 1,
        };
        let clients = (ClientKind::Library, self.clients);
        let place = PvfsSystem::as_measured(profile, clients, share_left());
        let goes_on = || !control.interrupted();
        let results = simulate_parallel(&jobs, &system, &place, &goes_on);
        let results = results.map_err(|error| match error {
            SimulationError::Interrupted => ExperimentError::Lab(LabError::Interrupted),
            error => error.into(),
        })?;
        Ok(results.iter().map(|it| it.bytes_per_s).sum::<f64>() / 1e6)
    }
}

/// How much of the processors other work left: the median over operations of what the least one took of the median one.
fn share_left() -> f64 {
    let table = PublishedTable::of(include_str!("../published/orangefs-latency.csv"));
    let ratios = table.rows().filter_map(|row| {
        let (least, usual) = (row.figure("least_us")?, row.figure("median_us")?);
        Some(least / usual)
    });
    median(ratios).unwrap_or(1.0)
}

/// The rates of all places.
fn rates(places: &[Place], control: &dyn Control) -> Result<Rates, ExperimentError> {
    let profile = Profile::named_or_file(PROFILE);
    let profile = profile.map_err(|error| ExperimentError::Unusable(error.to_string()))?;
    let simulated = in_turns(places, |place| place.simulated(&profile, control));
    let mut rates = BTreeMap::new();
    for (place, rate) in places.iter().zip(simulated) {
        if let Some(rate) = rate {
            rates.insert(place.key(), rate?);
        }
    }
    Ok(Rates(rates))
}
