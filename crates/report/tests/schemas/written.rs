//! Schemas made of the types whose values they describe. `UPDATE_SCHEMAS=1 cargo test -p hotset-report schemas` writes them
//! into `schemas/`.

use std::collections::HashSet;
use std::path::PathBuf;

use hotset_report::replay::{ReplayView, SessionsView};
use hotset_report::*;
use hotset_scenario::Placement;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// What every output but the plan file promises: a closed schema would make each new key a breaking change.
const OPEN: &str = "Later versions may add keys: ignore those you do not know. A key that is here keeps its meaning.";

/// A schema and what is said of the whole document. What is said of its keys are the comments of its types.
struct Document {
    /// Name of its file, without `.json`.
    name: &'static str,
    title: String,
    description: String,
    schema: fn(SchemaGenerator) -> Schema,
}

fn documents() -> Vec<Document> {
    vec![
        output("apply", "apply", "What is held after a plan was applied; with --dry-run, what would be.", either(AppliedView::value, PreviewView::value)),
        output("compare", "compare", "Outcomes laid beside the first of them. Shares and ratios are of one.", of(ComparisonView::value)),
        output("describe", "describe", "The traffic of each site and of all together. Sizes are bytes; shares and ratios are of one; figures that a trace cannot give are null.", of(DescriptionView::value)),
        output("experiment", "experiment show", "What an experiment has measured so far, beside what a model predicts and what is published. `hotset experiment run --json` prints the same.", of(ExperimentView::value)),
        output("experiment-application-profile", "experiment application-profile", "What pages of an application take of its servers, by the results of an experiment. Times are those of processors.", of(ApplicationProfileView::value)),
        output("experiment-list", "experiment list", "What there is to measure and what has been measured; without a file, of all experiments below the working folder.", either(PointsView::value, ExperimentsView::value)),
        output("experiment-scores", "experiment scores", "How far simulated jobs of several experiments are off, by the results that are kept. Errors are in percent.", of(ExperimentScoresView::value)),
        output("experiment-server-profile", "experiment server-profile", "What servers cost, by the results of an experiment. Times are those of processors.", of(ServerProfileView::value)),
        output("generate", "generate", "A generated workload and where it went.", of(WorkloadView::value)),
        output("generate-database", "generate tpcw", "The populated database of a benchmark, and the sessions of its visitors. `hotset generate rubis --json` and `rubbos --json` print the same.", of(DatabaseView::value)),
        output("generate-tree", "generate tree", "The files that a log implies, and where they were written.", of(FileTreeView::value)),
        output("import", "import", "What was read into a trace folder, by which rules, and what was left out.", of(ImportView::value)),
        output("lab-down", "lab down", "A data-centre that was taken down.", of(TeardownView::value)),
        output("lab-list", "lab list", "The data-centres that are up.", of(LabsView::value)),
        output("lab-play", "lab play", "What has happened in a data-centre.", of(PlayedView::value)),
        output("lab-up", "lab up", "A data-centre that is up, until `hotset lab down`.", of(LabView::value)),
        output("model", "model", "The data-centre of a scenario, calculated. Ratios and utilisations are of one.", of(ModelView::value)),
        output("model-specweb99", "model specweb99", "Connections that SPECweb99 would rate a server with. Shares are of one.", of(SpecWeb99View::value)),
        output("net-check", "net check", "The state space of a net.", of(NetCheckView::value)),
        output("net-list", "net list", "The nets of the library.", of(NetsView::value)),
        output("net-run", "net run", "What runs of a net gave.", of(NetRunView::value)),
        output("net-trace", "net run --trace", "The first firings of a run.", of(NetTraceView::value)),
        output("plan", "plan", "Which files are held, and what that buys on accesses that the planner has not seen. Shares and ratios are of one.", of(PlanView::value)),
        output("probe", "probe", "What a folder's file system costs. Times are in microseconds.", of(ProbeView::value)),
        output("probe-database", "probe database", "What the tables of a running MariaDB hold in memory, and what they read.", of(ProbedDatabaseView::value)),
        output("release", "release", "What was taken back.", of(ReleasedView::value)),
        output("replay", "replay", "A trace replayed as HTTP requests. Times are microseconds and those of requests that did not fail.", of(ReplayView::value)),
        output("replay-sessions", "replay --sessions", "Sessions of an application replayed. Times are microseconds and those of pages that did not fail.", of(SessionsView::value)),
        output("reproduce", "reproduce", "Tables, figures and claims of the documents that hotset answers, beside what is simulated and what was measured here.", of(ReproductionView::value)),
        output("simulate-files", "simulate files", "Operations on files of a file server, simulated call by call.", of(FilesView::value)),
        output("simulate-fio", "simulate fio", "Jobs of fio on a store of known costs.", of(FioView::value)),
        output("simulate-scenario", "simulate scenario", "The data-centre of a scenario in simulated time. Ratios and utilisations are of one.", of(ScenarioView::value)),
        output("simulate-trace", "simulate trace", "A trace run through a cache, or estimated from samples of its files. Ratios are of one; null without accesses.", of(ScanView::value)),
        output("status", "status", "What is held, and whether it is in memory and current.", of(StatusView::value)),
        output("sweep", "sweep", "A scenario simulated or calculated at the points of a grid. Ratios are of one; times are in microseconds.", of(SweepView::value)),
        output("validate", "validate", "Simulated jobs of fio beside fio itself.", of(ValidationView::value)),
        Document {
            name: "placement",
            title: "The plan file of hotset plan -o".to_owned(),
            description: "The files to hold, for placing them. Nothing but these keys: a placer that met one it does not \
                          know could leave out what it asks for."
                .to_owned(),
            schema: generate::<Placement>,
        },
    ]
}

