//! Schemas made of the types whose values they describe. `UPDATE_SCHEMAS=1 cargo test -p hotset-report schemas` writes them
//! into `schemas/`.

use std::path::PathBuf;

use hotset_scenario::Placement;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

/// What every output but the plan file promises: a closed schema would make each new key a breaking change.
const OPEN: &str = "Later versions may add keys: ignore those you do not know. A key that is here keeps its meaning.";

/// A schema and what is said of the whole document. What is said of its keys are the comments of its types.
struct Document {
    /// Name of its file, without `.json`.
    name: &'static str,
    title: &'static str,
    description: String,
    schema: fn(SchemaGenerator) -> Schema,
}

fn documents() -> Vec<Document> {
    vec![Document {
        name: "placement",
        title: "The plan file of hotset plan -o",
        description: "The files to hold, for placing them. Nothing but these keys: a placer that met one it does not \
                      know could leave out what it asks for."
            .to_owned(),
        schema: of::<Placement>,
    }]
}

fn of<T: JsonSchema>(generator: SchemaGenerator) -> Schema {
    generator.into_root_schema_for::<T>()
}

impl Document {
    /// The schema as its file has it.
    fn text(&self) -> String {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let settings = settings.with_transform(RecursiveTransform(plain));
        let mut schema = (self.schema)(settings.into_generator());
        RecursiveTransform(bounded).transform(&mut schema);
        schema.insert("title".to_owned(), self.title.into());
        schema.insert("description".to_owned(), self.description.as_str().into());
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

/// Bounds that the names of keys promise: what is counted in a unit is not negative, and a share is one of the whole.
fn bounded(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (key, property) in properties.into_iter().flatten() {
        let Some(property) = property.as_object_mut() else {
            continue;
        };
        let is_number = match property.get("type") {
            Some(Value::Array(types)) => types.contains(&json!("number")),
            Some(one) => one == "number",
            None => false,
        };
        let is_signed =
            property.contains_key("minimum") || SIGNED.iter().any(|it| key.contains(it));
        if is_number && !is_signed && AMOUNTS.iter().any(|it| key.ends_with(it)) {
            property.insert("minimum".to_owned(), json!(0));
        }
        if is_number && !is_signed && SHARES.iter().any(|it| key.ends_with(it)) {
            property.insert("minimum".to_owned(), json!(0));
            property.insert("maximum".to_owned(), json!(1));
        }
    }
}

/// Ends of keys of numbers that are never negative.
const AMOUNTS: [&str; 7] = [
    "_us",
    "_ms",
    "_seconds",
    "_bytes",
    "_per_s",
    "_per_hour",
    "_per_second",
];
/// Ends of keys of numbers from 0 to 1.
const SHARES: [&str; 3] = ["hit_ratio", "miss_ratio", "share"];
/// Words of keys of differences, which have a sign.
const SIGNED: [&str; 2] = ["saved", "gain"];

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
