//! Files are replaced whole or not at all; everything else is written to as it is.
use hotset_machine::{Destination, file};
use hotset_test_support::skip;
use rustix::process::geteuid;
use std::fs::{self, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::Path;
use std::process::Command;

/// Runs a program that prepares a test; whether it could.
fn done(program: &str, args: &[&str], path: &Path) -> bool {
    let mut command = Command::new(program);
    command.args(args).arg(path);
    command.output().is_ok_and(|output| output.status.success())
}

#[test]
fn a_file_that_cannot_be_finished_leaves_the_old_one_and_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    file::write(&path, b"old").unwrap();
    let failed = file::write_with(&path, |new| {
        new.write_all(b"ha")?;
        Err(io::Error::other("full"))
    });
    assert_eq!(failed.unwrap_err().to_string(), "full");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_document_is_read_as_it_was_written_and_a_missing_one_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made/with/it.json");
    let none: Option<Vec<u64>> = file::read_json(&path).unwrap();
    assert_eq!(none, None);
    file::write_json(&path, &[1_u64, 2]).unwrap();
    assert_eq!(file::read_json(&path).unwrap(), Some(vec![1_u64, 2]));
    fs::write(&path, "rubbish").unwrap();
    let error = file::read_json::<Vec<u64>>(&path).unwrap_err().to_string();
    assert!(
        error.contains("it.json") && error.contains("remove it"),
        "{error}"
    );
}

#[test]
fn a_link_is_written_through_and_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("kept")).unwrap();
    fs::write(at("kept/plan.json"), "old").unwrap();
    symlink("kept/plan.json", at("current")).unwrap();
    symlink("current", at("latest")).unwrap();
    file::write(&at("latest"), b"new").unwrap();
    assert_eq!(fs::read(at("kept/plan.json")).unwrap(), b"new");
    assert!(at("latest").is_symlink() && at("current").is_symlink());
    assert_eq!(fs::read_dir(at("kept")).unwrap().count(), 1);
}

#[test]
fn a_link_that_leads_nowhere_yet_gets_its_file_and_one_in_a_circle_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    symlink(at("made"), at("link")).unwrap();
    file::write(&at("link"), b"new").unwrap();
    assert_eq!(fs::read(at("made")).unwrap(), b"new");
    assert!(at("link").is_symlink());
    symlink("b", at("a")).unwrap();
    symlink("a", at("b")).unwrap();
    assert!(file::write(&at("a"), b"new").is_err());
}

#[test]
fn a_file_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    for mode in [0o600, 0o640, 0o755, 0o444] {
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        file::write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, mode);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_file_keeps_its_owner_and_group() {
    if !geteuid().is_root() {
        skip("only root gives files away");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    fs::write(&path, "old").unwrap();
    chown(&path, Some(4711), Some(4712)).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o2750)).unwrap();
    file::write(&path, b"new").unwrap();
    let metadata = fs::metadata(&path).unwrap();
    assert_eq!((metadata.uid(), metadata.gid()), (4711, 4712));
    assert_eq!(metadata.mode() & 0o7777, 0o2750);
}

#[test]
fn a_mounted_file_is_written_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let (path, source) = (
        folder.path().join("plan.json"),
        folder.path().join("source"),
    );
    fs::write(&path, "covered").unwrap();
    fs::write(&source, "old and longer").unwrap();
    if !done("mount", &["--bind", source.to_str().unwrap()], &path) {
        skip("no right to mount a file");
        return;
    }
    let written = file::write(&path, b"new");
    assert!(done("umount", &[], &path));
    written.unwrap();
    assert_eq!(fs::read(&source).unwrap(), b"new");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_fifo_is_written_to_and_stays_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fifo");
    if !done("mkfifo", &[], &path) {
        skip("no mkfifo");
        return;
    }
    let reader = std::thread::spawn({
        let path = path.clone();
        move || fs::read(path)
    });
    file::write(&path, b"through").unwrap();
    assert_eq!(reader.join().unwrap().unwrap(), b"through");
    assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
}

#[test]
fn a_device_stays_a_device() {
    file::write(Path::new("/dev/null"), b"gone").unwrap();
    assert!(
        fs::metadata("/dev/null")
            .unwrap()
            .file_type()
            .is_char_device()
    );
    let full = file::write(Path::new("/dev/full"), b"too much").unwrap_err();
    assert_eq!(full.kind(), io::ErrorKind::StorageFull);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("null");
    let made = Command::new("mknod")
        .arg(&path)
        .args(["c", "1", "3"])
        .output();
    if !made.is_ok_and(|made| made.status.success()) || fs::read(&path).is_err() {
        skip("no right to make a device");
        return;
    }
    file::write(&path, b"gone").unwrap();
    assert!(fs::metadata(&path).unwrap().file_type().is_char_device());
    assert_eq!(fs::read(&path).unwrap(), b"");
}

#[test]
fn what_is_open_already_is_gone_on_with() {
    let mut open = tempfile::tempfile().unwrap();
    open.write_all(b"before ").unwrap();
    let path = format!("/dev/fd/{}", open.as_raw_fd());
    file::write(Path::new(&path), b"written ").unwrap();
    open.write_all(b"behind").unwrap();
    let mut all = String::new();
    io::Seek::rewind(&mut open).unwrap();
    open.read_to_string(&mut all).unwrap();
    assert_eq!(all, "before written behind");
}

#[test]
fn names_of_standard_output_lead_to_one_place() {
    let of = |path: &str| Destination::of(Path::new(path)).unwrap();
    for name in ["-", "/dev/fd/1", "/proc/self/fd/1", "/dev/stdout"] {
        assert_eq!(of(name), hotset_machine::STANDARD_OUTPUT, "{name}");
    }
    assert_eq!(of("/dev/stderr"), Destination::Descriptor(2));
    assert_eq!(of("/dev/null"), Destination::Device("/dev/null".into()));
    for folder in ["/", "/tmp", "..", "/dev/fd"] {
        assert!(Destination::of(Path::new(folder)).is_err(), "{folder}");
    }
    assert!(Destination::of(Path::new("/no/such/folder")).is_err());
}
