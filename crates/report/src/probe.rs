//! `hotset probe`: what a directory's file system costs.

use hotset_machine::file_system::{Device, DirtyLimits, FileSystem, JournalInfo};
use hotset_outcome::Outcome;
use hotset_probe::{
    BlockReads, CopyReads, DirectReads, DirectWrites, Figure, FileReads, Findings, InFlight,
    MappedReads, MountCalls, Operation, ParallelReads, SentBlocks, Writes, size_name,
};
use hotset_scenario::Profile;
use serde::Serialize;

use crate::{Cell, Column, Document, Json, Table, Tone, View, number};

/// What a directory was found to cost.
pub struct ProbeView<'a> {
    /// The figures.
    pub findings: &'a Findings,
    /// The store's profile that they make; nothing where too few sizes were measured.
    pub profile: Option<&'a Profile>,
}

/// What `hotset probe --json` prints.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Value<'a> {
    /// The folder.
    directory: String,
    /// What it is on; null where the kernel does not tell.
    file_system: Option<&'a FileSystem>,
    /// When the machine writes back what is dirty; null where the kernel does not tell.
    dirty_limits: Option<DirtyLimits>,
    /// Everything but reading, and writing blocks.
    operations: &'a [Operation],
    /// Writing into the page cache, and waiting for the device.
    writes: &'a Writes,
    /// What calls of a network mount take, and how long the page cache keeps files of it; missing in early results, and of file systems
    /// on this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    mount: Option<&'a MountCalls>,
    /// Reading whole files, already open, by size.
    files: &'a [FileReads],
    /// Reading blocks of a large file, by size.
    blocks: &'a [BlockReads],
    /// Reading blocks from the page cache, by how many bytes are read again and again, and by size.
    copying: &'a [CopyReads],
    /// Reading a large file that is mapped, its pages in the page cache; null where they do not stay there once the file is opened anew.
    mapped: Option<&'a MappedReads>,
    /// Readers of one large file side by side.
    readers: &'a [ParallelReads],
    /// Handing blocks to a local socket that a thread on the same processor empties, by size.
    sending: &'a [SentBlocks],
    /// Reading past the page cache, at random places; null where the file system does not, or is in memory only.
    direct: Option<&'a DirectReads>,
    /// Writing past the page cache, over a file of which every block has data; null likewise.
    direct_writes: Option<&'a DirectWrites>,
    /// The store's profile; null where too few sizes were measured.
    profile: Option<&'a Profile>,
    /// How far its lines are from the medians of whole files at most, as a share.
    profile_apart: Option<f64>,
    /// Figures whose interval is wider than 5 % to each side.
    noisy: Vec<String>,
    /// This run, as `hotset compare` reads it: times and rates as groups of kind job, numbers of tokens and
    /// utilisations as resources.
    outcomes: [Outcome; 1],
}

