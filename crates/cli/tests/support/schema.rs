//! Published schemas, and what holds to them.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Fails when `json` has a key that the schema does not describe, or one that it describes otherwise.
pub fn holds_to(schema: &str, json: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../schemas")
        .join(schema);
    let text = fs::read_to_string(&path).expect("the schema is there");
    let mut schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    close(&mut schema);
    let validator = jsonschema::validator_for(&schema).expect("the schema is a schema");
    let errors: Vec<String> = validator.iter_errors(json).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Leaves no room for keys that the schema does not describe.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(keys) => {
            if keys.contains_key("properties") {
                keys.insert("additionalProperties".into(), false.into());
            }
            keys.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}
