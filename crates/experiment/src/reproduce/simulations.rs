//! What studies simulate. It is kept, as it takes a minute or more, and is made anew where the files that it is made from or the version of hotset
//! are others.

use std::path::Path;

use hotset_lab::{Control, go_on};
use hotset_machine::file;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error_words::in_words;
use super::predictions::{TOOL, hash};
use crate::ExperimentError;

/// What was simulated, and what is to be said of that.
pub(super) struct Simulation<T> {
    pub result: T,
    /// Why what was kept was not used, or could not be kept.
    pub remarks: Vec<String>,
}

/// It as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    /// Program and version that made it.
    tool: String,
    /// Hash of what it was made from.
    made_from: String,
    result: T,
}

/// What `simulate` comes to, which is made from the file `settings` and the others in its folder, and is kept in the file `kept`.
///
/// # Errors
/// That of the simulation; files that cannot be read, and an interruption.
pub(super) fn of<T: Serialize + DeserializeOwned>(
    (settings, kept): (&Path, &Path),
    control: &dyn Control,
    simulate: impl FnOnce(&Path, &dyn Control) -> Result<T, ExperimentError>,
) -> Result<Simulation<T>, ExperimentError> {
    let made_from = hash(settings)?;
    let mut remarks = Vec::new();
    match file::read_json::<Kept<T>>(kept) {
        Ok(Some(found)) if found.tool != TOOL => remarks.push(format!(
            "{}: simulated by {}, and simulated anew",
            kept.display(),
            found.tool
        )),
        Ok(Some(found)) if found.made_from == made_from => {
            return Ok(Simulation {
                result: found.result,
                remarks,
            });
        }
        // Files that have changed since are simulated without a word.
        Ok(_) => {}
        Err(error) => remarks.push(format!("{}; it is simulated anew", in_words(&error))),
    }
    go_on(control)?;
    control.step(&format!("simulating {}", settings.display()));
    let made = Kept {
        tool: TOOL.to_owned(),
        made_from,
        result: simulate(settings, control)?,
    };
    go_on(control)?;
    // A full disk, or a folder that is not to be written to, only takes time again.
    if let Err(error) = file::write_json(kept, &made) {
        let words = in_words(&error);
        remarks.push(format!(
            "{words}; what was simulated is not kept, and is made anew next time"
        ));
    }
    Ok(Simulation {
        result: made.result,
        remarks,
    })
}
