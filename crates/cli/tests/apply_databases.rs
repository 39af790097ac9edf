//! Buffer pools and tables of a plan are put in force, kept and taken back. A script stands in for the server's client program.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use hotset_machine::ProcessIdentity;
use serde_json::{Value, json};

use crate::support::schema::holds_to;
use crate::support::site::PATIENCE;
use crate::support::{Failure, Workplace, hotset};

/// Writes down each statement, and has settings in files. Where there is a file `most`, it has no larger pool. Where there is a file
/// `slow`, it resizes the pool in the background, and says so twice when it is asked.
const CLIENT: &str = r#"#!/bin/sh
folder=$(dirname "$0")/..
for argument; do statement=${argument#--execute=}; done
echo "$@" >> "$folder/statements"
case "$statement" in
"SHOW GLOBAL VARIABLES WHERE"*)
    printf 'version\t10.11.6-MariaDB\ndatadir\t%s/data/\n' "$folder"
    for name in innodb_buffer_pool_size innodb_flush_method; do printf '%s\t%s\n' $name "$(cat "$folder/set/$name")"; done ;;
"SHOW GLOBAL VARIABLES LIKE "*)
    name=${statement#*\'}; name=${name%\'}
    [ -e "$folder/set/$name" ] && printf '%s\t%s\n' "$name" "$(cat "$folder/set/$name")" ;;
"SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_resize_status'")
    said=
    [ -e "$folder/sooner" ] && said=Withdrawing && mv "$folder/sooner" "$folder/set/innodb_buffer_pool_size"
    [ -e "$folder/later" ] && said=Requested && mv "$folder/later" "$folder/sooner"
    printf 'Innodb_buffer_pool_resize_status\t%s\n' "$said" ;;
*"FROM information_schema.TABLES"*)
    for table in item line; do printf 'shop\t%s\tshop\t%s\tInnoDB\t0\t0\n' $table $table; done ;;
