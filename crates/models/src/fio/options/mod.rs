//! Options of fio: those that are modelled, those that are refused, and what they must be together.
//!
//! | deed | place |
//! | --- | --- |
//! | an option: name, value, default, meaning, how it is taken over, how fio is told | a row of `table.rs` |
//! | a job of which nothing is said, held to the defaults of the table by a test | `job.rs` |
//! | values that only one option takes | `values.rs` |
//! | an option that is not modelled, and why | a row of `refused.rs` |
//! | what options together must be | `together.rs` |

mod refused;
mod table;
mod together;
mod values;

use std::fmt::Write as _;

use super::Job;
use super::sections::Setting;

pub use table::{FioOption, OPTIONS, ValueKind};
pub(super) use together::{SECTOR_BYTES, check};
pub(super) use values::TRIMMING;

/// How alike two names are, from 0 to 1, for one to be taken for a slip of the other.
const ALIKE: f64 = 0.8;

/// Takes one option over.
pub(super) fn set(job: &mut Job, setting: &Setting<'_>) -> Result<(), String> {
    let known = find(setting.name);
    let alone = known.filter(|it| it.value == ValueKind::Flag).map(|_| "1");
    let Some(value) = setting.value.or(alone) else {
        return Err(refusal(setting.name, "needs a value"));
    };
    if value.contains("${") {
        return Err("variables are not filled in; write the value".into());
    }
    match known {
        Some(option) => (option.set)(job, value),
        // Sections have names already.
        None if setting.name == "name" => Ok(()),
        None => Err(refusal(setting.name, "is not known")),
    }
}

/// Why an option is not taken: it is refused, or not known, with the one that is most like it.
fn refusal(name: &str, what: &str) -> String {
    if let Some(reason) = refused::reason(name) {
        return reason.to_owned();
    }
    let likeness = |known: &&str| (strsim::jaro_winkler(name, known) * 1e6) as u64;
    let names = || OPTIONS.iter().map(|it| it.name);
    let nearest = names().max_by_key(likeness);
    match nearest.filter(|known| strsim::jaro_winkler(name, known) >= ALIKE) {
        Some(known) if known != name => format!("{what}; did you mean {known}?"),
        _ => {
            let names: Vec<&str> = names().collect();
            format!("{what}; options that are modelled: {}", names.join(", "))
        }
    }
}

impl Job {
    /// Its section as fio reads it: what is said above, and nothing that is fio's default.
    #[must_use]
    pub fn to_fio(&self) -> String {
        let mut text = format!("[{}]\n", self.name);
        let written = |it: &FioOption| Some((it.name, (it.written)(self)?));
        for (name, value) in OPTIONS.iter().filter_map(written) {
            // Writing to a text does not fail.
            let _written = writeln!(text, "{name}={value}");
        }
        text
    }
}

fn find(name: &str) -> Option<&'static FioOption> {
    let mut options = OPTIONS.iter();
    options.find(|it| it.name == name || it.alias == Some(name))
}
