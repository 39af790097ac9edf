//! `hotset run` where logs, servers, other users and tenants do what they should not.

use crate::support;
use hotset_test_support::{alone, skip};

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::support::followed::{Followed, PATIENCE};
use crate::support::site::{Group, within};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, Signal, Uid, geteuid, kill_process_group};

/// Long enough for an interval in which the daemon meets what is wrong.
const AN_INTERVAL: Duration = Duration::from_millis(1500);

const NOBODY: u32 = 65534;

#[test]
fn another_user_cannot_reach_the_socket_and_is_refused_if_it_is_opened_to_all() {
    if !geteuid().is_root() {
        skip("only root can become another user");
        return;
    }
    let mut site = Followed::new(1, 1);
    site.start(&[]);
    let socket = site.place.path("state.socket");
    let open = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    open(site.place.folder(), 0o755);
    let as_nobody = || {
        let socket = socket.clone();
        let ask = thread::spawn(move || {
            // Of this thread alone, which then ends.
            rustix::thread::set_thread_uid(Uid::from_raw(NOBODY)).unwrap();
            let mut stream = UnixStream::connect(socket)?;
            stream.write_all(b"GET /status HTTP/1.1\r\nHost: hotset\r\n\r\n")?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok::<_, std::io::Error>(answer)
        });
        ask.join().unwrap()
    };
    let kind = as_nobody().map_err(|error| error.kind());
    assert_eq!(kind, Err(std::io::ErrorKind::PermissionDenied));
    open(&socket, 0o666);
    let answer = as_nobody().unwrap();
    assert!(answer.starts_with("HTTP/1.1 403 "), "{answer}");
    assert!(!answer.contains("shop"), "{answer}");
    site.stop();
}

