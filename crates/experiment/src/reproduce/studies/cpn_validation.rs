//! D chapter 5: how far the simulated file system is from the real one.

use serde_json::Value;

use super::benches::{job, mb_per_s, on_disks};
use crate::Axis;
use crate::quantile::median;
use crate::reproduce::bench::Bench;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::plain_study::{Contradiction, contradictions};
use crate::reproduce::predictions::PointPrediction;
use crate::reproduce::published_table::PublishedTable;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// The validation: the document's error on its machine, and hotset's on machines here.
pub(super) struct Validation;

/// Column of the errors.
const ERROR: &str = "error, percent";

/// Column of what is simulated on the document's machine beside what was measured there.
const ON_THEIRS: &str = "throughput on D's machine, KB/s";
/// Categories of which the document prints what it measured of requests that it describes: the table, and the job that stands for it.
const MEASURED_THERE: [(&str, &str, &str, &str); 3] = [
    ("random reads", "5", "randread", ""),
    ("random writes", "6", "randwrite", ""),
    ("random writes, synchronous", "11", "randwrite", "sync=1\n"),
];

/// The document's file system, and the one that is taken where it was not measured.
const STORES: [&str; 2] = ["ext3", "ext4"];

/// A category of the validation.
struct Category {
    name: &'static str,
    theirs: Theirs,
    ours: Option<Ours>,
    /// What the text says of it: within so many percent, where, and in words.
    claim: Option<(f64, &'static str, &'static str)>,
}

/// The document's error.
enum Theirs {
    /// Of this table and case.
    Case(&'static str, &'static str),
    /// What the text says of a figure that is only drawn: bounds, in a sentence.
    Said(&'static str),
}

/// Jobs whose simulation is compared with what was measured here.
struct Ours {
    experiment: KnownExperiment,
    operation: &'static str,
    /// How the jobs' names begin.
    jobs: &'static [&'static str],
}

const READS: &str = "read";
const WRITES: &str = "write";
const ALL: &[&str] = &[""];
/// Where most claims are.
const SUMMARY: &str = "D §5.9";

const SEQUENTIAL_READS: Ours = Ours {
    experiment: known_experiment!("local-read-sequential/experiment.toml"),
    operation: READS,
    jobs: &["uncached", "cached"],
};
const SEQUENTIAL_WRITES: Ours = Ours {
    experiment: known_experiment!("local-write-sequential/experiment.toml"),
    operation: WRITES,
    jobs: ALL,
};
const RANDOM_READS: Ours = Ours {
    experiment: known_experiment!("local-read-random/experiment.toml"),
    operation: READS,
    jobs: &["uncached", "cached", "direct"],
};
const RANDOM_WRITES: Ours = Ours {
    experiment: known_experiment!("local-write-random/experiment.toml"),
    operation: WRITES,
    jobs: &["random"],
};
const TRACE_READS: Ours = Ours {
    experiment: known_experiment!("local-read-trace/experiment.toml"),
    operation: READS,
    jobs: &["cold", "warm"],
};
const DIRTY_LIMIT: Ours = Ours {
    experiment: known_experiment!("local-write-dirty-limit/experiment.toml"),
    operation: WRITES,
    jobs: ALL,
};
const JOURNAL: KnownExperiment = known_experiment!("local-write-data-journal/experiment.toml");
const SYNCHRONOUS: KnownExperiment = known_experiment!("local-write-synchronous/experiment.toml");

