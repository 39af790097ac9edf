//! The documents' machines: profiles of stores and servers, made of what the documents' micro-benchmarks say of them, and of nothing that simulations are
//! to meet.
//!
//! The files are in `experiments/documents`, where scenarios name them. Each number has its table beside it.

use super::io_nodes::{self, OnNodes};
use super::machine_file::{Line, MADE, MachineFile, SMALL};
use super::published_table::PublishedTable;

/// Reading 4 KB from the page cache of a node here, microseconds: the median of `experiments/file-systems/today.toml`, as the built-in profile `hdd-7200`
/// has it.
const READ_4K_HERE_US: f64 = 1.26;
/// Processor time of a request here, microseconds: `experiments/server-costs/servers.toml`.
const APACHE_HERE_US: f64 = 35.437;
const PROXY_HERE_US: f64 = 18.534;
/// A §4.2: "TCP/IP achieves a peak bandwidth of about 200MBytes/sec in our testbed".
const IPOIB_BYTES_PER_US: f64 = 200.0;

/// The clusters of B, and their columns in its §6.1.
const CLUSTERS: [&str; 3] = ["1", "2", "3"];

/// All files. `published` has the text of a published table by its name, such as `tr65-table2`.
#[must_use]
pub fn machine_files(published: &dyn Fn(&str) -> &'static str) -> Vec<MachineFile> {
    let tables = Tables {
        latencies: PublishedTable::of(published("tr65-table2")),
        bandwidths: PublishedTable::of(published("char-table1")),
        disks: PublishedTable::of(published("char-table3")),
        tcp: PublishedTable::of(published("char-tcp")),
    };
    let mut files = vec![tables.servers_of_a()];
    for file_system in ["ext3", "ramfs", "pvfs", "lustre"] {
        files.push(tables.store_of_a(file_system));
    }
    for file_system in OnNodes::ALL {
        files.extend(tables.nodes_of_a(file_system));
    }
    for cluster in CLUSTERS {
        files.push(tables.servers_of_b(cluster));
    }
    for (cluster, disk) in [
        ("1", "IDE"),
        ("1", "SCSI"),
        ("1", "RAID"),
        ("2", "IDE"),
        ("3", "IDE"),
    ] {
        files.push(tables.disk_of_b(cluster, disk));
    }
    files.push(tables.pvfs_of_b());
    files.push(tables.bare_disk_of_b());
    files.push(tables.bare_ext3_of_a());
    files.push(tables.node_disk_of_a());
    for (disk, raid) in DISKS_OF_D {
        files.push(tables.disk_of_d(disk, raid));
    }
    files
}

/// Disks of D (its tables 1 and 3, p. 37 and 47), and how they act as one.
const DISKS_OF_D: [(&str, Raid); 4] = [
    ("single", Raid::NONE),
    (
        "raid0",
        Raid {
            level: 0,
            disks: 2,
            chunk_bytes: 65_536,
            from: "D §3.2.1: two drives, RAID 0. Chunks of 64 KB are assumed",
        },
    ),
    (
        "san",
        Raid {
            level: 5,
            disks: 5,
            chunk_bytes: 65_536,
            from: "D table 1: EMC Clariion CX700, of which nothing is said. Five drives and RAID 5 are assumed",
        },
    ),
    (
        "raid5",
        Raid {
            level: 5,
            disks: 5,
            chunk_bytes: 65_536,
            from: "D §3.3.1: the I/O servers of PVFS have five drives, RAID 5. Chunks of 64 KB are assumed",
        },
    ),
];
/// D's processors and bus over those of A: 2.8 and 2.4 GHz, 533 and 400 MHz (D table 1, A §4).
const D_CLOCK: f64 = 2.8 / 2.4;
const D_BUS: f64 = 533.0 / 400.0;

