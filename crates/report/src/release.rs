//! `hotset release`.

use std::path::Path;

use hotset_machine::ledger::Teardown;

use crate::{Document, Json, Tone, View, number};

/// What was taken back.
pub struct ReleasedView<'a> {
    /// The state folder.
    pub folder: &'a Path,
    /// Whether there was such a folder.
    pub had_state: bool,
    /// What became of all that was made.
    pub teardown: &'a Teardown,
}

impl View for ReleasedView<'_> {
    /// Whether all of it is gone, and what is not.
    fn document(&self) -> Document<'_> {
        let Teardown {
            removed,
            notes,
            left,
        } = self.teardown;
        let folder = self.folder.display();
        let headline = match removed.len() as u64 {
            0 if !self.had_state => {
                format!("{folder}: there is no such state, so nothing was held.")
            }
            0 if left.is_empty() => format!("{folder}: nothing was held."),
            count => format!(
                "{folder}: released; {} removed.",
                number::counted(count, "resource", "resources")
            ),
        };
        let mut to = Document::new(headline, Tone::Strong);
        to.lines("Removed in part or late", notes)
            .lines("Still there", left);
        to
    }

    fn value(&self) -> impl Json {
        self.teardown
    }
}
