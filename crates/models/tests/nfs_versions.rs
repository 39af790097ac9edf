//! Works on versions 2, 4.0 and 4.1 of NFS: calls and bytes, each derived by hand from the kernel's functions and the RFCs that are named.

use std::collections::BTreeMap;
use std::path::Path;

use hotset_models::files::{FilesResult, Mounted, Work, WorkError, simulate};
use hotset_models::fio::{JobFile, System, simulate_remote};
use hotset_models::remote::nfs::{Mount, RemoteResult, RemoteSystem, Version};
use hotset_models::remote::{CallCosts, Line, Protocol, ServerMachine};
use hotset_scenario::Profile;

const V40: Version = Version::V4 { minor: 0 };
const V41: Version = Version::V4 { minor: 1 };
const V42: Version = Version::V4 { minor: 2 };

/// As the kernel mounts it, with 8 KB a call of version 2.
fn mount(version: Version) -> Mount {
    let (protocol, bytes) = match version {
        Version::V2 => (Protocol::Udp, 8 << 10),
        _ => (Protocol::Tcp, 1 << 20),
    };
    Mount {
        version,
        protocol,
        read_bytes: bytes,
        write_bytes: bytes,
        attributes_s: None,
        sync: false,
    }
}

fn run_over(line: Line, version: Version, text: &str) -> Result<FilesResult, WorkError> {
    run_on(line, (version, false), text)
}

/// The same of a server that answers before what is to be on its disk is there, if that is so.
fn run_on(
    line: Line,
    (version, is_async): (Version, bool),
    text: &str,
) -> Result<FilesResult, WorkError> {
    let work = Work::parse(text, Path::new("test.work"))?;
    let profile = Profile::named_or_file("ssd").expect("it is built in");
    let mounted = Mounted {
        mount: mount(version),
        client: "web1",
        line: &|_| line,
        profile: &profile,
        is_async,
    };
    simulate(&work, &mounted, &|| true)
}

fn run(version: Version, text: &str) -> FilesResult {
    run_over(Line::default(), version, text).expect("a work")
}