/// The micro-benchmarks.
struct Tables {
    /// A table 2.
    latencies: PublishedTable,
    /// B table 1.
    bandwidths: PublishedTable,
    /// B table 3.
    disks: PublishedTable,
    /// B §6.1.
    tcp: PublishedTable,
}

impl Tables {
    /// A figure of A table 2.
    fn latency(&self, file_system: &str, column: &str) -> f64 {
        let found = self.latencies.figure(file_system, column);
        found.unwrap_or(f64::NAN)
    }

    /// How many times as long a processor of A takes as one here.
    fn slower(&self) -> f64 {
        self.latency("ext3", "read_cached_4k") / READ_4K_HERE_US
    }

    fn servers_of_a(&self) -> MachineFile {
        let sent = IPOIB_BYTES_PER_US;
        servers(
            "a-servers.toml",
            "A",
            PROXY_HERE_US * self.slower(),
            &format!(
                "times {:.3}: reading 4 KB took {} µs (A table 2), and takes 1.26 µs here (experiments/file-systems/today.toml)",
                self.slower(),
                self.latency("ext3", "read_cached_4k")
            ),
            (sent, "200 MB/s (A §4.2)"),
        )
    }

    /// A parallel file system of A, the servers before it, and a disk of its I/O nodes.
    fn nodes_of_a(&self, file_system: OnNodes) -> [MachineFile; 2] {
        let apache = (
            APACHE_HERE_US * self.slower(),
            format!(
                "35.437 µs here (experiments/server-costs), times {:.3}",
                self.slower()
            ),
        );
        io_nodes::files(
            file_system,
            &self.latencies,
            (self.servers_of_a(), apache, IPOIB_BYTES_PER_US),
        )
    }

    /// A file system of A behind Apache. ext3 has its disk: A table 2 reads one file, and has none of the seeks between files.
    fn store_of_a(&self, file_system: &str) -> MachineFile {
        let lines = self.served_of_a(file_system);
        let (served, device) = match file_system {
            "ext3" => {
                let disk = self.disk_of_a();
                (lines.on(&disk), disk.table())
            }
            _ => (lines, String::new()),
        };
        served.file(
            &format!("a-{file_system}.toml"),
            &format!("{file_system} of A behind Apache."),
            &device,
        )
    }

    /// ext3 of A behind Apache, where files that are not in memory take what A table 2 says of one file.
    fn bare_ext3_of_a(&self) -> MachineFile {
        self.served_of_a("ext3").file(
            "a-ext3-bare.toml",
            "ext3 of A behind Apache, without seeks between files.",
            "",
        )
    }

    /// ext3 on the disk of an I/O node of A, without a server.
    fn node_disk_of_a(&self) -> MachineFile {
        let of = |column: &str| self.latency("ext3", column);
        let disk = self.disk_of_a();
        let served = Served {
            open_us: of("open_close_4k"),
            open_from: format!("A table 2, ext3: {} µs", of("open_close_4k")),
            cached: Line::through(of("read_cached_4k"), of("read_cached_1m")),
            cached_from: format!(
                "A table 2, ext3: {} µs for 4 KB, {} µs for 1 MB",
                of("read_cached_4k"),
                of("read_cached_1m")
            ),
            ..self.served_of_a("ext3").on(&disk)
        };
        served.file(
            "a-node-disk.toml",
            "ext3 on the disk of an I/O node of A.",
            &disk.table(),
        )
    }

    /// The disk of A's nodes: its cluster 1 is that of B, in the same words, whose nodes and I/O nodes have ext3 on this disk (B §4.1).
    fn disk_of_a(&self) -> Disk {
        Disk {
            rate_bytes_per_us: self.bandwidth("ext3"),
            rate_from: "B table 1, ext3",
            ..Disk::IDE
        }
    }

