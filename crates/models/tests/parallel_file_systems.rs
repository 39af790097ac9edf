//! PVFS 1 and OrangeFS: messages counted by hand, times from costs and links, and what holds for any work.

use std::collections::BTreeMap;
use std::path::Path;

use hotset_models::files::{FilesResult, Work, WorkError, simulate_parallel as simulate_work};
use hotset_models::fio::{JobFile, JobResult, SimulationError, System, simulate_parallel};
use hotset_models::nets::{ParallelJob, parallel};
use hotset_models::remote::nfs::RemoteResult;
use hotset_models::remote::pvfs::{
    ClientKind, OrangeFs, Protocol, Pvfs1, PvfsServer, PvfsSystem, ReceiveCost, Striping,
};
use hotset_models::remote::{CallCosts, Line, NamedLine, ServerMachine};
use hotset_petri::Choice;
use hotset_scenario::{CostLine, Profile, Reading};
use proptest::prelude::*;

const CALL_NS: u64 = 10_000;
const NS_PER_BYTE: f64 = 0.25;
const BUFFER_NS: u64 = 5_000;
const WRITTEN_NS: u64 = 2_000;
const GROWTH_NS: u64 = 1_000;

/// A call of 1 µs and 8000 bytes/µs from memory; a device of 99 µs, then 500 bytes/µs. Clients have four processors.
fn profile() -> Profile {
    let cached = CostLine {
        fixed_us: 1.0,
        bytes_per_us: 8000.0,
    };
    let uncached = CostLine {
        fixed_us: 100.0,
        bytes_per_us: 500.0,
    };
    Profile {
        reading: Some(Reading {
            processors: 4,
            ..Reading::default()
        }),
        ..Profile::of_lines("test", cached, uncached, "")
    }
}

fn orangefs() -> OrangeFs {
    OrangeFs {
        server_buffer_ns: BUFFER_NS,
        client_buffer_ns: BUFFER_NS,
        written: CallCosts {
            call_ns: WRITTEN_NS,
            ns_per_byte: 0.0,
            stack_ns_per_byte: [0.0; 2],
        },
        growth_ns: GROWTH_NS,
        ..OrangeFs::default()
    }
}

/// What a test runs on.
#[derive(Clone, Debug)]
struct Place {
    protocol: Protocol,
    servers: usize,
    clients: usize,
    client_line: Line,
}

impl Place {
    fn of(protocol: Protocol) -> Self {
        Self {
            protocol,
            servers: 4,
            clients: 1,
            client_line: Line::default(),
        }
    }

