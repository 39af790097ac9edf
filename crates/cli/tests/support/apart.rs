//! A server with mounts of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use super::hotset;
use super::site::{Group, PATIENCE, Site, within};

/// A program that sees mounts of its own, as a server does that is started for it.
pub struct Server {
    child: Child,
    /// What `--server` takes.
    pub pid_file: String,
    /// Of its own, so that tests do not hold files for one group.
    _group: Option<Group>,
}

impl Server {
    pub fn start(site: &Site, before: &[&str]) -> Self {
        let name = format!(
            "server-{}",
            site.place.folder().file_name().unwrap().display()
        );
        Self::start_in(Group::make(&name, 256 << 20), site, before)
    }

    fn start_in(group: Option<Group>, site: &Site, before: &[&str]) -> Self {
        let mut line = before.to_vec();
        line.extend(["sleep", "600"]);
        let child = Command::new(line[0]).args(&line[1..]).spawn().unwrap();
        let file = site.place.path("pid");
        fs::write(&file, child.id().to_string()).unwrap();
        if let Some(group) = &group {
            fs::write(group.0.join("cgroup.procs"), child.id().to_string()).unwrap();
        }
        let server = Self {
            child,
            pid_file: format!("pid:{}", file.display()),
            _group: group,
        };
        within(PATIENCE, || {
            fs::read_to_string(server.proc("comm")).is_ok_and(|name| name == "sleep\n")
        });
        server
    }

    /// With mounts of its own.
    pub fn apart(site: &Site) -> Self {
        let hotset = hotset().to_str().unwrap();
        Self::start(site, &[hotset, "exec", "--"])
    }

    /// With mounts of its own, in the tests' group: a group of its own could not be removed before what is held is released.
    pub fn apart_in_no_group(site: &Site) -> Self {
        let hotset = hotset().to_str().unwrap();
        Self::start_in(None, site, &[hotset, "exec", "--"])
    }

    fn proc(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{name}", self.child.id()))
    }

    /// A file as it sees it.
    pub fn sees(&self, file: &Path) -> PathBuf {
        self.proc("root").join(file.strip_prefix("/").unwrap())
    }

    /// Mounts that it sees below a folder.
    pub fn mounts_below(&self, folder: &Path) -> usize {
        let folder = folder.to_str().unwrap();
        let mounts = fs::read_to_string(self.proc("mountinfo")).unwrap();
        mounts.lines().filter(|line| line.contains(folder)).count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _waited = self.child.wait();
    }
}
