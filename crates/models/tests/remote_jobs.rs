//! Jobs of fio on a file server: what follows from costs, links and threads without any simulation must come out.

use std::path::Path;

use hotset_models::fio::{JobFile, JobResult, System, simulate_remote};
use hotset_models::remote::nfs::{Mount, RemoteResult, RemoteSystem, Version};
use hotset_models::remote::{BothWays, CallCosts, Line, NamedLine, Protocol, ServerMachine};
use hotset_scenario::{CostLine, Profile, Reading};
use proptest::prelude::*;

const V3: Version = Version::V3;
const V4: Version = Version::V4 { minor: 2 };

/// A call of 1 µs and 8000 bytes/µs from memory; a device of 99 µs, then 500 bytes/µs, for so many at a time.
fn profile(parallel: f64) -> Profile {
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
            parallel,
            ..Reading::default()
        }),
        ..Profile::of_lines("test", cached, uncached, "")
    }
}

/// What a test runs on, and what it changes of that.
#[derive(Clone, Debug)]
struct Place {
    version: Version,
    clients: usize,
    /// The client's, then the server's.
    links: Vec<Line>,
    client_memory: Option<u64>,
    server_memory: Option<u64>,
    threads: usize,
    is_async: bool,
    parallel: f64,
}

impl Default for Place {
    fn default() -> Self {
        Self {
            version: V3,
            clients: 1,
            links: vec![Line::default()],
            client_memory: None,
            server_memory: None,
            threads: 8,
            is_async: false,
            parallel: 1.0,
        }
    }
}

const CALL_NS: u64 = 10_000;
const NS_PER_BYTE: f64 = 0.25;

impl Place {
    fn run(&self, job: &str) -> JobResult {
        let file = JobFile::parse(job, Path::new("jobs.fio")).unwrap();
        let profile = profile(self.parallel);
        let costs = CallCosts {
            call_ns: CALL_NS,
            ns_per_byte: NS_PER_BYTE,
        };
        let link = |number: usize, name: &str| {
            let line = self.links.get(number).copied()?;
            let name = name.to_owned();
            Some(NamedLine { name, line })
        };
        let remote = RemoteSystem {
            mount: Mount {
                version: self.version,
                protocol: Protocol::Tcp,
                read_bytes: 1 << 20,
                write_bytes: 1 << 20,
                attributes_s: None,
                sync: false,
            },
            clients: self.clients,
            client_costs: costs,
            client_link: link(0, "first"),
            server_link: link(1, "second"),
            server: ServerMachine {
                name: "server".to_owned(),
                profile: &profile,
                memory_bytes: self.server_memory,
                processors: 4,
                threads: self.threads,
                is_async: self.is_async,
                costs,
            },
        };
        let system = System {
            profile: &profile,
            memory_bytes: self.client_memory,
            seed: 7,
        };
        let mut results = simulate_remote(&file.jobs, &system, &remote, &|| true).unwrap();
        results.remove(0)
    }
}

fn remote(result: &JobResult) -> &RemoteResult {
    result.remote.as_ref().expect("a file server")
}

fn calls(result: &JobResult, name: &str) -> u64 {
    remote(result).calls.get(name).map_or(0, |it| it.count)
}

fn mean_us(result: &JobResult) -> f64 {
    result.outcome.total.mean_us().unwrap()
}

fn gigabit() -> Line {
    Line {
        bits_per_s: Some(1_000_000_000),
        delay_ns: 0,
        mtu_bytes: 1500,
    }
}

#[track_caller]
fn near(value: f64, expected: f64, share: f64) {
    assert!(
        (value / expected - 1.0).abs() <= share,
        "{value}, expected {expected}"
    );
}

