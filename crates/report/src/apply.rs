//! `hotset apply`.

use std::path::Path;

use hotset_live::{Charge, FileState, FileStatus, PlacerKind, Preview, State, Tally};
use hotset_scenario::FilePath;
use serde::Serialize;

use crate::terminal::{paragraph, section};
use crate::{Column, Style, Table, View, json, number, printable};

/// Rows of a list of files that people are shown.
const SHOWN_FILES: usize = 10;

/// What is held after a plan was applied.
pub struct AppliedView<'a> {
    /// What is held.
    pub state: &'a State,
    /// The state folder.
    pub folder: &'a Path,
}

/// What applying a plan would change.
pub struct PreviewView<'a> {
    /// What would change.
    pub preview: &'a Preview,
    /// How files would be held.
    pub placer: PlacerKind,
}

/// Files and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Amount {
    pub objects: u64,
    pub bytes: u64,
}

impl Amount {
    /// Of the files that are held. Other names of a file take nothing.
    pub fn held<'f>(files: impl IntoIterator<Item = &'f FileState>) -> Self {
        let mut amount = Self::default();
        for file in files {
            match &file.status {
                FileStatus::Held(identity) => {
                    amount.objects += 1;
                    amount.bytes += identity.size_bytes;
                }
                FileStatus::Shared(_) => amount.objects += 1,
                FileStatus::LeftOut(_) => {}
            }
        }
        amount
    }

    fn words(self) -> String {
        format!(
            "{} ({})",
            number::counted(self.objects, "file", "files"),
            number::bytes(self.bytes)
        )
    }
}

impl From<Tally> for Amount {
    fn from(tally: Tally) -> Self {
        let Tally { objects, bytes } = tally;
        Self { objects, bytes }
    }
}

#[derive(Serialize)]
struct LeftOut<'a> {
    site: &'a str,
    path: &'a FilePath,
    reason: &'a str,
}

#[derive(Serialize)]
struct Memory {
    held_bytes: u64,
    budget_bytes: u64,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document<'a> {
    placer: PlacerKind,
    held: Amount,
    left_out: Vec<LeftOut<'a>>,
    memory: Memory,
    charge: Option<ChargeDocument<'a>>,
}

#[derive(Serialize)]
struct ChargeDocument<'a> {
    group: &'a Path,
    before_bytes: u64,
    after_bytes: u64,
    placed_bytes: u64,
    missing_bytes: u64,
    lay_in_memory: bool,
}

/// What `--dry-run --json` prints.
#[derive(Serialize)]
struct PreviewDocument<'a> {
    dry_run: bool,
    placer: PlacerKind,
    held: Amount,
    left_out: Vec<LeftOut<'a>>,
    changes: Changes,
}

#[derive(Serialize)]
struct Changes {
    added: Amount,
    kept: Amount,
    dropped: Amount,
}

fn left_out(files: &[FileState]) -> Vec<LeftOut<'_>> {
    let left_out = files.iter().filter_map(|file| match &file.status {
        FileStatus::LeftOut(reason) => Some(LeftOut {
            site: &file.site,
            path: &file.path,
            reason,
        }),
        FileStatus::Held(_) | FileStatus::Shared(_) => None,
    });
    left_out.collect()
}

/// The first files that are left out, and how many more there are.
fn left_out_section(files: &[FileState], style: Style) -> String {
    let all = left_out(files);
    let mut table = Table::new([
        Column::text("site"),
        Column::flexible("file"),
        Column::flexible("left out because it"),
    ]);
    for file in all.iter().take(SHOWN_FILES) {
        let path = String::from_utf8_lossy(&file.path.0);
        table.row([file.site, &printable(&path), file.reason]);
    }
    let more = all.len().saturating_sub(SHOWN_FILES);
    let more = match more {
        0 => String::new(),
        more => format!(
            "and {}; --json lists them all\n",
            number::counted(more as u64, "more file", "more files")
        ),
    };
    match all.is_empty() {
        true => String::new(),
        false => section(style, "Left out", &(table.render(style) + &more)),
    }
}

impl View for AppliedView<'_> {
    crate::by_hand!();
    /// What is held, how, what is not and why.
    fn terminal(&self, style: Style) -> String {
        let state = self.state;
        let headline = format!(
            "Holding {} by {} in {} of memory; {} may be held.",
            Amount::held(&state.files).words(),
            state.placer,
            number::bytes(state.held_bytes()),
            number::bytes(state.budget_bytes),
        );
        let folder = self.folder.display();
        let next = format!(
            "`hotset status --state {folder}` checks it, `hotset release --state {folder}` takes it back."
        );
        let mut text = paragraph(style, &headline, Style::strong);
        text += &charge_line(state.charge.as_ref(), style);
        text += &paragraph(style, &next, |_, line| line.to_owned());
        text + &left_out_section(&state.files, style)
    }

    fn json(&self) -> serde_json::Result<String> {
        let state = self.state;
        json::text(&Document {
            placer: state.placer,
            held: Amount::held(&state.files),
            left_out: left_out(&state.files),
            memory: Memory {
                held_bytes: state.held_bytes(),
                budget_bytes: state.budget_bytes,
            },
            charge: state.charge.as_ref().map(ChargeDocument::from),
        })
    }
}

impl<'a> From<&'a Charge> for ChargeDocument<'a> {
    fn from(charge: &'a Charge) -> Self {
        Self {
            group: &charge.group,
            before_bytes: charge.before_bytes,
            after_bytes: charge.after_bytes,
            placed_bytes: charge.placed_bytes,
            missing_bytes: charge.missing_bytes(),
            lay_in_memory: charge.lay_in_memory,
        }
    }
}

/// Whether the server's group pays for what was placed.
fn charge_line(charge: Option<&Charge>, style: Style) -> String {
    let Some(charge) = charge else {
        return String::new();
    };
    let grown = charge.after_bytes.saturating_sub(charge.before_bytes);
    let mut line = format!(
        "Memory group {} went from {} to {} that cannot be evicted, by {} for {} placed.",
        charge.group.display(),
        number::bytes(charge.before_bytes),
        number::bytes(charge.after_bytes),
        number::bytes(grown),
        number::bytes(charge.placed_bytes),
    );
    if charge.lay_in_memory {
        line += " Files of a tmpfs or ramfs stay charged to the groups whose processes wrote them.";
    } else if charge.missing_bytes() > 0 {
        line += " The rest is charged to other groups, whose processes have these files mapped.";
    }
    paragraph(style, &line, |_, line| line.to_owned())
}

impl View for PreviewView<'_> {
    crate::by_hand!();
    /// What would be held anew, kept and given up.
    fn terminal(&self, style: Style) -> String {
        let preview = self.preview;
        let amount = |tally: Tally| Amount::from(tally).words();
        let headline = format!(
            "Nothing was changed. Applying this by {} would hold {} more, keep {} and give up {}.",
            self.placer,
            amount(preview.added),
            amount(preview.kept),
            amount(preview.dropped),
        );
        paragraph(style, &headline, Style::strong) + &left_out_section(&preview.files, style)
    }

    fn json(&self) -> serde_json::Result<String> {
        let preview = self.preview;
        json::text(&PreviewDocument {
            dry_run: true,
            placer: self.placer,
            held: Amount::held(&preview.files),
            left_out: left_out(&preview.files),
            changes: Changes {
                added: preview.added.into(),
                kept: preview.kept.into(),
                dropped: preview.dropped.into(),
            },
        })
    }
}
