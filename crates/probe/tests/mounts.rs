//! What a profile and a scenario take of a network mount.

use std::path::Path;

use hotset_probe::{BlockReads, CallProcessors, Findings, MountCallers, MountCalls, ParallelReads};
use hotset_scenario::{DeviceKind, PageKeeping, Profile, ServerProfile};

use crate::probe::{exactly, known};

/// Calls of 300 µs, of which this machine takes 40 and a server that is asked by four takes 100.
fn calls(keeping: PageKeeping) -> MountCalls {
    let callers = |(callers, us)| MountCallers {
        callers,
        figure: exactly(us),
    };
    MountCalls {
        keeping,
        round_trip: exactly(300.0),
        attributes: exactly(290.0),
        open_read_close: exactly(900.0),
        callers: [(1, 300.0), (4, 100.0)].map(callers).to_vec(),
        processors: CallProcessors {
            call_us: 40.0,
            ns_per_byte: 0.5,
            read_bytes: 1 << 20,
        },
    }
}

fn of_mount(keeping: PageKeeping) -> Findings {
    Findings {
        mount: Some(calls(keeping)),
        ..known()
    }
}

#[test]
fn a_file_system_of_this_machine_has_no_calls_and_keeps_mapped_files() {
    let _sockets = crate::sockets();
    let findings = known();
    assert_eq!((&findings.mount, findings.server_profile()), (&None, None));
    assert!(findings.mapped.is_some(), "its pages stay in memory");
    assert_eq!(findings.server_comments(), None);
}

#[test]
fn the_shares_of_a_call_are_all_of_it_and_reach_the_server_profile() {
    let _sockets = crate::sockets();
    let mut findings = of_mount(PageKeeping::Never);
    let shares = findings.mount_shares().unwrap();
    assert_eq!((shares.client_us, shares.server_us), (40.0, 100.0));
    assert_eq!(shares.delay_us, 80.0);
    let profile = findings.server_profile().unwrap();
    let client = profile.files_client.unwrap();
    assert_eq!((client.request_us, client.ns_per_byte), (40.0, 0.5));
    assert_eq!(profile.files.unwrap().request_us, 100.0);
    let text = findings.server_comments().unwrap() + &profile.to_toml().unwrap();
    assert!(text.contains("#   delay = \"80.0us\"\n"), "{text}");
    let read = ServerProfile::parse(&text, Path::new("servers.toml")).unwrap();
    assert_eq!(read, profile);
    // Processors that seem to take more than all of a call, as they do beside other work.
    findings.mount.as_mut().unwrap().processors.call_us = 400.0;
    let shares = findings.mount_shares().unwrap();
    assert_eq!((shares.client_us, shares.server_us), (300.0, 0.0));
    assert_eq!(shares.delay_us, 0.0);
}

#[test]
fn what_an_open_drops_is_not_priced_as_cached() {
    let _sockets = crate::sockets();
    for keeping in [PageKeeping::UntilOpened, PageKeeping::Never] {
        let mut findings = of_mount(keeping);
        let times = [(2.0, 900.0), (3.0, 1500.0)];
        for (file, (cached_us, us)) in findings.files.iter_mut().zip(times) {
            file.cached = exactly(cached_us);
            file.uncached = Some(exactly(us));
        }
        let profile = findings.profile().unwrap();
        assert_eq!(profile.cached, profile.uncached);
        let doubts = findings.doubts(&profile).join(" ");
        assert!(doubts.contains("the line `cached` is that of"), "{doubts}");
        assert!(doubts.contains("servers, and the program"), "{doubts}");
        findings.mount = Some(calls(PageKeeping::Kept));
        let kept = findings.profile().unwrap();
        // Without the open, which was measured, and takes longer beside other work.
        assert!(kept.cached.us(4096) < 3.0, "{:?}", kept.cached);
    }
}

#[test]
fn writes_that_wait_for_calls_are_said_to_be_counted_twice() {
    let _sockets = crate::sockets();
    let mut findings = of_mount(PageKeeping::Kept);
    let said = |findings: &Findings| {
        let profile = findings.profile().unwrap();
        findings.doubts(&profile).join(" ")
    };
    findings.writes.blocks[0].over = exactly(1.0);
    assert!(!said(&findings).contains("A write waits for a call"));
    findings.writes.blocks[0].over = exactly(310.0);
    assert!(said(&findings).contains("A write waits for a call"));
}

#[test]
fn a_mount_without_direct_reads_has_a_device_of_its_calls() {
    let _sockets = crate::sockets();
    let block = |bytes: u64| BlockReads {
        bytes,
        sequential_cached: exactly(1.0),
        random_cached: exactly(1.0),
        sequential_uncached: Some(exactly(bytes as f64 / 100.0)),
        random_uncached: Some(exactly(200.0 + bytes as f64 / 100.0)),
    };
    let alone_us = 200.0 + 655.36;
    let findings = Findings {
        direct: None,
        direct_writes: None,
        blocks: [4096, 65_536, 1 << 20].map(block).to_vec(),
        readers: vec![ParallelReads {
            readers: 8,
            cached: exactly(1.0),
            uncached: Some(exactly(alone_us / 4.0)),
        }],
        ..of_mount(PageKeeping::Kept)
    };
    let profile = findings.profile().unwrap();
    let device = profile.device.as_ref().unwrap();
    let DeviceKind::Measured(device) = &device.kind else {
        panic!("{device:?}");
    };
    let close = |seen: f64, wanted: f64| (seen / wanted - 1.0).abs() < 1e-6;
    assert!(close(device.delay_us, 200.0), "{device:?}");
    assert!(close(device.bytes_per_us, 100.0), "{device:?}");
    assert!(close(
        device.total_bytes_per_us,
        65_536.0 / (alone_us / 4.0)
    ));
    assert_eq!((device.slots, device.max_request_bytes), (4, 128 << 10));
    let text = findings.comments(&profile) + &profile.to_toml().unwrap();
    assert!(text.contains("[device] is made of blocks"), "{text}");
    let read = Profile::parse(&text, Path::new("mount.toml")).unwrap();
    assert_eq!(read, profile);
}
