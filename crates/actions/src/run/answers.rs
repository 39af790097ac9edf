//! What is answered over HTTP.

use hotset_live::{Answer, RunStatus, StateFolder};
use hotset_machine::memory;
use hotset_report::{RunView, StatusView, View as _};

use crate::error::refused;
use crate::{JobError, provenance, status};

/// Answers a question for a path.
pub(super) fn answer(folder: &StateFolder, path: &str) -> Answer {
    let answered = match path {
        "/" => with_view(folder, |view| {
            let state = ("State", folder.path().display().to_string());
            Ok(view.page(&provenance::of_result([state])))
        })
        .map(|page| Answer::of("text/html; charset=utf-8", page)),
        "/metrics" => with_view(folder, |view| Ok(view.metrics()?)).map(|text| {
            let media_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            Answer::of(media_type, text)
        }),
        "/status" => status::look(folder)
            .and_then(|found| Ok(found.view().json()?))
            .map(|text| Answer::of("application/json", text)),
        _ => Ok(Answer::problem(
            404,
            "there is nothing here; / is a page, /status JSON, /metrics for Prometheus",
        )),
    };
    answered.unwrap_or_else(|error| Answer::problem(500, &error.message().to_string()))
}

/// What is written down about the runner, and who of those who hold files lives. Single files are not looked at, since that takes
/// long where there are many.
fn with_view(
    folder: &StateFolder,
    show: impl FnOnce(&RunView) -> Result<String, JobError>,
) -> Result<String, JobError> {
    let status = hotset_live::glance(folder)?;
    let run = RunStatus::load(folder)?.ok_or_else(|| refused("the daemon has told nothing yet"))?;
    show(&RunView {
        status: StatusView {
            status: &status,
            daemon: Some(&run),
        },
        daemon: &run,
        available_bytes: memory::available_bytes()?,
        total_bytes: memory::total_bytes()?,
    })
}
