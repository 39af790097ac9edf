//! What is sent to a socket is the store's own file: alone here, since the test looks at what the process has open.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hotset_probe::Probe;

/// Nothing after the socket reads the large file.
fn small() -> Probe {
    Probe {
        files: vec![(4096, 1), (65_536, 1)],
        large_bytes: 4 << 20,
        blocks: vec![65_536],
        working_sets: Vec::new(),
        readers: Vec::new(),
        direct: Vec::new(),
        in_flight: Vec::new(),
        written: Vec::new(),
        synced: Vec::new(),
        writers: Vec::new(),
        idle_ms: Vec::new(),
        patience: Duration::from_millis(20),
    }
}

fn open_sockets() -> usize {
    let links = fs::read_dir("/proc/self/fd").expect("a process has this folder");
    let names = links.filter_map(|link| fs::read_link(link.ok()?.path()).ok());
    let is_socket = |name: &PathBuf| name.to_string_lossy().starts_with("socket:");
    names.filter(is_socket).count()
}

/// Empties the file of blocks.
fn cut(directory: &Path) {
    let folder = fs::read_dir(directory).unwrap().next().unwrap().unwrap();
    File::create(folder.path().join("large")).unwrap();
}

#[test]
fn a_file_of_the_store_that_is_cut_while_the_socket_is_open_is_named() {
    let _alone = crate::SOCKETS.write();
    let place = tempfile::tempdir().unwrap();
    let before = open_sockets();
    let goes_on = |_| {
        if open_sockets() > before {
            cut(place.path());
        }
        true
    };
    let error = small().measure(place.path(), &goes_on).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("cannot send") && text.contains("/large"),
        "{text}"
    );
}
