//! Limits on open files are seen before anything is sent. In a process of their own, because they are lowered there.

use crate::support::{Server, ok, schedule};
use hotset_replay::{ClientLimit, NoObserver, Options, replay};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::process::Command;

fn limit(soft: u64, hard: u64) {
    let limit = Rlimit {
        current: Some(soft),
        maximum: Some(hard),
    };
    setrlimit(Resource::Nofile, limit).unwrap();
}

#[test]
fn more_connections_than_descriptors_are_refused_or_wait() {
    const OWN: &str = "HOTSET_TEST_IN_ITS_OWN_PROCESS";
    if std::env::var_os(OWN).is_none() {
        let test = "descriptors::more_connections_than_descriptors_are_refused_or_wait";
        let own = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test])
            .env(OWN, "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&own.stdout);
        return assert!(said.contains("1 passed"), "{said}");
    }
    let server = Server::answering(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        ok(10)
    });
    limit(64, 400);
    let options = |connections_max| Options {
        connections_max,
        ..server.options()
    };
    let error = replay(&schedule(500, 1, 0), &options(Some(500)), &NoObserver).unwrap_err();
    assert!(error.to_string().contains("ulimit -n 5"), "{error}");

    // Half of the descriptors are the server's, in the same process.
    let few = replay(&schedule(100, 1, 0), &options(Some(100)), &NoObserver).unwrap();
    assert_eq!((few.total.answered(), few.held_connections), (100, 0));
    assert!(
        getrlimit(Resource::Nofile).current.unwrap() > 64,
        "the soft limit was raised"
    );

    limit(150, 150);
    let waiting = replay(&schedule(200, 1, 0), &options(None), &NoObserver).unwrap();
    assert!(waiting.held_connections > 0);
    assert!(
        matches!(
            waiting.client_limit,
            Some(ClientLimit::FileDescriptors {
                connections: 1..150
            })
        ),
        "{:?}",
        waiting.client_limit
    );
}