impl View for ProbeView<'_> {
    /// What it is on, then the figures, then the profile and what is noisy.
    fn document(&self) -> Document<'_> {
        let mut to = Document::new(self.headline(), Tone::Strong);
        to.table(move |_| self.calls())
            .heading("Calls over the mount");
        if let Some(words) = self.shares() {
            to.paragraph(words);
        }
        to.table(move |_| self.operations())
            .heading("Opening, making, changing and mapping files");
        to.table(move |_| self.written())
            .heading("Writing blocks into the page cache");
        if let Some((call_us, page_us)) = self.findings.writes.call_and_page_us() {
            let [call, page] = [call_us, page_us].map(number::duration);
            to.paragraph(format!(
                "Writing over a file takes {call} for a call, and {page} for each page."
            ));
        }
        to.table(move |_| self.synced())
            .heading("Waiting until what was written is on the device");
        to.table(move |_| self.files())
            .heading("Reading whole files, already open");
        to.table(move |_| self.blocks())
            .heading("Reading a large file in blocks, MB/s");
        to.table(move |_| self.mapped())
            .heading("A large file mapped, its pages in the page cache, MB/s");
        to.table(move |_| self.readers())
            .heading("Readers side by side, 64 KiB at random places, MB/s");
        to.table(move |_| self.sending())
            .heading("Handing blocks to a local socket until they are read, MB/s");
        to.table(move |_| self.direct())
            .heading("Past the page cache, at random places");
        to.table(move |_| self.in_flight())
            .heading("Requests in flight past the page cache, together");
        to.table(move |_| self.direct_writes())
            .heading("Writing past the page cache");
        to.table(move |_| self.writes_in_flight())
            .heading("Writes in flight past the page cache, together");
        to.table(move |_| self.lines()).heading("Profile");
        to.table(move |_| self.access())
            .heading("Latency of file access");
        for doubt in self.profile.iter().flat_map(|it| self.findings.doubts(it)) {
            to.paragraph(doubt);
        }
        to
    }

    fn value(&self) -> impl Json {
        let findings = self.findings;
        Value {
            directory: findings.directory.display().to_string(),
            file_system: findings.file_system.as_ref(),
            dirty_limits: findings.dirty_limits,
            operations: &findings.operations,
            writes: &findings.writes,
            mount: findings.mount.as_ref(),
            files: &findings.files,
            blocks: &findings.blocks,
            copying: &findings.copying,
            mapped: findings.mapped.as_ref(),
            readers: &findings.readers,
            sending: &findings.sending,
            direct: findings.direct.as_ref(),
            direct_writes: findings.direct_writes.as_ref(),
            profile: self.profile,
            profile_apart: self.profile.map(|profile| findings.apart(profile)),
            noisy: findings.noisy(),
            outcomes: [findings.outcome()],
        }
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
        let called = system.network.as_ref().and_then(|it| it.read_bytes);
        let called = called.map_or_else(String::new, |bytes| {
            format!(", calls read up to {}", number::bytes(bytes))
        });
        let device = system.device.as_ref();
        let device = device.map_or_else(String::new, |device| format!("; {}", described(device)));
        let journal = system.journal.as_ref().map_or_else(String::new, journal);
        format!(
            "{directory}: {} of {}{journal}{called}{ahead}{device}.",
            system.kind,
            system.source.display()
        )
    }

    /// Calls alone, then by how many make them at the same time.
    fn calls(&self) -> impl Into<Table> {
        let mount = self.findings.mount.iter();
        let alone = mount.clone().flat_map(|it| {
            [
                ("look up a name that is not there", it.round_trip),
                ("ask for attributes anew", it.attributes),
                ("open, read 4K and close", it.open_read_close),
            ]
        });
        let alone = alone.map(|(name, figure)| (name.to_owned(), figure));
        let callers = mount.flat_map(|it| &it.callers);
        let callers = callers.map(|it| {
            let name = format!("look up, {} at once, between two answers", it.callers);
            (name, it.figure)
        });
        Table::of(alone.chain(callers))
            .text("what", |it| Cell::from(&it.0))
            .column(interval("median (95 % interval)"), |it| time(it.1))
    }

    /// Where a call takes its time.
    fn shares(&self) -> Option<String> {
        let shares = self.findings.mount_shares()?;
        let [client, server, delay] =
            [shares.client_us, shares.server_us, shares.delay_us].map(number::duration);
        Some(format!(
            "Of a call and its answer, this machine's processors take {client}. The server takes {server}, if it has one processor. The rest \
             is the way, {delay} each."
        ))
    }

    fn operations(&self) -> impl Into<Table> {
        let operations = self.findings.operations.iter();
        let operations = operations.map(|it| (it.name, it.figure));
        let mapped = self.findings.mapped.iter();
        let fault = mapped.map(|it| ("map 64K by a fault", it.fault));
        Table::of(operations.chain(fault))
            .text("operation", |it| it.0)
            .column(interval("median (95 % interval)"), |it| time(it.1))
            .count("samples", |it| it.1.samples as u64)
    }

    fn written(&self) -> impl Into<Table> {
        Table::of(&self.findings.writes.blocks)
            .text("block", |it| size_name(it.bytes))
            .column(interval("over a file (95 % interval)"), |it| time(it.over))
            .column(interval("at its end (95 % interval)"), |it| {
                time(it.appended)
            })
            .column(interval("over it after a sync (95 % interval)"), |it| {
                time(it.after_sync)
            })
    }

    /// By how much was written, and by how many wait.
    fn synced(&self) -> impl Into<Table> {
        let writes = &self.findings.writes;
        let syncs = writes.syncs.iter();
        let syncs = syncs.map(|it| (format!("fsync after {}", size_name(it.bytes)), it.figure));
        let grown = writes.grown.iter();
        let grown = grown.map(|it| {
            (
                format!("fsync after {} at a file's end", size_name(it.bytes)),
                it.figure,
            )
        });
        let writers = writes.writers.iter();
        let writers = writers.map(|it| {
            (
                format!("write 4K and fsync, {} at once", it.writers),
                it.figure,
            )
        });
        let flushes = writes.flushes.iter().flat_map(|it| {
            let name = format!("flush of the device after {}", size_name(it.bytes));
            [
                (format!("{name}, first in a tick"), it.new_tick),
                (name, it.figure),
            ]
        });
        let idle = writes.idle.iter().flat_map(|it| {
            [
                (
                    format!("fsync after 4K, {}", idleness(it.idle_ms)),
                    it.first,
                ),
                ("each of the fifteen syncs that follow".to_owned(), it.next),
            ]
        });
        let wakes = writes.wakes.iter().flat_map(|it| {
            [
                (format!("wake a thread, {}", idleness(it.idle_ms)), it.first),
                ("each of the fifteen wakes that follow".to_owned(), it.next),
            ]
        });
        let waits = syncs.chain(grown).chain(writers).chain(flushes);
        Table::of(waits.chain(idle).chain(wakes))
            .text("what", |it| Cell::from(&it.0))
            .column(interval("median (95 % interval)"), |it| time(it.1))
    }

    fn files(&self) -> impl Into<Table> {
        Table::of(&self.findings.files)
            .text("size", |it| size_name(it.bytes))
            .column(interval("cached (95 % interval)"), |it| time(it.cached))
            .column(interval("uncached (95 % interval)"), |it| {
                Cell::known(it.uncached.map(time))
            })
            .without_unknown_columns()
    }

    fn blocks(&self) -> impl Into<Table> {
        Table::of(&self.findings.blocks)
            .text("block", |it| size_name(it.bytes))
            .plain("in sequence, cached", |it| {
                rate(it.bytes, it.sequential_cached)
            })
            .plain("at random, cached", |it| rate(it.bytes, it.random_cached))
            .plain("in sequence, uncached", |it| {
                it.sequential_uncached.map(|figure| rate(it.bytes, figure))
            })
            .plain("at random, uncached", |it| {
                it.random_uncached.map(|figure| rate(it.bytes, figure))
            })
            .without_unknown_columns()
    }

    /// Blocks that are mapped already.
    fn mapped(&self) -> impl Into<Table> {
        let mapped = self.findings.mapped.iter();
        Table::of(mapped.flat_map(|it| &it.blocks))
            .text("block", |it| size_name(it.bytes))
            .plain("in sequence", |it| rate(it.bytes, it.sequential))
            .plain("at random", |it| rate(it.bytes, it.random))
    }

    fn sending(&self) -> impl Into<Table> {
        Table::of(&self.findings.sending)
            .text("block", |it| size_name(it.bytes))
            .plain("written from a buffer", |it| rate(it.bytes, it.written))
            .plain("written from memory", |it| rate(it.bytes, it.cold))
            .plain("by sendfile", |it| rate(it.bytes, it.sent))
    }

    fn readers(&self) -> impl Into<Table> {
        let rate = |figure: Figure| ParallelReads::bytes_per_s(&figure) / 1e6;
        Table::of(&self.findings.readers)
            .count("readers", |it| it.readers as u64)
            .plain("cached", |it| rate(it.cached))
            .plain("uncached", |it| it.uncached.map(rate))
            .without_unknown_columns()
    }

    fn direct(&self) -> impl Into<Table> {
        let direct = || self.findings.direct.iter();
        let alone = direct().flat_map(|it| &it.alone);
        let alone = alone.map(|it| (size_name(it.bytes), it.figure, Some(it.bytes)));
        // Lost in the noise it would be taken for a figure.
        let segment = direct().filter_map(|it| it.segment.filter(|it| it.low_us > 0.0));
        let segment = segment.map(|it| ("each further page apart".to_owned(), it, None));
        Table::of(alone.chain(segment))
            .text("request", |it| Cell::from(&it.0))
            .column(interval("median (95 % interval)"), |it| time(it.1))
            .figure("MB/s", |it| {
                it.2.map_or_else(Cell::default, |bytes| Cell::plain(rate(bytes, it.1)))
            })
    }

    fn in_flight(&self) -> impl Into<Table> {
        let direct = self.findings.direct.iter();
        in_flight(direct.flat_map(|it| &it.in_flight), "4K reads/s")
    }

    fn writes_in_flight(&self) -> impl Into<Table> {
        let direct = self.findings.direct_writes.iter();
        in_flight(direct.flat_map(|it| &it.in_flight), "4K writes/s")
    }

    fn direct_writes(&self) -> impl Into<Table> {
        let direct = self.findings.direct_writes.iter();
        Table::of(direct.flat_map(|it| &it.alone))
            .text("request", |it| size_name(it.bytes))
            .column(interval("at random (95 % interval)"), |it| time(it.random))
            .column(interval("in sequence (95 % interval)"), |it| {
                time(it.sequential)
            })
            .plain("in sequence, MB/s", |it| rate(it.bytes, it.sequential))
    }

    /// One row in the form of table 2 of "Workload-driven analysis of file systems in shared multi-tier data-centers over
    /// InfiniBand".
    fn access(&self) -> impl Into<Table> {
        let of = |bytes| self.findings.files.iter().find(|it| it.bytes == bytes);
        let median = |figure: Figure| figure.median_us;
        Table::of(of(4 << 10).zip(of(1 << 20)))
            .text("file system", |_| self.findings.kind())
            .duration("open and close 4K", |it| median(it.0.open_close))
            .duration("1M", |it| median(it.1.open_close))
            .duration("cached 4K", |it| median(it.0.cached))
            .duration("1M", |it| median(it.1.cached))
            .duration("uncached 4K", |it| it.0.uncached.map(median))
            .duration("1M", |it| it.1.uncached.map(median))
    }

    /// The lines of the profile.
    fn lines(&self) -> impl Into<Table> {
        let profile = self.profile.iter();
        let lines =
            profile.flat_map(|it| [("cached", it, it.cached), ("uncached", it, it.uncached)]);
        Table::of(lines)
            .text("line", |it| it.0)
            .duration("open and close", |it| it.1.open_us)
            .duration("first byte", |it| it.2.fixed_us)
            .plain("then MB/s", |it| it.2.bytes_per_us)
    }
}

