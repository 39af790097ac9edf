//! `hotset model specweb99`.

use serde::Serialize;

use crate::{Document, Json, Table, Tone, View, number};

/// Connections that SPECweb99 would rate a server with. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SpecWeb99View {
    /// Memory for files, bytes.
    pub memory_bytes: u64,
    /// Connections where all files are in memory.
    pub connections_from_memory: u32,
    /// What each disk adds.
    pub disks: Vec<SpecWeb99Disk>,
    /// How much fewer connections the last disk sustains than the first, 0 to 1, with the largest files on disk; null for one disk.
    pub loss: Option<f64>,
    /// The same with the best split.
    pub best_loss: Option<f64>,
}

/// What a disk sustains.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SpecWeb99Disk {
    /// What it is called.
    pub name: String,
    /// Bytes of files of the largest class that it delivers in a second.
    pub bytes_per_s: f64,
    /// Bytes of one very large file that it delivers in a second; null where not known.
    pub sequential_bytes_per_s: Option<f64>,
    /// Connections that it would sustain by itself, if all files were of the largest class.
    pub connections_from_disk: f64,
    /// Connections where it has the files of the largest class, and memory all others.
    pub connections: f64,
    /// What the document prints in place of that, by a slip; null of disks that are not the document's.
    pub printed_connections: Option<f64>,
    /// Memory that those need, bytes.
    pub needed_memory_bytes: u64,
    /// The split of the files between memory and this disk that sustains the most connections.
    pub best: SpecWeb99Split,
}

/// A split of the files between memory and a disk.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SpecWeb99Split {
    /// Connections.
    pub connections: u32,
    /// Directories of the file set.
    pub directories: u32,
    /// Bytes of all files.
    pub file_set_bytes: u64,
    /// Bytes of files in memory.
    pub memory_bytes: u64,
    /// Of each class of files, the share that is in memory, 0 to 1.
    pub in_memory_shares: Vec<f64>,
    /// Share of the accesses that go to the disk, 0 to 1.
    pub disk_share: f64,
}

impl View for SpecWeb99View {
    /// The document's split, and the best one.
    fn document(&self) -> Document<'_> {
        let mut to = Document::new(self.headline(), Tone::Strong);
        to.sentence(self.slip());
        to.table(move |_| self.simple())
            .heading("Largest files on disk, all others in memory");
        to.table(move |_| self.best())
            .heading("Best split between memory and disk");
        to.sentence(self.losses());
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

impl SpecWeb99View {
    fn headline(&self) -> String {
        let memory = number::bytes(self.memory_bytes);
        let from_memory = number::count(u64::from(self.connections_from_memory));
        let best = self.disks.first().map_or_else(String::new, |disk| {
            let best = number::count(u64::from(disk.best.connections));
            format!(", and with the {} up to {best}", disk.name)
        });
        format!("{memory} of memory for files sustain {from_memory} connections{best}")
    }

    fn slip(&self) -> Option<String> {
        let is_printed = self.disks.iter().any(|it| it.printed_connections.is_some());
        is_printed.then(|| {
            "The document prints other totals: it multiplies by 4.9 where its own figures, 14.2668 / 4.8950, are 2.91.".to_owned()
        })
    }

    fn simple(&self) -> impl Into<Table> {
        let whole = |it: f64| it.round() as u64;
        Table::of(&self.disks)
            .flexible("disk", |it| &it.name)
            .bytes("rate a second", |it| whole(it.bytes_per_s))
            .count("from disk", move |it| whole(it.connections_from_disk))
            .count("connections", move |it| whole(it.connections))
            .count("printed", move |it| it.printed_connections.map(whole))
            .bytes("memory", |it| it.needed_memory_bytes)
            .without_unknown_columns()
    }

    fn best(&self) -> impl Into<Table> {
        let class = |number: usize| {
            move |it: &&SpecWeb99Disk| it.best.in_memory_shares.get(number).copied()
        };
        Table::of(&self.disks)
            .flexible("disk", |it| &it.name)
            .count("connections", |it| u64::from(it.best.connections))
            .bytes("files", |it| it.best.file_set_bytes)
            .bytes("in memory", |it| it.best.memory_bytes)
            .percent("class 0", class(0))
            .percent("1", class(1))
            .percent("2", class(2))
            .percent("3", class(3))
            .percent("from disk", |it| it.best.disk_share)
    }

    fn losses(&self) -> Option<String> {
        let (loss, best_loss) = (self.loss?, self.best_loss?);
        let (first, last) = (self.disks.first()?, self.disks.last()?);
        Some(format!(
            "The {} sustains {} fewer connections than the {}; with the best split of both, {} fewer.",
            last.name,
            number::percent(loss),
            first.name,
            number::percent(best_loss)
        ))
    }
}
