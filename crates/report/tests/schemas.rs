//! What is written as JSON is what the schemas say.

mod written;

use crate::sample;
use hotset_plan::{Arm, SampledPoint, SampledStore};

use crate::sample::{DescriptionSample, Sample};
use hotset_outcome::{Bootstrap, compare};
use hotset_probe::Probe;
use hotset_report::{
    CacheScanView, ComparisonView, FileTreeView, ImportView, PlanFileFormat, ProbeView,
    ResourceUsage, View, WorkloadView,
};
use hotset_trace::Zone;
use hotset_trace::read::ReadSummary;
use jsonschema::Validator;
use serde_json::{Value, json};

fn read(name: &str) -> Value {
    let file = format!("{}/../../schemas/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    assert!(jsonschema::meta::is_valid(&schema), "{file} is no schema");
    schema
}

fn schema(name: &str) -> Validator {
    jsonschema::draft202012::new(&read(name)).unwrap()
}

/// The schema with no room for keys that it does not describe.
fn closed(name: &str) -> Validator {
    let mut schema = read(name);
    close(&mut schema);
    jsonschema::draft202012::new(&schema).unwrap()
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(keys) => {
            if keys.contains_key("properties") {
                keys.insert("additionalProperties".to_owned(), json!(false));
            }
            keys.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

/// What `--json` prints, read back.
fn json_of(view: &impl View) -> Value {
    serde_json::from_str(&view.json().unwrap()).unwrap()
}

fn assert_follows(name: &str, output: Value) {
    let errors: Vec<String> = closed(name)
        .iter_errors(&output)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
}

/// Keys at any depth that have no type or no words, as paths.
fn undescribed(schema: &Value, place: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (key, value) in schema["properties"].as_object().into_iter().flatten() {
        let place = format!("{place}/{key}");
        let typed = ["type", "$ref", "const", "anyOf", "oneOf", "allOf"];
        if value.get("description").is_none() || !typed.iter().any(|t| value.get(t).is_some()) {
            found.push(place.clone());
        }
        found.extend(undescribed(value, &place));
        found.extend(undescribed(&value["items"], &place));
    }
    for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
        found.extend(undescribed(definition, name));
    }
    found
}

#[test]
fn every_key_has_a_type_and_a_meaning() {
    for name in written::names() {
        let found = undescribed(&read(name), "");
        assert!(found.is_empty(), "{name}: {found:?}");
    }
}

/// A closed schema would make every new key a breaking change; the plan file alone is read back.
#[test]
fn outputs_may_gain_keys_and_the_plan_file_may_not() {
    for name in written::names() {
        let schema = read(name);
        let text = schema["description"].as_str().unwrap();
        let open = text.contains("Later versions may add keys");
        assert_eq!(open, name != "placement", "{name}: {text}");
        assert_eq!(schema.get("additionalProperties").is_none(), open, "{name}");
    }
}

/// Every document writes outcomes alike, so that any can be compared with any.
#[test]
fn outcomes_are_described_alike_everywhere() {
    let folder = format!("{}/../../schemas", env!("CARGO_MANIFEST_DIR"));
    let names = std::fs::read_dir(folder).unwrap();
    let names = names.map(|entry| entry.unwrap().path().file_stem().unwrap().to_owned());
    let outcome = |name: &str| {
        let types = read(name)["$defs"].clone();
        Some(whole(types.get("Outcome")?, &types))
    };
    let model = outcome("compare");
    for name in names.map(|name| name.into_string().unwrap()) {
        let own = outcome(&name);
        assert!(own.is_none() || own == model, "{name}: {own:#?}");
        let has = read(&name)["properties"].get("outcomes").is_some();
        assert!(!has || own.is_some(), "{name}");
    }
}

/// A schema with what it refers to in its place.
fn whole(schema: &Value, types: &Value) -> Value {
    let of = schema["$ref"].as_str();
    let of = of.and_then(|of| of.strip_prefix("#/$defs/"));
    let mut schema = match of {
        Some(name) => json!({"here": schema["description"], "of": types[name]}),
        None => schema.clone(),
    };
    match &mut schema {
        Value::Object(keys) => keys.values_mut().for_each(|it| *it = whole(it, types)),
        Value::Array(items) => items.iter_mut().for_each(|it| *it = whole(it, types)),
        _ => {}
    }
    schema
}

#[test]
fn outcomes_side_by_side_follow_their_schema() {
    let mut other = sample::outcome();
    other.name = "page cache".to_owned();
    let outcomes = [other, sample::outcome()];
    let compared = compare(&outcomes, &Bootstrap::seeded(1)).unwrap();
    let view = ComparisonView {
        side_by_side: &compared,
        outcomes: &outcomes,
    };
    assert_follows("compare", json_of(&view));
}

#[test]
fn a_description_follows_its_schema() {
    assert_follows("describe", json_of(&DescriptionSample::new().view()));
}

#[test]
fn a_plan_follows_its_schema() {
    assert_follows("plan", json_of(&Sample::new().view()));
}

#[test]
fn a_plan_for_several_nodes_follows_its_schema_and_lists_them() {
    let json = json_of(&Sample::of_two_nodes().view());
    assert_eq!(json["nodes"][0]["name"], "web1");
    assert_eq!(json["nodes"][1]["held_out"]["accesses"], 1_350);
    assert_eq!(json["passed_over"], json!(["front"]));
    assert_follows("plan", json);
    let single = json_of(&Sample::new().view());
    assert_eq!(
        (single.get("nodes"), single.get("passed_over")),
        (None, None)
    );
}

#[test]
fn changes_setbacks_and_plans_given_up_and_rejected_follow_the_schema_of_a_plan() {
    let mut sample = Sample::new();
    let mut previous = sample.placement.clone();
    previous.files[0].path = hotset_scenario::FilePath(vec![b'/', 0xff]);
    sample.previous = Some(previous);
    sample.plan.given_up = Some(sample.plan.held);
    sample.plan.rejected = Some(sample::rejected());
    *sample.plan.total.held_out.arms.entry(Arm::Reservations) =
        Some(sample::score(0.7, 3_000.0, Some(0.01)));
    sample.plan.curve[1].setbacks = vec![sample::setback()];
    sample.plan.curve[2].sampled = Some(sample::sampled(&sample.plan.curve[2]));
    sample.plan.curve[3].sampled = Some(SampledPoint::default());
    sample.advice[0].stores[1].sampled = Some(SampledStore::default());
    let json = json_of(&sample.view());
    assert_eq!(json["verdict"], "hold");
    assert_eq!(
        json["changes"]["dropped"]["files"][0]["path"],
        json!([47, 255])
    );
    assert_eq!(json["curve"][1]["setbacks"][0]["cause"], "replacement");
    assert_follows("plan", json);
}

#[test]
fn a_plan_without_accesses_follows_its_schema() {
    let mut sample = Sample::new();
    sample.plan.sites[0].held_out[Arm::Plan] = sample::score(f64::NAN, f64::NAN, None);
    assert_follows("plan", json_of(&sample.view()));
}

fn plan_file(sample: &Sample) -> Value {
    let file = sample.view().plan_file(PlanFileFormat::Json).unwrap();
    serde_json::from_slice(&file.contents).unwrap()
}

#[test]
fn a_plan_file_follows_its_schema() {
    let mut sample = Sample::new();
    sample.placement.files[0].path = hotset_scenario::FilePath(vec![b'/', 0xff]);
    assert_follows("placement", plan_file(&sample));
}

#[test]
fn what_was_read_follows_its_schema() {
    let manifest = json!({
        "format": "hotset trace", "version": 1, "requests": 9, "accesses": 8, "objects": 3, "clients": 2,
        "connections": 4, "sites": ["shop"], "origin": "timed", "provenance": {},
    });
    let import = ImportView {
        folder: "one.trace",
        manifest: &serde_json::from_value(manifest).unwrap(),
        reading: &ReadSummary::default(),
        zone: &hotset_trace::Zone::UTC,
        seed: Some(7),
        usage: ResourceUsage {
            peak_memory_bytes: Some(1 << 20),
            timings_seconds: vec![("import".into(), 0.5)],
        },
    };
    assert_follows("import", json_of(&import));
    assert_follows(
        "import",
        serde_json::to_value(ReadSummary::default()).unwrap(),
    );
}

#[test]
fn a_cache_scan_follows_its_schema() {
    assert_follows(
        "simulate-trace",
        json_of(&CacheScanView {
            policy: "lru".to_owned(),
            unit: "pages".to_owned(),
            memory_bytes: 4096,
            backing: "hdd".to_owned(),
            requests: 0,
            hits: 0,
            hit_ratio: f64::NAN,
            byte_hit_ratio: f64::NAN,
            mean_us: f64::NAN,
            reading: ReadSummary::default(),
            time_zone: Zone::UTC,
            outcomes: vec![sample::outcome()],
        }),
    );
}

#[test]
fn a_generated_workload_follows_its_schema() {
    let generated = WorkloadView {
        requests: 10,
        accesses: 9,
        objects: 3,
        object_bytes: 300,
        sites: vec!["one".to_owned()],
        seed: 7,
        trace: Some("one.trace".to_owned()),
        files: None,
        log: None,
    };
    assert_follows("generate", json_of(&generated));
}

#[test]
fn replayed_sessions_follow_their_schema() {
    assert_follows("replay-sessions", json_of(&sample::replay::sessions()));
}

#[test]
fn a_populated_database_follows_its_schema() {
    assert_follows("generate-database", json_of(&sample::database()));
}

#[test]
fn a_tree_of_files_follows_its_schema() {
    let (reading, sites) = (sample::reading(), ["one".to_owned()]);
    let tree = FileTreeView {
        requests: 9,
        paths: 4,
        objects: 3,
        object_bytes: 300,
        sites: &sites,
        seed: None,
        files: "www".to_owned(),
        reading: &reading,
        zone: &Zone::UTC,
    };
    assert_follows("generate-tree", json_of(&tree));
}

#[test]
fn the_schemas_refuse_what_lacks_a_promised_key() {
    let mut plan = json_of(&Sample::new().view());
    plan["total"]["held_out"]["plan"]
        .as_object_mut()
        .unwrap()
        .remove("mean_us");
    assert!(!schema("plan").is_valid(&plan));
    let mut description = json_of(&DescriptionSample::new().view());
    description["total"]["bytes_for_percent_of_requests"] = json!({"97": 1, "98": 2});
    assert!(!schema("describe").is_valid(&description));
    let mut placement = plan_file(&Sample::new());
    placement["files"][0]["size_bytes"] = json!("12 KiB");
    assert!(!schema("placement").is_valid(&placement));
}

#[test]
fn json_is_indented_and_plain_arrays_stay_on_a_line() {
    let generated = WorkloadView {
        requests: 10,
        accesses: 9,
        objects: 3,
        object_bytes: 300,
        sites: vec!["one".to_owned(), "two".to_owned()],
        seed: 7,
        trace: Some("one \"x\".trace".to_owned()),
        files: None,
        log: None,
    };
    let lines = [
        "{",
        r#"  "accesses": 9,"#,
        r#"  "files": null,"#,
        r#"  "log": null,"#,
        r#"  "object_bytes": 300,"#,
        r#"  "objects": 3,"#,
        r#"  "requests": 10,"#,
        r#"  "seed": 7,"#,
        r#"  "sites": ["one","two"],"#,
        r#"  "trace": "one \"x\".trace""#,
        "}\n",
    ];
    assert_eq!(generated.json().unwrap(), lines.join("\n"));
}

#[test]
fn each_object_of_an_array_begins_on_its_own_line() {
    let mut sample = DescriptionSample::new();
    sample.description.sites[1].hottest.clear();
    let text = sample.view().json().unwrap();
    let nested = "
  \"sites\": [
    {
      \"access_size_bytes\": {
";
    assert!(text.contains(nested), "{text}");
    assert!(text.contains("      \"hottest\": [\n        {\n"), "{text}");
    assert!(text.contains("      \"hottest\": [],\n"), "{text}");
    let counts = text.lines().filter(|line| line.contains("\"start_us\": "));
    assert!(
        counts.clone().count() == 3 && counts.clone().all(|line| line.ends_with(']')),
        "{text}"
    );
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["sites"][0]["hottest"].as_array().unwrap().len(), 3);
}

#[test]
fn a_probed_directory_is_what_the_schema_says() {
    let probe = Probe {
        files: vec![(4096, 2), (65_536, 2)],
        large_bytes: 1 << 20,
        blocks: vec![4096],
        working_sets: vec![65_536],
        readers: vec![2],
        direct: vec![4096, 65_536],
        in_flight: vec![2],
        written: vec![4096],
        synced: vec![4096],
        writers: vec![2],
        idle_ms: vec![1],
        patience: std::time::Duration::ZERO,
    };
    let place = tempfile::tempdir().unwrap();
    let findings = probe.measure(place.path(), &|_| true).unwrap();
    let profile = findings.profile();
    let view = ProbeView {
        findings: &findings,
        profile: profile.as_ref(),
    };
    let written = json_of(&view);
    closed("probe").validate(&written).unwrap();
    assert_eq!(written["files"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        written["outcomes"][0]["groups"]
            .as_array()
            .map(Vec::len)
            .unwrap_or(0)
            % 2,
        0
    );
}