    /// What a file system of A and Apache before it take, by lines through A table 2.
    fn served_of_a(&self, file_system: &str) -> Served {
        let of = |column: &str| self.latency(file_system, column);
        let request_us = APACHE_HERE_US * self.slower();
        let cached = Line::through(of("read_cached_4k"), of("read_cached_1m"));
        let uncached = Line::through(of("read_uncached_4k"), of("read_uncached_1m"));
        Served {
            open_us: of("open_close_4k") + request_us,
            open_from: format!(
                "A table 2: {} µs to open and close. A request of Apache, which is 35.437 µs here (experiments/server-costs), times {:.3} (a-servers.toml)",
                of("open_close_4k"),
                self.slower()
            ),
            cached: cached.and_sent_at(IPOIB_BYTES_PER_US),
            cached_from: format!(
                "A table 2: {} µs for 4 KB, {} µs for 1 MB. Each byte is sent at 200 MB/s besides (A §4.2)",
                of("read_cached_4k"),
                of("read_cached_1m")
            ),
            uncached,
            uncached_from: format!(
                "A table 2: {} µs for 4 KB, {} µs for 1 MB",
                of("read_uncached_4k"),
                of("read_uncached_1m")
            ),
        }
    }

    fn bandwidth(&self, file_system: &str) -> f64 {
        let found = self.bandwidths.figure(file_system, "read");
        found.unwrap_or(f64::NAN)
    }

    fn tcp(&self, cluster: &str, column: &str) -> f64 {
        self.tcp.figure(cluster, column).unwrap_or(f64::NAN)
    }

    /// How many times as long a processor of a cluster of B takes as one of its cluster 1, which are those of A.
    fn slower_than_first(&self, cluster: &str) -> f64 {
        self.tcp(cluster, "latency_us") / self.tcp("1", "latency_us")
    }

    /// Bytes that a processor of a cluster of B sends or receives in a microsecond.
    fn sent_bytes_per_us(&self, cluster: &str) -> f64 {
        self.tcp(cluster, "bandwidth_mbps") / 8.0
    }

    fn servers_of_b(&self, cluster: &str) -> MachineFile {
        let slower = self.slower() * self.slower_than_first(cluster);
        servers(
            &format!("b{cluster}-servers.toml"),
            &format!("B on cluster {cluster}"),
            PROXY_HERE_US * slower,
            &format!(
                "times {:.3} (a-servers.toml: cluster 1 of B is that of A), times {:.3}: 4 bytes took {} µs on cluster {cluster} and {} µs on cluster 1 (B §6.1)",
                self.slower(),
                self.slower_than_first(cluster),
                self.tcp(cluster, "latency_us"),
                self.tcp("1", "latency_us")
            ),
            (
                self.sent_bytes_per_us(cluster),
                &format!("{} Mbit/s (B §6.1)", self.tcp(cluster, "bandwidth_mbps")),
            ),
        )
    }

    /// ext3 on a disk of B behind Apache.
    fn disk_of_b(&self, cluster: &str, disk: &str) -> MachineFile {
        let slower = self.slower_than_first(cluster);
        let rate = self.disks.figure(disk, "read").unwrap_or(f64::NAN);
        let device = match disk {
            "IDE" => Disk {
                rate_bytes_per_us: rate,
                rate_from: "B table 3, IDE",
                ..Disk::IDE
            },
            "SCSI" => Disk {
                rate_bytes_per_us: rate,
                rate_from: "B table 3, SCSI",
                ..Disk::SCSI
            },
            // The table has less than three disks: it is what the disks of the array come to.
            _ => Disk {
                rate_bytes_per_us: rate / 3.0,
                rate_from: "B table 3, RAID, by three disks",
                raid: Raid {
                    level: 0,
                    disks: 3,
                    chunk_bytes: 4096,
                    from: "B §3.2: RAID-0 over three disks, stripes of 4 KB",
                },
                ..Disk::SCSI
            },
        };
        let served = Served {
            uncached: Line {
                fixed_us: device.average_seek_us + 30e6 / device.revolutions_per_minute,
                bytes_per_us: rate,
            },
            uncached_from: "The disk below: a seek, half a turn, and its rate".to_owned(),
            ..self.served_of_b("ext3", slower, self.sent_bytes_per_us(cluster))
        };
        served.file(
            &format!("b{cluster}-{}.toml", disk.to_lowercase()),
            &format!("ext3 on the {disk} disk of B behind Apache on cluster {cluster}."),
            &device.table(),
        )
    }

