//! A machine that looks as good as new: Debian's nginx with the configuration it comes with, and a site in /srv/shop.

use std::fs::{self, File};
use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use hotset_machine::{ProcessIdentity, Residency, memory};
use hotset_test_support::skip;
use serde_json::Value;

use super::site::{Group, PATIENCE, may_mount, within};
use super::{Workplace, hotset};

/// Folders that are new on that machine, and what is there from the start.
const NEW: [(&str, &str); 6] = [
    ("/srv", "srv"),
    ("/var/log/nginx", "log"),
    ("/var/lib", "lib/nginx"),
    ("/run", "run"),
    ("/etc/nginx/sites-enabled", "sites"),
    ("/root", "root"),
];

/// Room for everything that is held, and for nginx.
const GROUP_BYTES: u64 = 1 << 30;

/// Mounts that only the machine sees, and nginx, which runs in a memory group of its own where there may be one.
pub struct FreshMachine {
    place: Workplace,
    /// Has the mounts as long as it lives.
    anchor: Child,
    group: Option<Group>,
    port: u16,
}

impl FreshMachine {
    /// With so many files of the site, and so many requests to send. None where there is no nginx
    /// of Debian's, or no right to mount.
    pub fn start(files: u64, bytes: &str, requests: u64) -> Option<Self> {
        if !Path::new("/etc/nginx/sites-enabled").is_dir() {
            skip("there is no nginx as Debian configures it");
            return None;
        }
        if !may_mount() {
            return None;
        }
        let place = Workplace::new();
        for (_, is_there) in NEW {
            fs::create_dir_all(place.path(is_there)).unwrap();
        }
        let (files, requests) = (files.to_string(), requests.to_string());
        place.succeeds(
            [
                "generate",
                "zipf",
                "--objects",
                &files,
                "--working-set",
                bytes,
            ]
            .into_iter()
            .chain([
                "--requests",
                &requests,
                "--files",
                "www",
                "--log",
                "requests",
            ]),
        );
        fs::rename(place.path("www/zipf"), place.path("srv/shop")).unwrap();
        let port = free_port();
        let site = format!("server {{ listen 127.0.0.1:{port}; root /srv/shop; }}\n");
        place.write("sites/shop", site.as_bytes());
        let anchor = anchor(&place);
        let group = Group::make(&format!("fresh-{port}"), GROUP_BYTES);
        let machine = Self {
            place,
            anchor,
            group,
            port,
        };
        machine.start_nginx();
        Some(machine)
    }

    fn start_nginx(&self) {
        let join = self.group.as_ref().map_or(String::new(), |group| {
            format!("echo $$ > {}/cgroup.procs && ", group.0.display())
        });
        self.succeeds(&format!("{join} exec nginx"));
        within(PATIENCE, || {
            TcpStream::connect(("127.0.0.1", self.port)).is_ok()
        });
    }

    /// A line of shell as root of that machine types it.
    pub fn command(&self, line: &str) -> Command {
        let program = hotset().parent().expect("a folder of programs");
        let path = format!("{}:/usr/sbin:/usr/bin:/sbin:/bin", program.display());
        let mut command = Command::new("nsenter");
        let anchor = self.anchor.id().to_string();
        let line = format!("cd /root && {line}");
        command.args(["--mount", "--target", &anchor, "sh", "-c", &line]);
        command.env("PATH", path);
        command
    }

    /// What a line of shell prints, which must end well.
    #[track_caller]
    pub fn succeeds(&self, line: &str) -> String {
        let output = self.command(line).stdin(Stdio::null()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{line}: {:?} {errors}",
            output.status
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// Writes a file in root's home.
    pub fn write(&self, name: &str, text: &str) {
        self.place.write(&format!("root/{name}"), text.as_bytes());
    }

    /// A file in root's home, as far as it is there.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.place.path("root").join(name)).unwrap_or_default()
    }

    /// Has some clients ask nginx for the files of all requests, of which it writes its log.
    pub fn ask_for_files(&self) {
        let url = format!("http://127.0.0.1:{}/", self.port);
        self.place
            .succeeds(["replay", "--clients", "4", "requests", &url]);
    }

    /// The files of root's plan.
    fn planned(&self) -> Vec<PathBuf> {
        let text = fs::read(self.place.path("root/plan.json")).unwrap();
        let plan: Value = serde_json::from_slice(&text).unwrap();
        let files = plan["files"].as_array().unwrap().iter();
        let path = |file: &Value| file["path"].as_str().unwrap().to_owned();
        files
            .map(|file| self.place.path(&format!("srv/shop{}", path(file))))
            .collect()
    }

    /// The memory that the files of root's plan take, whole pages of 4 KiB.
    pub fn planned_bytes(&self) -> u64 {
        let size = |file: &PathBuf| fs::metadata(file).unwrap().len();
        self.planned()
            .iter()
            .map(|file| size(file).next_multiple_of(4096))
            .sum()
    }

    /// Whether the kernel has all pages of all planned files in memory.
    pub fn has_the_planned_files_in_memory(&self) -> bool {
        let is_whole =
            |file: &PathBuf| Residency::of(File::open(file).unwrap()).unwrap().is_whole();
        self.planned().iter().all(is_whole)
    }

    /// What processes have locked that are written down as holders.
    pub fn locked_bytes(&self) -> u64 {
        let file = self.place.path("lib/hotset/state/runs/guardian/state.json");
        let state: Value =
            serde_json::from_slice(&fs::read(file).unwrap_or_default()).unwrap_or_default();
        let workers = serde_json::from_value(state["workers"].clone());
        let workers: Vec<ProcessIdentity> = workers.unwrap_or_default();
        let locked = workers
            .iter()
            .map(|worker| memory::locked_bytes(worker.pid));
        locked.filter_map(Result::ok).sum()
    }

    /// What cannot be evicted of nginx' memory group; none where it has none.
    pub fn charged_bytes(&self) -> Option<u64> {
        self.group.as_ref().map(Group::unevictable_bytes)
    }

    pub fn nginx_pid(&self) -> String {
        fs::read_to_string(self.place.path("run/nginx.pid")).unwrap_or_default()
    }

    /// Whether there is still something written down of what was held.
    pub fn has_a_state(&self) -> bool {
        self.place.path("lib/hotset/state").exists()
    }
}

impl Drop for FreshMachine {
    fn drop(&mut self) {
        let _released = self.command("hotset release").output();
        let pid = self.nginx_pid();
        let _asked = Command::new("kill").arg(pid.trim()).status();
        let _ended = self.anchor.kill();
        let _waited = self.anchor.wait();
    }
}

/// A process in a mount namespace of its own, in which the machine's folders are new.
fn anchor(place: &Workplace) -> Child {
    let bind = |(at, is_there): (&str, &str)| {
        let new = is_there.split('/').next().expect("a name");
        format!("mount --bind {} {at} && ", place.path(new).display())
    };
    let mounts: String = NEW.into_iter().map(bind).collect();
    let line = format!("{mounts} echo && exec sleep 3600");
    let mut anchor = Command::new("unshare")
        .args(["--mount", "sh", "-c", &line])
        .stdout(Stdio::piped())
        .spawn()
        .expect("a mount namespace");
    let mut is_ready = [0];
    let ready = anchor
        .stdout
        .as_mut()
        .expect("piped")
        .read_exact(&mut is_ready);
    ready.expect("folders that can be mounted");
    anchor
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}