#[track_caller]
fn makes(version: Version, text: &str, calls: &[(&'static str, u64)]) {
    let wanted: BTreeMap<&'static str, u64> = calls.iter().copied().collect();
    assert_eq!(run(version, text).clients[0].calls, wanted);
}

const READ: &str = "open data/0 r\nread data/0 4096\nclose data/0\n";

#[test]
fn version_2_looks_up_and_reads_without_access() {
    // nfs_permission goes by the attributes that LOOKUP brought: of `data` and of the file, and then READ.
    let text = format!("on-server data 1 4096\n{READ}");
    makes(Version::V2, &text, &[("lookup", 2), ("read", 1)]);
    // Opened again, the file is asked for (nfs_lookup_verify_inode).
    let text = format!("{text}{READ}");
    let twice = [("getattr", 1), ("lookup", 2), ("read", 1)];
    makes(Version::V2, &text, &twice);
}

#[test]
fn version_2_writes_8_kb_at_a_time_and_commits_nothing() {
    let text = "on-server data 0 0\nopen data/a create\nwrite data/a 65536\nclose data/a\n";
    let calls = run(Version::V2, text).clients[0].calls.clone();
    assert_eq!((calls["write"], calls["create"]), (8, 1));
    assert_eq!(calls.get("commit"), None, "{calls:?}");
    // Each of them is on the disk when it is answered: version 3 has one write and no more of the disk.
    let seconds = |version: Version, is_async: bool| {
        let result = run_on(Line::default(), (version, is_async), text);
        result.expect("a work").seconds
    };
    let waiting = seconds(Version::V2, false);
    assert!(waiting > seconds(Version::V3, false));
    // Unless the server answers before that: LOOKUPs, CREATE and WRITEs at 25 µs a call then.
    let at_once = seconds(Version::V2, true);
    assert!(at_once < waiting / 2.0, "{at_once} and {waiting}");
}

#[test]
fn version_2_cannot_tell_its_own_change_of_a_folder() {
    // CREATE says nothing of the folder (nfs_mark_for_revalidate): its attributes are asked for, they have changed, and all names are void.
    let text =
        "on-server data 1 4096\nstat data/0\nopen data/a create\nclose data/a\nstat data/0\n";
    let two = run(Version::V2, text).clients[0].calls.clone();
    assert_eq!((two["lookup"], two["getattr"]), (4, 1), "{two:?}");
    // Version 3 has the attributes before and after its own change.
    let three = run(Version::V3, text).clients[0].calls.clone();
    assert_eq!(
        (three["lookup"], three.get("getattr")),
        (3, None),
        "{three:?}"
    );
}

#[test]
fn version_2_lists_names_by_pages_without_attributes() {
    // Entries of version 2 have 12 bytes beside the name and its length: 16 + 4 for up to four letters. A page has room for 4088 bytes.
    let text = "on-server data 1000 0\nreaddir data\n";
    let calls = run(Version::V2, text).clients[0].calls.clone();
    // `.` and `..` and the numbers up to 999: 1002 entries of 20 bytes each, 204 a call.
    assert_eq!(calls["readdir"], 5, "{calls:?}");
    assert_eq!(calls.get("readdirplus"), None, "{calls:?}");
}

#[test]
fn datagrams_have_fragments_and_nothing_acknowledges_them() {
    let ethernet = Line {
        mtu_bytes: 1500,
        ..Line::default()
    };
    let text = "on-server / 1 8192\nopen 0 r direct\nread-at 0 0 8192\nclose 0\n";
    let client = &run_over(ethernet, Version::V2, text)
        .expect("a work")
        .clients[0];
    // Calls: 68 of RPC without a record, a handle of 32; a name of 4 and 4; three numbers of READ. Each has 28 of IP and UDP.
    assert_eq!(
        client.link_bytes.sent,
        (68 + 32 + 8 + 28) + (68 + 32 + 12 + 28)
    );
    assert_eq!(client.link_packets.sent, 2);
    // READ's answer: 24 of RPC, status and 68 of attributes, length and 8192: 8292, and 8 of UDP. Fragments have 1480.
    let read = 24 + 4 + 68 + 4 + 8192 + 8;
    let fragments = 6;
    assert_eq!(
        client.link_bytes.received,
        (24 + 4 + 32 + 68 + 28) + read + fragments * 20
    );
    assert_eq!(client.link_packets.received, 1 + fragments);
}

#[test]
fn version_2_has_no_file_of_2_gib() {
    for text in [
        "\non-server data 1 2147483648\n",
        "on-server data 1 2147483647\nopen data/0 w append\nwrite data/0 1\n",
    ] {
        let error = run_over(Line::default(), Version::V2, text);
        let error = error.expect_err("it is too large").to_string();
        let line = text.lines().count();
        assert!(error.starts_with(&format!("test.work:{line}: ")), "{error}");
        assert!(
            error.contains("nfs2 has files of at most 2147483647 bytes"),
            "{error}"
        );
        assert!(run_over(Line::default(), Version::V3, text).is_ok());
    }
}

#[test]
fn version_4_0_confirms_for_whom_a_file_is_open() {
    let two = "open data/0 r\nread data/0 4096\nclose data/0\nopen data/1 r\nread data/1 4096\nclose data/1\n";
    let text = format!("on-server data 2 4096\n{two}");
    // _nfs4_proc_open confirms the first OPEN of the owner. It brings no delegation (nfs4_open_delegation), the second one does.
    let calls = [
        ("access", 2),
        ("close", 2),
        ("lookup", 1),
        ("open", 2),
        ("open_conf", 1),
        ("read", 2),
    ];
    makes(V40, &text, &calls);
    // Once more: the first file is opened by its name (nfs4_map_atomic_open_claim) and gets a delegation, the second needs nothing.
    let calls = run(V40, &format!("{text}{two}")).clients[0].calls.clone();
    assert_eq!((calls["open"], calls["open_conf"]), (3, 1), "{calls:?}");
    assert_eq!(calls.get("open_noat"), None, "{calls:?}");
    let calls = run(V40, &format!("{text}{two}{two}")).clients[0]
        .calls
        .clone();
    assert_eq!(calls["open"], 3, "{calls:?}");
}

#[test]
fn the_server_of_version_4_0_forgets_who_has_nothing_open() {
    let write = "open data/0 w\nwrite data/0 1\nclose data/0\n";
    let text = |seconds: u64| format!("on-server data 1 4096\n{write}sleep {seconds}\n{write}");
    let confirmed = |seconds: u64| run(V40, &text(seconds)).clients[0].calls["open_conf"];
    // A lease is 90 s.
    assert_eq!((confirmed(60), confirmed(120)), (1, 2));
}

#[test]
fn version_4_0_renews_its_lease_by_a_call_of_its_own() {
    // Nothing is open and there is no delegation: nfs4_renew_state asks when a third of the lease has passed, each minute.
    let text = "on-server data 1 4096\nstat data/0\nsleep 200\n";
    let old = run(V40, text).clients[0].calls.clone();
    assert_eq!((old["renew"], old.get("sequence")), (3, None), "{old:?}");
    let new = run(V41, text).clients[0].calls.clone();
    assert_eq!((new["sequence"], new.get("renew")), (3, None), "{new:?}");
}

#[test]
fn looking_at_files_renews_no_lease_of_version_4_0() {
    // GETATTRs each 20 s. With a session each of them renews; without one none does, since they name no open file (renew_lease).
    let look = "sleep 20\nstat data/0\n".repeat(10);
    let text = format!("on-server data 1 4096\n{look}");
    assert!(run(V40, &text).clients[0].calls.contains_key("renew"));
    assert!(!run(V41, &text).clients[0].calls.contains_key("sequence"));
}

#[test]
fn without_a_session_a_compound_is_shorter_by_sequence() {
    let bytes = |version: Version| {
        let client = &run(version, "on-server / 1 4096\nstat 0\n").clients[0];
        (client.link_bytes.sent, client.link_bytes.received)
    };
    // Two calls, ACCESS and LOOKUP: SEQUENCE takes 36 bytes of each, and 44 of each answer (RFC 8881, 18.46).
    let (old, new) = (bytes(V40), bytes(V41));
    assert_eq!((new.0 - old.0, new.1 - old.1), (2 * 36, 2 * 44));
}

#[test]
fn version_4_1_is_4_2_without_the_mask_of_new_files() {
    let text = "on-server data 1 4096\nopen data/a create\nwrite data/a 4096\nclose data/a\nopen data/0 r\nread data/0 4096\nclose data/0\n";
    let (old, new) = (run(V41, text), run(V42, text));
    assert_eq!(old.clients[0].calls, new.clients[0].calls);
    // A mode takes 32 bytes of OPEN, a mode and the mask 40 (RFC 8275).
    let sent = |result: &FilesResult| result.clients[0].link_bytes.sent;
    assert_eq!(sent(&new) - sent(&old), 8);
}

/// A job on a file server.
fn job(version: Version, text: &str) -> RemoteResult {
    let jobs = JobFile::parse(text, Path::new("jobs.fio")).expect("jobs");
    let profile = Profile::named_or_file("ssd").expect("it is built in");
    let remote = RemoteSystem {
        switched: None,
        mount: mount(version),
        clients: 1,
        client_costs: CallCosts::ASSUMED,
        client_link: None,
        server_link: None,
        server: ServerMachine {
            name: "server".to_owned(),
            profile: &profile,
            memory_bytes: None,
            processors: 2,
            threads: 8,
            is_async: false,
            costs: CallCosts::ASSUMED,
        },
    };
    let system = System {
        profile: &profile,
        memory_bytes: None,
        seed: 7,
    };
    let results = simulate_remote(&jobs.jobs, &system, &remote, &|| true).expect("they run");
    results[0].remote.clone().expect("a file server")
}

#[test]
fn jobs_on_version_2_have_small_calls_and_no_acknowledgements() {
    let result = job(Version::V2, "[a]\nrw=write\nbs=64k\nsize=1m\nend_fsync=1\n");
    let count = |name: &str| result.calls.get(name).map_or(0, |it| it.count);
    assert!(count("write") >= 128, "{:?}", result.calls);
    assert_eq!((count("commit"), count("access")), (0, 0));
    // A packet a call and a packet an answer.
    assert_eq!(result.begun, result.answered);
    assert_eq!(result.link_packets.sent, result.begun);
    assert_eq!(result.link_packets.received, result.answered);
}

#[test]
fn jobs_on_version_4_0_confirm_their_first_open() {
    let result = job(V40, "[a]\nrw=randread\nbs=4k\nsize=1m\n");
    let count = |name: &str| result.calls.get(name).map_or(0, |it| it.count);
    assert_eq!((count("open"), count("open_conf")), (1, 1));
    let result = job(V41, "[a]\nrw=randread\nbs=4k\nsize=1m\n");
    assert_eq!(result.calls.get("open_conf"), None);
}
