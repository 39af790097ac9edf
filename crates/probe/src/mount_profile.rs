//! What a scenario takes of a mount, and what a reader of its profile has to know.

use hotset_machine::file_system::FileSystem;
use hotset_scenario::{
    CostLine, Device, DeviceKind, MeasuredDevice, MeasuredMount, PageKeeping, ServerCosts,
    ServerProfile,
};

use crate::readers::BLOCK_BYTES;
use crate::{CallProcessors, Findings, MountCalls};

/// The most that the kernel asks for at a time where a mount does not tell (`FUSE_DEFAULT_MAX_PAGES_PER_REQ`, `fs/fuse/fuse_i.h`).
const USUAL_BYTES: u64 = 128 << 10;
/// Of a call and its answer, what a write takes at least that waits for a call.
const WAITING_SHARE: f64 = 0.5;

/// Where a call and its answer take their time, and what the way carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MountShares {
    /// The machine that calls, microseconds of a processor.
    pub client_us: f64,
    /// The server, as if it had one processor: what lies between the answers to the most calls at a time, microseconds.
    pub server_us: f64,
    /// The way, one way, microseconds: half of what is left.
    pub delay_us: f64,
    /// Bytes of files in a microsecond, the most that was seen.
    pub bytes_per_us: f64,
}

impl Findings {
    /// Where a call takes its time; nothing of a file system on this machine.
    #[must_use]
    pub fn mount_shares(&self) -> Option<MountShares> {
        let mount = self.mount.as_ref()?;
        let whole_us = mount.round_trip.median_us;
        let client_us = mount.processors.call_us.min(whole_us);
        let between = mount.callers.iter().map(|it| it.figure.median_us);
        let server_us = between.fold(whole_us, f64::min).min(whole_us - client_us);
        Some(MountShares {
            client_us,
            server_us,
            delay_us: (whole_us - client_us - server_us) / 2.0,
            bytes_per_us: self.best_rate(),
        })
    }

    /// What calls cost both ends, as `server_profile` of a scenario takes it; nothing of a file system on this machine. The server's bytes are
    /// the way's.
    #[must_use]
    pub fn server_profile(&self) -> Option<ServerProfile> {
        let mount = self.mount.as_ref()?;
        let shares = self.mount_shares()?;
        let costs = |request_us: f64, ns_per_byte: f64| ServerCosts {
            request_us,
            ns_per_byte,
            connection_us: 0.0,
        };
        let directory = self.directory.display();
        Some(ServerProfile {
            source: format!(
                "measured by hotset probe in {directory}, {}: calls and answers, medians",
                self.kind()
            ),
            files: Some(costs(shares.server_us, 0.0)),
            files_client: Some(costs(
                shares.client_us,
                self.ns_per_byte(mount, mount.processors),
            )),
            ..ServerProfile::default()
        })
    }

    /// The `[[link]]` that goes with [`Findings::server_profile`], as comments of its file.
    #[must_use]
    pub fn server_comments(&self) -> Option<String> {
        let shares = self.mount_shares()?;
        Some(format!(
            "# A call and its answer took {:.1} us. The scenario's [[link]] has the rest:\n\
             #   rate = \"{:.0}Mbit\"\n\
             #   delay = \"{:.1}us\"\n\
             # [files] is as of one processor. What the server's caches or disks took is in it.\n",
            shares.client_us + shares.server_us + 2.0 * shares.delay_us,
            (shares.bytes_per_us * 8.0).max(1.0),
            shares.delay_us
        ))
    }

    /// Without what copying from the page cache takes, which models count beside calls.
    fn ns_per_byte(&self, mount: &MountCalls, processors: CallProcessors) -> f64 {
        let copied = self.copying.iter().max_by_key(|it| it.working_set_bytes);
        let copied_ns = copied.map_or(0.0, |it| 1e3 * it.sequential.median_us / it.bytes as f64);
        match mount.keeping {
            PageKeeping::Never => processors.ns_per_byte,
            PageKeeping::Kept | PageKeeping::UntilOpened => {
                (processors.ns_per_byte - copied_ns).max(0.0)
            }
        }
    }

