//! `hotset probe`: what a directory's file system costs.

use hotset_outcome::Outcome;
use hotset_probe::{
    BlockReads, CopyReads, Device, DirectReads, Figure, FileReads, FileSystem, Findings,
    MappedReads, Operation, ParallelReads, SentBlocks, size_name,
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
    copying: &'a [CopyReads],
    mapped: &'a MappedReads,
    readers: &'a [ParallelReads],
    sending: &'a [SentBlocks],
    direct: Option<&'a DirectReads>,
    profile: Option<&'a Profile>,
    profile_apart: Option<f64>,
    noisy: Vec<String>,
    outcomes: [Outcome; 1],
}

impl View for ProbeView<'_> {
    crate::by_hand!();
    /// What it is on, then the figures, then the profile and what is noisy.
    fn terminal(&self, style: Style) -> String {
        let tables = [
            (
                "Opening, making, writing and mapping files",
                self.operations(),
            ),
            ("Reading whole files, already open", self.files()),
            ("Reading a large file in blocks, MB/s", self.blocks()),
            (
                "A large file mapped, its pages in the page cache, MB/s",
                self.mapped(),
            ),
            (
                "Readers side by side, 64 KiB at random places, MB/s",
                self.readers(),
            ),
            (
                "Handing blocks to a local socket until they are read, MB/s",
                self.sending(),
            ),
            ("Past the page cache, at random places", self.direct()),
            (
                "Requests in flight past the page cache, together",
                self.in_flight(),
            ),
            ("Profile", self.lines()),
            ("Latency of file access", self.access()),
        ];
        let mut text = paragraph(style, &self.headline(), Style::strong) + &sections(style, tables);
        let doubts = self
            .profile
            .map(|profile| self.findings.doubts(profile))
            .unwrap_or_default();
        for remark in doubts {
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
            copying: &findings.copying,
            mapped: &findings.mapped,
            readers: &findings.readers,
            sending: &findings.sending,
            direct: findings.direct.as_ref(),
            profile: self.profile,
            profile_apart: self.profile.map(|profile| findings.apart(profile)),
            noisy: findings.noisy(),
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
        let fault = self.findings.mapped.fault;
        let samples = Cell::count(fault.samples as u64);
        table.row(["map 64K by a fault".into(), time(fault), samples]);
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

    /// Blocks that are mapped already.
    fn mapped(&self) -> Table {
        let mut table = Table::new([
            Column::text("block"),
            Column::number("in sequence"),
            Column::number("at random"),
        ]);
        for it in &self.findings.mapped.blocks {
            let rate = |figure: Figure| Cell::plain(it.bytes as f64 / figure.median_us);
            let (sequential, random) = (rate(it.sequential), rate(it.random));
            table.row([size_name(it.bytes).into(), sequential, random]);
        }
        table
    }

    fn sending(&self) -> Table {
        let mut table = Table::new([
            Column::text("block"),
            Column::number("written from a buffer"),
            Column::number("written from memory"),
            Column::number("by sendfile"),
        ]);
        for it in &self.findings.sending {
            let rate = |figure: Figure| Cell::plain(it.bytes as f64 / figure.median_us);
            table.row([
                size_name(it.bytes).into(),
                rate(it.written),
                rate(it.cold),
                rate(it.sent),
            ]);
        }
        table
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

    fn direct(&self) -> Table {
        let mut table = Table::new([
            Column::text("request"),
            Column::duration("median (95 % interval)").with_interval(),
            Column::number("MB/s"),
        ]);
        for it in self.findings.direct.iter().flat_map(|it| &it.alone) {
            let rate = Cell::plain(it.bytes as f64 / it.figure.median_us);
            table.row([size_name(it.bytes).into(), time(it.figure), rate]);
        }
        // Lost in the noise it would be taken for a figure.
        let segment = self.findings.direct.iter().filter_map(|it| it.segment);
        for figure in segment.filter(|it| it.low_us > 0.0) {
            table.row([
                "each further page apart".into(),
                time(figure),
                Cell::default(),
            ]);
        }
        table
    }

    fn in_flight(&self) -> Table {
        let mut table = Table::new([
            Column::number("requests"),
            Column::number("4K reads/s"),
            Column::text("large"),
            Column::number("MB/s"),
        ]);
        for it in self.findings.direct.iter().flat_map(|it| &it.in_flight) {
            table.row([
                Cell::count(it.requests as u64),
                Cell::plain(1e6 / it.small.median_us),
                size_name(it.large_bytes).into(),
                Cell::plain(it.large_bytes as f64 / it.large.median_us),
            ]);
        }
        table
    }

    /// One row in the form of table 2 of "Workload-driven analysis of file systems in shared multi-tier data-centers over
    /// InfiniBand".
    fn access(&self) -> Table {
        let mut table = Table::new([
            Column::text("file system"),
            Column::duration("open and close 4K"),
            Column::duration("1M"),
            Column::duration("cached 4K"),
            Column::duration("1M"),
            Column::duration("uncached 4K"),
            Column::duration("1M"),
        ]);
        let of = |bytes| self.findings.files.iter().find(|it| it.bytes == bytes);
        if let (Some(small), Some(large)) = (of(4 << 10), of(1 << 20)) {
            let median = |figure: Figure| Cell::duration(figure.median_us);
            table.row([
                self.findings.kind().into(),
                median(small.open_close),
                median(large.open_close),
                median(small.cached),
                median(large.cached),
                optional(small.uncached, median),
                optional(large.uncached, median),
            ]);
        }
        table
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
    let raid = raid.map(|level| {
        let parts: Vec<&str> = device.parts.iter().map(|it| it.name.as_str()).collect();
        format!(", {level} of {}", parts.join(" and "))
    });
    let file = device.backing_file.as_ref();
    let file = file.map(|path| format!(", shows {}", path.display()));
    let facts = [model, turns, scheduler, raid, file];
    let facts: String = facts.into_iter().flatten().collect();
    format!("device {}{facts}", device.name)
}