#[test]
fn a_random_read_from_the_servers_memory_takes_calls_bytes_and_the_way() {
    let place = Place {
        links: vec![Line {
            delay_ns: 50_000,
            ..Line::default()
        }],
        ..Place::default()
    };
    let result = place.run("[a]\nrw=randread\nbs=4k\nsize=16m\n");
    assert_eq!(calls(&result, "read"), 4096);
    assert_eq!(result.outcome.total.hits, Some(0));
    assert_eq!(remote(&result).server_hit_ratio(), Some(1.0));
    let at_both_ends = 2.0 * (CALL_NS as f64 + 4096.0 * NS_PER_BYTE) / 1e3;
    let copying = 1.0 + 4096.0 / 8000.0;
    near(mean_us(&result), at_both_ends + 100.0 + copying, 0.001);
}

#[test]
fn what_the_server_lacks_takes_its_disk_as_well() {
    let cached = Place::default().run("[a]\nrw=randread\nbs=4k\nsize=16m\n");
    let place = Place {
        server_memory: Some(64 << 10),
        ..Place::default()
    };
    let result = place.run("[a]\nrw=randread\nbs=4k\nsize=16m\n");
    assert!(remote(&result).server_hit_ratio() < Some(0.02));
    // Its delay beyond the call, and the bytes.
    let disk = 99.0 + 4096.0 / 500.0;
    near(mean_us(&result) - mean_us(&cached), disk, 0.03);
}

#[test]
fn what_the_client_has_in_memory_makes_no_reads() {
    for version in [V3, V4] {
        let place = Place {
            version,
            ..Place::default()
        };
        let result = place.run("[a]\nrw=read\nbs=64k\nsize=16m\nloops=2\ninvalidate=0\n");
        assert_eq!(calls(&result, "read"), 0);
        assert_eq!(result.outcome.total.hit_ratio(), Some(1.0));
    }
}

#[test]
fn memory_that_is_too_small_makes_the_client_read_again() {
    let job = "[a]\nrw=read\nbs=64k\nsize=64m\nloops=2\ninvalidate=0\n";
    let place = Place {
        client_memory: Some(16 << 20),
        ..Place::default()
    };
    let read_bytes = place.run(job).device_bytes;
    assert!(read_bytes > 90 << 20, "{read_bytes} of two times 64 MiB");
}

#[test]
fn a_scan_gets_what_is_left_of_the_link_beside_headers() {
    let place = Place {
        links: vec![gigabit()],
        ..Place::default()
    };
    let result = place.run("[a]\nrw=read\nbs=64k\nsize=256m\n");
    let most = 125e6 * 1448.0 / 1500.0;
    assert!(result.bytes_per_s < most, "{}", result.bytes_per_s);
    near(result.bytes_per_s, most, 0.05);
    let link = result.outcome.resources.iter();
    let mut link = link.filter(|it| it.name == "link first, to the client");
    let busy = link.next().and_then(|it| it.utilisation);
    assert!(busy > Some(0.95), "{busy:?}");
}

#[test]
fn the_slower_of_two_links_is_the_limit_and_a_message_passes_both_at_a_time() {
    let fast = Line {
        bits_per_s: Some(10_000_000_000),
        ..gigabit()
    };
    let time_us = |links: Vec<Line>| {
        let place = Place {
            links,
            ..Place::default()
        };
        mean_us(&place.run("[a]\nrw=randread\nbs=64k\nsize=16m\n"))
    };
    let (one, both) = (time_us(vec![gigabit()]), time_us(vec![gigabit(), fast]));
    // A packet each way on the fast link, and not all 64 KiB of the answer.
    assert!(both > one && both - one < 5.0, "{one} and {both}");
    let slow = time_us(vec![gigabit(), gigabit()]);
    assert!(slow > one && slow - one < 40.0, "{one} and {slow}");
}

#[test]
fn clients_share_the_servers_link_and_each_has_its_own() {
    let rate = |clients| {
        let place = Place {
            clients,
            links: vec![gigabit(), gigabit()],
            ..Place::default()
        };
        let result = place.run("[a]\nrw=read\nbs=64k\nsize=64m\n");
        assert_eq!(result.outcome.total.bytes, Some((clients as u64) << 26));
        assert_eq!(remote(&result).links.len(), clients + 1);
        result.bytes_per_s
    };
    let one = rate(1);
    for clients in [2, 4] {
        near(rate(clients), one, 0.05);
    }
}

