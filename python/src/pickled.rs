//! A description as bytes, for `pickle`: its JSON, and beside it what JSON leaves out.

use hotset_actions::describe::DescribeResult;
use hotset_describe::{Description, Lists, RateSeries, TimeSpan};
use hotset_trace::read::{NotFound, ReadSummary};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::errors::{self, PartError};

/// What makes a description again.
#[derive(Serialize, Deserialize)]
struct Pickled {
    /// Who has written it: another version may count otherwise.
    version: String,
    description: Description,
    span: Option<TimeSpan>,
    lists: Lists,
    /// Of each site, and of all.
    minutes: Vec<RateSeries>,
    reading: ReadSummary,
    not_found: NotFound,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// `described` as bytes.
pub fn to_bytes(described: &DescribeResult) -> PyResult<Vec<u8>> {
    let description = &described.description;
    let all = description.sites.iter().chain([&description.total]);
    let pickled = Pickled {
        version: VERSION.to_owned(),
        description: description.clone(),
        span: description.span,
        lists: description.lists.clone(),
        minutes: all.map(|site| site.requests_per_minute.clone()).collect(),
        reading: described.reading.clone(),
        not_found: described.reading.not_found.clone(),
    };
    serde_json::to_vec(&pickled).map_err(errors::internal)
}

/// Reads what [`to_bytes`] gave.
pub fn of_bytes(data: &[u8]) -> PyResult<DescribeResult> {
    let refused = |why: String| PartError::new_err(format!("pickled description: {why}"));
    let pickled: Pickled = serde_json::from_slice(data).map_err(|it| refused(it.to_string()))?;
    if pickled.version != VERSION {
        let version = pickled.version;
        return Err(refused(format!(
            "it is of hotset {version}, and this is {VERSION}: describe its logs again"
        )));
    }
    let mut description = pickled.description;
    (description.span, description.lists) = (pickled.span, pickled.lists);
    let all = description.sites.iter_mut().chain([&mut description.total]);
    for (site, minutes) in all.zip(pickled.minutes) {
        site.requests_per_minute = minutes;
    }
    let mut reading = pickled.reading;
    reading.not_found = pickled.not_found;
    Ok(DescribeResult {
        description,
        reading,
    })
}
