//! A description as `--json` prints it, by `schemas/describe.json`.

use hotset_describe::Description;
use hotset_trace::read::ReadSummary;
use serde::Serialize;

use super::view::DescriptionView;
use crate::json;

/// The description, whose keys are declared in `hotset_describe`, and how its requests were read.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    description: &'a Description,
    reading: &'a ReadSummary,
}

pub(super) fn text(view: &DescriptionView) -> serde_json::Result<String> {
    json::text(&Document {
        description: view.description,
        reading: view.reading,
    })
}