    /// ext3 on the IDE disk of B without a server before it.
    fn bare_disk_of_b(&self) -> MachineFile {
        let of = |column: &str| self.latency("ext3", column);
        let memory = self.bandwidth("ramfs");
        let device = Disk {
            rate_bytes_per_us: self.disks.figure("IDE", "read").unwrap_or(f64::NAN),
            rate_from: "B table 3, IDE",
            ..Disk::IDE
        };
        let served = Served {
            open_us: of("open_close_4k"),
            open_from: format!("A table 2: {} µs", of("open_close_4k")),
            cached: Line {
                fixed_us: of("read_cached_4k") - SMALL / memory,
                bytes_per_us: memory,
            },
            cached_from: format!(
                "A table 2: {} µs for 4 KB. B table 1: bytes from memory at {memory} MB/s",
                of("read_cached_4k")
            ),
            uncached: Line {
                fixed_us: device.average_seek_us + 30e6 / device.revolutions_per_minute,
                bytes_per_us: device.rate_bytes_per_us,
            },
            uncached_from: "The disk below: a seek, half a turn, and its rate".to_owned(),
        };
        let file_system = format!(
            "\n[file_system]\nkind = \"ext3\"\nblock_bytes = 4096\n{}",
            device.table()
        );
        served.file(
            "b1-bare-ide.toml",
            "ext3 on the IDE disk of B.",
            &file_system,
        )
    }

    /// What Apache takes on a cluster of B whose processors take so many times as long as those of cluster 1. Opening is as on cluster 1, which is that of A.
    fn served_of_b(&self, file_system: &str, slower: f64, sent: f64) -> Served {
        let of = |column: &str| self.latency(file_system, column);
        let request_us = APACHE_HERE_US * self.slower();
        // ext3 reads from memory as ramfs does.
        let memory = match file_system {
            "ext3" => self.bandwidth("ramfs"),
            other => self.bandwidth(other),
        };
        let cached = Line {
            fixed_us: (of("read_cached_4k") - SMALL / memory) * slower,
            bytes_per_us: memory / slower,
        };
        let uncached = Line::through(of("read_uncached_4k"), of("read_uncached_1m"));
        Served {
            open_us: (of("open_close_4k") + request_us) * slower,
            open_from: format!(
                "As A table 2 has it ({} µs) with a request of Apache (a-ext3.toml), times {slower:.3} (B §6.1)",
                of("open_close_4k")
            ),
            cached: cached.and_sent_at(sent),
            cached_from: format!(
                "A table 2: {} µs for 4 KB. B table 1: bytes from memory at {memory} MB/s, times {slower:.3}. Each byte is sent at {:.1} MB/s besides (B §6.1)",
                of("read_cached_4k"),
                sent
            ),
            uncached,
            uncached_from: format!(
                "A table 2: {} µs for 4 KB, {} µs for 1 MB",
                of("read_uncached_4k"),
                of("read_uncached_1m")
            ),
        }
    }

