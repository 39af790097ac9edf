//! What all results can do: become a `dict`, JSON or a page, and be saved.

use std::path::Path;

use hotset_actions::provenance;
use hotset_machine::file;
use hotset_report::{Page, View};
use pyo3::prelude::*;

use crate::errors::{self, SaveError};

/// What `--json` prints, as Python's own values.
pub fn to_dict<'py>(py: Python<'py>, view: &impl View) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (to_json(view)?,))
}

/// What `--json` prints.
pub fn to_json(view: &impl View) -> PyResult<String> {
    view.json().map_err(errors::internal)
}

/// The page in a frame of its own: its style meets nothing of the notebook's. A notebook keeps what it shows, so the page has the
/// beginnings of its lists alone, and its many double quotes stand as they are between two single ones.
pub fn to_frame(view: &impl Page) -> String {
    let page = view.page_in_short(&provenance::of_result([]));
    let page = page.replace('&', "&amp;").replace('\'', "&#39;");
    format!("<iframe srcdoc='{page}' sandbox style='width:100%;height:600px;border:0'></iframe>")
}

/// Text as it stands in a terminal.
pub fn to_text_frame(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    format!("<pre>{text}</pre>")
}

fn page(view: &impl Page) -> String {
    view.page(&provenance::of_result([]))
}

/// Writes the page where `path` ends in `.html`, else JSON.
pub fn save(path: &Path, view: &impl Page) -> PyResult<()> {
    let is_page = path.extension().is_some_and(|ending| ending == "html");
    match is_page {
        true => write(path, page(view).as_bytes()),
        false => write(path, to_json(view)?.as_bytes()),
    }
}

/// Writes a file whole or not at all.
pub fn write(path: &Path, contents: &[u8]) -> PyResult<()> {
    file::write(path, contents).map_err(|error| {
        SaveError::new_err(format!("{}: cannot be written: {error}", path.display()))
    })
}