    fn system<'p>(&self, profile: &'p Profile) -> PvfsSystem<'p> {
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
                threads: match self.protocol {
                    Protocol::Pvfs1(_) => 1,
                    Protocol::OrangeFs(_) => 16,
                },
                is_async: true,
                costs,
            },
            link: None,
            is_joined: false,
        };
        PvfsSystem {
            protocol: self.protocol,
            striping: Striping::usual(self.servers as u32),
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
            one_machine: None,
        }
    }

    fn work(&self, text: &str) -> Result<FilesResult, WorkError> {
        let work = Work::parse(text, Path::new("test.work"))?;
        simulate_work(&work, &self.system(&profile()), "web1", &|| true)
    }

    #[track_caller]
    fn makes(&self, text: &str, calls: &[(&'static str, u64)]) {
        let result = self.work(text).expect("a work");
        let wanted: BTreeMap<&'static str, u64> = calls.iter().copied().collect();
        assert_eq!(result.clients[0].calls, wanted, "{text}");
    }

    fn run(&self, job: &str) -> Result<JobResult, SimulationError> {
        let file = JobFile::parse(job, Path::new("jobs.fio")).expect("a job");
        let profile = profile();
        let system = System {
            profile: &profile,
            memory_bytes: None,
            seed: 7,
        };
        let results = simulate_parallel(&file.jobs, &system, &self.system(&profile), &|| true);
        results.map(|mut results| results.remove(0))
    }
}

fn pvfs1() -> Place {
    Place::of(Protocol::Pvfs1(Pvfs1 {
        receive: ReceiveCost::Constant(0),
    }))
}

fn pvfs2() -> Place {
    Place::of(Protocol::OrangeFs(orangefs()))
}

fn fuse() -> Place {
    Place::of(Protocol::OrangeFs(OrangeFs {
        client: ClientKind::FUSE,
        ..orangefs()
    }))
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

const OPEN: &str = "on-server data 1 8388608\nopen data/0 r\n";
/// What an open asks with nothing cached: getattr, getattr, lookup, getattr, and the size.
const OPENED: [(&str, u64); 3] = [("getattr", 3), ("lookup", 1), ("tree-getattr", 1)];

#[test]
fn an_open_asks_five_questions_and_a_close_none() {
    pvfs2().makes(&format!("{OPEN}close data/0\n"), &OPENED);
    let again = "close data/0\nopen data/0 r\n";
    pvfs2().makes(&format!("{OPEN}{again}"), &OPENED);
    // Names and attributes hold for 60 s.
    let later = "close data/0\nsleep 61\nopen data/0 r\n";
    let twice = [("getattr", 6), ("lookup", 2), ("tree-getattr", 2)];
    pvfs2().makes(&format!("{OPEN}{later}"), &twice);
}

#[test]
fn a_create_makes_an_object_and_an_entry() {
    let text = "open new create\nclose new\n";
    pvfs2().makes(text, &[("create", 1), ("crdirent", 1)]);
    pvfs1().makes(text, &[("create", 1), ("close", 1)]);
}

#[track_caller]
fn reads(place: &Place, offset: u64, bytes: u64, calls: &[(&'static str, u64)]) {
    let opened: &[(&'static str, u64)] = match place.protocol {
        Protocol::OrangeFs(_) => &OPENED,
        Protocol::Pvfs1(_) => &[("open", 1)],
    };
    let text = format!("{OPEN}read-at data/0 {offset} {bytes}\n");
    let all = [opened, calls].concat();
    place.makes(&text, &all);
}

#[test]
fn small_reads_are_one_message_for_each_server() {
    reads(&pvfs2(), 0, 4096, &[("small-read", 1)]);
    // 16,384 less what stands before the data.
    reads(&pvfs2(), 0, 16_344, &[("small-read", 1)]);
    reads(&pvfs2(), 60_000, 20_000, &[("small-read", 2)]);
}

#[test]
fn larger_reads_are_flows_of_all_servers_that_are_touched() {
    reads(&pvfs2(), 0, 16_345, &[("read", 1), ("read-data", 1)]);
    // The part of the second server is small, and that of the first is not.
    reads(&pvfs2(), 0, 65_536 + 4096, &[("read", 2), ("read-data", 2)]);
    // 256 KiB of each server are a buffer, 1 MiB are four.
    reads(&pvfs2(), 0, 1 << 20, &[("read", 4), ("read-data", 4)]);
    reads(&pvfs2(), 0, 4 << 20, &[("read", 4), ("read-data", 16)]);
    // More than the eight buffers that are under way at a time.
    reads(&pvfs2(), 0, 8 << 20, &[("read", 4), ("read-data", 32)]);
}

#[test]
fn daemons_of_the_first_version_answer_with_their_strips() {
    reads(&pvfs1(), 0, 4096, &[("read", 1), ("read-data", 1)]);
    reads(&pvfs1(), 0, 1 << 20, &[("read", 4), ("read-data", 16)]);
    // 1000 bytes of a strip, then all of four.
    let (offset, bytes) = (64_536, 1000 + (4 << 16));
    reads(&pvfs1(), offset, bytes, &[("read", 4), ("read-data", 5)]);
}

#[test]
fn writes_go_at_once_or_as_flows_that_end_with_an_answer() {
    let created = [("create", 1), ("crdirent", 1)];
    for (bytes, calls) in [
        (6768, &[("small-write", 1)][..]),
        (
            6769,
            &[("write", 1), ("write-data", 1), ("write-done", 1)][..],
        ),
        (
            4 << 20,
            &[("write", 4), ("write-data", 16), ("write-done", 4)][..],
        ),
    ] {
        let text = format!("open new create\nwrite new {bytes}\n");
        pvfs2().makes(&text, &[&created[..], calls].concat());
    }
    let text = "open new create\nwrite new 1048576\n";
    pvfs1().makes(text, &[("create", 1), ("write", 4)]);
}

#[test]
fn the_kernel_divides_what_goes_through_fuse() {
    // 128 KiB are two strips, on two servers.
    reads(&fuse(), 0, 1 << 20, &[("read", 16), ("read-data", 16)]);
}

#[test]
fn what_is_not_there_is_asked_for_and_what_is_not_open_refused() {
    pvfs2().makes("open data/0 r\n", &[("getattr", 1)]);
    let error = pvfs2().work("read data/0 10\n").expect_err("not open");
    let message = error.to_string();
    assert!(
        message.starts_with("test.work:1: `data/0` is not open; open it first"),
        "{message}"
    );
}

#[test]
fn clients_share_files_of_works() {
    let text = format!("{OPEN}close data/0\nweb2: open data/0 r\nweb2: read data/0 4096\n");
    let result = pvfs2().work(&text).expect("a work");
    assert_eq!(result.clients.len(), 2);
    assert_eq!(result.clients[1].calls["small-read"], 1);
    assert_eq!(result.clients[0].calls.get("small-read"), None);
}

#[test]
fn a_small_read_takes_calls_bytes_and_the_way() {
    let place = Place {
        client_line: Line {
            delay_ns: 50_000,
            ..Line::default()
        },
        ..pvfs2()
    };
    let result = place.run("[a]\nrw=randread\nbs=4k\nsize=16m\n").unwrap();
    let calls = &remote(&result).calls;
    assert_eq!(calls["small-read"].count, 4096);
    let at_both_ends = 2.0 * (CALL_NS as f64 + 4096.0 * NS_PER_BYTE) / 1e3;
    near(mean_us(&result), 1.0 + at_both_ends + 100.0, 0.001);
}

#[test]
fn a_flow_to_the_client_takes_one_round_trip_and_one_from_it_two() {
    let delay_us = 10_000.0;
    let place = Place {
        client_line: Line {
            delay_ns: 10_000_000,
            ..Line::default()
        },
        ..pvfs2()
    };
    let bytes_us = 65_536.0 * NS_PER_BYTE / 1e3;
    let flow_us = 2.0 * (CALL_NS + BUFFER_NS) as f64 / 1e3;
    let read = place.run("[a]\nrw=read\nbs=64k\nsize=4m\n").unwrap();
    near(
        mean_us(&read),
        1.0 + flow_us + 2.0 * bytes_us + 2.0 * delay_us,
        0.001,
    );
    let write = place.run("[a]\nrw=write\nbs=64k\nsize=4m\n").unwrap();
    // What the server does more to write is little beside the way.
    let least_us = 1.0 + flow_us + 2.0 * bytes_us + 4.0 * delay_us;
    near(mean_us(&write), least_us, 0.005);
    assert!(mean_us(&write) > least_us);
}

/// What a buffer of so many bytes costs a client or a server, microseconds.
fn buffer_us(bytes: u64) -> f64 {
    (BUFFER_NS as f64 + bytes as f64 * NS_PER_BYTE) / 1e3
}

/// What the system call and what begins a flow take, microseconds: the latter costs both ends.
const BEGUN_US: f64 = 1.0 + 2.0 * CALL_NS as f64 / 1e3;

#[test]
fn each_buffer_of_a_flow_costs_and_a_client_takes_one_after_the_other() {
    let place = Place {
        servers: 1,
        ..pvfs2()
    };
    let result = place.run("[a]\nrw=read\nbs=4m\nsize=64m\n").unwrap();
    assert_eq!(remote(&result).calls["read-data"].count, 16 * 16);
    // The server begins eight buffers at once and has four processors. So the first four wait for what the others cost before their bytes.
    // From there on it is ahead of the client.
    let first_us = buffer_us(256 << 10) + BUFFER_NS as f64 / 1e3;
    let taken_us = 16.0 * buffer_us(256 << 10);
    near(mean_us(&result), BEGUN_US + first_us + taken_us, 0.001);
}

#[test]
fn the_library_does_one_thing_after_the_other() {
    let place = Place {
        servers: 2,
        ..pvfs2()
    };
    let result = place.run("[a]\nrw=read\nbs=128k\nsize=4m\n").unwrap();
    // Two servers are asked one after the other. The second buffer has come when the client is done with the first.
    let buffers_us = 3.0 * buffer_us(64 << 10);
    near(mean_us(&result), BEGUN_US + buffers_us, 0.001);
}

#[test]
fn a_write_that_makes_a_file_longer_costs_more_than_one_that_does_not() {
    let place = Place {
        servers: 1,
        ..pvfs2()
    };
    let write = "[a]\nrw=write\nbs=64k\nsize=4m\n";
    let written_us = BEGUN_US + 2.0 * buffer_us(64 << 10) + WRITTEN_NS as f64 / 1e3;
    let growth_us = GROWTH_NS as f64 / 1e3;
    let new = place.run(write).unwrap();
    near(mean_us(&new), written_us + growth_us, 0.0005);
    let over = place.run(&format!("{write}overwrite=1\n")).unwrap();
    near(mean_us(&over), written_us, 0.0005);
    // A message with its data is a call like another.
    let small = place.run("[a]\nrw=write\nbs=4k\nsize=1m\n").unwrap();
    let bytes_us = 2.0 * 4096.0 * NS_PER_BYTE / 1e3;
    near(mean_us(&small), BEGUN_US + bytes_us + growth_us, 0.0005);
}

#[test]
fn a_client_gets_what_its_link_has_and_several_get_several_times_that() {
    let gigabit = Line {
        bits_per_s: Some(1_000_000_000),
        delay_ns: 0,
        mtu_bytes: 1500,
        rdma_lanes: None,
    };
    for place in [pvfs1(), pvfs2()] {
        for clients in [1, 3] {
            let place = Place {
                client_line: gigabit,
                clients,
                ..place.clone()
            };
            let result = place.run("[a]\nrw=read\nbs=4m\nsize=64m\n").unwrap();
            // Of each packet of 1500 bytes, 52 are headers.
            let most = clients as f64 * 125e6 * 1448.0 / 1500.0;
            assert!(result.bytes_per_s <= most, "{}", result.bytes_per_s);
            near(result.bytes_per_s, most, 0.15);
        }
    }
}

#[test]
fn jobs_that_need_a_page_cache_are_refused() {
    let job = "[a]\nrw=read\nbs=4k\nsize=1m\nioengine=mmap\n";
    let error = pvfs2().run(job).expect_err("no page cache");
    assert!(error.to_string().contains("no page cache"), "{error}");
}

#[test]
fn a_system_without_servers_is_refused() {
    let place = Place {
        servers: 0,
        ..pvfs2()
    };
    let error = place
        .run("[a]\nrw=read\nbs=4k\nsize=1m\n")
        .expect_err("none");
    assert!(error.to_string().contains("no server"), "{error}");
}

#[test]
fn a_buffer_that_is_a_list_costs_what_it_holds() {
    assert_eq!(ReceiveCost::Constant(10).ns(5, 3), 30);
    // The three packets find 5, 6 and 7 others.
    assert_eq!(ReceiveCost::Linear(10).ns(5, 3), (6 + 7 + 8) * 10);
    let place = |receive| Place::of(Protocol::Pvfs1(Pvfs1 { receive }));
    let job = "[a]\nrw=write\nbs=1m\nsize=16m\n";
    let constant = place(ReceiveCost::Constant(10)).run(job).unwrap();
    let linear = place(ReceiveCost::Linear(10)).run(job).unwrap();
    assert!(linear.bytes_per_s < constant.bytes_per_s);
}

/// What the net of a job counts: blocks, and the sum of their times.
fn of_net(job: &ParallelJob) -> (u64, u64) {
    let net = parallel(job).unwrap();
    let mut run = net.simulate(1, 0, Choice::Fair);
    run.run_firings(u64::MAX).unwrap();
    let names: Vec<&str> = net.monitors().collect();
    let place = names.iter().position(|it| *it == "client 1/response time");
    let place = place.unwrap();
    let count = run.counts()[place].unwrap();
    let mean = run.monitors()[place].unwrap_or(0.0);
    (count, (mean * count as f64 * 1e9).round() as u64)
}

/// How long so many blocks take, nanoseconds, beside opening the file.
fn of_works(system: &PvfsSystem<'_>, writes: bool, (blocks, block_bytes): (u64, u64)) -> u64 {
    let (open, block) = match writes {
        true => ("open new create\n", format!("write new {block_bytes}\n")),
        false => (OPEN, format!("read data/0 {block_bytes}\n")),
    };
    let ns = |count: u64| {
        let text = format!("{open}{}", block.repeat(count as usize));
        let work = Work::parse(&text, Path::new("test.work")).unwrap();
        let result = simulate_work(&work, system, "web1", &|| true).unwrap();
        (result.seconds * 1e9).round() as u64
    };
    ns(blocks) - ns(0)
}

#[test]
fn the_nets_do_as_the_simulation_does() {
    // What the local file system takes of its own is nothing.
    let free = CostLine {
        fixed_us: 0.0,
        bytes_per_us: 1e12,
    };
    let profile = Profile::of_lines("test", free, free, "");
    for (servers, strip_bytes, block_bytes) in [
        (4, 65_536, 4096),
        (4, 65_536, 65_536),
        (4, 65_536, 100 << 10),
        (4, 65_536, 1 << 20),
        (3, 8192, 256 << 10),
        (1, 65_536, 256 << 10),
    ] {
        let striping = Striping {
            strip_bytes,
            stripes: servers,
        };
        for (writes, receive) in [
            (false, ReceiveCost::Constant(2_000)),
            (true, ReceiveCost::Constant(2_000)),
            (true, ReceiveCost::Linear(20)),
        ] {
            let delay_ns = 50_000;
            let place = Place {
                servers: servers as usize,
                client_line: Line {
                    delay_ns,
                    mtu_bytes: 1500,
                    ..Line::default()
                },
                ..Place::of(Protocol::Pvfs1(Pvfs1 { receive }))
            };
            let system = PvfsSystem {
                striping,
                ..place.system(&profile)
            };
            let blocks = 5;
            let job = ParallelJob {
                writes,
                offsets: (0..blocks).map(|it| it * block_bytes).collect(),
                block_bytes,
                repeats: false,
                clients: 1,
                servers,
                striping,
                call_ns: CALL_NS,
                ns_per_byte: NS_PER_BYTE,
                receive,
                delay_ns,
            };
            let expected = (blocks, of_works(&system, writes, (blocks, block_bytes)));
            assert_eq!(of_net(&job), expected, "{block_bytes} on {servers}");
        }
    }
}

/// Which server has a byte, strip by strip.
fn bytes_by_server(striping: Striping, from: u64, to: u64) -> BTreeMap<u32, (u64, u64)> {
    let mut all: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for byte in from..to {
        let strip = byte / striping.strip_bytes;
        let place = (strip % u64::from(striping.stripes)) as u32;
        let row = strip / u64::from(striping.stripes);
        let at = row * striping.strip_bytes + byte % striping.strip_bytes;
        let part = all.entry(place).or_insert((at, at));
        assert_eq!(part.1, at, "a server has its bytes one behind the other");
        part.1 = at + 1;
    }
    all
}

proptest! {
    #[test]
    fn parts_are_where_each_byte_is(
        strip_bytes in 1u64..20,
        stripes in 1u32..6,
        from in 0u64..300,
        bytes in 1u64..300,
    ) {
        let striping = Striping { strip_bytes, stripes };
        let parts = striping.parts(from..from + bytes);
        let parts: BTreeMap<u32, (u64, u64)> = parts.map(|(place, it)| (place, (it.start, it.end))).collect();
        prop_assert_eq!(parts, bytes_by_server(striping, from, from + bytes));
    }

    #[test]
    fn every_call_is_answered_once_and_every_byte_passes(
        kind in 0usize..3,
        clients in 1usize..4,
        servers in 1usize..5,
        pages in 1u64..80,
        mode in prop::sample::select(vec!["read", "write", "randread", "randrw"]),
        is_slow in any::<bool>(),
    ) {
        let place = [pvfs1(), pvfs2(), fuse()][kind].clone();
        let place = Place {
            clients,
            servers,
            client_line: Line {
                bits_per_s: is_slow.then_some(100_000_000),
                delay_ns: 20_000,
                mtu_bytes: 1500,
                rdma_lanes: None,
            },
            ..place
        };
        let bytes = pages * 4096;
        let size = bytes * 5;
        let job = format!("[a]\nrw={mode}\nbs={bytes}\nsize={size}\nnumjobs=2\n");
        let result = place.run(&job).unwrap();
        let of = remote(&result);
        prop_assert_eq!(of.begun, of.answered);
        let counted: u64 = of.calls.values().map(|it| it.count).sum();
        prop_assert_eq!(counted, of.answered);
        let done: u64 = result.operations.iter().map(|it| it.bytes).sum();
        prop_assert_eq!(done, size * 2 * clients as u64);
        for link in &of.links {
            prop_assert_eq!(link.bytes.sent + link.bytes.received >= done / clients as u64, true);
        }
    }
}
