//! Lustre, GlusterFS and MooseFS: messages counted by hand, times from costs and links, and what holds for any work.

use std::collections::BTreeMap;
use std::path::Path;

use hotset_models::files::{FilesResult, Work, WorkError, simulate_cluster as simulate_work};
use hotset_models::fio::{JobFile, JobResult, SimulationError, System, simulate_cluster};
use hotset_models::remote::cluster::{ClusterProtocol, ClusterSystem, GlusterFs, Lustre, MooseFs};
use hotset_models::remote::nfs::RemoteResult;
use hotset_models::remote::pvfs::PvfsServer;
use hotset_models::remote::{CallCosts, Line, NamedLine, ServerMachine};
use hotset_scenario::{CostLine, Profile};
use proptest::prelude::*;

const CALL_NS: u64 = 10_000;
const NS_PER_BYTE: f64 = 0.25;
const FUSE_NS: u64 = 5_000;

/// A call of 1 µs and 8000 bytes/µs from memory; a device of 99 µs, then 500 bytes/µs.
fn profile() -> Profile {
    let cached = CostLine {
        fixed_us: 1.0,
        bytes_per_us: 8000.0,
    };
    let uncached = CostLine {
        fixed_us: 100.0,
        bytes_per_us: 500.0,
    };
    Profile::of_lines("test", cached, uncached, "")
}

/// What a test runs on.
#[derive(Clone, Debug)]
struct Place {
    protocol: ClusterProtocol,
    servers: usize,
    clients: usize,
    client_line: Line,
}

fn lustre() -> Lustre {
    Lustre::default()
}

fn glusterfs() -> GlusterFs {
    GlusterFs {
        fuse: FUSE,
        ..GlusterFs::default()
    }
}

fn moosefs() -> MooseFs {
    MooseFs {
        fuse: FUSE,
        ..MooseFs::default()
    }
}

const FUSE: CallCosts = CallCosts {
    call_ns: FUSE_NS,
    ns_per_byte: 0.0,
    stack_ns_per_byte: [0.0; 2],
};

impl From<Lustre> for Place {
    fn from(options: Lustre) -> Self {
        Self::of(ClusterProtocol::Lustre(options))
    }
}

impl From<GlusterFs> for Place {
    fn from(options: GlusterFs) -> Self {
        Self::of(ClusterProtocol::GlusterFs(options))
    }
}

impl From<MooseFs> for Place {
    fn from(options: MooseFs) -> Self {
        Self::of(ClusterProtocol::MooseFs(options))
    }
}

impl Place {
    fn of(protocol: ClusterProtocol) -> Self {
        Self {
            protocol,
            servers: 3,
            clients: 1,
            client_line: Line::default(),
        }
    }

    fn after(self, delay_ns: u64) -> Self {
        Self {
            client_line: Line {
                delay_ns,
                ..Line::default()
            },
            ..self
        }
    }

    fn system<'p>(&self, profile: &'p Profile) -> ClusterSystem<'p> {
        let costs = CallCosts {
            call_ns: CALL_NS,
            ns_per_byte: NS_PER_BYTE,
            stack_ns_per_byte: [0.0; 2],
        };
        let server = |number: usize| PvfsServer {
            machine: ServerMachine {
                name: format!("io{number}"),
                profile,
                memory_bytes: None,
                processors: 4,
                threads: 16,
                is_async: true,
                costs,
            },
            link: None,
            is_joined: false,
        };
        ClusterSystem {
            protocol: self.protocol,
            clients: self.clients,
            client_costs: costs,
            client_link: Some(NamedLine {
                name: "client".to_owned(),
                line: self.client_line,
            }),
            switched: None,
            servers: (0..self.servers).map(server).collect(),
            data_servers: self.servers,
            metadata: 0,
        }
    }

    fn work(&self, text: &str) -> Result<FilesResult, WorkError> {
        let work = Work::parse(text, Path::new("test.work"))?;
        simulate_work(&work, &self.system(&profile()), "web1", &|| true)
    }

    fn run(&self, job: &str) -> Result<JobResult, SimulationError> {
        let file = JobFile::parse(job, Path::new("jobs.fio")).expect("a job");
        let profile = profile();
        let system = System {
            profile: &profile,
            memory_bytes: None,
            seed: 7,
        };
        let results = simulate_cluster(&file.jobs, &system, &self.system(&profile), &|| true);
        results.map(|mut results| results.remove(0))
    }
}