static CATEGORIES: [Category; 17] = [
    Category {
        name: "sequential reads by block size",
        theirs: Theirs::Said(
            "Sequential reads are within 10 % at most points, or very close (§5.3)",
        ),
        ours: Some(SEQUENTIAL_READS),
        claim: Some((
            10.0,
            SUMMARY,
            "sequential reads are simulated within 10 % in most cases",
        )),
    },
    Category {
        name: "sequential writes by block size",
        theirs: Theirs::Said(
            "Sequential writes are underestimated at all points, within 10 % or very close (§5.3)",
        ),
        ours: Some(SEQUENTIAL_WRITES),
        claim: Some((
            10.0,
            SUMMARY,
            "sequential writes are simulated within 10 % in most cases",
        )),
    },
    Category {
        name: "random reads",
        theirs: Theirs::Case("5", "random"),
        ours: Some(RANDOM_READS),
        claim: Some((20.0, SUMMARY, "random reads are simulated within 20 %")),
    },
    Category {
        name: "random writes",
        theirs: Theirs::Case("6", "random"),
        ours: Some(RANDOM_WRITES),
        claim: Some((35.0, SUMMARY, "random writes are simulated within 35 %")),
    },
    Category {
        name: "reads of trace 1",
        theirs: Theirs::Case("7", "trace 1"),
        ours: Some(TRACE_READS),
        claim: Some((
            20.0,
            SUMMARY,
            "reads of captured traces are simulated within 20 % in most cases",
        )),
    },
    category("reads of trace 2", Theirs::Case("7", "trace 2")),
    category("writes of trace 1", Theirs::Case("8", "trace 1")),
    category("writes of trace 2", Theirs::Case("8", "trace 2")),
    Category {
        name: "sequential writes by dirty ratio",
        theirs: Theirs::Said(
            "By dirty ratio writes are underestimated at all points, by 10 to 20 % (§5.6)",
        ),
        ours: Some(DIRTY_LIMIT),
        claim: Some((
            20.0,
            "D §5.6",
            "writes by dirty ratio are simulated within 20 %",
        )),
    },
    Category {
        name: "sequential writes, data in the journal",
        theirs: Theirs::Said(
            "Sequential writes with data in the journal are off by close to 10 % (§5.7)",
        ),
        ours: Some(of(JOURNAL, &["sequential"])),
        claim: None,
    },
    Category {
        name: "random writes, data in the journal",
        theirs: Theirs::Case("9", "random"),
        ours: Some(of(JOURNAL, &["random"])),
        claim: None,
    },
    Category {
        name: "writes of trace 1, data in the journal",
        theirs: Theirs::Case("10", "trace 1"),
        ours: Some(of(JOURNAL, &["log"])),
        claim: None,
    },
    category(
        "writes of trace 2, data in the journal",
        Theirs::Case("10", "trace 2"),
    ),
    Category {
        name: "sequential writes, synchronous",
        theirs: Theirs::Said(
            "Sequential synchronous writes are off by more than 10 % at several points (§5.8)",
        ),
        ours: Some(of(SYNCHRONOUS, &["sync-4k", "sync-16k", "sync-64k"])),
        claim: None,
    },
    Category {
        name: "random writes, synchronous",
        theirs: Theirs::Case("11", "random"),
        ours: Some(of(SYNCHRONOUS, &["sync-random"])),
        claim: Some((
            24.0,
            SUMMARY,
            "random synchronous writes are simulated within about 24 %",
        )),
    },
    category(
        "writes of trace 1, synchronous",
        Theirs::Case("12", "trace 1"),
    ),
    category(
        "writes of trace 2, synchronous",
        Theirs::Case("12", "trace 2"),
    ),
];

/// One of which nothing is measured here.
const fn category(name: &'static str, theirs: Theirs) -> Category {
    Category {
        name,
        theirs,
        ours: None,
        claim: None,
    }
}

/// Jobs of an experiment that write.
const fn of(experiment: KnownExperiment, jobs: &'static [&'static str]) -> Ours {
    Ours {
        experiment,
        operation: WRITES,
        jobs,
    }
}

const CONTRADICTIONS: [Contradiction; 1] = [Contradiction {
    passages: [
        "The benchmark is called iotop (§5.3, §5.8)",
        "the same benchmark is called iozone (§5.5, §5.7)",
    ],
    section: "D ch. 5",
    why: "iotop shows what processes do, and measures nothing itself: iozone is meant.",
}];

impl DocumentStudy for Validation {
    fn name(&self) -> &'static str {
        "cpn-validation"
    }

    fn title(&self) -> &'static str {
        "How far simulated throughput is from measured throughput, by kind of job"
    }

    fn section(&self) -> &'static str {
        "D tables 5 to 12, figures 31 to 40"
    }

    fn notes(&self) -> Vec<&'static str> {
        let mut notes = vec![
            "Published is the document's error on its machine, simulated is that of hotset on machines here: the median of the jobs' errors. Of what the document only draws the text has bounds, and nothing is published",
            "An error above 0 says that more was simulated than measured",
            "`throughput on D's machine` is what the document measured, beside a simulation of its machine (experiments/documents): 8 KB at random in a file of 64 MB, without the fsync at the end. The document does not say how large its file was",
            "There is one captured trace here, whose reads stand beside those of trace 1",
        ];
        notes.extend(CATEGORIES.iter().filter_map(|it| it.theirs.said()));
        notes
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        let mut all: Vec<KnownExperiment> = Vec::new();
        for ours in CATEGORIES.iter().filter_map(|it| it.ours.as_ref()) {
            if !all.iter().any(|it| it.file == ours.experiment.file) {
                all.push(ours.experiment);
            }
        }
        all
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let predictions: Vec<(&str, Vec<PointPrediction>)> = self
            .experiments()
            .into_iter()
            .map(|it| (it.file, sources.predictions(it)))
            .collect();
        let table = PublishedTable::of(include_str!("../published/cpn-validation.csv"));
        let cell = |category: &Category| {
            let ours = category.ours.as_ref().and_then(|ours| {
                let mut known = predictions.iter();
                let (_, points) = known.find(|(file, _)| *file == ours.experiment.file)?;
                ours.error(points)
            });
            let theirs = category.theirs.percent(&table);
            ReproducedCell::new(category.name, ERROR, theirs)
                .simulated(ours)
                .off_by(ours)
        };
        let mut cells: Vec<ReproducedCell> = CATEGORIES.iter().map(cell).collect();
        cells.retain(|cell| cell.published.or(cell.simulated).is_some());
        cells.extend(on_their_machine(&table, sources));
        cells
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let claims = CATEGORIES.iter().filter_map(|category| {
            let mut cells = cells.iter();
            let cell = cells.find(|it| it.row == category.name && it.column == ERROR);
            Some(within(category.claim?, cell))
        });
        let mut claims: Vec<DocumentClaim> = claims.collect();
        claims.extend(contradictions(&CONTRADICTIONS));
        claims
    }
}