/// What is said of a trace folder, and not of what else is read: the schema is also that of the key `reading` of other outputs.
const OF_THE_FOLDER: [&str; 6] = [
    "trace",
    "objects",
    "clients",
    "connections",
    "seed",
    "peak_memory_bytes",
];

/// Names of all schemas.
pub(super) fn names() -> Vec<&'static str> {
    documents().into_iter().map(|it| it.name).collect()
}

/// What `hotset COMMAND --json` prints.
fn output(
    name: &'static str,
    command: &str,
    description: &str,
    schema: fn(SchemaGenerator) -> Schema,
) -> Document {
    Document {
        name,
        title: format!("hotset {command} --json"),
        description: format!("{description} {OPEN}"),
        schema,
    }
}

/// The schema of what a view tells programs.
fn of<'v, V: 'v, J: JsonSchema>(_value: impl Fn(&'v V) -> J) -> fn(SchemaGenerator) -> Schema {
    generate::<J>
}

/// The schema of a command that tells one of two things.
fn either<'v, A: 'v, B: 'v, J: JsonSchema, K: JsonSchema>(
    _one: impl Fn(&'v A) -> J,
    _other: impl Fn(&'v B) -> K,
) -> fn(SchemaGenerator) -> Schema {
    generate::<Either<J, K>>
}

#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "says what either looks like")]
enum Either<A, B> {
    One(A),
    Other(B),
}

fn generate<T: JsonSchema>(generator: SchemaGenerator) -> Schema {
    generator.into_root_schema_for::<T>()
}

impl Document {
    /// What its types say, and the names of keys.
    fn of_types(&self) -> Value {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let settings = settings.with_transform(RecursiveTransform(plain));
        let mut schema = (self.schema)(settings.into_generator());
        RecursiveTransform(never_null).transform(&mut schema);
        RecursiveTransform(bounded).transform(&mut schema);
        RecursiveTransform(once).transform(&mut schema);
        if self.name != "placement" {
            RecursiveTransform(open).transform(&mut schema);
        }
        schema.into()
    }

    /// The schema as its file has it.
    fn text(&self) -> String {
        let mut schema = self.of_types();
        promised(self.name, &mut schema);
        if let ("import", Some(Value::Array(required))) = (self.name, schema.get_mut("required")) {
            required.retain(|key| !OF_THE_FOLDER.iter().any(|it| key == it));
        }
        let types = schema.get_mut("$defs").and_then(Value::as_object_mut);
        for (name, schema) in types.into_iter().flatten() {
            promised(name.trim_end_matches(char::is_numeric), schema);
        }
        if let Some(Value::Object(types)) = schema.get_mut("$defs") {
            whole(types);
        }
        let all = schema.to_string();
        if let Some(Value::Object(types)) = schema.get_mut("$defs") {
            types.retain(|name, _| all.contains(&format!("#/$defs/{name}\"")));
        }
        schema["title"] = self.title.as_str().into();
        schema["description"] = self.description.as_str().into();
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
        text + "\n"
    }

    fn file(&self) -> PathBuf {
        let folder = format!("{}/../../schemas", env!("CARGO_MANIFEST_DIR"));
        PathBuf::from(folder).join(self.name).with_extension("json")
    }
}

/// Without widths of numbers, which are no part of JSON, and with descriptions on one line.
fn plain(schema: &mut Schema) {
    if let Some(Value::String(format)) = schema.get("format")
        && !format.starts_with("date")
    {
        schema.remove("format");
    }
    if let Some(Value::String(text)) = schema.get("description") {
        let text = text.replace('\n', " ");
        schema.insert("description".to_owned(), text.into());
    }
}

/// A key that is left out where there is nothing is never null.
fn never_null(schema: &mut Schema) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let required: Vec<&Value> = required.as_array().into_iter().flatten().collect();
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (key, property) in properties.into_iter().flatten() {
        if required.contains(&&json!(key)) {
            continue;
        }
        if let Some(Value::Array(types)) = property.get_mut("type") {
            types.retain(|one| one != "null");
            if let [one] = &types[..] {
                property["type"] = one.clone();
            }
        }
        if let Some(Value::Array(either)) = property.get_mut("anyOf") {
            either.retain(|one| one["type"] != "null");
        }
    }
}

/// One of several kinds that has keys of its own: each kind with all its keys.
fn whole(types: &mut Map<String, Value>) {
    let known = types.clone();
    for schema in types.values_mut() {
        let (Some(Value::Array(kinds)), Some(_)) = (schema.get("oneOf"), schema.get("properties"))
        else {
            continue;
        };
        let kinds: Vec<Value> = kinds
            .iter()
            .map(|kind| {
                let name = kind["$ref"]
                    .as_str()
                    .and_then(|it| it.strip_prefix("#/$defs/"));
                let of = name.and_then(|name| known.get(name));
                joined(&[of.unwrap_or(&Value::Null), kind, schema])
            })
            .collect();
        *schema = json!({"description": schema["description"], "oneOf": kinds});
    }
}

/// An object with the keys of all of these.
fn joined(parts: &[&Value]) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for part in parts {
        properties.extend(
            part["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(key, of)| (key.clone(), of.clone())),
        );
        required.extend(part["required"].as_array().into_iter().flatten().cloned());
    }
    json!({"type": "object", "properties": properties, "required": required})
}

/// Each key is required once.
fn once(schema: &mut Schema) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        let mut seen = HashSet::new();
        required.retain(|key| seen.insert(key.clone()));
    }
}

