//! What would be held of a plan, and why not the rest, without holding anything.

use hotset_live::{
    FileStatus, Pace, PlacerKind, Preview, Request, ServerName, SiteFolder, StateFolder,
    WantedFile, preview,
};
use hotset_scenario::FilePath;
use hotset_test_support::skip;
use rustix::fs::{CWD, FileType, Mode, mkfifoat, mknodat};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use tempfile::TempDir;

/// A site of files of 10 000 bytes, beside which other things may lie.
struct Place(TempDir);

impl Place {
    fn new(files: usize) -> Self {
        let place = Self(TempDir::new().unwrap());
        fs::create_dir(place.path("www")).unwrap();
        for number in 0..files {
            fs::write(place.file(&format!("{number}.html")), [b'x'; 10_000]).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path("www").join(name)
    }

    fn folder(&self, site: &str, folder: &str) -> SiteFolder {
        SiteFolder {
            site: site.to_owned(),
            prefix: "/".to_owned(),
            folder: self.path(folder),
        }
    }

    fn request(&self, paths: &[&[u8]]) -> Request {
        let file = |path: &&[u8]| WantedFile {
            site: "shop".to_owned(),
            path: FilePath(path.to_vec()),
        };
        Request {
            placer: PlacerKind::Pin,
            server: None,
            folders: vec![self.folder("shop", "www")],
            owners: Vec::new(),
            memory_bytes: 1 << 30,
            group: None,
            staleness: Request::STALENESS,
            pace: Pace::AtOnce,
            pools: Vec::new(),
            files: paths.iter().map(file).collect(),
        }
    }

    fn state(&self) -> StateFolder {
        StateFolder::at(&self.path("state")).unwrap()
    }

    fn preview(&self, request: &Request) -> Preview {
        let shown = preview(&self.state(), request).unwrap();
        assert!(!self.path("state").exists(), "nothing is made");
        shown
    }

    fn problem(&self, request: &Request) -> String {
        let problem = preview(&self.state(), request).unwrap_err().to_string();
        assert!(!self.path("state").exists(), "nothing is made");
        problem
    }
}

/// Why each file is left out; nothing for those that are held.
fn reasons(preview: &Preview) -> Vec<String> {
    let reason = |status| match status {
        FileStatus::LeftOut(reason) => reason,
        FileStatus::Held(_) | FileStatus::Shared(_) => String::new(),
    };
    let files = preview.files.iter();
    files.map(|file| reason(file.status.clone())).collect()
}

#[test]
fn pipes_devices_and_paths_that_climb_or_are_escaped_are_left_out() {
    let place = Place::new(1);
    fs::write(place.path("secret"), b"secret").unwrap();
    symlink("/etc/passwd", place.file("out")).unwrap();
    mkfifoat(CWD, place.file("pipe"), Mode::RWXU).unwrap();
    let device = rustix::fs::makedev(1, 5);
    let _only_root_makes_devices = mknodat(
        CWD,
        place.file("device"),
        FileType::CharacterDevice,
        Mode::RWXU,
        device,
    );
    let request = place.request(&[
        b"/0.html",
        b"/gone",
        b"/out",
        b"/pipe",
        b"/device",
        b"/../secret",
        b"/%2e%2e/secret",
        b"/..%2fsecret",
        b"/0.html/../../secret",
        b"/new\nline",
    ]);
    let shown = place.preview(&request);
    let reasons = reasons(&shown);
    assert_eq!((shown.added.objects, shown.added.bytes), (1, 10_000));
    assert_eq!(reasons[0], "");
    for (at, says) in [
        (1, "no such file"),
        (2, "out of the site's root"),
        (3, "not a regular file"),
        (5, "not a path within"),
        (6, "no such file"),
        (7, "no such file"),
        (8, "not a path within"),
        (9, "no such file"),
    ] {
        assert!(reasons[at].contains(says), "{at}: {}", reasons[at]);
    }
    assert!(!reasons[4].is_empty());
}

#[test]
fn a_file_with_a_name_in_each_of_two_sites_is_held_for_neither() {
    let place = Place::new(1);
    fs::create_dir(place.path("other")).unwrap();
    fs::hard_link(place.file("0.html"), place.path("other/0.html")).unwrap();
    let mut request = place.request(&[b"/0.html", b"/0.html"]);
    request.files[1].site = "other".to_owned();
    request.folders.push(place.folder("other", "other"));
    let shown = place.preview(&request);
    assert_eq!(shown.added.objects, 0);
    assert!(reasons(&shown).iter().all(|it| it.contains("hard links")));
    // Roots that are the same folder: the first site of the plan has the file.
    fs::remove_dir_all(place.path("other")).unwrap();
    request.folders[1] = place.folder("other", "www");
    let shown = place.preview(&request);
    assert_eq!(shown.added.objects, 1);
    assert!(reasons(&shown)[1].contains("one of site `shop`"));
}

#[test]
fn other_names_of_a_file_are_held_once_and_those_outside_the_site_refuse_it() {
    let place = Place::new(2);
    fs::hard_link(place.file("0.html"), place.file("same.html")).unwrap();
    symlink("0.html", place.file("link.html")).unwrap();
    fs::hard_link(place.file("1.html"), place.path("outside")).unwrap();
    let request = place.request(&[b"/0.html", b"/same.html", b"/link.html", b"/1.html"]);
    let shown = place.preview(&request);
    assert_eq!((shown.added.objects, shown.added.bytes), (1, 10_000));
    for file in &shown.files[1..3] {
        assert!(matches!(file.status, FileStatus::Shared(_)), "{file:?}");
    }
    assert!(reasons(&shown)[3].contains("outside the site's root"));
}

#[test]
fn the_least_valuable_files_are_left_out_when_the_plans_memory_is_full() {
    let place = Place::new(4);
    let mut request = place.request(&[b"/3.html", b"/2.html", b"/1.html", b"/0.html"]);
    request.memory_bytes = 30_000;
    let shown = place.preview(&request);
    let reasons = reasons(&shown);
    assert_eq!(reasons[..2], ["", ""]);
    assert!(
        reasons[2..]
            .iter()
            .all(|it| it.contains("no room: 12288 bytes")),
        "{reasons:?}"
    );
}

#[test]
fn sparse_and_empty_files_take_what_their_size_says() {
    let place = Place::new(0);
    for (name, bytes) in [("empty", 0), ("sparse", 1 << 20), ("huge", 1 << 42)] {
        let file = fs::File::create(place.file(name)).unwrap();
        file.set_len(bytes).unwrap();
    }
    let mut request = place.request(&[b"/huge", b"/empty", b"/sparse"]);
    request.memory_bytes = 1 << 43;
    let shown = place.preview(&request);
    assert_eq!((shown.added.objects, shown.added.bytes), (2, 1 << 20));
    assert!(reasons(&shown)[0].contains("no room"));
}

#[test]
fn copies_that_apache_would_serve_otherwise_are_left_out() {
    let place = Place::new(1);
    fs::create_dir_all(place.file("a/b")).unwrap();
    fs::write(place.file("a/b/page"), b"page").unwrap();
    fs::write(place.file("a?b"), b"question").unwrap();
    fs::write(place.file("a/.htaccess"), b"Require all denied").unwrap();
    let mut request = place.request(&[b"/0.html", b"/a/b/page", b"/a?b"]);
    assert_eq!(
        place.preview(&request).added.objects,
        3,
        "pinned files are the files"
    );
    request.placer = PlacerKind::HotRoot;
    if preview(&place.state(), &request).is_err() {
        return skip("copies take the right to mount");
    }
    let shown = place.preview(&request);
    let reasons = reasons(&shown);
    assert_eq!(shown.added.objects, 1);
    assert!(reasons[1].contains("a/.htaccess") && reasons[2].contains("question mark"));
}

#[test]
fn what_cannot_be_asked_for_is_refused_before_anything_is_made() {
    let place = Place::new(1);
    let mut request = place.request(&[b"/0.html"]);
    mkfifoat(CWD, place.path("pipe"), Mode::RWXU).unwrap();
    for (server, says) in [
        (
            ServerName::PidFile("/no/such/file".into()),
            "name the file that it writes its pid to",
        ),
        (
            ServerName::PidFile(place.path("pipe")),
            "is no regular file",
        ),
        (
            ServerName::Group("/no/such/group".into()),
            "/proc/PID/cgroup",
        ),
    ] {
        request.server = Some(server);
        let problem = place.problem(&request);
        assert!(problem.contains(says), "{problem}");
    }
}

#[test]
fn a_state_whose_name_is_misspelt_is_refused() {
    let place = Place::new(0);
    let state = |name: &str| StateFolder::at(&place.path(name)).unwrap();
    fs::create_dir_all(place.path("state/runs/guardian")).unwrap();
    let held = place.path("state").display().to_string();
    for (misspelt, says) in [("stat", held.as_str()), ("stat/e", "no such folder")] {
        let problem = state(misspelt).refuse_misspelt().unwrap_err().to_string();
        assert!(problem.contains(says), "{problem}");
    }
    state("state").refuse_misspelt().unwrap();
}
