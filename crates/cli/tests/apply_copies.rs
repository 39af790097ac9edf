//! Files held by copies of them: in a hot root, or mounted over them.

mod support;

use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use serde_json::json;
use support::site::{Group, HELD_AGAIN, Site, may_mount, within};
use support::{Failure, hotset};

#[test]
fn a_hot_root_has_copies_with_the_rights_of_their_files_that_nobody_can_change() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    fs::create_dir(site.file("docs")).unwrap();
    site.write("/docs/index.html", b"the docs");
    fs::set_permissions(site.file("docs"), Permissions::from_mode(0o750)).unwrap();
    fs::set_permissions(site.file("docs/index.html"), Permissions::from_mode(0o640)).unwrap();
    chown(site.file("docs"), None, Some(12_345)).unwrap();
    chown(site.file("docs/index.html"), None, Some(12_345)).unwrap();
    site.plan(&[b"/docs/", b"/0.html"], 1 << 30);
    let (code, applied) = site.apply(&["--placer", "hot-root"]);
    assert_eq!(
        (code, &applied["placer"]),
        (Some(0), &json!("hot-root")),
        "{applied}"
    );
    assert_eq!(site.status().0, Some(0));
    let copy = site.place.path("state/copies/shop/docs/index.html");
    assert_eq!(fs::read(&copy).unwrap(), b"the docs");
    for (of, name) in [
        (&copy, "docs/index.html"),
        (&copy.parent().unwrap().into(), "docs"),
    ] {
        let (copied, file) = (of.metadata().unwrap(), site.file(name).metadata().unwrap());
        let rights = |of: &fs::Metadata| (of.uid(), of.gid(), of.mode());
        assert_eq!(rights(&copied), rights(&file), "{name}");
    }
    let modified = |path: &Path| path.metadata().unwrap().modified().unwrap();
    assert_eq!(modified(&copy), modified(&site.file("docs/index.html")));
    let refused = fs::write(&copy, b"changed").unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::ReadOnlyFilesystem);
    // Who may not look into a folder any more may not look into its copy either.
    fs::set_permissions(site.file("docs"), Permissions::from_mode(0o700)).unwrap();
    within(HELD_AGAIN, || {
        copy.parent().unwrap().metadata().unwrap().mode() & 0o777 == 0o700
    });
    site.release();
    assert!(!site.place.path("state").exists());
}

#[test]
fn a_copy_is_made_anew_when_its_file_changes_and_goes_with_it() {
    if !may_mount() {
        return;
    }
    let site = Site::new(2);
    site.apply(&["--placer", "hot-root"]);
    let copy = |name: &str| site.place.path("state/copies/shop").join(name);
    let in_place = fs::File::options().write(true).open(site.file("0.html"));
    in_place.unwrap().write_all(b"changed").unwrap();
    within(HELD_AGAIN, || {
        fs::read(copy("0.html")).is_ok_and(|content| content.starts_with(b"changed"))
    });
    fs::set_permissions(site.file("0.html"), Permissions::from_mode(0o600)).unwrap();
    within(HELD_AGAIN, || {
        copy("0.html")
            .metadata()
            .is_ok_and(|copy| copy.mode() & 0o777 == 0o600)
    });
    fs::remove_file(site.file("1.html")).unwrap();
    within(HELD_AGAIN, || !copy("1.html").exists());
    assert_eq!(site.status().0, Some(0));
}

#[test]
fn copies_that_nobody_keeps_up_to_date_are_withdrawn() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    site.apply(&["--placer", "hot-root"]);
    let copy = site.place.path("state/copies/shop/0.html");
    assert!(copy.exists());
    site.guardian().kill().unwrap();
    within(HELD_AGAIN, || !copy.exists());
    assert_eq!(site.release()["left"], json!([]));
    assert!(!site.place.path("state").exists());
}

/// A program that sees mounts of its own, as a server does that is started for it.
struct Server {
    child: Child,
    pid_file: String,
    /// Of its own, so that tests do not hold files for one group.
    _group: Option<Group>,
}

impl Server {
    fn start(site: &Site, before: &[&str]) -> Self {
        let name = format!(
            "server-{}",
            site.place.folder().file_name().unwrap().display()
        );
        Self::start_in(Group::new(&name, 256 << 20), site, before)
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
        within(HELD_AGAIN, || {
            fs::read_to_string(server.proc("comm")).is_ok_and(|name| name == "sleep\n")
        });
        server
    }

