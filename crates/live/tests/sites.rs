//! What of a site may be held: nothing outside its root, nobody else's, nothing but regular files.

use hotset_live::{Identity, Links, Refusal, SiteFolder, Sites};
use hotset_test_support::skip;
use rustix::fs::{CWD, Mode, mkfifoat};
use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

struct Place(TempDir);

impl Place {
    /// A root `site` with `index.html` and `docs/a.html`, and a `secret` outside.
    fn new() -> Self {
        let place = Self(TempDir::new().unwrap());
        fs::create_dir_all(place.root().join("docs")).unwrap();
        fs::write(place.root().join("index.html"), b"start").unwrap();
        fs::write(place.root().join("docs/a.html"), b"a page").unwrap();
        fs::write(place.0.path().join("secret"), b"secret").unwrap();
        place
    }

    fn root(&self) -> std::path::PathBuf {
        self.0.path().join("site")
    }

    fn sites(&self) -> Sites {
        Sites::open(&[folder("site", "/", &self.root())], &[]).unwrap()
    }

    #[track_caller]
    fn refuses(&self, path: &[u8], why: Refusal) {
        assert_eq!(self.sites().find("site", path).unwrap_err(), why);
    }

    #[track_caller]
    fn reads(&self, path: &[u8]) -> String {
        let found = self.sites().find("site", path).unwrap();
        let mut text = String::new();
        found.open().unwrap().read_to_string(&mut text).unwrap();
        text
    }
}

fn folder(site: &str, prefix: &str, folder: &Path) -> SiteFolder {
    SiteFolder {
        site: site.to_owned(),
        prefix: prefix.to_owned(),
        folder: folder.to_owned(),
    }
}

#[test]
fn paths_lead_to_the_files_that_a_server_reads() {
    let place = Place::new();
    assert_eq!(place.reads(b"/docs/a.html"), "a page");
    assert_eq!(place.reads(b"//docs/./a.html"), "a page");
    assert_eq!(place.reads(b"/"), "start", "a folder is its index file");
    place.refuses(b"/nothing", Refusal::Missing);
    place.refuses(b"/docs", Refusal::NotRegular);
    place.refuses(b"/index.html/beyond", Refusal::Missing);
}

#[test]
fn paths_that_climb_are_refused_and_percent_signs_are_only_characters() {
    let place = Place::new();
    for path in [
        &b"/../secret"[..],
        b"/docs/../../secret",
        b"/..",
        b"/docs/..",
        b"secret",
        b"",
    ] {
        place.refuses(path, Refusal::Path);
    }
    place.refuses(b"/docs/a.html\0", Refusal::Path);
    place.refuses(b"/%2e%2e/secret", Refusal::Missing);
    place.refuses(b"/%2e%2e%2fsecret", Refusal::Missing);
    fs::write(place.root().join("%2e"), b"percent").unwrap();
    assert_eq!(place.reads(b"/%2e"), "percent");
}