/// Numbers of requests in flight; `small` heads what small ones come to.
fn in_flight<'f>(rows: impl Iterator<Item = &'f InFlight>, small: &str) -> impl Into<Table> {
    Table::of(rows)
        .count("requests", |it| it.requests as u64)
        .plain(small, |it| 1e6 / it.small.median_us)
        .text("large", |it| size_name(it.large_bytes))
        .plain("MB/s", |it| rate(it.large_bytes, it.large))
}

/// A column of times with their intervals.
fn interval(header: &str) -> Column {
    Column::duration(header).with_interval()
}

/// MB/s of blocks that take so long.
fn rate(bytes: u64, figure: Figure) -> f64 {
    bytes as f64 / figure.median_us
}

fn time(figure: Figure) -> Cell {
    Cell::duration_with_interval(figure.median_us, figure.low_us, figure.high_us)
}

/// What is known of a journal in words.
fn journal(it: &JournalInfo) -> String {
    let mode = it.mode.as_ref().map(|mode| match mode.as_str() {
        "none" => ", no journal".to_owned(),
        mode => format!(", journal {mode}"),
    });
    let bytes = it
        .bytes
        .map(|bytes| format!(", log of {}", number::bytes(bytes)));
    mode.into_iter().chain(bytes).collect()
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

/// How long nothing was done before.
fn idleness(ms: u64) -> String {
    match ms {
        0 => "at once".to_owned(),
        _ => format!("after {ms} ms of rest"),
    }
}