    /// Bytes in a microsecond, the most of readers side by side, of reading in sequence and of requests in flight.
    fn best_rate(&self) -> f64 {
        let readers = self.readers.iter().filter_map(|it| it.uncached);
        let readers = readers.map(|it| BLOCK_BYTES as f64 / it.median_us);
        let blocks = self.blocks.iter();
        let blocks =
            blocks.filter_map(|it| Some(it.bytes as f64 / it.sequential_uncached?.median_us));
        let in_flight = self.direct.iter().flat_map(|it| &it.in_flight);
        let in_flight = in_flight.map(|it| it.large_bytes as f64 / it.large.median_us);
        readers.chain(blocks).chain(in_flight).fold(0.0, f64::max)
    }

    /// The device of a mount that does not read past the page cache: a request is a call. What blocks at random places took is a call's
    /// time, and as many are served at a time as readers side by side gained.
    pub(crate) fn device_of_calls(&self) -> Option<Device> {
        self.mount.as_ref()?;
        let system = self.file_system.as_ref();
        let told = system.and_then(FileSystem::max_request_bytes);
        let max_request_bytes = told.unwrap_or(USUAL_BYTES);
        let blocks = self
            .blocks
            .iter()
            .filter(|it| it.bytes <= max_request_bytes);
        let points: Vec<(u64, f64)> = blocks
            .filter_map(|it| Some((it.bytes, it.random_uncached?.median_us)))
            .collect();
        let line = CostLine::fit(points.iter().copied())?;
        let best = self.best_rate().max(line.bytes_per_us);
        let readers = self.readers.iter().filter_map(|it| it.uncached);
        let together = readers.map(|it| it.median_us).fold(f64::INFINITY, f64::min);
        let gained = (line.us(BLOCK_BYTES) / together).round().max(1.0);
        Some(Device {
            kind: DeviceKind::Measured(MeasuredDevice {
                delay_us: line.fixed_us.max(0.0),
                bytes_per_us: line.bytes_per_us,
                slots: gained as usize,
                total_bytes_per_us: best,
                max_request_bytes,
                delay_quantiles_us: None,
                in_flight_us: None,
                segment_us: 0.0,
                stream_bytes_per_us: None,
                write: None,
            }),
            scheduler: None,
            raid: None,
        })
    }

    /// What models have to know of a mount.
    pub(crate) fn measured_mount(&self) -> Option<MeasuredMount> {
        let mount = self.mount.as_ref()?;
        Some(MeasuredMount {
            call_us: mount.round_trip.median_us,
            keeps: mount.keeping,
            writes_through: self.writes_through(mount),
        })
    }

    /// Whether the smallest write takes about as long as a call.
    fn writes_through(&self, mount: &MountCalls) -> bool {
        let written = self.writes.blocks.iter().min_by_key(|it| it.bytes);
        let waits_us = WAITING_SHARE * mount.round_trip.median_us;
        written.is_some_and(|it| it.over.median_us >= waits_us)
    }

    /// Whether a request that opens a file finds nothing of it in memory.
    pub(crate) fn forgets(&self) -> bool {
        let mount = self.mount.as_ref();
        mount.is_some_and(|it| it.keeping != PageKeeping::Kept)
    }

    /// Which caches the figures of a mount saw, and what models do not know of it.
    pub(crate) fn doubts_of_mount(&self) -> Vec<String> {
        let Some(mount) = &self.mount else {
            return Vec::new();
        };
        let mut doubts = vec![
            "Only this machine's page cache was emptied. The files had just been written: servers, and the program behind a mount of FUSE, \
             may have had them in memory."
                .to_owned(),
        ];
        let kept = match mount.keeping {
            PageKeeping::Kept => None,
            PageKeeping::UntilOpened => Some(
                "Opening a file drops it from this machine's page cache: the line `cached` is that of `uncached`. Rows [[copy]] are of files \
                 that stay open.",
            ),
            PageKeeping::Never => Some(
                "This machine's page cache keeps nothing of it: the line `cached` is that of `uncached`. Simulated jobs of fio read and write past \
                 it.",
            ),
        };
        doubts.extend(kept.map(str::to_owned));
        if self.writes_through(mount) {
            doubts.push(
                "A write waits for a call here. Simulated jobs that only write go past the page cache. Those that read as well write into it, \
                 and their writes count twice: in [[write]], and when pages are written back."
                    .to_owned(),
            );
        }
        doubts
    }
}
