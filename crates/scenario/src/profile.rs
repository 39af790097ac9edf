//! What it costs to serve a file from a store.

use std::path::Path;

use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::bounds::{Bounded as _, DeviceUs, MOST_US, Rate, TOO_LONG, within};
use crate::file_system::FileSystemTable;
use crate::toml_file::{BytesOrNone, FileError, TomlFile};
use crate::{
    CopyCost, CostLine, Device, DeviceKind, FileCalls, FileSystemSpec, FlushCost, Handover,
    MeasuredMount, PageKeeping, SendCost, SyncCost, WriteCost, Writing, copy_cost, device,
    flush_cost, send_cost, writing,
};

/// A store's costs, measured or published.
#[derive(Clone, Debug, PartialEq, serde::Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Profile {
    /// The name it is asked for by.
    pub name: String,
    /// Microseconds to open and close a file, paid by every request, cached or not.
    pub open_us: f64,
    /// Microseconds in which the device puts what is in its own volatile cache on its medium (`blkdev_issue_flush`); missing where it has no
    /// such cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flush_us: Option<f64>,
    /// Microseconds until a thread runs that sleeps and is woken by another: threads of the kernel commit journals. Missing where that was not
    /// measured, and is taken to be none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wake_us: Option<f64>,
    /// Whether the device can write past that cache (`REQ_FUA`), so that a journal's last write needs no flush behind it; it cannot where
    /// missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fua: Option<bool>,
    /// Reading a file that is in the page cache (for a store without a client cache: in its servers').
    pub cached: CostLine,
    /// Reading a file that is not.
    pub uncached: CostLine,
    /// Reading a file of which nothing is in memory, not even its directory and inode; as `uncached` where nothing is
    /// known of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cold: Option<CostLine>,
    /// Where the figures are from.
    pub source: String,
    /// What the machine reads ahead and does at the same time; missing where nothing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
    /// Reading one block from the page cache, by working sets and in each by sizes of blocks, rising; empty where only the line
    /// `cached` is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copy: Vec<CopyCost>,
    /// Copying one block of a mapped file that is in the page table, alike; empty where nothing is known of that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mapped: Vec<CopyCost>,
    /// Handing one block to a local socket, by sizes of blocks, rising; empty where nothing is known of that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sending: Vec<SendCost>,
    /// Writing one block into the page cache, by sizes of blocks, rising; empty where nothing is known of that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub write: Vec<WriteCost>,
    /// Waiting until what was written is on the device, by bytes and by programs that wait; empty where that was not measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fsync: Vec<SyncCost>,
    /// The same as `flush_us` by how much was written since the last time, rising; empty where only `flush_us` is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flush: Vec<FlushCost>,
    /// Other calls on files; missing where they were not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<FileCalls>,
    /// When the machine writes dirty pages back; missing where nothing is known, for the kernel's defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writing: Option<Writing>,
    /// What its files are laid out by; missing where the kernel does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_system: Option<FileSystemSpec>,
    /// How the mount asks for its files that was measured; missing for a file system on this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mount: Option<MeasuredMount>,
    /// The device underneath, or the calls of a mount; missing where files cannot be read past the page cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<Device>,
}

/// What the machine of a store reads ahead and does at the same time, for models that read files part by part.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub struct Reading {
    /// The most that the kernel reads ahead, bytes.
    #[serde(deserialize_with = "read_ahead")]
    pub read_ahead_bytes: u64,
    /// How many times as many reads several readers get from the device as one.
    #[serde(deserialize_with = "times")]
    pub parallel: f64,
    /// Processors.
    #[serde(deserialize_with = "processors")]
    pub processors: usize,
    /// Microseconds of a page fault on a mapped file that is in memory; missing where it is not known.
    #[serde(deserialize_with = "fault", skip_serializing_if = "Option::is_none")]
    pub fault_us: Option<f64>,
    /// Policy of the page cache; missing for that of Linux.
    #[serde(skip_serializing_if = "is_default")]
    pub page_cache: PageCacheKind,
    /// Policy of read-ahead; missing for that of Linux.
    #[serde(skip_serializing_if = "is_default")]
    pub read_ahead: ReadAheadKind,
}

/// Which pages of files a kernel keeps in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PageCacheKind {
    /// The active and the inactive list of Linux today.
    #[default]
    Linux,
    /// The generations of Linux, where they are switched on (`CONFIG_LRU_GEN`).
    MultiGenerational,
    /// Two queues of whole pages with two flags each, as simulations of Linux 2.6 had them.
    TwoQueues,
}