#[test]
fn a_log_that_becomes_a_folder_or_a_pipe_is_told_of_and_read_again_afterwards() {
    let mut site = Followed::new(10, 5);
    site.start(&[]);
    site.comes_to_hold(0..5);
    let log = site.place.path("access.log");
    fs::remove_file(&log).unwrap();
    fs::create_dir(&log).unwrap();
    thread::sleep(AN_INTERVAL);
    fs::remove_dir(&log).unwrap();
    // Nobody writes to it: who opened it to read would wait for ever.
    mknodat(CWD, &log, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    thread::sleep(AN_INTERVAL);
    assert_eq!(site.held().len(), 5);
    fs::remove_file(&log).unwrap();
    fs::write(&log, "").unwrap();
    site.comes_to_hold(5..10);
    site.stop();
}

#[test]
fn a_log_that_turns_into_another_format_is_read_on_in_that() {
    let mut site = Followed::new(10, 5);
    site.start(&[]);
    site.comes_to_hold(0..5);
    let line = |number: usize| {
        format!(
            r#"{{"time_iso8601":"2024-03-05T14:30:15+00:00","remote_addr":"192.0.2.{}","request_method":"GET","request_uri":"/{}.html","server_protocol":"HTTP/1.1","status":200,"body_bytes_sent":10000}}"#,
            number % 200,
            5 + number % 5
        )
    };
    site.comes_to_hold_while(5..10, || site.log_lines((0..100).map(line)));
    site.log_lines((0..50).map(|number| format!("{number} is no line of any log")));
    thread::sleep(AN_INTERVAL);
    assert_eq!(site.held().len(), 5);
    let printed = site.stop();
    assert!(printed.contains("format=nginx-json"), "{printed}");
}

#[test]
fn clocks_that_jump_make_nothing_hot_and_lose_no_log() {
    let mut site = Followed::new(15, 5);
    site.start(&[]);
    let years = [2026, 1999, 2037, 2026, 1970];
    let mut turn = 0;
    site.comes_to_hold_while(0..5, || {
        // The server's clock jumps to and fro from line to line.
        let line = |number: usize| {
            let year = years[(turn + number) % years.len()];
            format!(
                "10.0.0.{} - - [22/Nov/{year}:10:05:03 +0000] \"GET /{}.html HTTP/1.1\" 200 10000 \"-\" \"agent\"",
                number % 200,
                number % 5
            )
        };
        site.log_lines((0..100).map(line));
        turn += 1;
    });
    // A log is rotated after the clock was put back, then after it was put forth.
    let day = Duration::from_secs(86_400);
    let now = SystemTime::now();
    for (files, stamp) in [(5..10, now + day), (10..15, now - 10_000 * day)] {
        let log = site.place.path("access.log");
        let old = fs::File::options().append(true).open(&log).unwrap();
        old.set_modified(stamp).unwrap();
        fs::rename(&log, site.place.path("access.log.1")).unwrap();
        fs::write(&log, "").unwrap();
        site.comes_to_hold(files);
    }
    site.stop();
}

/// A server that does nothing, in a memory group, and its pid file.
struct Server(Child);

impl Server {
    fn start(site: &Followed, group: &Group) -> Self {
        let server = Command::new("sleep").arg("1000").spawn().unwrap();
        let pid = server.id().to_string();
        fs::write(group.0.join("cgroup.procs"), &pid).unwrap();
        site.place.write("pid", pid.as_bytes());
        Self(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.0.kill().and_then(|()| self.0.wait());
    }
}

#[test]
fn a_server_that_is_started_anew_goes_on_paying_for_what_is_held() {
    let mut site = Followed::new(10, 5);
    let Some(group) = Group::new("run-anew", 64 << 20) else {
        return;
    };
    let server = Server::start(&site, &group);
    site.start(&["--server", "pid:pid"]);
    site.comes_to_hold(0..5);
    within(PATIENCE, || group.unevictable_bytes() >= 50_000);
    drop(server);
    thread::sleep(AN_INTERVAL);
    assert_eq!(site.held().len(), 5, "what it had stays held");
    let _server = Server::start(&site, &group);
    site.comes_to_hold(5..10);
    site.stop();
    within(PATIENCE, || group.unevictable_bytes() == 0);
}

#[test]
fn two_daemons_with_states_of_their_own_do_not_hold_files_for_one_server() {
    let mut site = Followed::new(10, 5);
    let Some(group) = Group::new("run-two", 64 << 20) else {
        return;
    };
    let _server = Server::start(&site, &group);
    site.start(&["--server", "pid:pid"]);
    site.comes_to_hold(0..5);
    let line = "run sites.toml --state other --interval 1s --placer pin --server pid:pid";
    let mut second = Command::new(support::hotset())
        .args(line.split(' '))
        .current_dir(site.place.folder())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while UnixStream::connect(site.place.path("other.socket")).is_err() {
        assert!(started.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(20));
    }
    for _ in 0..40 {
        site.log(0..5, 20);
        thread::sleep(Duration::from_millis(100));
    }
    Command::new("kill")
        .arg(second.id().to_string())
        .status()
        .unwrap();
    let mut printed = String::new();
    let output = second.stdout.as_mut().unwrap();
    output.read_to_string(&mut printed).unwrap();
    second.wait().unwrap();
    assert!(printed.contains("event=\"not held\""), "{printed}");
    assert_eq!(site.held().len(), 5);
    site.stop();
}

/// A process that takes two MiB of a group's memory at a time.
struct Hog(Child);

impl Hog {
    /// Without line breaks, tail keeps all that it reads.
    fn start(group: &Group) -> Self {
        let steps =
            "for step in 1 2 3 4 5 6 7 8 9 10 11 12; do head -c 2M /dev/zero; sleep 0.3; done";
        let group = group.0.display();
        let line = format!("echo $$ > {group}/cgroup.procs; ({steps}; sleep 1000) | tail");
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).stdout(Stdio::null());
        Self(shell.process_group(0).spawn().unwrap())
    }

    fn runs(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Hog {
    fn drop(&mut self) {
        let _ended = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        let _waited = self.0.wait();
    }
}

#[test]
fn a_group_that_gets_full_is_given_memory_back_and_what_was_held_returns() {
    let mut site = Followed::new(2000, 2000);
    let Some(group) = Group::new("run-full", 40 << 20) else {
        return;
    };
    alone();
    let _server = Server::start(&site, &group);
    let line = |number: usize| {
        let client = number % 200;
        format!(
            "10.0.0.{client} - - [22/Nov/2026:10:05:03 +0000] \"GET /{number}.html HTTP/1.1\" 200 10000 \"-\" \"agent\""
        )
    };
    site.start(&["--server", "pid:pid"]);
    let started = Instant::now();
    while site.held().len() < 1900 {
        assert!(started.elapsed() < PATIENCE, "{} held", site.held().len());
        site.log_lines((0..2000).map(line));
        thread::sleep(Duration::from_millis(300));
    }
    let mut hog = Hog::start(&group);
    within(PATIENCE, || site.held().len() < 1500);
    assert!(hog.runs(), "the kernel killed nobody");
    drop(hog);
    let started = Instant::now();
    while site.held().len() < 1900 {
        assert!(started.elapsed() < PATIENCE, "{} held", site.held().len());
        site.log_lines((0..2000).map(line));
        thread::sleep(Duration::from_millis(300));
    }
    site.stop();
}

#[test]
fn a_tenant_that_floods_its_own_log_takes_nothing_that_another_reserves() {
    let mut site = Followed::new(10, 5);
    fs::create_dir(site.place.path("spam")).unwrap();
    for number in 0..5 {
        fs::write(
            site.place.path("spam").join(format!("s{number}.html")),
            [b'x'; 10_000],
        )
        .unwrap();
    }
    let scenario = fs::read_to_string(site.place.path("sites.toml")).unwrap();
    let start = scenario.find("[[site]]").unwrap();
    let sites = "[[site]]\nname = \"shop\"\nstore = \"disk\"\nroot = \"www\"\nmatch = \"host:shop\"\nreservation = 61440\n\
                 [[site]]\nname = \"spam\"\nstore = \"disk\"\nroot = \"spam\"\nmatch = \"host:spam\"\n";
    site.place.write(
        "sites.toml",
        (scenario[..start].to_owned() + sites).as_bytes(),
    );
    site.start(&[]);
    let line = |host: &str, client: usize, path: &str| {
        format!(
            "{host}:80 10.0.0.{} - - [22/Nov/2026:10:05:03 +0000] \"GET {path} HTTP/1.1\" 200 10000 \"-\" \"agent\"",
            client % 200
        )
    };
    let shop = || (0..100).map(|number| line("shop", number, &format!("/{}.html", number % 5)));
    site.comes_to_hold_while(0..5, || site.log_lines(shop()));
    for turn in 0..10 {
        site.log_lines(shop());
        site.log_lines(
            (0..10_000).map(|name| line("spam", name, &format!("/invented-{turn}-{name}"))),
        );
        site.log_lines(
            (0..10_000).map(|number| line("spam", 1, &format!("/s{}.html", number % 5))),
        );
        thread::sleep(Duration::from_millis(300));
        let shop = site
            .held()
            .iter()
            .filter(|path| !path.starts_with("/s"))
            .count();
        assert_eq!(shop, 5, "{:?}", site.held());
    }
    let printed = site.stop();
    assert!(
        printed.contains("event=\"clients passed over\""),
        "{printed}"
    );
    assert!(
        printed.contains("event=\"new names passed over\""),
        "{printed}"
    );
}

#[test]
fn what_is_held_is_let_go_where_what_was_learnt_cannot_be_kept() {
    let mut site = Followed::new(5, 5);
    site.start(&[]);
    site.comes_to_hold(0..5);
    // No file takes the place of a folder that is not empty.
    let learnt = site.place.path("state.learnt");
    while fs::create_dir_all(learnt.join("full")).is_err() {
        let _removed = fs::remove_file(&learnt);
    }
    site.signal("-TERM");
    let mut daemon = site.daemon.take().unwrap();
    assert!(!daemon.wait().unwrap().success());
    assert!(site.held().is_empty(), "{:?} held", site.held());
    assert!(!site.place.path("state.socket").exists());
}
