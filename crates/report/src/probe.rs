//! `hotset probe`: what a directory's file system costs.

use hotset_outcome::Outcome;
use hotset_probe::{
    BlockReads, Device, Figure, FileReads, FileSystem, Findings, Operation, ParallelReads,
    size_name,
};
use hotset_scenario::Profile;
use serde::Serialize;

use crate::table::optional;
use crate::terminal::{paragraph, sections};
use crate::{Cell, Column, Style, Table, View, json, number};

/// What a directory was found to cost.
pub struct ProbeView<'a> {
    /// The figures.
    pub findings: &'a Findings,
    /// The store's profile that they make; nothing where too few sizes were measured.
    pub profile: Option<&'a Profile>,
}

/// What `hotset probe --json` prints.
#[derive(Serialize)]
struct Probed<'a> {
    directory: String,
    file_system: Option<&'a FileSystem>,
    operations: &'a [Operation],
    files: &'a [FileReads],
    blocks: &'a [BlockReads],
    readers: &'a [ParallelReads],
    profile: Option<&'a Profile>,
    profile_apart: Option<f64>,
    noisy: Vec<String>,
    outcomes: [Outcome; 1],
}

impl View for ProbeView<'_> {
    /// What it is on, then the figures, then the profile and what is noisy.
    fn terminal(&self, style: Style) -> String {
        let tables = [
            ("Opening, making and writing files", self.operations()),
            ("Reading whole files, already open", self.files()),
            ("Reading a large file in blocks, MB/s", self.blocks()),
            (
                "Readers side by side, 64 KiB at random places, MB/s",
                self.readers(),
            ),
            ("Profile", self.lines()),
        ];
        let mut text = paragraph(style, &self.headline(), Style::strong) + &sections(style, tables);
        for remark in self.remarks() {
            text += "\n";
            text += &paragraph(style, &remark, |_, line| line.to_owned());
        }
        text
    }

    fn json(&self) -> serde_json::Result<String> {
        let findings = self.findings;
        json::text(&Probed {
            directory: findings.directory.display().to_string(),
            file_system: findings.file_system.as_ref(),
            operations: &findings.operations,
            files: &findings.files,
            blocks: &findings.blocks,
            readers: &findings.readers,
            profile: self.profile,
            profile_apart: self.profile.map(|profile| findings.apart(profile)),
            noisy: self.noisy(),
            outcomes: [findings.outcome()],
        })
    }
}

impl ProbeView<'_> {
    fn headline(&self) -> String {
        let directory = self.findings.directory.display();
        let Some(system) = &self.findings.file_system else {
            return format!("{directory}: a file system that the kernel does not tell of.");
        };
        let ahead = system.read_ahead_kib.map_or_else(String::new, |kib| {
            format!(", read-ahead {}", number::bytes(kib << 10))
        });
        let device = system.device.as_ref();
        let device = device.map_or_else(String::new, |device| format!("; {}", described(device)));
        format!(
            "{directory}: {} of {}{ahead}{device}.",
            system.kind,
            system.source.display()
        )
    }

    fn operations(&self) -> Table {
        let mut table = Table::new([
            Column::text("operation"),
            Column::duration("median (95 % interval)").with_interval(),
            Column::number("samples"),
        ]);
        for it in &self.findings.operations {
            let samples = Cell::count(it.figure.samples as u64);
            table.row([it.name.into(), time(it.figure), samples]);
        }
        table
    }

    fn files(&self) -> Table {
        let mut table = Table::new([
            Column::text("size"),
            Column::duration("cached (95 % interval)").with_interval(),
            Column::duration("uncached (95 % interval)").with_interval(),
        ]);
        for it in &self.findings.files {
            let uncached = optional(it.uncached, time);
            table.row([size_name(it.bytes).into(), time(it.cached), uncached]);
        }
        table.without_unknown_columns()
    }

    fn blocks(&self) -> Table {
        let mut table = Table::new([
            Column::text("block"),
            Column::number("in sequence, cached"),
            Column::number("at random, cached"),
            Column::number("in sequence, uncached"),
            Column::number("at random, uncached"),
        ]);
        for it in &self.findings.blocks {
            let rate = |figure: Figure| Cell::plain(it.bytes as f64 / figure.median_us);
            table.row([
                size_name(it.bytes).into(),
                rate(it.sequential_cached),
                rate(it.random_cached),
                optional(it.sequential_uncached, rate),
                optional(it.random_uncached, rate),
            ]);
        }
        table.without_unknown_columns()
    }

    fn readers(&self) -> Table {
        let mut table = Table::new([
            Column::number("readers"),
            Column::number("cached"),
            Column::number("uncached"),
        ]);
        for it in &self.findings.readers {
            let rate = |figure: Figure| Cell::plain(ParallelReads::bytes_per_s(&figure) / 1e6);
            let readers = Cell::count(it.readers as u64);
            table.row([readers, rate(it.cached), optional(it.uncached, rate)]);
        }
        table.without_unknown_columns()
    }

    /// The lines of the profile.
    fn lines(&self) -> Table {
        let mut table = Table::new([
            Column::text("line"),
            Column::duration("open and close"),
            Column::duration("first byte"),
            Column::number("then MB/s"),
        ]);
        for profile in self.profile.iter() {
            for (name, line) in [("cached", profile.cached), ("uncached", profile.uncached)] {
                table.row([
                    name.into(),
                    Cell::duration(profile.open_us),
                    Cell::duration(line.fixed_us),
                    Cell::plain(line.bytes_per_us),
                ]);
            }
        }
        table
    }

    /// What has to be known of the figures.
    fn remarks(&self) -> Vec<String> {
        let in_memory = self.findings.files.iter().all(|it| it.uncached.is_none());
        let in_memory = in_memory.then(|| {
            "Files of this file system are in memory and nowhere else: none can be uncached."
                .to_owned()
        });
        let apart = self.profile.map(|profile| {
            let share = number::percent(self.findings.apart(profile));
            format!("The profile's lines are fitted to whole files, and at most {share} from their medians.")
        });
        let noisy = self.noisy();
        let noisy = (!noisy.is_empty()).then(|| {
            format!(
                "Too noisy for an interval within 5 %: {}. Try again on a quieter machine.",
                noisy.join(", ")
            )
        });
        [in_memory, apart, noisy].into_iter().flatten().collect()
    }

    fn noisy(&self) -> Vec<String> {
        let figures = self.findings.figures();
        figures
            .filter(|(_, figure)| !figure.is_tight())
            .map(|(name, _)| name)
            .collect()
    }
}

fn time(figure: Figure) -> Cell {
    Cell::duration_with_interval(figure.median_us, figure.low_us, figure.high_us)
}

/// A device in words.
fn described(device: &Device) -> String {
    let model = device.model.as_ref().map(|model| format!(" ({model})"));
    let turns = device.rotational.map(|turns| match turns {
        true => ", rotational".to_owned(),
        false => ", not rotational".to_owned(),
    });
    let scheduler = device
        .scheduler
        .as_ref()
        .map(|name| format!(", scheduler {name}"));
    let raid = device.raid.as_ref();
    let raid = raid.map(|level| format!(", {level} of {}", device.parts.join(" and ")));
    let file = device.backing_file.as_ref();
    let file = file.map(|path| format!(", shows {}", path.display()));
    let facts = [model, turns, scheduler, raid, file];
    let facts: String = facts.into_iter().flatten().collect();
    format!("device {}{facts}", device.name)
}