/// What a kernel reads ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReadAheadKind {
    /// Windows on demand, of Linux today.
    #[default]
    OnDemand,
    /// Windows on demand, of Linux 2.6.23 to 2.6.30.
    EarlyOnDemand,
    /// A current window and one ahead, of Linux 2.4 to 2.6.22.
    TwoWindows,
    /// A set number of pages from a missing one on, or a minimum of 16 KiB where reads are random.
    PreFetch,
    /// A window that grows while pages are missed, and shrinks while they are not.
    Adaptive,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Default for Reading {
    /// What nothing is known of: the kernel's default of 128 KiB (`VM_READAHEAD_PAGES`, `include/linux/mm.h`), and one of
    /// everything.
    fn default() -> Self {
        Self {
            read_ahead_bytes: 128 << 10,
            parallel: 1.0,
            processors: 1,
            fault_us: None,
            page_cache: PageCacheKind::default(),
            read_ahead: ReadAheadKind::default(),
        }
    }
}

impl Profile {
    /// A store of which two lines are known, for files that are in the page cache and others, and nothing else. Opening takes no
    /// time of its own.
    #[must_use]
    pub fn of_lines(name: &str, cached: CostLine, uncached: CostLine, source: &str) -> Self {
        Self {
            name: name.to_owned(),
            open_us: 0.0,
            flush_us: None,
            wake_us: None,
            fua: None,
            cached,
            uncached,
            cold: None,
            source: source.to_owned(),
            reading: None,
            copy: Vec::new(),
            mapped: Vec::new(),
            sending: Vec::new(),
            write: Vec::new(),
            fsync: Vec::new(),
            flush: Vec::new(),
            calls: None,
            writing: None,
            file_system: None,
            mount: None,
            device: None,
        }
    }

    /// How long the page cache keeps what was read.
    #[must_use]
    pub fn page_keeping(&self) -> PageKeeping {
        self.mount.map_or(PageKeeping::Kept, |mount| mount.keeps)
    }

    /// Microseconds to serve `bytes` that are in the page cache.
    pub fn cached_us(&self, bytes: u64) -> f64 {
        self.open_us + self.cached.us(bytes)
    }

    /// Microseconds to serve `bytes` that are not.
    pub fn uncached_us(&self, bytes: u64) -> f64 {
        self.open_us + self.uncached.us(bytes)
    }

    /// Microseconds to serve `bytes` of a file whose directory and inode are not in memory either.
    pub fn cold_us(&self, bytes: u64) -> f64 {
        self.open_us + self.cold.unwrap_or(self.uncached).us(bytes)
    }

    /// Microseconds to read one block of `bytes` that are in the page cache, of a file already open: one after the other, or at
    /// random places, of files that have `working_set_bytes` together. By the rows of `copy`, between them by straight lines of
    /// logarithms; by the line `cached` without rows.
    pub fn copy_us(&self, bytes: u64, sequential: bool, working_set_bytes: u64) -> f64 {
        let measured = copy_cost::interpolated(&self.copy, bytes, sequential, working_set_bytes);
        measured.unwrap_or_else(|| self.cached.us(bytes).max(0.0))
    }

    /// Microseconds to copy one block of `bytes` of mapped files that are in the page table and have `working_set_bytes` together,
    /// without a fault; nothing where that was not measured.
    pub fn mapped_us(&self, bytes: u64, sequential: bool, working_set_bytes: u64) -> Option<f64> {
        copy_cost::interpolated(&self.mapped, bytes, sequential, working_set_bytes)
    }

    /// Microseconds to hand one block of `bytes` to a local socket; nothing where that was not measured.
    pub fn send_us(&self, bytes: u64, handover: Handover) -> Option<f64> {
        send_cost::interpolated(&self.sending, bytes, handover)
    }

    /// Tables that a profile has to have for models that write, and that this one has not, as older ones; `hotset probe` measures them.
    #[must_use]
    pub fn lacks_of_writing(&self) -> Vec<&'static str> {
        let tables = [
            (self.write.is_empty(), "[[write]]"),
            (self.writing.is_none(), "[writing]"),
            (self.lacks_writes_of_device(), "[device.write]"),
        ];
        let lacks = tables.into_iter().filter(|(lacks, _)| *lacks);
        lacks.map(|(_, table)| table).collect()
    }

    /// Whether the device was measured, and its writes were not, as of older profiles.
    fn lacks_writes_of_device(&self) -> bool {
        let kind = self.device.as_ref().map(|device| &device.kind);
        matches!(kind, Some(DeviceKind::Measured(spec)) if spec.write.is_none())
    }

    /// Microseconds to write one block of `bytes` into the page cache; nothing where that was not measured.
    pub fn write_us(&self, bytes: u64) -> Option<f64> {
        writing::interpolated(&self.write, bytes)
    }

    /// The same where the kernel gives the block's pages anew, as none of them is in memory.
    pub fn write_new_pages_us(&self, bytes: u64) -> Option<f64> {
        writing::interpolated_new_pages(&self.write, bytes)
    }

    /// Times that 10, 25, 50, 75, 90 and 99 % of writes of one block after a sync do not exceed, microseconds; nothing where they were not
    /// measured.
    pub fn write_after_sync_quantiles_us(&self, bytes: u64) -> Option<[f64; 6]> {
        writing::interpolated_after_sync_quantiles(&self.write, bytes)
    }

    /// What emptying the device's cache takes once so many bytes were written since the last time: by the rows of `flush`, else `flush_us`.
    /// Nothing where the device has no such cache.
    pub fn flush_after(&self, bytes: u64) -> Option<FlushCost> {
        let fixed = self.flush_us.map(|us| FlushCost::fixed(bytes, us));
        flush_cost::interpolated(&self.flush, bytes).or(fixed)
    }

    /// Microseconds to write one block of a file that was synced just before; nothing where no writing was measured.
    pub fn write_after_sync_us(&self, bytes: u64) -> Option<f64> {
        writing::interpolated_after_sync(&self.write, bytes)
    }
}

