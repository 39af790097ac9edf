//! What is written as JSON is what the schemas say.

mod sample;

use hotset_report::terminal::{Generated, Simulated};
use hotset_trace::read::ReadSummary;
use jsonschema::Validator;
use serde_json::{Value, json};

fn schema(name: &str) -> Validator {
    let file = format!("{}/../../schemas/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    assert!(jsonschema::meta::is_valid(&schema), "{file} is no schema");
    jsonschema::draft202012::new(&schema).unwrap()
}

fn assert_follows(name: &str, output: impl serde::Serialize) {
    let output = serde_json::to_value(output).unwrap();
    let errors: Vec<String> = schema(name)
        .iter_errors(&output)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
    assert_describes_all(name, &output);
}

/// Keys that the schema does not know are keys that nobody documented.
fn assert_describes_all(name: &str, output: &Value) {
    let file = format!("{}/../../schemas/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    for key in output.as_object().unwrap().keys() {
        assert!(
            schema["properties"].get(key).is_some(),
            "{name}: {key} is not in the schema"
        );
    }
}

#[test]
fn a_description_follows_its_schema() {
    assert_follows("describe", sample::description());
}

#[test]
fn a_plan_follows_its_schema() {
    assert_follows("plan", sample::plan());
}

#[test]
fn a_plan_without_accesses_follows_its_schema() {
    let mut plan = sample::plan();
    plan.sites[0].held_out.plan = sample::score(f64::NAN, f64::NAN, None);
    assert_follows("plan", plan);
}

#[test]
fn a_plan_file_follows_its_schema() {
    let mut placement = sample::placement();
    placement.files[0].path = hotset_scenario::FilePath(vec![b'/', 0xff]);
    assert_follows("placement", placement);
}

#[test]
fn what_was_read_follows_its_schema() {
    assert_follows("import", ReadSummary::default());
}

#[test]
fn a_cache_scan_follows_its_schema() {
    assert_follows(
        "simulate-trace",
        Simulated {
            policy: "lru".to_owned(),
            unit: "pages".to_owned(),
            memory_bytes: 4096,
            backing: "hdd".to_owned(),
            requests: 0,
            hits: 0,
            hit_ratio: f64::NAN,
            byte_hit_ratio: f64::NAN,
            mean_us: f64::NAN,
        },
    );
}

#[test]
fn a_generated_workload_follows_its_schema() {
    let generated = Generated {
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
    assert_follows("generate", generated);
}

#[test]
fn the_schemas_refuse_what_lacks_a_promised_key() {
    let mut plan = serde_json::to_value(sample::plan()).unwrap();
    plan["total"]["held_out"]["plan"]
        .as_object_mut()
        .unwrap()
        .remove("mean_us");
    assert!(!schema("plan").is_valid(&plan));
    let mut description = serde_json::to_value(sample::description()).unwrap();
    description["total"]["bytes_for_percent_of_requests"] = json!({"97": 1, "98": 2});
    assert!(!schema("describe").is_valid(&description));
    let mut placement = serde_json::to_value(sample::placement()).unwrap();
    placement["files"][0]["size_bytes"] = json!("12 KiB");
    assert!(!schema("placement").is_valid(&placement));
}