#[test]
fn clients_that_no_link_holds_up_get_as_much_each_as_one_alone() {
    let rate = |clients| {
        let place = Place {
            clients,
            ..Place::default()
        };
        place.run("[a]\nrw=randread\nbs=4k\nsize=4m\n").bytes_per_s
    };
    let (one, three) = (rate(1), rate(3));
    near(three, 3.0 * one, 0.05);
}

#[test]
fn each_thread_of_the_server_waits_for_one_read_at_a_time() {
    let rate = |threads| {
        let place = Place {
            server_memory: Some(64 << 10),
            parallel: 16.0,
            threads,
            ..Place::default()
        };
        let job = "[a]\nrw=randread\nbs=4k\nsize=16m\ndirect=1\nioengine=libaio\niodepth=8\n";
        place.run(job).bytes_per_s
    };
    let (one, eight) = (rate(1), rate(8));
    assert!(eight > 4.0 * one, "{one} and {eight}");
    let place = Place {
        server_memory: Some(64 << 10),
        threads: 1,
        ..Place::default()
    };
    let job = "[a]\nrw=randread\nbs=4k\nsize=4m\ndirect=1\nioengine=libaio\niodepth=8\n";
    let result = place.run(job);
    let parts = remote(&result).parts;
    assert!(parts.threads_us > 5.0 * parts.server_us, "{parts:?}");
}

#[test]
fn a_sync_of_one_page_is_a_stable_write_and_of_many_takes_a_commit() {
    for version in [V3, V4] {
        let place = Place {
            version,
            ..Place::default()
        };
        // FLUSH_COND_STABLE: nfs_generic_pgio of fs/nfs/pagelist.c.
        let result = place.run("[a]\nrw=write\nbs=4k\nsize=64k\nfsync=1\n");
        assert_eq!(calls(&result, "write"), 16);
        assert_eq!(calls(&result, "commit"), 0);
        // 16 MiB in WRITEs of 1 MiB, sent when the file is closed.
        let result = place.run("[a]\nrw=write\nbs=64k\nsize=16m\n");
        assert_eq!(calls(&result, "write"), 16);
        assert!((1..=8).contains(&calls(&result, "commit")));
        assert_eq!(result.device_written_bytes.data, 16 << 20);
    }
}

#[test]
fn an_export_that_is_async_answers_before_its_disk_has_anything() {
    let sync_us = |is_async| {
        let place = Place {
            is_async,
            ..Place::default()
        };
        let result = place.run("[a]\nrw=write\nbs=4k\nsize=256k\nfsync=1\n");
        let mut syncs = result.operations.iter();
        let syncs = syncs.find(|it| it.operation.name() == "fsync");
        syncs.expect("there are syncs").mean_us
    };
    let (at_once, on_disk) = (sync_us(true), sync_us(false));
    assert!(on_disk > at_once + 99.0, "{at_once} and {on_disk}");
}

#[test]
fn a_writer_gets_the_rate_of_what_is_slowest_in_the_end() {
    let place = Place {
        links: vec![gigabit()],
        client_memory: Some(64 << 20),
        server_memory: Some(64 << 20),
        ..Place::default()
    };
    let result = place.run("[a]\nrw=write\nbs=64k\nsize=1g\n");
    // The link carries 125 MB a second; the disk, 500.
    assert!(result.bytes_per_s < 130e6, "{}", result.bytes_per_s);
    assert!(result.bytes_per_s > 30e6, "{}", result.bytes_per_s);
    assert_eq!(result.device_written_bytes.data, 1 << 30);
}

#[test]
fn version_4_opens_and_closes_and_version_3_looks_up() {
    let job = "[a]\nrw=randread\nbs=4k\nsize=64k\nnumjobs=2\n";
    let with = |version| {
        Place {
            version,
            ..Place::default()
        }
        .run(job)
    };
    let (third, fourth) = (with(V3), with(V4));
    assert_eq!(calls(&third, "lookup"), 2);
    assert_eq!(calls(&third, "access"), 2);
    assert_eq!(calls(&third, "open"), 0);
    assert_eq!(calls(&fourth, "open"), 2);
    assert_eq!(calls(&fourth, "close"), 2);
    assert_eq!(calls(&fourth, "lookup"), 0);
}