/// What may gain keys says nothing of those that it does not know.
fn open(schema: &mut Schema) {
    let is_map = schema.get("patternProperties").is_some();
    if !is_map && schema.get("additionalProperties") == Some(&json!(false)) {
        schema.remove("additionalProperties");
    }
}

/// Bounds that the names of keys promise: what is counted in a unit is not negative, and a share is one of the whole.
fn bounded(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (key, property) in properties.into_iter().flatten() {
        let is_number = match &property["type"] {
            Value::Array(types) => types.contains(&json!("number")),
            one => one == "number",
        };
        let is_signed =
            property.get("minimum").is_some() || SIGNED.iter().any(|it| key.contains(it));
        if is_number && !is_signed && AMOUNTS.iter().any(|it| key.ends_with(it)) {
            property["minimum"] = json!(0);
        }
        if is_number && !is_signed && SHARES.iter().any(|it| key.ends_with(it)) {
            property["minimum"] = json!(0);
            property["maximum"] = json!(1);
        }
    }
}

/// Ends of keys of numbers that are never negative.
const AMOUNTS: [&str; 9] = [
    "_us",
    "_ms",
    "seconds",
    "_bytes",
    "_per_s",
    "_per_hour",
    "_per_second",
    "_per_connection",
    "_rate",
];
/// Ends of keys of numbers from 0 to 1.
const SHARES: [&str; 5] = [
    "hit_ratio",
    "miss_ratio",
    "share",
    "distance",
    "within_half_a_second",
];
/// Words of keys of differences, which have a sign, and of shares that clocks of two processes make.
const SIGNED: [&str; 4] = ["saved", "gain", "busy_share", "cpu_share"];