/// A second passes at the end, so that what clients do by themselves ends too.
#[track_caller]
fn makes(place: impl Into<Place>, text: &str, calls: &[&[(&'static str, u64)]]) {
    let result = place.into().work(&format!("{text}sleep 1\n"));
    let result = result.expect("a work");
    let counted: Vec<BTreeMap<&'static str, u64>> = result
        .clients
        .iter()
        .map(|client| client.calls.clone())
        .collect();
    let wanted: Vec<BTreeMap<&'static str, u64>> = calls
        .iter()
        .map(|calls| calls.iter().copied().collect())
        .collect();
    assert_eq!(counted, wanted, "{text}");
}

fn remote(result: &JobResult) -> &RemoteResult {
    result.remote.as_ref().expect("servers")
}

fn mean_us(result: &JobResult) -> f64 {
    result.outcome.total.mean_us().expect("requests")
}

#[track_caller]
fn near(value: f64, expected: f64, share: f64) {
    assert!(
        (value / expected - 1.0).abs() <= share,
        "{value}, expected {expected}"
    );
}

/// A file of 8 MiB, which is opened.
const OPEN: &str = "on-server data 1 8388608\nopen data/0 r\n";

#[test]
fn lustre_opens_and_closes_with_a_call_each() {
    let text = format!("{OPEN}close data/0\n");
    makes(lustre(), &text, &[&[("ldlm_enqueue", 1), ("mds_close", 1)]]);
}

#[test]
fn lustre_locks_an_object_once_and_keeps_what_it_reads() {
    let read = "read-at data/0 0 4096\n";
    let text = format!("{OPEN}{read}");
    makes(lustre(), &text, &[&[("ldlm_enqueue", 2), ("ost_read", 1)]]);
    // The second one finds the page in memory. It counts as reading on, so the rest of a mebibyte is read ahead.
    let text = format!("{OPEN}{read}{read}");
    makes(lustre(), &text, &[&[("ldlm_enqueue", 2), ("ost_read", 2)]]);
    let without = Lustre {
        read_ahead_bytes: 0,
        ..lustre()
    };
    makes(without, &text, &[&[("ldlm_enqueue", 2), ("ost_read", 1)]]);
}

#[test]
fn the_window_of_lustre_grows_by_a_mebibyte_with_each_read() {
    // The first three are read as they are wanted. With the third comes 1 MiB, with the fourth 2, and with the fifth what is left.
    let text = format!("{OPEN}{}", "read data/0 1048576\n".repeat(8));
    makes(lustre(), &text, &[&[("ldlm_enqueue", 2), ("ost_read", 6)]]);
}

#[test]
fn lustre_reads_small_files_whole_from_the_second_read_on() {
    let text = "on-server data 1 1048576\nopen data/0 r\nread-at data/0 0 4096\nread-at data/0 524288 4096\n";
    // The two pages, then what is before and behind the second.
    makes(lustre(), text, &[&[("ldlm_enqueue", 2), ("ost_read", 4)]]);
}

#[test]
fn lustre_reads_a_share_of_its_memory_ahead() {
    assert_eq!(Lustre::usual_read_ahead_bytes(1 << 30), 8 << 20);
    assert_eq!(Lustre::usual_read_ahead_bytes(1 << 40), 256 << 20);
    assert_eq!(
        Lustre::usual_read_ahead_bytes(8 << 30),
        Lustre::default().read_ahead_bytes
    );
}

#[test]
fn stripes_of_lustre_have_a_lock_and_a_call_each() {
    let striped = Lustre {
        stripes: 2,
        ..lustre()
    };
    let text = format!("{OPEN}read data/0 2097152\n");
    makes(striped, &text, &[&[("ldlm_enqueue", 3), ("ost_read", 2)]]);
}

#[test]
fn lustre_writes_behind_in_full_calls() {
    let text = format!(
        "open new create\n{}close new\n",
        "write new 1048576\n".repeat(8)
    );
    let calls = [("ldlm_enqueue", 2), ("ost_write", 2), ("mds_close", 1)];
    makes(lustre(), &text, &[&calls]);
    let text = "open new create\nwrite new 4096\nfsync new\n";
    let calls = [
        ("ldlm_enqueue", 2),
        ("ost_write", 1),
        ("mds_sync", 1),
        ("ost_sync", 1),
    ];
    makes(lustre(), text, &[&calls]);
}

#[test]
fn a_second_client_of_lustre_has_the_first_one_write_and_give_up_its_lock() {
    let text = "on-server data 1 8388608\nopen data/0 w\nwrite data/0 4096\n\
        web2: open data/0 r\nweb2: read data/0 4096\n";
    let first = [
        ("ldlm_enqueue", 2),
        ("ldlm_bl_callback", 1),
        ("ost_write", 1),
        ("ldlm_cancel", 1),
    ];
    let second = [
        ("ldlm_enqueue", 2),
        ("ldlm_cp_callback", 1),
        ("ost_read", 1),
    ];
    makes(lustre(), text, &[&first, &second]);
}

#[test]
fn readers_of_lustre_share_a_lock_and_a_writer_takes_it_from_all() {
    let text = "on-server data 1 4096\nopen data/0 r\nread data/0 4096\n\
        web2: open data/0 r\nweb2: read data/0 4096\n\
        web3: open data/0 w\nweb3: write data/0 4096\n";
    let reader = [
        ("ldlm_enqueue", 2),
        ("ost_read", 1),
        ("ldlm_bl_callback", 1),
        ("ldlm_cancel", 1),
    ];
    let writer = [("ldlm_enqueue", 2), ("ldlm_cp_callback", 1)];
    makes(lustre(), text, &[&reader, &reader, &writer]);
}

#[test]
fn a_stat_of_lustre_asks_whoever_writes_how_large_a_file_is() {
    let text = "on-server data 1 8388608\nopen data/0 w\nwrite data/0 4096\nstat data/0\nweb2: stat data/0\n";
    let first = [("ldlm_enqueue", 2), ("ldlm_gl_callback", 1)];
    makes(lustre(), text, &[&first, &[("ldlm_enqueue", 2)]]);
}

#[test]
fn glusterfs_brings_small_files_with_their_lookup() {
    let text = "on-server data 1 4096\nopen data/0 r\nread data/0 4096\nclose data/0\n";
    makes(glusterfs(), text, &[&[("lookup", 1)]]);
    let without = GlusterFs {
        quick_read_bytes: 0,
        ..glusterfs()
    };
    let calls = [("lookup", 1), ("open", 1), ("readv", 1), ("flush", 1)];
    makes(without, text, &[&calls]);
}

/// A page in the middle of a file is read in two sessions.
fn sessions(between: &str) -> String {
    let read = "read-at data/0 524288 4096\nclose data/0\n";
    format!("{OPEN}{read}{between}open data/0 r\n{read}")
}

#[test]
fn a_second_open_of_glusterfs_reads_nothing_of_a_file_that_has_not_changed() {
    let calls = |lookups| [("lookup", lookups), ("open", 1), ("readv", 1), ("flush", 1)];
    // The name holds for a second.
    makes(glusterfs(), &sessions(""), &[&calls(1)]);
    makes(glusterfs(), &sessions("sleep 2\n"), &[&calls(2)]);
}

/// What the second of two clients does to the first file.
const WRITE: &str = "web2: open data/0 w\nweb2: write data/0 4096\nweb2: close data/0\n";

#[test]
fn what_another_client_of_glusterfs_has_written_is_read_anew_when_the_name_is_looked_up() {
    let calls = |lookups, reads| {
        [
            ("lookup", lookups),
            ("open", reads),
            ("readv", reads),
            ("flush", reads),
        ]
    };
    let writer = [("lookup", 1), ("open", 1), ("writev", 1), ("flush", 1)];
    makes(glusterfs(), &sessions(WRITE), &[&calls(1, 1), &writer]);
    let later = sessions(&format!("{WRITE}sleep 2\n"));
    makes(glusterfs(), &later, &[&calls(2, 2), &writer]);
}

#[test]
fn what_a_client_of_glusterfs_has_written_itself_stays_in_its_memory() {
    let text = format!(
        "{}write data/0 4096\nclose data/0\nsleep 2\nopen data/0 r\nread data/0 4096\nclose data/0\n",
        OPEN.replace(" r\n", " w\n")
    );
    let calls = [("lookup", 2), ("open", 1), ("writev", 1), ("flush", 1)];
    makes(glusterfs(), &text, &[&calls]);
}

#[test]
fn a_small_file_comes_with_a_lookup_once_and_is_read_after_another_client_has_written() {
    let session = "open data/0 r\nread data/0 65536\nclose data/0\n";
    let text =
        |between: &str| format!("on-server data 1 65536\n{session}{between}sleep 2\n{session}");
    makes(glusterfs(), &text(""), &[&[("lookup", 2)]]);
    let bytes = received(glusterfs(), &text(""));
    assert!((65_536..2 * 65_536).contains(&bytes), "{bytes}");
    let reader = [("lookup", 2), ("open", 1), ("readv", 1), ("flush", 1)];
    let writer = [("lookup", 1), ("open", 1), ("writev", 1), ("flush", 1)];
    makes(glusterfs(), &text(WRITE), &[&reader, &writer]);
}

/// Bytes that a work brings to the first client.
fn received(place: impl Into<Place>, text: &str) -> u64 {
    let result = place.into().work(text).expect("a work");
    result.clients[0].link_bytes.received
}

#[test]
fn quick_read_keeps_128_mib_of_what_was_looked_up_last() {
    let options = GlusterFs {
        quick_read_bytes: 1 << 20,
        ..glusterfs()
    };
    // Each of so many files of 1 MiB is opened twice.
    let mebibytes = |files: u64| {
        let pass: String = (0..files)
            .map(|file| format!("open data/{file} r\nclose data/{file}\n"))
            .collect();
        let text = format!("on-server data {files} 1048576\n{pass}sleep 2\n{pass}");
        received(options, &text) as f64 / f64::from(1 << 20)
    };
    let (fits, exceeds) = (mebibytes(128), mebibytes(129));
    assert!((128.0..150.0).contains(&fits), "{fits}");
    assert!((258.0..300.0).contains(&exceeds), "{exceeds}");
}

#[test]
fn io_cache_has_larger_pages_than_the_kernel_asks_for() {
    let sessions = |between: &str| {
        let read = |offset: u64| format!("read-at data/0 {offset} 4096\nclose data/0\n");
        let (first, second) = (read(524_288), read(589_824));
        format!("{OPEN}{first}{between}open data/0 r\n{second}")
    };
    let calls = [("lookup", 1), ("open", 2), ("readv", 2), ("flush", 2)];
    makes(glusterfs(), &sessions(""), &[&calls]);
    let keeps = GlusterFs {
        io_cache_bytes: 32 << 20,
        ..glusterfs()
    };
    let calls = [("lookup", 1), ("open", 1), ("readv", 1), ("flush", 1)];
    makes(keeps, &sessions(""), &[&calls]);
    let calls = [
        ("lookup", 2),
        ("fstat", 1),
        ("open", 1),
        ("readv", 1),
        ("flush", 1),
    ];
    makes(keeps, &sessions("sleep 2\n"), &[&calls]);
}

#[test]
fn the_translator_reads_pages_ahead() {
    let ahead = GlusterFs {
        read_ahead_bytes: 4 * GlusterFs::PAGE_BYTES,
        ..glusterfs()
    };
    let text = format!("{OPEN}read data/0 4096\n");
    let calls = |count| [("lookup", 1), ("open", 1), ("readv", count)];
    makes(glusterfs(), &text, &[&calls(1)]);
    makes(ahead, &text, &[&calls(5)]);
}

#[test]
fn the_kernel_asks_the_daemon_for_a_window_and_the_next() {
    let text = format!("{OPEN}read data/0 131072\n");
    let calls = [("lookup", 1), ("open", 1), ("readv", 2)];
    makes(glusterfs(), &text, &[&calls]);
}

#[test]
fn a_dispersed_volume_locks_all_bricks_and_writes_a_fragment_to_each() {
    let dispersed = GlusterFs {
        redundancy: 1,
        ..glusterfs()
    };
    let calls = [
        ("lookup", 3),
        ("entrylk", 6),
        ("create", 3),
        ("inodelk", 6),
        ("fxattrop", 6),
        ("writev", 3),
        ("flush", 3),
    ];
    let text = "open new create\nwrite new 131072\nclose new\n";
    makes(dispersed, text, &[&calls]);
    // Two of three bricks hold data.
    let calls = [
        ("lookup", 3),
        ("open", 3),
        ("inodelk", 6),
        ("fxattrop", 3),
        ("readv", 2),
        ("flush", 3),
    ];
    let text = format!("{OPEN}read-at data/0 524288 4096\nclose data/0\n");
    makes(dispersed, &text, &[&calls]);
}

#[test]
fn what_a_dispersed_write_leaves_of_a_stripe_is_read_before() {
    let dispersed = GlusterFs {
        redundancy: 1,
        ..glusterfs()
    };
    // Stripes have 1024 bytes: 100 of the first are written, and the file has more.
    let text = "on-server data 1 8388608\nopen data/0 w\nwrite data/0 100\nclose data/0\n";
    let calls = [
        ("lookup", 3),
        ("open", 3),
        ("inodelk", 6),
        ("fxattrop", 6),
        ("readv", 2),
        ("writev", 3),
        ("flush", 3),
    ];
    makes(dispersed, text, &[&calls]);
}

#[test]
fn moosefs_asks_its_master_once_for_a_chunk_and_keeps_pages_over_opens() {
    let calls = [
        ("fuse_lookup", 2),
        ("fuse_open", 2),
        ("fuse_read_chunk", 1),
        ("read", 1),
    ];
    makes(moosefs(), &sessions(""), &[&calls]);
    let entries = MooseFs {
        entry_cache_ns: 10_000_000_000,
        ..moosefs()
    };
    let calls = [
        ("fuse_lookup", 1),
        ("fuse_getattr", 1),
        ("fuse_open", 2),
        ("fuse_read_chunk", 1),
        ("read", 1),
    ];
    makes(entries, &sessions("sleep 2\n"), &[&calls]);
}

#[test]
fn moosefs_writes_blocks_between_two_calls_to_its_master() {
    let text = "open new create\nwrite new 1048576\nclose new\n";
    let calls = [
        ("fuse_lookup", 1),
        ("fuse_create", 1),
        ("fuse_write_chunk", 1),
        ("write", 16),
        ("fuse_write_chunk_end", 1),
    ];
    makes(moosefs(), text, &[&calls]);
    // Servers pass copies on by themselves.
    let twice = MooseFs {
        copies: 2,
        ..moosefs()
    };
    makes(twice, text, &[&calls]);
}

#[test]
fn what_another_client_of_moosefs_has_written_is_read_anew_after_an_open() {
    let read = "read-at data/0 524288 4096\nclose data/0\n";
    let write = "web2: open data/0 w\nweb2: write data/0 4096\nweb2: close data/0\n";
    let text = format!("{OPEN}{read}{write}open data/0 r\n{read}");
    let reader = [
        ("fuse_lookup", 2),
        ("fuse_open", 2),
        ("fuse_read_chunk", 2),
        ("read", 2),
    ];
    let writer = [
        ("fuse_lookup", 1),
        ("fuse_open", 1),
        ("fuse_write_chunk", 1),
        ("write", 1),
        ("fuse_write_chunk_end", 1),
    ];
    makes(moosefs(), &text, &[&reader, &writer]);
}

#[test]
fn hits_are_pages_that_a_client_had() {
    let read = "read-at data/0 0 4096\n";
    let result = Place::from(moosefs()).work(&format!("{OPEN}{read}{read}"));
    let result = result.expect("a work");
    assert_eq!(result.clients[0].hit_ratio(), Some(0.5));
}

#[test]
fn a_direct_read_takes_calls_bytes_and_the_way() {
    let job = "[a]\nrw=randread\nbs=4k\nsize=16m\ndirect=1\n";
    let at_both_ends = 2.0 * (CALL_NS as f64 + 4096.0 * NS_PER_BYTE) / 1e3;
    let way_us = 2.0 * 50.0;
    let fuse_us = FUSE_NS as f64 / 1e3;
    for (place, name, own_us) in [
        (Place::from(lustre()), "ost_read", 0.0),
        (Place::from(glusterfs()), "readv", fuse_us),
        (Place::from(moosefs()), "read", fuse_us),
    ] {
        let result = place.after(50_000).run(job).unwrap();
        assert_eq!(remote(&result).calls[name].count, 4096);
        near(
            mean_us(&result),
            1.0 + own_us + at_both_ends + way_us,
            0.001,
        );
    }
}

#[test]
fn servers_of_lustre_fetch_larger_writes() {
    let delay_us = 10_000.0;
    let place = Place::from(lustre()).after(10_000_000);
    let bytes_us = |bytes: f64| 2.0 * bytes * NS_PER_BYTE / 1e3;
    let calls_us = 2.0 * CALL_NS as f64 / 1e3;
    for (bs, bytes, ways) in [("4k", 4096.0, 2.0), ("64k", 65_536.0, 4.0)] {
        let job = format!("[a]\nrw=write\nbs={bs}\nsize=16m\ndirect=1\n");
        let result = place.run(&job).unwrap();
        let least_us = 1.0 + calls_us + bytes_us(bytes) + ways * delay_us;
        near(mean_us(&result), least_us, 0.01);
    }
}

#[test]
fn calls_in_flight_are_limited() {
    let rate = |calls_in_flight| {
        let place = Place {
            servers: 1,
            ..Place::from(Lustre {
                calls_in_flight,
                ..lustre()
            })
        };
        let job = "[a]\nrw=randread\nbs=4k\nsize=1m\ndirect=1\nnumjobs=16\n";
        place.after(10_000_000).run(job).unwrap().bytes_per_s
    };
    near(rate(8) / rate(1), 8.0, 0.05);
}

#[test]
fn a_copy_of_moosefs_is_written_by_the_server_of_the_first() {
    let job = "[a]\nrw=write\nbs=64k\nsize=1m\ndirect=1\n";
    let count = |copies| {
        let place = Place::from(MooseFs {
            copies,
            ..moosefs()
        });
        let result = place.run(job).unwrap();
        let of = remote(&result);
        (of.calls["write"].count, of.link_bytes.sent)
    };
    let ((once, sent), (twice, sent_twice)) = (count(1), count(2));
    assert_eq!((once, twice), (16, 32));
    // The client names the second server, 6 bytes a message that begins a chunk.
    assert_eq!(sent_twice - sent, 16 * 6);
}

#[test]
fn a_system_without_servers_is_refused() {
    let place = Place {
        servers: 0,
        ..Place::from(lustre())
    };
    let error = place
        .run("[a]\nrw=read\nbs=4k\nsize=1m\n")
        .expect_err("none");
    assert!(error.to_string().contains("no server"), "{error}");
}

/// All protocols, each with what makes it different.
fn kinds() -> [ClusterProtocol; 7] {
    [
        ClusterProtocol::Lustre(lustre()),
        ClusterProtocol::Lustre(Lustre {
            stripes: 4,
            stripe_bytes: 64 << 10,
            calls_in_flight: 1,
            ..lustre()
        }),
        ClusterProtocol::GlusterFs(glusterfs()),
        ClusterProtocol::GlusterFs(GlusterFs {
            io_cache_bytes: 1 << 20,
            read_ahead_bytes: 512 << 10,
            ..glusterfs()
        }),
        ClusterProtocol::GlusterFs(GlusterFs {
            redundancy: 1,
            ..glusterfs()
        }),
        ClusterProtocol::MooseFs(moosefs()),
        ClusterProtocol::MooseFs(MooseFs {
            copies: 2,
            read_ahead_bytes: 64 << 10,
            ..moosefs()
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_call_is_answered_once_and_every_byte_passes(
        kind in 0usize..7,
        clients in 1usize..4,
        servers in 1usize..5,
        pages in 1u64..80,
        mode in prop::sample::select(vec!["read", "write", "randread", "randrw"]),
        is_direct in any::<bool>(),
        is_slow in any::<bool>(),
    ) {
        let place = Place {
            clients,
            servers,
            client_line: Line {
                bits_per_s: is_slow.then_some(100_000_000),
                delay_ns: 20_000,
                mtu_bytes: 1500,
                rdma_lanes: None,
            },
            ..Place::of(kinds()[kind])
        };
        let bytes = pages * 4096;
        let size = bytes * 5;
        let direct = u8::from(is_direct);
        let job = format!("[a]\nrw={mode}\nbs={bytes}\nsize={size}\nnumjobs=2\ndirect={direct}\n");
        let result = place.run(&job).unwrap();
        let of = remote(&result);
        // A run ends with the last request where pages are dirty then, as files of Lustre have them after a close: calls may be under way.
        let may_be_dirty = kind < 2 && !is_direct && mode != "read" && mode != "randread";
        prop_assert!(of.begun == of.answered || may_be_dirty && of.begun > of.answered);
        let counted: u64 = of.calls.values().map(|it| it.count).sum();
        prop_assert_eq!(counted, of.answered);
        let done: u64 = result.operations.iter().map(|it| it.bytes).sum();
        prop_assert_eq!(done, size * 2 * clients as u64);
        // What is written through memory may still be there, and files that come with their names are small.
        let all_pass = mode != "randrw" && (is_direct || mode != "write") && size > 64 << 10;
        for link in &of.links {
            let passed = link.bytes.sent + link.bytes.received;
            prop_assert!(!all_pass || passed >= done / clients as u64);
        }
    }

    #[test]
    fn what_a_client_reads_again_it_has(
        kind in 0usize..7,
        reads in prop::collection::vec((0u64..2048, 1u64..64), 1..20),
    ) {
        // One session of one client: each page is fetched once at most.
        let mut text = OPEN.to_owned();
        for (page, pages) in &reads {
            text.push_str(&format!("read-at data/0 {} {}\n", page * 4096, pages * 4096));
        }
        let once = Place::of(kinds()[kind]).work(&format!("{text}sleep 1\n")).unwrap();
        let again = text.lines().skip(2).collect::<Vec<_>>().join("\n");
        let twice = Place::of(kinds()[kind]).work(&format!("{text}sleep 1\n{again}\nsleep 1\n")).unwrap();
        let (once, twice) = (&once.clients[0], &twice.clients[0]);
        let pages: u64 = reads.iter().map(|(page, pages)| (page + pages).min(2048) - page).sum();
        prop_assert_eq!(once.asked_pages, pages);
        prop_assert_eq!(twice.asked_pages, 2 * pages);
        prop_assert_eq!(twice.found_pages - once.found_pages, pages);
    }
}
