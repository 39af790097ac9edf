//! What a directory costs.

use hotset_machine::file_system::{
    Device, DirtyLimits, DirtyShare, FileSystem, JournalInfo, NetworkMount, Part,
};
use hotset_probe::{
    AfterIdleness, BlockReads, CallProcessors, CopyReads, DirectRead, DirectReads, DirectWrite,
    DirectWrites, Figure, FileReads, Findings, FlushedBytes, InFlight, MappedBlocks, MappedReads,
    MountCallers, MountCalls, Operation, ParallelReads, SentBlocks, SyncedBytes, SyncedWriters,
    Writes, WrittenBlocks,
};
use hotset_scenario::PageKeeping;

fn figure(median_us: f64) -> Figure {
    Figure {
        median_us,
        low_us: 0.93 * median_us,
        high_us: 1.1 * median_us,
        mean_us: 1.02 * median_us,
        samples: 31,
    }
}

/// Of a disk whose file system is known, or of one whose is not.
pub fn findings(is_known: bool) -> Findings {
    let uncached = |us: f64| is_known.then(|| figure(us));
    let file = |bytes: u64| FileReads {
        bytes,
        open_close: figure(2.0),
        cached: figure(1.0 + bytes as f64 / 8_000.0),
        uncached: uncached(4_000.0 + bytes as f64 / 130.0),
    };
    let block = |bytes: u64| BlockReads {
        bytes,
        sequential_cached: figure(bytes as f64 / 9_000.0),
        random_cached: figure(bytes as f64 / 5_000.0),
        sequential_uncached: uncached(bytes as f64 / 131.0),
        random_uncached: uncached(4_000.0 + bytes as f64 / 131.0),
    };
    let operation = |name, us| Operation {
        name,
        figure: figure(us),
    };
    Findings {
        directory: "/srv/www".into(),
        file_system: is_known.then(|| FileSystem {
            kind: "ext4".to_owned(),
            source: "/dev/md0".into(),
            mounted_at: "/srv".into(),
            block_bytes: Some(4096),
            read_ahead_kib: Some(128),
            journal: Some(JournalInfo {
                mode: Some("ordered".to_owned()),
                commit_s: Some(5),
                bytes: Some(128 << 20),
                at: Some(1 << 30),
                barrier: Some(true),
            }),
            dirty_share: Some(DirtyShare {
                most_percent: 40,
                most_bytes: Some(1 << 30),
                is_strict: Some(false),
            }),
            network: None,
            device: Some(Device {
                name: "md0".to_owned(),
                model: Some("ST1000".to_owned()),
                rotational: Some(true),
                scheduler: Some("bfq".to_owned()),
                max_request_kib: Some(512),
                volatile_cache: Some(true),
                raid: Some("raid1".to_owned()),
                chunk_bytes: None,
                parts: ["sda", "sdb"].map(part).into(),
                backing_file: Some("/images/disk".into()),
            }),
        }),
        files: [4 << 10, 64 << 10, 1 << 20].map(file).into(),
        blocks: [4 << 10, 64 << 10].map(block).into(),
        copying: vec![CopyReads {
            working_set_bytes: 1 << 20,
            bytes: 4096,
            sequential: figure(0.5),
            random: figure(0.8),
        }],
        mapped: Some(MappedReads {
            fault: figure(9.0),
            blocks: vec![MappedBlocks {
                bytes: 4096,
                sequential: figure(0.4),
                random: figure(0.7),
            }],
        }),
        mount: None,
        readers: vec![ParallelReads {
            readers: 4,
            cached: figure(30.0),
            uncached: uncached(900.0),
        }],
        sending: vec![SentBlocks {
            bytes: 65_536,
            written: figure(20.0),
            cold: figure(25.0),
            sent: figure(12.0),
        }],
        direct: is_known.then(direct),
        direct_writes: is_known.then(direct_writes),
        operations: vec![operation("open", 1.4), operation("create", 22.0)],
        dirty_limits: is_known.then_some(DirtyLimits {
            background_percent: Some(10),
            background_bytes: None,
            limit_percent: Some(20),
            limit_bytes: None,
            expire_centiseconds: 3000,
            flush_centiseconds: 500,
        }),
        writes: writes(),
    }
}