/// What else is promised of the values of a type's keys; `*` is any type, and `[]` each item.
fn promised(types: &str, schema: &mut Value) {
    for (of, keys, word, value) in promises() {
        if of != "*" && of != types {
            continue;
        }
        for key in keys.split(' ') {
            let bare = key.trim_end_matches("[]");
            let properties = schema.get_mut("properties");
            let Some(mut property) = properties.and_then(|it| it.get_mut(bare)) else {
                continue;
            };
            for _ in 0..(key.len() - bare.len()) / 2 {
                let inner = ["items", "additionalProperties"];
                let inner = inner.into_iter().find(|it| property.get(it).is_some());
                property = &mut property[inner.expect("items")];
            }
            property[word] = value.clone();
        }
    }
}

/// Times of files of a size, as results have them that were kept before outcomes had them.
fn read_bare() -> Value {
    let object = |keys: &[&str], of: Value| {
        let properties = keys.iter().map(|&key| (key.to_owned(), of.clone()));
        let properties: Map<String, Value> = properties.collect();
        json!({"type": "object", "required": keys, "properties": properties})
    };
    let add = |to: &mut Value, key: &str, of: &Value| {
        to["properties"][key] = of.clone();
        let required = to["required"].as_array_mut();
        required.into_iter().for_each(|it| it.push(key.into()));
    };
    let time = json!({"type": "number", "minimum": 0, "description": "Microseconds."});
    let keys = ["median_us", "mean_us", "p95_us", "p99_us", "max_us"];
    let mut times = object(&keys, time);
    let count = json!({"type": "integer", "minimum": 0, "description": "How many, or how large."});
    add(&mut times, "accesses", &count);
    times["description"] = json!("Its times.");
    let mut access = object(&["open_close", "read"], times);
    access["description"] = json!("Files of which all is in memory, or nothing.");
    let mut size = object(&["uncached", "cached"], access);
    add(&mut size, "bytes", &count);
    size
}