    /// With mounts of its own.
    fn apart(site: &Site) -> Self {
        let hotset = hotset().to_str().unwrap();
        Self::start(site, &[hotset, "exec", "--"])
    }

    /// With mounts of its own, in the tests' group: a group of its own could not be removed before what is held is released.
    fn apart_in_no_group(site: &Site) -> Self {
        let hotset = hotset().to_str().unwrap();
        Self::start_in(None, site, &[hotset, "exec", "--"])
    }

    fn proc(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{name}", self.child.id()))
    }

    /// A file as it sees it.
    fn sees(&self, file: &Path) -> PathBuf {
        self.proc("root").join(file.strip_prefix("/").unwrap())
    }

    /// Mounts that it sees below a folder.
    fn mounts_below(&self, folder: &Path) -> usize {
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

#[test]
fn copies_are_bound_over_the_files_that_the_server_sees_and_nobody_else_sees_them() {
    if !may_mount() {
        return;
    }
    let site = Site::new(2);
    let server = Server::apart(&site);
    let device = |path: &Path| path.metadata().unwrap().dev();
    let (file, seen) = (site.file("0.html"), server.sees(&site.file("0.html")));
    assert_eq!(device(&seen), device(&file));
    let bind = ["--placer", "bind", "--server", &server.pid_file];
    let (code, applied) = site.apply(&bind);
    assert_eq!(
        (code, &applied["placer"]),
        (Some(0), &json!("bind")),
        "{applied}"
    );
    assert_eq!(site.status().0, Some(0), "{}", site.status().1);
    assert_ne!(device(&seen), device(&file), "the server sees the copy");
    assert_eq!(fs::read(&seen).unwrap(), fs::read(&file).unwrap());
    assert_eq!(
        seen.metadata().unwrap().modified().unwrap(),
        file.metadata().unwrap().modified().unwrap()
    );
    let refused = fs::write(&seen, b"lost").unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::ReadOnlyFilesystem);
    fs::write(site.file("1.html"), b"written in place").unwrap();
    within(HELD_AGAIN, || {
        fs::read(server.sees(&site.file("1.html"))).unwrap() == b"written in place"
    });
    site.write("/next", b"another");
    fs::rename(site.file("next"), &file).unwrap();
    assert_eq!(
        fs::read(&seen).unwrap(),
        b"another",
        "a file that is replaced is seen at once"
    );
    within(HELD_AGAIN, || device(&seen) != device(&file));
    site.is_held_again();
    assert_eq!(site.release()["left"], json!([]));
    assert_eq!(device(&seen), device(&file));
    assert_eq!(server.mounts_below(site.place.folder()), 0);
}

#[test]
fn bound_copies_that_nobody_keeps_up_to_date_are_withdrawn() {
    if !may_mount() {
        return;
    }
    let site = Site::new(3);
    let server = Server::apart(&site);
    let bind = ["--placer", "bind", "--server", &server.pid_file];
    assert_eq!(site.apply(&bind).0, Some(0));
    assert!(server.mounts_below(&site.place.path("www")) == 3);
    site.guardian().kill().unwrap();
    within(HELD_AGAIN, || server.mounts_below(site.place.folder()) <= 1);
    assert_eq!(site.release()["left"], json!([]));
    assert_eq!(server.mounts_below(site.place.folder()), 0);
    assert!(!site.place.path("state").exists());
}

#[test]
fn a_server_that_is_started_anew_has_copies_bound_again() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    let first = Server::apart_in_no_group(&site);
    let bind = ["--placer", "bind", "--server", &first.pid_file];
    assert_eq!(site.apply(&bind).0, Some(0));
    drop(first);
    let second = Server::apart_in_no_group(&site);
    within(HELD_AGAIN, || {
        second.mounts_below(&site.place.path("www")) == 1
    });
    site.is_held_again();
}

#[test]
fn nothing_is_bound_for_a_server_that_shares_its_mounts() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    let server = Server::start(&site, &["env"]);
    let arguments = [
        "apply",
        "plan.json",
        "--root",
        "shop=www",
        "--state",
        "state",
    ];
    let bind = ["--placer", "bind", "--server", &server.pid_file];
    let failure = Failure::of(site.place.hotset(arguments.iter().chain(&bind)));
    failure.has_code(1).says("shares its mounts");
    assert!(!site.place.path("state/runs/guardian/state.json").exists());
    site.release();
    assert!(!site.place.path("state").exists());
}
