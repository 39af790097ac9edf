//! Every sample of `corpus/` gives the figures stated beside it, or is refused where that is stated.
//! `corpus/README.md` says what the figures mean.

#![allow(
    clippy::print_stdout,
    reason = "the table of outcomes is for the reader of a failure"
)]

use hotset_trace::read::{ReadOptions, ReadSummary, read};
use hotset_trace::{Method, Trace};
use jiff::Timestamp;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Samples that are not read as stated yet. They may be refused, or read wrongly with a doubt stated,
/// but not misread without a word. A sample that is read as stated must leave this list.
const OUTSTANDING: &[&str] = &[];

/// Samples that are misread without a word. A sample that is refused or read as stated must leave this list.
const MISREAD: &[&str] = &[];

/// Most bytes of all samples together.
const MOST_BYTES: u64 = 600_000;

/// Whether the program says that another reading is possible: the single place to look it up.
fn doubt(summary: &ReadSummary) -> bool {
    summary.sources.iter().any(|source| source.doubt.is_some())
}

/// The options that allow guessing.
fn guessing() -> ReadOptions {
    ReadOptions {
        accepts_guess: true,
        ..ReadOptions::default()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Reading {
    #[serde(rename = "at once")]
    AtOnce,
    Guessed,
    Refused,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stated {
    source: String,
    what: String,
    reading: Reading,
    missing: Option<String>,
    format: Option<String>,
    #[serde(default)]
    doubt: bool,
    #[serde(default)]
    zoneless: bool,
    #[serde(default)]
    requests: u64,
    #[serde(default)]
    rejected: u64,
    #[serde(default)]
    hosts: Vec<String>,
    #[serde(default)]
    clients: usize,
    #[serde(default)]
    bytes: u64,
    first: Option<String>,
    last: Option<String>,
    #[serde(default)]
    methods: BTreeMap<String, u64>,
    #[serde(default)]
    statuses: BTreeMap<String, u64>,
}

struct Sample {
    folder: String,
    name: String,
    log: PathBuf,
    stated: Stated,
}

impl Sample {
    fn id(&self) -> String {
        format!("{}/{}", self.folder, self.name)
    }
}

/// What became of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// Read as stated.
    Right,
    /// Refused as stated.
    RefusedAsStated,
    /// Refused, although it can be read.
    Refused,
    /// Read wrongly, with a doubt stated.
    Warned,
    /// Read wrongly without a word.
    Misread,
}

const OUTCOMES: [(Outcome, &str); 5] = [
    (Outcome::Right, "right"),
    (Outcome::RefusedAsStated, "rightly refused"),
    (Outcome::Refused, "refused"),
    (Outcome::Warned, "warned"),
    (Outcome::Misread, "misread"),
];

impl Outcome {
    fn is_as_stated(self) -> bool {
        matches!(self, Outcome::Right | Outcome::RefusedAsStated)
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

/// All samples, sorted by folder and name.
fn samples() -> Vec<Sample> {
    let mut samples: Vec<Sample> = entries(&corpus())
        .iter()
        .filter(|path| path.is_dir())
        .flat_map(|folder| entries(folder))
        .filter(|path| path.extension().is_some_and(|it| it == "toml"))
        .map(|path| sample(&path))
        .collect();
    samples.sort_by_key(Sample::id);
    assert!(!samples.is_empty(), "no samples");
    samples
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn sample(path: &Path) -> Sample {
    let text = fs::read_to_string(path).unwrap();
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    Sample {
        folder: name(path.parent().unwrap()),
        name: name(path),
        log: path.with_extension("log"),
        stated: toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    }
}

fn read_log(log: &Path, options: &ReadOptions) -> Result<(Trace, ReadSummary), String> {
    let options = ReadOptions {
        keep_clients: true,
        ..options.clone()
    };
    read(&[log.into()], &options, &mut |_| ControlFlow::Continue(()))
        .map_err(|error| error.to_string())
}

/// What became of a sample, and how it deviates from what is stated.
fn outcome(sample: &Sample) -> (Outcome, Vec<String>) {
    let at_once = read_log(&sample.log, &ReadOptions::default());
    match (sample.stated.reading, at_once) {
        (Reading::AtOnce, Ok((trace, summary))) => compared(&sample.stated, &trace, &summary),
        (Reading::AtOnce, Err(error)) => (Outcome::Refused, vec![error]),
        (Reading::Refused, Err(error)) => match read_log(&sample.log, &guessing()) {
            Ok(_) => (Outcome::Misread, vec!["a guess is made at it".into()]),
            Err(_) => refused(sample, error),
        },
        (Reading::Guessed, Err(_)) => guessed(sample),
        (_, Ok((_, summary))) => (
            read_wrongly(&summary),
            vec![format!("read as {}", summary.sources[0].format)],
        ),
    }
}

fn read_wrongly(summary: &ReadSummary) -> Outcome {
    if doubt(summary) {
        Outcome::Warned
    } else {
        Outcome::Misread
    }
}

fn refused(sample: &Sample, error: String) -> (Outcome, Vec<String>) {
    match &sample.stated.missing {
        Some(missing) if !names(&sample.log, &error, missing) => (
            Outcome::Refused,
            vec![format!("{missing} is not named: {error}")],
        ),
        _ => (Outcome::RefusedAsStated, Vec::new()),
    }
}

/// Whether `error` names the column `missing`; the path of the log does not count.
fn names(log: &Path, error: &str, missing: &str) -> bool {
    error
        .replace(&log.display().to_string(), "")
        .split(|c: char| !c.is_alphanumeric() && c != '-')
        .any(|word| word == missing)
}

fn guessed(sample: &Sample) -> (Outcome, Vec<String>) {
    match read_log(&sample.log, &guessing()) {
        Ok((trace, summary)) => compared(&sample.stated, &trace, &summary),
        Err(error) => (Outcome::Refused, vec![error]),
    }
}

fn compared(stated: &Stated, trace: &Trace, summary: &ReadSummary) -> (Outcome, Vec<String>) {
    let deviations = deviations(stated, trace, summary);
    let outcome = if deviations.is_empty() {
        Outcome::Right
    } else {
        read_wrongly(summary)
    };
    (outcome, deviations)
}

fn deviations(stated: &Stated, trace: &Trace, summary: &ReadSummary) -> Vec<String> {
    let mut found = Vec::new();
    let mut check = |what: &str, stated: String, read: String| {
        if stated != read {
            found.push(format!("{what}: stated {stated}, read {read}"));
        }
    };
    if let Some(format) = &stated.format {
        check("format", format.clone(), summary.sources[0].format.clone());
    }
    check(
        "doubt",
        // A guess is always to be looked at.
        (stated.doubt || stated.reading == Reading::Guessed).to_string(),
        doubt(summary).to_string(),
    );
    check(
        "zoneless",
        stated.zoneless.to_string(),
        summary.sources[0].assumed_zone.is_some().to_string(),
    );
    check(
        "requests",
        stated.requests.to_string(),
        summary.requests.to_string(),
    );
    check(
        "rejected",
        stated.rejected.to_string(),
        summary.rejected_lines.to_string(),
    );
    check(
        "hosts",
        format!("{:?}", stated.hosts),
        format!("{:?}", hosts(trace)),
    );
    check(
        "clients",
        stated.clients.to_string(),
        clients(trace).to_string(),
    );
    let bytes: u64 = trace.requests.bytes.iter().sum();
    check("bytes", stated.bytes.to_string(), bytes.to_string());
    let times = trace
        .requests
        .time_us
        .iter()
        .map(|&us| Timestamp::from_microsecond(us).unwrap());
    check(
        "first",
        format!("{:?}", time(&stated.first)),
        format!("{:?}", times.clone().min()),
    );
    check(
        "last",
        format!("{:?}", time(&stated.last)),
        format!("{:?}", times.max()),
    );
    let methods = tally(
        trace
            .requests
            .method
            .iter()
            .map(|&method| method_name(method)),
    );
    check(
        "methods",
        format!("{:?}", stated.methods),
        format!("{methods:?}"),
    );
    let statuses = tally(trace.requests.status.iter().map(u16::to_string));
    check(
        "statuses",
        format!("{:?}", stated.statuses),
        format!("{statuses:?}"),
    );
    found
}

/// The sites that bear the name of a host: not those that stand for its absence.
fn hosts(trace: &Trace) -> Vec<&String> {
    let named = trace
        .sites
        .iter()
        .filter(|site| !["all", "other"].contains(&site.as_str()));
    BTreeSet::from_iter(named).into_iter().collect()
}

fn clients(trace: &Trace) -> usize {
    trace
        .clients
        .iter()
        .filter(|client| !matches!(*client, b"" | b"-"))
        .count()
}

fn method_name(method: Method) -> String {
    let name = match method {
        Method::Get => "GET",
        Method::Head => "HEAD",
        Method::Post => "POST",
        Method::Other => "OTHER",
    };
    name.into()
}

fn time(text: &Option<String>) -> Option<Timestamp> {
    text.as_ref().map(|text| text.parse().unwrap())
}

fn tally(names: impl Iterator<Item = String>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    counts
}

/// Samples by folder and outcome, as text.
fn table(outcomes: &[(Sample, Outcome)]) -> String {
    let mut text = format!("{:<18}", "");
    for (_, name) in OUTCOMES {
        write!(text, "{name:>17}").unwrap();
    }
    let folders = BTreeSet::from_iter(outcomes.iter().map(|(sample, _)| sample.folder.as_str()));
    for folder in folders.into_iter().map(Some).chain([None]) {
        write!(text, "\n{:<18}", folder.unwrap_or("all")).unwrap();
        for (outcome, _) in OUTCOMES {
            let is_in = |sample: &Sample| folder.is_none_or(|folder| folder == sample.folder);
            let hits = outcomes
                .iter()
                .filter(|(sample, it)| *it == outcome && is_in(sample));
            write!(text, "{:>17}", hits.count()).unwrap();
        }
    }
    text
}

/// Why an outcome is not what the lists above allow; none where it is.
fn complaint(id: &str, outcome: Outcome, deviations: &[String]) -> Option<String> {
    let (outstanding, misread) = (OUTSTANDING.contains(&id), MISREAD.contains(&id));
    let reason = match outcome {
        it if it.is_as_stated() && (outstanding || misread) => {
            "is read as stated: strike it from its list"
        }
        Outcome::Misread if !misread => "is misread without a word",
        Outcome::Refused | Outcome::Warned if misread => {
            "is not misread any more: move it to OUTSTANDING"
        }
        Outcome::Refused | Outcome::Warned if !outstanding => "is not read as stated",
        _ => return None,
    };
    Some(format!("{id} {reason}\n    {}", deviations.join("\n    ")))
}

#[test]
fn every_sample_is_read_as_stated() {
    let (mut outcomes, mut complaints) = (Vec::new(), Vec::new());
    for sample in samples() {
        let (outcome, deviations) = outcome(&sample);
        complaints.extend(complaint(&sample.id(), outcome, &deviations));
        outcomes.push((sample, outcome));
    }
    println!("{}", table(&outcomes));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_lists_name_samples_once() {
    let ids = BTreeSet::from_iter(samples().iter().map(Sample::id));
    let listed: Vec<&&str> = OUTSTANDING.iter().chain(MISREAD).collect();
    assert!(listed.iter().all(|id| ids.contains(**id)), "{listed:?}");
    assert_eq!(BTreeSet::from_iter(&listed).len(), listed.len());
}

#[test]
fn the_stated_figures_agree_with_each_other() {
    for sample in samples() {
        let (id, stated) = (sample.id(), &sample.stated);
        assert!(
            stated.source.starts_with("http") && !stated.what.is_empty(),
            "{id}"
        );
        assert_eq!(
            stated.format.is_some(),
            stated.reading == Reading::AtOnce,
            "{id}"
        );
        assert_eq!(
            stated.methods.values().sum::<u64>(),
            stated.requests,
            "{id}"
        );
        assert_eq!(
            stated.statuses.values().sum::<u64>(),
            stated.requests,
            "{id}"
        );
        assert!(time(&stated.first) <= time(&stated.last), "{id}");
    }
}

#[test]
fn every_format_has_two_samples_and_the_corpus_stays_small() {
    let samples = samples();
    let formats = tally(
        samples
            .iter()
            .filter_map(|sample| sample.stated.format.clone()),
    );
    let single: Vec<_> = formats.iter().filter(|(_, count)| **count < 2).collect();
    assert!(single.is_empty(), "{single:?}");
    let bytes: u64 = samples
        .iter()
        .map(|sample| fs::metadata(&sample.log).unwrap().len())
        .sum();
    assert!(bytes < MOST_BYTES, "{bytes} bytes");
}

/// What reading a sample at once and with a guess gives, as a column of the table in the book.
fn read_as(sample: &Sample) -> String {
    match (
        read_log(&sample.log, &ReadOptions::default()),
        &sample.stated.format,
    ) {
        (Ok((_, summary)), _) => format!("`{}`", summary.sources[0].format),
        (Err(_), _) if read_log(&sample.log, &guessing()).is_ok() => "by `--guess`".into(),
        (Err(_), _) => "refused".into(),
    }
}

/// The table of the book: what each log is, what it is read as, and whether that is right.
fn confusion_table() -> String {
    let mut cells: BTreeMap<(String, String), [usize; 3]> = BTreeMap::new();
    for sample in samples() {
        let is = match (&sample.stated.format, sample.stated.reading) {
            (Some(format), _) => format!("`{format}`"),
            (None, Reading::Guessed) => "a layout without a name".into(),
            (None, _) if sample.stated.missing.is_some() => "`w3c` without a needed column".into(),
            (None, _) => "not an access log".into(),
        };
        let (outcome, _) = outcome(&sample);
        let [count, right, doubted] = cells.entry((is, read_as(&sample))).or_default();
        *count += 1;
        *right += usize::from(outcome.is_as_stated());
        *doubted += usize::from(sample.stated.doubt);
    }
    let mut text = String::from(
        "| the log is | it is read as | samples | as stated | with a doubt |\n| --- | --- | --- | --- | --- |\n",
    );
    for ((is, read_as), [count, right, doubted]) in cells {
        writeln!(text, "| {is} | {read_as} | {count} | {right} | {doubted} |").unwrap();
    }
    text
}

#[test]
fn the_table_in_the_book_is_that_of_the_corpus() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/log-formats.md");
    let book = fs::read_to_string(&page).unwrap();
    let (before, rest) = book.split_once("| the log is |").expect("a table");
    let after = rest.split_once("\n\n").map_or("", |(_, after)| after);
    let expected = format!("{before}{}\n{after}", confusion_table());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&page, &expected).unwrap();
    }
    assert!(
        std::env::var_os("UPDATE_DOCS").is_some() || book == expected,
        "the table in docs/reference/log-formats.md is not that of the corpus: run \
         `UPDATE_DOCS=1 cargo test -p hotset-trace corpus` and read the difference"
    );
}