/// Types or documents, keys, and what is said of their values.
fn promises() -> Vec<(&'static str, &'static str, &'static str, Value)> {
    let or_null = || json!(["number", "null"]);
    vec![
        // What is not a number, such as a mean of no requests, is null.
        (
            "ArmScore",
            "p50_us p95_us p99_us gain weighted_gain",
            "type",
            or_null(),
        ),
        ("PacedPrediction", "ratio", "type", or_null()),
        (
            "ArmScore",
            "hit_ratio mean_us weighted_mean_us",
            "type",
            or_null(),
        ),
        (
            "Advice",
            "hit_ratio mean_bytes mean_miss_bytes plan_hit_ratio",
            "type",
            or_null(),
        ),
        (
            "StoreAdvice",
            "page_cache_mean_us plan_mean_us",
            "type",
            or_null(),
        ),
        (
            "Validation",
            "page_cache_mean_us plan_mean_us",
            "type",
            or_null(),
        ),
        ("ClosedLoop", "mean_us", "type", or_null()),
        ("PacedPrediction", "mean_us", "type", or_null()),
        (
            "CacheScanView",
            "hit_ratio byte_hit_ratio mean_us",
            "type",
            or_null(),
        ),
        ("SampledScanView", "hit_ratio", "type", or_null()),
        (
            "EstimatedScanView",
            "hit_ratio byte_hit_ratio mean_us",
            "type",
            or_null(),
        ),
        // Ratios and shares.
        ("*", "hit_ratio_gain", "minimum", json!(-1)),
        (
            "*",
            "hit_ratio_gain gain weighted_gain file_share",
            "maximum",
            json!(1),
        ),
        ("*", "mean_ratio throughput_ratio", "minimum", json!(0)),
        ("RejectedCandidate", "rate", "maximum", json!(1)),
        ("RejectedCandidate", "rate", "minimum", json!(0)),
        ("Interval", "level", "exclusiveMinimum", json!(0)),
        ("Interval", "level", "maximum", json!(1)),
        ("Limit", "utilisation", "minimum", json!(0)),
        ("Limit", "utilisation", "maximum", json!(1.001)),
        ("Resource", "utilisation", "minimum", json!(0)),
        ("Resource", "utilisation", "maximum", json!(1.001)),
        ("Timeline", "utilisation[]", "minimum", json!(0)),
        ("Timeline", "utilisation[]", "maximum", json!(1.001)),
        // What is not negative.
        ("Timeline", "queue_length[] seconds[]", "minimum", json!(0)),
        ("*", "timings_seconds[]", "minimum", json!(0)),
        ("Resource", "mean_queue_length", "minimum", json!(0)),
        ("CostSeries", "sums_us[]", "minimum", json!(0)),
        ("DirectReads", "quantiles_us[]", "minimum", json!(0)),
        (
            "MeasuredDevice",
            "delay_quantiles_us[]",
            "minimum",
            json!(0),
        ),
        ("DriveDevice", "revolutions_per_minute", "minimum", json!(0)),
        ("Cut", "longest_us total_us", "minimum", json!(0)),
        (
            "ScheduleSummary",
            "asked_span_us longest_connection_us span_us",
            "minimum",
            json!(0),
        ),
        (
            "LongRunMeans",
            "residual rates[] tokens[]",
            "minimum",
            json!(0),
        ),
        (
            "JobDeviation",
            "measured low high simulated beyond_percent",
            "minimum",
            json!(0),
        ),
        (
            "NfsDeviation",
            "measured low high simulated beyond_percent",
            "minimum",
            json!(0),
        ),
        (
            "ClosedFigure",
            "measured low high simulated beyond",
            "minimum",
            json!(0),
        ),
        (
            "ClosedPrediction",
            "cpus processors disk_bytes_per_s",
            "minimum",
            json!(0),
        ),
        ("TimeSummary", "mean p50 p95 p99 max", "minimum", json!(0)),
        ("Monitor", "p50 p95 p99 max", "minimum", json!(0)),
        ("RequestRate", "mean peak_minute", "minimum", json!(0)),
        ("SizeQuantiles", "mean", "minimum", json!(0)),
        ("Samples", "files_held", "minimum", json!(0)),
        ("Site", "weight", "minimum", json!(0)),
        ("replay", "busy_share", "minimum", json!(0)),
        (
            "replay-sessions",
            "busy_share pages_per_s",
            "minimum",
            json!(0),
        ),
        // What is more than nothing.
        (
            "CopyCost",
            "sequential_us random_us",
            "exclusiveMinimum",
            json!(0),
        ),
        (
            "SendCost",
            "written_us cold_us sent_us",
            "exclusiveMinimum",
            json!(0),
        ),
        (
            "DaemonValue",
            "interval_seconds",
            "exclusiveMinimum",
            json!(0),
        ),
        ("Samples", "file_share", "exclusiveMinimum", json!(0)),
        (
            "MeasuredDevice",
            "bytes_per_us total_bytes_per_us stream_bytes_per_us",
            "exclusiveMinimum",
            json!(0),
        ),
        (
            "MeasuredWrites",
            "bytes_per_us total_bytes_per_us",
            "exclusiveMinimum",
            json!(0),
        ),
        (
            "DriveDevice",
            "interface_bytes_per_us",
            "exclusiveMinimum",
            json!(0),
        ),
        (
            "SsdDevice",
            "interface_bytes_per_us bus_bytes_per_us",
            "exclusiveMinimum",
            json!(0),
        ),
        ("MeasuredDevice", "slots", "minimum", json!(1)),
        (
            "SsdDevice",
            "channels page_bytes queue_depth",
            "minimum",
            json!(1),
        ),
        ("CopyCost", "block_bytes", "minimum", json!(1)),
        ("SendCost", "block_bytes", "minimum", json!(1)),
        ("CostSeries", "cell_requests", "minimum", json!(1)),
        ("DeadEnd", "tokens[]", "minimum", json!(1)),
        ("DirectRead", "samples", "minimum", json!(1)),
        ("Extent", "pages", "minimum", json!(1)),
        ("Figure", "samples", "minimum", json!(1)),
        ("GrownFile", "piece size", "minimum", json!(1)),
        ("InFlight", "large_bytes requests", "minimum", json!(1)),
        ("JobFigures", "left_out[]", "minimum", json!(1)),
        ("LongRunMeans", "states", "minimum", json!(1)),
        ("Operation", "samples", "minimum", json!(1)),
        ("Raid", "chunk_bytes", "minimum", json!(1)),
        ("Reading", "parallel processors", "minimum", json!(1)),
        (
            "Settings",
            "cpus daemon_interval file_bytes",
            "minimum",
            json!(1),
        ),
        (
            "Settings",
            "bare_bytes[] served_bytes[] block_bytes[]",
            "minimum",
            json!(1),
        ),
        ("Skipped", "line", "minimum", json!(1)),
        ("Sum", "weights[]", "minimum", json!(1)),
        (
            "net-check",
            "transition_invariants[][]",
            "minimum",
            json!(1),
        ),
        ("*", "errors_by_kind[]", "minimum", json!(1)),
        ("Raid", "disks", "minimum", json!(2)),
        ("Samples", "samples", "minimum", json!(2)),
        ("Settings", "rounds", "minimum", json!(5)),
        ("validate", "repeats", "minimum", json!(5)),
        ("CopyCost", "working_set_bytes", "minimum", json!(512)),
        ("MeasuredDevice", "max_request_bytes", "minimum", json!(512)),
        ("DriveDevice", "max_request_bytes", "minimum", json!(512)),
        ("FileSystemSpec", "block_bytes", "minimum", json!(512)),
        (
            "FileSystemSpec",
            "journal_bytes",
            "minimum",
            json!(4_194_304),
        ),
        // Lists.
        ("CostSeries", "sums_us", "maxItems", json!(4096)),
        (
            "SiteDescription",
            "requests_by_hour_of_day",
            "maxItems",
            json!(24),
        ),
        ("CurvePoint", "setbacks", "minItems", json!(1)),
        ("plan", "passed_over", "minItems", json!(1)),
        ("plan", "nodes", "minItems", json!(2)),
        ("compare", "compared outcomes", "minItems", json!(2)),
        ("PointResult", "outcomes", "maxItems", json!(0)),
        ("PointResult", "bare", "type", json!("array")),
        ("PointResult", "bare", "items", read_bare()),
        // Names.
        (
            "describe",
            "left_out[]",
            "enum",
            json!(["miss_ratio_curve", "not_found"]),
        ),
        (
            "net-check",
            "ended",
            "enum",
            json!([
                "complete",
                "max markings",
                "memory",
                "interrupted",
                "uncountable",
                "unbounded"
            ]),
        ),
        (
            "Monitor",
            "kind",
            "enum",
            json!(["tokens", "utilisation", "rate", "times", "values"]),
        ),
        ("CacheScanView", "unit", "enum", json!(["bytes", "pages"])),
        (
            "EstimatedScanView",
            "unit",
            "enum",
            json!(["bytes", "pages"]),
        ),
        ("SampledScanView", "unit", "enum", json!(["bytes", "pages"])),
        (
            "Cell",
            "metric",
            "enum",
            json!(["bytes_per_s", "mean_us", "p99_us"]),
        ),
        (
            "Cell",
            "operation",
            "enum",
            json!(["read", "write", "fsync"]),
        ),
        (
            "CellScore",
            "metric",
            "enum",
            json!(["bytes_per_s", "mean_us", "p99_us"]),
        ),
        (
            "CellScore",
            "operation",
            "enum",
            json!(["read", "write", "fsync"]),
        ),
        (
            "experiment",
            "kind",
            "enum",
            json!([
                "shared-node",
                "file-systems",
                "fio-jobs",
                "sensitivity",
                "file-sending",
                "served-sites",
                "open-trace",
                "tiers",
                "databases",
                "nfs-timed"
            ]),
        ),
        ("Setback", "arm", "enum", json!(["page_cache", "plan"])),
        (
            "Reversal",
            "better worse",
            "enum",
            json!([
                "page_cache",
                "lru",
                "size_threshold",
                "plan",
                "adaptive",
                "clairvoyant"
            ]),
        ),
    ]
}

