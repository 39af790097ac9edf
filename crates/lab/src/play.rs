//! Having the events of a data-centre happen that is up.

use crate::events::{Due, happen};
use crate::inventory::EventEntry;
use crate::up::{EVENTS, chosen};
use crate::{Control, LabError};
use hotset_machine::{Need, Requirements, file};
use std::path::Path;

/// What has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Tag of the data-centre.
    pub tag: String,
    /// What has happened, in the order of time.
    pub events: Vec<EventEntry>,
    /// How much more would have, had it not been ended.
    pub left: usize,
}

/// Has the events of a scenario happen in its data-centre, which [`up`](crate::up()) has left under `ledgers`. It is that of this tag, or
/// without one the only one there is. Times count from now. Whatever has happened stays so.
///
/// # Errors
/// Without root; when there is no such data-centre, or nothing ever happens in it; when something cannot be done.
pub fn play(ledgers: &Path, tag: Option<&str>, control: &dyn Control) -> Result<Played, LabError> {
    Requirements::check(&[Need::Root])?;
    let (tag, directory) = chosen(ledgers, tag)?;
    let due: Option<Vec<Due>> = file::read_json(&directory.join(EVENTS))?;
    let due = due.ok_or_else(|| {
        LabError::Unusable(format!(
            "nothing ever happens in data-centre {tag}: its scenario has no [[event]] that the lab follows; add one, and stand it up anew"
        ))
    })?;
    let count = happen(&due, control)?;
    Ok(Played {
        tag,
        events: due[..count].iter().map(EventEntry::of).collect(),
        left: due.len() - count,
    })
}