/// What the document measured of its machine, and what is simulated of it.
fn on_their_machine(table: &PublishedTable, sources: &Sources) -> Vec<ReproducedCell> {
    let bench = |(name, _, mode, sync): (&str, &str, &str, &str)| {
        let name = name.replace([' ', ','], "-");
        let jobs = format!("{}{sync}", job(mode, "64m", "8k"));
        on_disks(&format!("single-{name}"), "documents/d-single.toml", jobs)
    };
    let benches: Vec<Bench> = MEASURED_THERE.into_iter().map(bench).collect();
    let figures = sources.benches(&benches);
    let cells = MEASURED_THERE.into_iter().zip(&benches);
    let cells = cells.map(|((name, number, ..), bench)| {
        let mut rows = table.rows();
        let row = rows.find(|row| row.name() == number && row.text("case") == "random");
        let measured = row.and_then(|row| row.figure("measured"));
        // The document's KB are 1024 bytes.
        let simulated = mb_per_s(&figures, &bench.name, "job").map(|mb| mb * 1e6 / 1024.0);
        ReproducedCell::new(name, ON_THEIRS, measured).simulated(simulated)
    });
    cells.collect()
}

impl Theirs {
    /// What the text says of it where it prints no error.
    fn said(&self) -> Option<&'static str> {
        match *self {
            Self::Said(text) => Some(text),
            Self::Case(..) => None,
        }
    }

    /// The error with its sign, which the tables print without.
    fn percent(&self, table: &PublishedTable) -> Option<f64> {
        match *self {
            Self::Said(_) => None,
            Self::Case(number, case) => {
                let mut rows = table.rows();
                let row = rows.find(|row| row.name() == number && row.text("case") == case)?;
                let ratio = row.figure("simulated")? / row.figure("measured")?;
                Some(100.0 * (ratio - 1.0))
            }
        }
    }
}

impl Ours {
    /// Median of the jobs' errors of throughput, on the document's file system if it was measured.
    fn error(&self, points: &[PointPrediction]) -> Option<f64> {
        let on = |store: &str| points.iter().find(|it| it.point.on(Axis::Store) == store);
        let point = STORES.into_iter().find_map(on)?;
        let figures = point.prediction.get("cells")?.as_array()?;
        let own = figures.iter().filter(|it| self.is_of(it));
        median(own.filter_map(|it| it.get("error_percent")?.as_f64()))
    }

    /// Whether a figure is the throughput of one of the jobs.
    fn is_of(&self, figure: &Value) -> bool {
        let text = |key: &str| figure.get(key).and_then(Value::as_str).unwrap_or_default();
        let job = text("job");
        text("metric") == "bytes_per_s"
            && text("operation") == self.operation
            && self.jobs.iter().any(|begins| job.starts_with(begins))
    }
}

/// Whether the error is within a bound here too.
fn within(
    (bound, section, text): (f64, &str, &str),
    cell: Option<&ReproducedCell>,
) -> DocumentClaim {
    let ours = cell.and_then(|cell| cell.simulated);
    let theirs = cell.and_then(|cell| cell.published);
    let theirs = theirs.map_or_else(String::new, |error| {
        format!("; the document's is {error:+.0} %")
    });
    DocumentClaim::new(
        text,
        section,
        ours.map(|error| error.abs() <= bound),
        ours.map_or_else(
            || format!("The error here is not measured yet{theirs}."),
            |error| format!("The error here is {error:+.1} % in the median{theirs}."),
        ),
    )
}