impl Profile {
    /// The profile in the TOML file at `path`: `open_us`, tables `cached` and `uncached` with
    /// `fixed_us` and `bytes_per_us`, and if wanted a table `cold`, `name` (else the file's) and `source`.
    ///
    /// # Errors
    /// A file that cannot be read or used, with line and column.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        Self::from_file(&TomlFile::read(path)?)
    }

    /// As [`Profile::load`], from the `text` of the file at `path`.
    ///
    /// # Errors
    /// Text that is no profile, with line and column.
    pub fn parse(text: &str, path: &Path) -> Result<Self, FileError> {
        Self::from_file(&TomlFile::from_text(text, path))
    }

    /// The profile as a TOML file has it; [`Profile::parse`] reads it.
    ///
    /// # Errors
    /// A figure that is not finite.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    fn from_file(file: &TomlFile) -> Result<Self, FileError> {
        let table: ProfileTable = file.parse()?;
        let open_us = table.open_us;
        let stem = file.path().file_stem();
        let stem = stem.map_or_else(|| "profile".into(), |stem| stem.to_string_lossy());
        check_ticks(&table.flush, file)?;
        let flush = size_rows(table.flush, ("[[flush]]", "bytes"), file, |it| it.bytes)?;
        let flush_us = table.flush_us.number();
        Ok(Self {
            name: table.name.unwrap_or_else(|| stem.into_owned()),
            open_us,
            flush_us: flush_us.or(flush.first().map(|it| it.us)),
            wake_us: table.wake_us.number(),
            fua: table.fua,
            cached: table.cached.line(file, open_us)?,
            uncached: table.uncached.line(file, open_us)?,
            cold: table
                .cold
                .map(|cold| cold.line(file, open_us))
                .transpose()?,
            source: table
                .source
                .unwrap_or_else(|| file.path().display().to_string()),
            reading: table.reading,
            copy: copy_rows(table.copy, "[[copy]]", file)?,
            mapped: copy_rows(table.mapped, "[[mapped]]", file)?,
            sending: size_rows(table.sending, ("[[sending]]", BLOCK), file, |it| {
                it.block_bytes
            })?,
            write: size_rows(table.write, ("[[write]]", BLOCK), file, |it| it.block_bytes)?,
            fsync: table.fsync,
            flush,
            calls: table.calls,
            writing: table.writing,
            file_system: table.file_system.map(FileSystemTable::spec),
            mount: table.mount,
            device: device::of_profile(file)?,
        })
    }
}

/// Refuses quantiles that nothing would use.
fn check_ticks(rows: &[Spanned<FlushCost>], file: &TomlFile) -> Result<(), FileError> {
    let mut rows = rows.iter();
    let has_no_time = |row: &&Spanned<FlushCost>| {
        let row = row.get_ref();
        row.new_tick_quantiles_us.is_some() && row.new_tick_us.is_none()
    };
    match rows.find(has_no_time) {
        None => Ok(()),
        Some(row) => {
            let message = "`new_tick_quantiles_us` in [[flush]]: is not used without `new_tick_us`; give that too";
            Err(file.error(row.span(), message))
        }
    }
}

/// The key of a row's size.
const BLOCK: &str = "block_bytes";

/// Rows of rising sizes.
fn size_rows<Row>(
    rows: Vec<Spanned<Row>>,
    (table, key): (&str, &str),
    file: &TomlFile,
    bytes: impl Fn(&Row) -> u64,
) -> Result<Vec<Row>, FileError> {
    for pair in rows.windows(2) {
        let last = bytes(pair[0].get_ref());
        if bytes(pair[1].get_ref()) <= last {
            let message =
                format!("`{key}` in {table}: must be more than {last}, that of the row before");
            return Err(file.error(pair[1].span(), message));
        }
    }
    Ok(rows.into_iter().map(Spanned::into_inner).collect())
}