#[test]
fn the_schemas_are_those_of_the_types() {
    let update = std::env::var_os("UPDATE_SCHEMAS").is_some();
    for document in documents() {
        let (file, text) = (document.file(), document.text());
        if update {
            std::fs::write(&file, &text).expect("a schema that can be written");
        }
        let kept = std::fs::read_to_string(&file).expect("a readable schema");
        assert!(
            kept == text,
            "{}: UPDATE_SCHEMAS=1 cargo test -p hotset-report schemas writes it anew",
            file.display()
        );
    }
}

/// A promise of a key that was renamed would say nothing.
#[test]
fn promises_are_of_keys_that_there_are() {
    let mut known = HashSet::new();
    for document in documents() {
        let schema = document.of_types();
        let mut add = |name: &str, schema: &Value| {
            let keys = schema["properties"].as_object().into_iter().flatten();
            for (key, _) in keys {
                known.extend([format!("{name} {key}"), format!("* {key}")]);
            }
        };
        add(document.name, &schema);
        for (name, schema) in schema["$defs"].as_object().into_iter().flatten() {
            add(name.trim_end_matches(char::is_numeric), schema);
        }
    }
    for (of, keys, ..) in promises() {
        for key in keys.split(' ') {
            let key = key.trim_end_matches("[]");
            assert!(known.contains(&format!("{of} {key}")), "{of} {key}");
        }
    }
}

/// A link is one in the documentation of the crates alone.
#[test]
fn meanings_have_no_links() {
    for document in documents() {
        let text = document.text();
        assert!(!text.contains("[`"), "{}: {text}", document.name);
    }
}

#[test]
fn outputs_other_than_the_plan_file_say_that_keys_may_come() {
    for document in documents() {
        let is_open = document.description.ends_with(OPEN);
        assert_eq!(is_open, document.name != "placement", "{}", document.name);
    }
}