/// Of a mount of NFS whose server reads past this machine's page cache.
pub fn findings_of_a_mount() -> Findings {
    let known = findings(true);
    let callers = |callers: usize| MountCallers {
        callers,
        figure: figure(260.0 / callers as f64),
    };
    Findings {
        directory: "/mnt/shared".into(),
        file_system: known.file_system.map(|system| FileSystem {
            kind: "nfs4".to_owned(),
            source: "files:/export".into(),
            mounted_at: "/mnt".into(),
            journal: None,
            network: Some(NetworkMount {
                version: Some("4.2".to_owned()),
                read_bytes: Some(1 << 20),
                write_bytes: Some(1 << 20),
            }),
            device: None,
            ..system
        }),
        mount: Some(MountCalls {
            keeping: PageKeeping::UntilOpened,
            round_trip: figure(260.0),
            attributes: figure(250.0),
            open_read_close: figure(700.0),
            callers: [1, 4].map(callers).into(),
            processors: CallProcessors {
                call_us: 20.0,
                ns_per_byte: 0.4,
                read_bytes: 1 << 20,
            },
        }),
        mapped: None,
        ..known
    }
}

fn writes() -> Writes {
    let block = |bytes: u64| WrittenBlocks {
        bytes,
        over: figure(0.3 + bytes as f64 / 9_000.0),
        appended: figure(0.9 + bytes as f64 / 3_000.0),
        after_sync: figure(18.0 + bytes as f64 / 9_000.0),
        after_sync_quantiles_us: None,
    };
    Writes {
        blocks: [4 << 10, 1 << 20].map(block).into(),
        syncs: vec![SyncedBytes {
            bytes: 4096,
            figure: figure(9_000.0),
        }],
        grown: vec![SyncedBytes {
            bytes: 4096,
            figure: figure(21_000.0),
        }],
        writers: vec![SyncedWriters {
            writers: 4,
            figure: figure(14_000.0),
        }],
        flush: Some(figure(5_000.0)),
        flushes: vec![FlushedBytes {
            bytes: 4096,
            figure: figure(5_000.0),
            quantiles_us: Some([4_000.0, 4_500.0, 5_000.0, 5_500.0, 8_000.0, 30_000.0]),
            new_tick: figure(6_000.0),
            new_tick_quantiles_us: None,
        }],
        idle: vec![AfterIdleness {
            idle_ms: 100,
            first: figure(12_000.0),
            next: figure(9_000.0),
        }],
        wakes: vec![AfterIdleness {
            idle_ms: 0,
            first: figure(6.0),
            next: figure(5.0),
        }],
    }
}

fn part(name: &str) -> Part {
    Part {
        name: name.to_owned(),
        rotational: Some(true),
        scheduler: None,
    }
}

fn direct_writes() -> DirectWrites {
    DirectWrites {
        alone: vec![DirectWrite {
            bytes: 4096,
            random: figure(3_000.0),
            sequential: figure(60.0),
        }],
        in_flight: vec![InFlight {
            requests: 4,
            small: figure(1_500.0),
            large_bytes: 1 << 20,
            large: figure(8_000.0),
        }],
        quantiles_us: None,
        segment: Some(figure(0.2)),
    }
}

fn direct() -> DirectReads {
    DirectReads {
        alone: vec![DirectRead {
            bytes: 4096,
            figure: figure(4_100.0),
        }],
        in_flight: vec![InFlight {
            requests: 4,
            small: figure(2_000.0),
            large_bytes: 1 << 20,
            large: figure(9_000.0),
        }],
        quantiles_us: None,
        segment: Some(figure(0.3)),
    }
}