"SET GLOBAL "*)
    rest=${statement#SET GLOBAL }
    name=${rest%% = *} value=${rest#* = } to=set/${rest%% = *}
    if [ "$name" = innodb_buffer_pool_size ]; then
        [ -e "$folder/most" ] && [ "$value" -gt "$(cat "$folder/most")" ] && value=$(cat "$folder/most")
        [ -e "$folder/slow" ] && to=later
    fi
    printf %s "$value" > "$folder/$to" ;;
esac
exit 0
"#;

const MIB: u64 = 1 << 20;

/// A server, and a state that is released whatever the test finds.
struct Server {
    place: Workplace,
    #[allow(dead_code, reason = "it is there, not read")]
    socket: UnixListener,
}

impl Server {
    fn new(flush_method: &str) -> Self {
        let place = Workplace::new();
        for folder in ["bin", "set", "conf", "data", "data/shop"] {
            fs::create_dir(place.path(folder)).expect("a folder");
        }
        place.write("bin/mariadb", CLIENT.as_bytes());
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(place.path("bin/mariadb"), executable).expect("its owner may");
        let server = Self {
            socket: UnixListener::bind(place.path("server.sock")).expect("a socket"),
            place,
        };
        server.set("innodb_buffer_pool_size", &(32 * MIB).to_string());
        server.set("innodb_buffer_pool_dump_pct", "25");
        server.set("innodb_flush_method", flush_method);
        server.place.write("data/shop/item.MYD", &[b'x'; 10_000]);
        server.place.write("data/shop/item.MYI", &[b'x'; 4_096]);
        server.place.write("data/shop/line.ibd", &[b'x'; 16_384]);
        server
    }

    fn set(&self, name: &str, value: &str) {
        self.place.write(&format!("set/{name}"), value.as_bytes());
    }

    fn setting(&self, name: &str) -> String {
        fs::read_to_string(self.place.path("set").join(name)).expect("a setting")
    }

    fn pool(&self) -> String {
        self.setting("innodb_buffer_pool_size")
    }

    fn plan(&self, pool_bytes: u64, pinned: &[&str]) {
        self.plan_of(Some(pool_bytes), pinned);
    }

    /// Writes a plan, which leaves the pool as it is where it gives none.
    fn plan_of(&self, pool_bytes: Option<u64>, pinned: &[&str]) {
        let mut database = json!({
            "node": "web1", "database": "shop-db", "pinned": pinned,
            "socket": self.place.path("server.sock"), "configuration": self.place.path("conf"),
        });
        if let Some(bytes) = pool_bytes {
            database["pool_bytes"] = bytes.into();
        }
        let plan = json!({
            "version": 1, "memory_bytes": 64 * MIB, "held_pages": 0, "files": [], "databases": [database],
        });
        self.place.write("plan.json", plan.to_string().as_bytes());
    }

    fn command(&self, args: &[&str]) -> Command {
        self.command_of(Command::new(hotset()), args)
    }

    /// Hotset by a program that starts it.
    fn command_of(&self, mut command: Command, args: &[&str]) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let bin = self.place.path("bin");
        command
            .args(args)
            .args(["--state", "state"])
            .current_dir(self.place.folder())
            .env("PATH", format!("{}:{path}", bin.display()));
        command
    }

    fn hotset(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("hotset runs")
    }

    /// Waits until the pool has so many bytes.
    #[track_caller]
    fn comes_to_have(&self, pool_bytes: u64) {
        let give_up = Instant::now() + PATIENCE;
        while self.pool() != pool_bytes.to_string() {
            assert!(Instant::now() < give_up, "{}", self.pool());
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn json(&self, args: &[&str]) -> Value {
        let output = self.hotset(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{errors}"))
    }

    fn apply(&self) -> Value {
        self.json(&["apply", "plan.json", "--json"])
    }

    fn guardian(&self) -> ProcessIdentity {
        let text = fs::read(self.place.path("state/runs/guardian/state.json")).expect("a state");
        let state: Value = serde_json::from_slice(&text).expect("JSON");
        serde_json::from_value(state["guardian"].clone()).expect("a process")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.hotset(&["release"]);
    }
}

#[test]
fn a_pool_is_resized_kept_over_restarts_and_taken_back() {
    let server = Server::new("O_DIRECT");
    server.plan(64 * MIB, &[]);
    let applied = server.apply();
    holds_to("apply.json", &applied);
    assert_eq!(applied["pools"][0]["pool_bytes"], 64 * MIB);
    assert_eq!(applied["pools"][0]["is_kept"], true);
    assert_eq!(server.pool(), (64 * MIB).to_string());
    assert_eq!(server.setting("innodb_buffer_pool_dump_pct"), "100");
    let file = server.place.path("conf/zz-hotset.cnf");
    let kept = fs::read_to_string(&file).expect("a file");
    assert!(
        kept.contains("innodb_buffer_pool_size=67108864\n"),
        "{kept}"
    );
    assert!(kept.contains("innodb_buffer_pool_dump_pct=100\n"), "{kept}");
    let status = server.json(&["status", "--json"]);
    assert_eq!(status["faults"], json!([]), "{status}");

    server.plan(48 * MIB, &[]);
    server.apply();
    assert_eq!(server.pool(), (48 * MIB).to_string());
    let kept = fs::read_to_string(&file).expect("a file");
    assert!(
        kept.contains("innodb_buffer_pool_size=50331648\n"),
        "{kept}"
    );

    let released = server.json(&["release", "--json"]);
    assert_eq!(released["left"], json!([]), "{released}");
    assert_eq!(server.pool(), (32 * MIB).to_string());
    assert_eq!(server.setting("innodb_buffer_pool_dump_pct"), "25");
    assert!(!file.exists());
    let said = fs::read_to_string(server.place.path("statements")).expect("statements");
    assert!(!said.contains("password"), "{said}");
}

#[test]
fn a_dry_run_asks_whether_the_server_is_there() {
    let server = Server::new("O_DIRECT");
    server.plan(64 * MIB, &[]);
    let dry = ["apply", "plan.json", "--dry-run", "--json"];
    assert_eq!(server.json(&dry)["pools"][0]["pool_bytes"], 64 * MIB);
    assert_eq!(server.pool(), (32 * MIB).to_string());
    server.place.write(
        "bin/mariadb",
        b"#!/bin/sh\necho 'ERROR 2002 (HY000)' >&2\nexit 1\n",
    );
    let refused = Failure::of(server.hotset(&dry));
    refused.has_code(1).says("did not answer");
}

#[test]
fn what_a_killed_guardian_has_set_is_taken_back() {
    let server = Server::new("O_DIRECT");
    server.plan(64 * MIB, &[]);
    server.apply();
    server.guardian().kill().expect("it may be killed");
    assert_eq!(server.pool(), (64 * MIB).to_string());
    server.json(&["release", "--json"]);
    assert_eq!(server.pool(), (32 * MIB).to_string());
    assert!(!server.place.path("conf/zz-hotset.cnf").exists());
}

#[test]
fn what_somebody_has_set_since_stays_and_is_told() {
    let server = Server::new("O_DIRECT");
    server.plan(64 * MIB, &[]);
    server.apply();
    server.set("innodb_buffer_pool_size", &(8 * MIB).to_string());
    let status = server.json(&["status", "--json"]).to_string();
    assert!(
        status.contains("has 8388608 bytes, not 67108864"),
        "{status}"
    );
    server.json(&["release", "--json"]);
    assert_eq!(server.pool(), (8 * MIB).to_string());
}

#[test]
fn a_server_whose_pool_the_plan_leaves_is_told_nothing() {
    let server = Server::new("O_DIRECT");
    let file = server.place.path("conf/zz-hotset.cnf");
    server.plan_of(None, &[]);
    server.apply();
    assert_eq!(server.pool(), (32 * MIB).to_string());
    assert_eq!(server.setting("innodb_buffer_pool_dump_pct"), "25");
    assert!(!file.exists());
    // What an earlier plan has set is not taken back.
    server.plan(64 * MIB, &[]);
    server.apply();
    server.plan_of(None, &[]);
    server.apply();
    assert_eq!(server.pool(), (64 * MIB).to_string());
    assert!(file.exists());
    server.json(&["release", "--json"]);
    assert_eq!(server.pool(), (32 * MIB).to_string());
}

#[test]
fn applying_again_resizes_a_pool_that_was_changed_since() {
    let server = Server::new("O_DIRECT");
    server.plan(64 * MIB, &[]);
    server.apply();
    server.set("innodb_buffer_pool_size", &(16 * MIB).to_string());
    server.apply();
    assert_eq!(server.pool(), (64 * MIB).to_string());
    let status = server.json(&["status", "--json"]);
    assert_eq!(status["faults"], json!([]), "{status}");
}

#[test]
fn a_pool_that_the_server_does_not_take_is_refused_and_set_back() {
    let server = Server::new("O_DIRECT");
    server
        .place
        .write("most", (48 * MIB).to_string().as_bytes());
    server.plan(64 * MIB, &[]);
    let refused = Failure::of(server.hotset(&["apply", "plan.json", "--json"]));
    refused
        .has_code(1)
        .says("server.sock was told innodb_buffer_pool_size=67108864 and made 50331648 of it")
        .says("set innodb_buffer_pool_size_max to 67108864 or more in its configuration");
    assert_eq!(server.pool(), (32 * MIB).to_string());
}

#[test]
fn a_pool_that_is_resized_in_the_background_is_waited_for() {
    let server = Server::new("O_DIRECT");
    server.place.write("slow", b"");
    server.plan(64 * MIB, &[]);
    server.apply();
    assert_eq!(server.pool(), (64 * MIB).to_string());
}

#[test]
fn a_pool_that_was_resized_several_times_is_taken_back_at_once() {
    let server = Server::new("O_DIRECT");
    for mib in [64, 48, 40] {
        server.plan(mib * MIB, &[]);
        server.apply();
    }
    server.json(&["release", "--json"]);
    assert_eq!(server.pool(), (32 * MIB).to_string());
    let said = fs::read_to_string(server.place.path("statements")).expect("statements");
    let resized = said.matches("SET GLOBAL innodb_buffer_pool_size").count();
    assert_eq!(resized, 4, "{said}");
}

#[test]
fn the_server_may_read_its_file_whatever_the_mask_is() {
    let server = Server::new("O_DIRECT");
    server.plan(64 * MIB, &[]);
    let mut masked = Command::new("sh");
    masked.args(["-c", "umask 077; exec \"$0\" \"$@\""]);
    masked.arg(hotset());
    let mut apply = server.command_of(masked, &["apply", "plan.json", "--json"]);
    assert!(apply.output().expect("hotset runs").status.success());
    let file = fs::metadata(server.place.path("conf/zz-hotset.cnf")).expect("a file");
    assert_eq!(file.permissions().mode() & 0o777, 0o644);
}

#[test]
fn what_a_server_was_told_is_forgotten_only_if_there_is_no_server() {
    let server = Server::new("O_DIRECT");
    server.plan(64 * MIB, &[]);
    server.apply();
    let connects_not = |errno: u32| {
        let client = format!(
            "#!/bin/sh\necho \"ERROR 2002 (HY000): Can't connect to local server through socket '/run/s' ({errno})\" >&2\nexit 1\n"
        );
        server.place.write("bin/mariadb", client.as_bytes());
        server.json(&["release", "--json"])
    };
    // This user may not.
    let released = connects_not(13);
    let left = released["left"].as_array().expect("a list");
    assert_eq!(left.len(), 2, "{released}");
    assert!(
        released["left"][0].to_string().contains("(13)"),
        "{released}"
    );
    // Nobody listens.
    let released = connects_not(111);
    assert_eq!(released["left"], json!([]), "{released}");
}

#[test]
fn a_size_is_what_the_server_makes_of_it() {
    let server = Server::new("O_DIRECT");
    server.set("innodb_buffer_pool_chunk_size", &(128 * MIB).to_string());
    server.set("innodb_buffer_pool_instances", "1");
    server.plan(64 * MIB, &[]);
    server.apply();
    assert_eq!(server.pool(), (128 * MIB).to_string());
}

#[test]
fn tables_are_pinned_where_they_are_and_anew_when_they_are_rebuilt() {
    let server = Server::new("fsync");
    server.plan(32 * MIB, &["shop.item", "shop.line"]);
    let applied = server.apply();
    assert_eq!(applied["placer"], "pin");
    assert_eq!(applied["held"]["objects"], 3, "{applied}");
    // ALTER TABLE writes a new file and renames it.
    server.place.write("data/shop/new", &[b'y'; 30_000]);
    let (new, old) = ("data/shop/new", "data/shop/item.MYD");
    fs::rename(server.place.path(new), server.place.path(old)).expect("renamed");
    let give_up = Instant::now() + PATIENCE;
    loop {
        let status = server.json(&["status", "--json"]);
        if status["memory"]["held_bytes"] == 32_768 + 4_096 + 16_384 {
            break;
        }
        assert!(Instant::now() < give_up, "{status}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn tables_are_neither_copied_nor_pinned_in_vain() {
    let server = Server::new("O_DIRECT");
    server.plan(32 * MIB, &["shop.line"]);
    let apply = ["apply", "plan.json", "--json"];
    let refused = Failure::of(server.hotset(&apply));
    refused
        .has_code(1)
        .says("database `shop-db`: pinning shop.line would save nothing: with innodb_flush_method=O_DIRECT");
    server.plan(32 * MIB, &["shop.item"]);
    let copied = [&apply[..], &["--placer", "hot-root"]].concat();
    let refused = Failure::of(server.hotset(&copied));
    refused.has_code(1).says("which are never copied");
    server.plan(32 * MIB, &["shop.gone"]);
    let refused = Failure::of(server.hotset(&apply));
    refused.has_code(1).says("no file of the table shop.gone");
    assert!(!server.place.path("state").exists());
}

#[test]
fn a_daemon_has_pools_grow_by_what_may_be_moved_in_an_interval() {
    let server = Server::new("O_DIRECT");
    let place = &server.place;
    fs::create_dir(place.path("www")).expect("a folder");
    place.write("access.log", b"");
    place.write(
        "sites.toml",
        b"log = \"access.log\"\n[[node]]\nname = \"web\"\nmemory = \"128MiB\"\n\
          [[store]]\nname = \"disk\"\nprofile = \"hdd\"\n\
          [[site]]\nname = \"shop\"\nstore = \"disk\"\nroot = \"www\"\nmatch = \"/*\"\n\
          [[database]]\nname = \"shop-db\"\nnode = \"web\"\nstore = \"disk\"\npool = \"48MiB\"\n\
          socket = \"server.sock\"\nconfiguration = \"conf\"\n",
    );
    let run = ["run", "sites.toml", "--placer", "pin", "--interval", "1s"];
    let mut daemon = server
        .command(&[&run[..], &["--churn", "600MiB"]].concat())
        .spawn()
        .expect("hotset runs");
    server.comes_to_have(48 * MIB);
    let pid = daemon.id().to_string();
    let ended = Command::new("kill").args(["-TERM", &pid]).status();
    assert!(ended.expect("kill runs").success());
    assert!(daemon.wait().expect("it ends").success());
    assert_eq!(server.pool(), (32 * MIB).to_string());
    let said = fs::read_to_string(server.place.path("statements")).expect("statements");
    let told = |mib: u64| said.contains(&format!("innodb_buffer_pool_size = {}\n", mib * MIB));
    assert!(told(42) && told(48), "ten mebibytes a second: {said}");
}

#[test]
fn a_daemon_leaves_room_for_pools() {
    let server = Server::new("O_DIRECT");
    server.place.write(
        "sites.toml",
        b"log = \"access.log\"\n[[node]]\nname = \"web\"\nmemory = \"64MiB\"\n\
          [[store]]\nname = \"disk\"\nprofile = \"hdd\"\n\
          [[site]]\nname = \"shop\"\nstore = \"disk\"\nroot = \"www\"\n\
          [[database]]\nname = \"shop-db\"\nnode = \"web\"\nstore = \"disk\"\npool = \"64MiB\"\n",
    );
    let refused = Failure::of(server.hotset(&["run", "sites.toml"]));
    refused
        .has_code(1)
        .says("the databases on the node `web` have 67108864 bytes of its memory");
}