/// Rows of rising working sets, and in each of rising sizes.
fn copy_rows(
    rows: Vec<Spanned<CopyCost>>,
    table: &str,
    file: &TomlFile,
) -> Result<Vec<CopyCost>, FileError> {
    for pair in rows.windows(2) {
        if let Some(problem) = out_of_order(pair[0].get_ref(), pair[1].get_ref(), table) {
            return Err(file.error(pair[1].span(), problem));
        }
    }
    Ok(rows.into_iter().map(Spanned::into_inner).collect())
}

/// What is wrong with a row behind another.
fn out_of_order(before: &CopyCost, row: &CopyCost, table: &str) -> Option<String> {
    let (last, own) = (before.working_set_bytes, row.working_set_bytes);
    if last.is_some() != own.is_some() {
        return Some(format!(
            "`working_set_bytes` in {table}: must stand in all rows, or in none"
        ));
    }
    if own < last {
        let last = last.unwrap_or(0);
        return Some(format!(
            "`working_set_bytes` in {table}: must be at least {last}, that of the row before"
        ));
    }
    let last = before.block_bytes;
    (own == before.working_set_bytes && row.block_bytes <= last).then(|| {
        format!("`block_bytes` in {table}: must be more than {last}, that of the row before")
    })
}

/// A profile's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct ProfileTable {
    name: Option<String>,
    #[serde(deserialize_with = "not_negative")]
    open_us: f64,
    flush_us: Option<DeviceUs>,
    wake_us: Option<DeviceUs>,
    fua: Option<bool>,
    cached: LineTable,
    uncached: LineTable,
    cold: Option<LineTable>,
    source: Option<String>,
    reading: Option<Reading>,
    #[serde(default)]
    copy: Vec<Spanned<CopyCost>>,
    #[serde(default)]
    mapped: Vec<Spanned<CopyCost>>,
    #[serde(default)]
    sending: Vec<Spanned<SendCost>>,
    #[serde(default)]
    write: Vec<Spanned<WriteCost>>,
    #[serde(default)]
    fsync: Vec<SyncCost>,
    #[serde(default)]
    flush: Vec<Spanned<FlushCost>>,
    calls: Option<FileCalls>,
    writing: Option<Writing>,
    file_system: Option<FileSystemTable>,
    mount: Option<MeasuredMount>,
    /// Read by [`device::of_profile`].
    #[serde(rename = "device")]
    _device: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct LineTable {
    fixed_us: Spanned<f64>,
    bytes_per_us: Rate,
}

impl LineTable {
    /// A line that costs something positive for every file of a byte or more.
    fn line(&self, file: &TomlFile, open_us: f64) -> Result<CostLine, FileError> {
        let fixed_us = *self.fixed_us.get_ref();
        if fixed_us.abs() > MOST_US {
            return Err(file.error(self.fixed_us.span(), format!("`fixed_us`: {TOO_LONG}")));
        }
        if open_us + fixed_us < 0.0 {
            let message =
                "`fixed_us`: must not be below minus `open_us`: no read takes less than no time";
            return Err(file.error(self.fixed_us.span(), message));
        }
        Ok(CostLine {
            fixed_us,
            bytes_per_us: self.bytes_per_us.0,
        })
    }
}

fn not_negative<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match f64::deserialize(deserializer)? {
        number if number > MOST_US => Err(D::Error::custom(TOO_LONG)),
        number if number >= 0.0 => Ok(number),
        _ => Err(D::Error::custom("must not be negative")),
    }
}

/// Most requests that a device serves at a time, as in [`crate::bounds`].
const MOST_PARALLEL: f64 = 65536.0;
/// Most processors of a machine: `NR_CPUS` of the largest kernels (`arch/x86/Kconfig`, `MAXSMP`).
const MOST_PROCESSORS: usize = 8192;

/// Most that is read ahead, bytes: what a queue's limit in KiB can say (`read_ahead_kb`, 32 bits of pages).
const MOST_READ_AHEAD: u64 = 16 << 40;

fn read_ahead<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let BytesOrNone(number) = BytesOrNone::deserialize(deserializer)?;
    within(number, &(0..=MOST_READ_AHEAD), "bytes").map_err(D::Error::custom)
}

fn fault<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let number = f64::deserialize(deserializer)?;
    let us = within(number, &(0.0..=MOST_US), "microseconds");
    us.map(Some).map_err(D::Error::custom)
}

fn times<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(deserializer)?;
    within(number, &(1.0..=MOST_PARALLEL), "").map_err(D::Error::custom)
}

fn processors<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let number = usize::deserialize(deserializer)?;
    within(number, &(1..=MOST_PROCESSORS), "").map_err(D::Error::custom)
}