    /// ext3 on disks of D. It prints no figures of its memory and processors: those of A are taken, by the clock and by the bus.
    fn disk_of_d(&self, disk: &str, raid: Raid) -> MachineFile {
        let of = |column: &str| self.latency("ext3", column);
        let device = Disk {
            raid,
            ..Disk::TEN_THOUSAND
        };
        let reading = format!(
            "\n[reading]\n\
             # D p. 74: captured with Ftrace, so Linux 2.6.27 or later.\n\
             read_ahead = \"early-on-demand\"\n\
             processors = 2\n\n\
             [file_system]\n\
             kind = \"ext3\"\n\
             block_bytes = 4096\n{}",
            device.table()
        );
        let served = Served {
            open_us: of("open_close_4k") / D_CLOCK,
            open_from: format!(
                "A table 2: {} µs, by the clock of 2.8 and 2.4 GHz (D table 1, A §4)",
                of("open_close_4k")
            ),
            cached: Line::through(of("read_cached_4k") / D_CLOCK, of("read_cached_1m") / D_BUS),
            cached_from: format!(
                "A table 2: {} µs for 4 KB by the clock, {} µs for 1 MB by the bus of 533 and 400 MHz",
                of("read_cached_4k"),
                of("read_cached_1m")
            ),
            uncached: Line {
                fixed_us: device.average_seek_us + 30e6 / device.revolutions_per_minute,
                bytes_per_us: device.rate_bytes_per_us,
            },
            uncached_from: "The disk below: a seek, half a turn, and its rate".to_owned(),
        };
        served.file(
            &format!("d-{disk}.toml"),
            &format!("ext3 of D on its disks ({disk})."),
            &reading,
        )
    }

    fn pvfs_of_b(&self) -> MachineFile {
        let served = self.served_of_b("pvfs", 1.0, self.sent_bytes_per_us("1"));
        served.file("b1-pvfs.toml", "PVFS of B behind Apache on cluster 1.", "")
    }
}

/// What a store and the web server before it take.
struct Served {
    open_us: f64,
    open_from: String,
    cached: Line,
    cached_from: String,
    uncached: Line,
    uncached_from: String,
}

impl Served {
    /// The same where a disk has what is not in memory.
    fn on(self, disk: &Disk) -> Self {
        Self {
            uncached: Line {
                fixed_us: disk.average_seek_us + 30e6 / disk.revolutions_per_minute,
                bytes_per_us: disk.rate_bytes_per_us,
            },
            uncached_from: "The disk below: a seek, half a turn, and its rate".to_owned(),
            ..self
        }
    }

    fn file(&self, name: &str, what: &str, device: &str) -> MachineFile {
        let Self {
            open_us,
            open_from,
            cached,
            cached_from,
            uncached,
            uncached_from,
        } = self;
        let text = format!(
            "# {what} {MADE}\n\
             source = \"micro-benchmarks of the documents, named beside each figure\"\n\
             # {open_from}.\n\
             open_us = {open_us:.3}\n\n\
             [cached]\n\
             # {cached_from}.\n\
             fixed_us = {:.3}\n\
             bytes_per_us = {:.3}\n\n\
             [uncached]\n\
             # {uncached_from}.\n\
             fixed_us = {:.3}\n\
             bytes_per_us = {:.3}\n\
             {device}",
            cached.fixed_us, cached.bytes_per_us, uncached.fixed_us, uncached.bytes_per_us
        );
        MachineFile {
            name: name.to_owned(),
            text,
        }
    }
}

/// A disk by its data sheet, but for its rate.
#[derive(Clone, Copy)]
struct Disk {
    average_seek_us: f64,
    track_to_track_us: f64,
    revolutions_per_minute: f64,
    capacity_bytes: u64,
    interface_bytes_per_us: f64,
    from: &'static str,
    rate_bytes_per_us: f64,
    rate_from: &'static str,
    kernel: &'static str,
    queue: &'static str,
    max_request_bytes: u64,
    raid: Raid,
}

/// How several disks act as one.
#[derive(Clone, Copy)]
struct Raid {
    level: u8,
    disks: usize,
    chunk_bytes: u64,
    from: &'static str,
}

impl Raid {
    const NONE: Self = Self {
        level: 0,
        disks: 1,
        chunk_bytes: 0,
        from: "",
    };

    fn table(self) -> String {
        let Self {
            level,
            disks,
            chunk_bytes,
            from,
        } = self;
        if disks == 1 {
            return String::new();
        }
        format!(
            "\n[device.raid]\n\
             # {from}.\n\
             level = {level}\n\
             disks = {disks}\n\
             chunk_bytes = {chunk_bytes}\n"
        )
    }
}

