//! `hotset release`.

use std::path::Path;

use hotset_machine::ledger::Teardown;
use serde::Serialize;

use crate::terminal::{paragraph, section, wrapped};
use crate::{Style, View, json, number};

/// What was taken back.
pub struct ReleasedView<'a> {
    /// The state folder.
    pub folder: &'a Path,
    /// Whether there was such a folder.
    pub had_state: bool,
    /// What became of all that was made.
    pub teardown: &'a Teardown,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    removed: &'a [String],
    notes: &'a [String],
    left: &'a [String],
}

impl View for ReleasedView<'_> {
    crate::by_hand!();
    /// Whether all of it is gone, and what is not.
    fn terminal(&self, style: Style) -> String {
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
        let lines = |items: &[String]| -> String {
            items.iter().map(|item| wrapped(item, style)).collect()
        };
        let parts = [
            paragraph(style, &headline, Style::strong),
            section(style, "Removed in part or late", &lines(notes)),
            section(style, "Still there", &lines(left)),
        ];
        parts.concat()
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(&Document {
            removed: &self.teardown.removed,
            notes: &self.teardown.notes,
            left: &self.teardown.left,
        })
    }
}