#[test]
fn symbolic_links_are_followed_within_the_root_only() {
    let place = Place::new();
    let root = place.root();
    symlink("docs/a.html", root.join("inside")).unwrap();
    symlink("../secret", root.join("out")).unwrap();
    symlink(place.0.path().join("secret"), root.join("absolute")).unwrap();
    symlink("..", root.join("up")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    symlink("/proc/self/exe", root.join("magic")).unwrap();
    symlink("gone", root.join("dangling")).unwrap();
    assert_eq!(place.reads(b"/inside"), "a page");
    for path in [
        &b"/out"[..],
        b"/absolute",
        b"/up/secret",
        b"/loop",
        b"/magic",
    ] {
        place.refuses(path, Refusal::Outside);
    }
    place.refuses(b"/dangling", Refusal::Missing);
}

#[test]
fn a_link_that_is_switched_while_it_is_looked_at_never_leads_out() {
    let place = Place::new();
    let root = place.root();
    fs::create_dir(place.0.path().join("outside")).unwrap();
    fs::write(place.0.path().join("outside/a.html"), b"secret").unwrap();
    symlink("docs", root.join("current")).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let targets = ["docs", "../outside"];
            for turn in 0.. {
                if stop.load(std::sync::atomic::Ordering::Relaxed) {
                    return;
                }
                symlink(targets[turn % 2], root.join("next")).unwrap();
                fs::rename(root.join("next"), root.join("current")).unwrap();
            }
        });
        let sites = place.sites();
        for _ in 0..5_000 {
            match sites.find("site", b"/current/a.html") {
                Ok(found) => {
                    let mut text = String::new();
                    found.open().unwrap().read_to_string(&mut text).unwrap();
                    assert_eq!(text, "a page");
                }
                Err(refusal) => assert_eq!(refusal, Refusal::Outside),
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn devices_pipes_and_sockets_are_refused_without_being_opened() {
    let place = Place::new();
    let root = place.root();
    mkfifoat(CWD, root.join("pipe"), Mode::RUSR | Mode::WUSR).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
    // Opening a pipe that nobody writes to would wait for ever.
    place.refuses(b"/pipe", Refusal::NotRegular);
    place.refuses(b"/socket", Refusal::NotRegular);
    let dev = Sites::open(&[folder("site", "/", Path::new("/dev"))], &[]).unwrap();
    assert_eq!(dev.find("site", b"/null").unwrap_err(), Refusal::NotRegular);
}

#[test]
fn names_may_hold_any_byte() {
    let place = Place::new();
    for name in [
        &b"two\nlines"[..],
        b"not utf-8 \xff\xfe",
        b"-rf",
        b" ",
        b"\x1b[31m",
    ] {
        fs::write(place.root().join(OsStr::from_bytes(name)), name).unwrap();
        let path = [b"/", name].concat();
        let found = place.sites().find("site", &path).unwrap();
        assert_eq!(found.identity.size_bytes, name.len() as u64);
    }
}

#[test]
fn files_of_other_users_are_refused_unless_they_are_named() {
    if !rustix::process::geteuid().is_root() {
        return skip("only root can give files away");
    }
    let place = Place::new();
    let file = place.root().join("docs/a.html");
    std::os::unix::fs::chown(&file, Some(12_345), None).unwrap();
    place.refuses(b"/docs/a.html", Refusal::Owner { uid: 12_345 });
    let folders = [folder("site", "/", &place.root())];
    let stated = Sites::open(&folders, &[12_345]).unwrap();
    assert!(stated.find("site", b"/docs/a.html").is_ok());
    // The owner is the root's, whoever hotset runs as.
    std::os::unix::fs::chown(place.root(), Some(12_345), None).unwrap();
    assert_eq!(place.reads(b"/docs/a.html"), "a page");
    place.refuses(b"/index.html", Refusal::Owner { uid: 0 });
}

#[test]
fn a_file_with_a_name_outside_its_site_is_refused() {
    let place = Place::new();
    let root = place.root();
    fs::hard_link(root.join("docs/a.html"), root.join("b.html")).unwrap();
    let check = || {
        let sites = place.sites();
        let found = sites.find("site", b"/b.html").unwrap();
        sites.check_links("site", b"/b.html", &found, &mut Links::default())
    };
    assert_eq!(check(), Ok(()), "both names are within the site");
    fs::hard_link(root.join("b.html"), place.0.path().join("outside")).unwrap();
    assert_eq!(check(), Err(Refusal::Links));
}

#[test]
fn an_alias_takes_its_paths_before_the_root_does() {
    let place = Place::new();
    let other = place.0.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("a.html"), b"the alias").unwrap();
    let folders = [
        folder("site", "/", &place.root()),
        folder("site", "/docs/", &other),
        folder("two", "/", &other),
    ];
    let sites = Sites::open(&folders, &[]).unwrap();
    let size = |site, path: &[u8]| {
        sites
            .find(site, path)
            .map(|found| found.identity.size_bytes)
    };
    assert_eq!(size("site", b"/docs/a.html"), Ok(9));
    assert_eq!(size("two", b"/a.html"), Ok(9));
    assert_eq!(size("site", b"/a.html"), Err(Refusal::Missing));
    assert_eq!(size("three", b"/a.html"), Err(Refusal::NoRoot));
}

#[test]
fn a_root_that_is_gone_has_no_files() {
    let folders = [folder("site", "/", Path::new("/nothing/here"))];
    let sites = Sites::open(&folders, &[]).unwrap();
    assert_eq!(sites.find("site", b"/a").unwrap_err(), Refusal::Missing);
}

#[test]
fn a_root_that_cannot_be_opened_leaves_other_sites_their_files() {
    let place = Place::new();
    let turning = place.0.path().join("turning");
    symlink(&turning, &turning).unwrap();
    let folders = [
        folder("site", "/", &place.root()),
        folder("other", "/", &turning),
    ];
    let sites = Sites::open(&folders, &[]).unwrap();
    assert!(sites.find("site", b"/docs/a.html").is_ok());
    assert_eq!(sites.find("other", b"/a").unwrap_err(), Refusal::Missing);
}

#[test]
fn what_was_found_is_what_is_opened_whatever_its_path_leads_to_by_then() {
    let place = Place::new();
    let file = place.root().join("docs/a.html");
    let found = place.sites().find("site", b"/docs/a.html").unwrap();
    fs::write(place.root().join("new"), b"another page").unwrap();
    fs::rename(place.root().join("new"), &file).unwrap();
    let mut text = String::new();
    found.open().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "a page");
    let now = Identity::of(fs::File::open(&file).unwrap()).unwrap();
    assert!(!now.is_same_file(&found.identity));
}