impl Disk {
    const IDE: Self = Self {
        average_seek_us: 10_800.0,
        track_to_track_us: 800.0,
        revolutions_per_minute: 7200.0,
        capacity_bytes: 40_000_000_000,
        interface_bytes_per_us: 100.0,
        from: "B §3.2: Seagate ST340016A, 40 GB, ATA 100. Red Hill, \"Hard drive history\": 7200 rpm, 10.8 ms, 2 MB, of which half reads ahead. Track to track is assumed",
        rate_bytes_per_us: 0.0,
        rate_from: "",
        kernel: "Linux 2.4: its elevator, in which a read waits while others are nearer, and requests of 128 KB",
        queue: "sweep",
        max_request_bytes: 131_072,
        raid: Raid::NONE,
    };
    /// Those of D.
    const TEN_THOUSAND: Self = Self {
        average_seek_us: 4_500.0,
        track_to_track_us: 400.0,
        revolutions_per_minute: 10_000.0,
        capacity_bytes: 147_000_000_000,
        interface_bytes_per_us: 320.0,
        from: "D table 1: Fujitsu MAT3147NC, 147 GB, 10 000 rpm, Ultra320. Its seeks are assumed",
        rate_bytes_per_us: 80.0,
        rate_from: "Assumed: D has no bandwidth of its drives",
        kernel: "Linux 2.6: requests of 512 KB",
        queue: "elevator",
        max_request_bytes: 524_288,
        ..Self::IDE
    };
    const SCSI: Self = Self {
        average_seek_us: 3_300.0,
        track_to_track_us: 400.0,
        revolutions_per_minute: 15_000.0,
        capacity_bytes: 18_000_000_000,
        interface_bytes_per_us: 160.0,
        from: "B §3.2: Fujitsu MAM3184MC, 18 GB; \"1500rpm\" is 15 000. Seeks are assumed: those of the Hitachi Ultrastar 15K450 (specification, table 7). Ultra160 and track to track are assumed",
        ..Self::IDE
    };

    fn table(&self) -> String {
        let raid = self.raid.table();
        format!(
            "\n[device]\n\
             kind = \"drive\"\n\
             # {}.\n\
             average_seek_us = {:.1}\n\
             track_to_track_us = {:.1}\n\
             revolutions_per_minute = {:.1}\n\
             capacity_bytes = {}\n\
             interface_bytes_per_us = {:.1}\n\
             read_ahead_bytes = 1048576\n\
             # {}.\n\
             bytes_per_s = {:.1}\n\
             # {}.\n\
             queue = \"{}\"\n\
             max_request_bytes = {}\n{raid}",
            self.from,
            self.average_seek_us,
            self.track_to_track_us,
            self.revolutions_per_minute,
            self.capacity_bytes,
            self.interface_bytes_per_us,
            self.rate_from,
            self.rate_bytes_per_us * 1e6,
            self.kernel,
            self.queue,
            self.max_request_bytes
        )
    }
}

/// What a request costs a proxy.
fn servers(
    name: &str,
    of: &str,
    request_us: f64,
    request_from: &str,
    (sent_bytes_per_us, sent_from): (f64, &str),
) -> MachineFile {
    let ns_per_byte = 2e3 / sent_bytes_per_us;
    let text = format!(
        "# The proxy of {of}. {MADE}\n\
         source = \"micro-benchmarks of the documents, named beside each figure\"\n\n\
         [nginx-proxy]\n\
         # 18.534 µs here (experiments/server-costs), {request_from}.\n\
         request_us = {request_us:.3}\n\
         # Each byte comes in and goes out, each at {sent_from}.\n\
         ns_per_byte = {ns_per_byte:.3}\n"
    );
    MachineFile {
        name: name.to_owned(),
        text,
    }
}