#[test]
fn the_same_seed_gives_the_same() {
    let job = "[a]\nrw=randrw\nbs=4k\nsize=4m\nnumjobs=3\n";
    assert_eq!(Place::default().run(job), Place::default().run(job));
}

/// Places and jobs of all sorts.
fn anywhere() -> impl Strategy<Value = (Place, String)> {
    let rates = prop::sample::select(vec![None, Some(100_000_000u64), Some(1_000_000_000)]);
    let line = (
        rates,
        0u64..200_000,
        prop::sample::select(vec![576u64, 1500, 9000, 65_536]),
    );
    let line = line.prop_map(|(bits_per_s, delay_ns, mtu_bytes)| Line {
        bits_per_s,
        delay_ns,
        mtu_bytes,
    });
    let place = (
        prop::sample::select(vec![V3, V4]),
        1usize..4,
        prop::collection::vec(line, 0..=2),
        prop::sample::select(vec![None, Some(1u64 << 20)]),
        1usize..4,
        any::<bool>(),
    );
    let place = place.prop_map(
        |(version, clients, links, server_memory, threads, is_async)| Place {
            version,
            clients,
            links,
            server_memory,
            threads,
            is_async,
            ..Place::default()
        },
    );
    let job = (
        prop::sample::select(vec!["randread", "randrw", "randwrite"]),
        prop::sample::select(vec!["4k", "64k"]),
        1u32..4,
        prop::sample::select(vec!["", "fsync=4\n"]),
    );
    let job = job.prop_map(|(rw, bs, jobs, sync)| {
        let sync = if rw == "randread" { "" } else { sync };
        format!("[a]\nrw={rw}\nbs={bs}\nsize=1m\nnumjobs={jobs}\n{sync}")
    });
    (place, job)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_comes_to_a_link_passes_it_and_every_call_is_answered_once((place, job) in anywhere()) {
        let result = place.run(&job);
        let remote = remote(&result);
        prop_assert_eq!(remote.begun, remote.answered);
        let counted: u64 = remote.calls.values().map(|it| it.count).sum();
        prop_assert_eq!(counted, remote.answered);
        // A link of each client that has its own, then that of the server.
        let own = remote.links.iter().filter(|it| it.name.starts_with("first"));
        let own = own.fold(BothWays::default(), |sum, it| BothWays {
            sent: sum.sent + it.bytes.sent,
            received: sum.received + it.bytes.received,
        });
        let shared = remote.links.iter().find(|it| it.name == "second").map(|it| it.bytes);
        prop_assert!(place.links.is_empty() || own == remote.link_bytes);
        prop_assert!(shared.is_none_or(|bytes| bytes == remote.link_bytes));
        for link in &remote.links {
            // Acknowledgements that nothing came behind are left.
            for (came, passed) in [
                (link.bytes.sent, link.passed_bytes.sent),
                (link.bytes.received, link.passed_bytes.received),
            ] {
                prop_assert!(passed <= came && (came - passed) % 52 == 0, "{} of {}", passed, came);
                prop_assert!(came - passed <= came / 10 + 5200, "{} of {}", passed, came);
            }
        }
    }

    #[test]
    fn as_many_calls_are_under_way_as_their_rate_and_their_time_say((place, job) in anywhere()) {
        let result = place.run(&job);
        let remote = remote(&result);
        // Little's law, of all that began and ended.
        let time_us: f64 = remote.calls.values().map(|it| it.count as f64 * it.mean_us).sum();
        let expected = time_us / 1e6 / remote.seconds;
        let share = (remote.mean_under_way / expected - 1.0).abs();
        prop_assert!(share < 1e-6, "{} and {expected}", remote.mean_under_way);
        let parts = remote.parts;
        let mean_us = parts.client_us + parts.network_us + parts.threads_us + parts.server_us;
        let share = (mean_us * remote.answered as f64 / time_us - 1.0).abs();
        prop_assert!(share < 1e-6, "{parts:?} and {time_us}");
    }
}
