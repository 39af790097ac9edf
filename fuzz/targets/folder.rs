//! A trace folder with a damaged file is read as a sound trace or refused in words. The first byte chooses
//! the file and whether the rest replaces it, or overwrites single bytes: two of place, one of value.
#![no_main]

use std::panic;
use std::path::Path;
use std::sync::LazyLock;

use hotset_trace::folder::{self, Existing, Provenance};
use hotset_trace::{Method, NO_OBJECT, Protocol, Request, Trace};
use libfuzzer_sys::fuzz_target;

type File = (String, Vec<u8>);

/// The files of a sound folder.
static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().join("a.trace");
    let connections = [0, 1, 0];
    folder::write(
        &trace(),
        Some(&connections),
        &folder,
        Existing::Refuse,
        Provenance::default(),
    )
    .expect("a sound trace is written");
    let mut files: Vec<File> = std::fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| {
            let entry = entry.expect("an entry");
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, std::fs::read(entry.path()).expect("its bytes"))
        })
        .collect();
    files.sort();
    files
});

fuzz_target!(init: quieten_expected_panics(), |data: &[u8]| {
    let Some((&choice, damage)) = data.split_first() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (index, (name, sound)) in FILES.iter().enumerate() {
        let is_chosen = index == usize::from(choice >> 1) % FILES.len();
        let bytes = match (is_chosen, choice & 1) {
            (false, _) => sound.clone(),
            (true, 0) => damage.to_vec(),
            (true, _) => overwrite(sound, damage),
        };
        std::fs::write(folder.path().join(name), bytes).expect("room for the file");
    }
    read_all(folder.path());
});

/// The hook of libFuzzer ends the process at any panic; those that reading a folder answers for are not to.
fn quieten_expected_panics() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !folder::is_decoding() {
            hook(info);
        }
    }));
}

fn overwrite(sound: &[u8], damage: &[u8]) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    for patch in damage.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([patch[0], patch[1]]));
        let length = bytes.len();
        bytes[place % length] = patch[2];
    }
    bytes
}

fn read_all(folder: &Path) {
    match folder::read(folder) {
        Ok(trace) => check(&trace),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Ok(accesses) = folder::read_accesses(folder) {
        let objects = accesses.sizes.len();
        assert!(accesses.objects.iter().all(|id| (*id as usize) < objects));
    }
    let _ = folder::read_connections(folder);
}

fn check(trace: &Trace) {
    for row in 0..trace.requests.len() {
        let request = trace.requests.get(row);
        let has_object = request.object != NO_OBJECT;
        assert!(!has_object || (request.object as usize) < trace.objects.size.len());
        assert!(has_object || !request.access);
        assert!(usize::from(request.site) < trace.sites.len());
    }
}

fn trace() -> Trace {
    let mut trace = Trace {
        sites: vec!["a".to_owned(), "b".to_owned()],
        ..Trace::default()
    };
    trace.clients.push(b"192.0.2.1");
    trace.clients.push(b"192.0.2.2");
    for (site, path, size) in [(0, &b"/a.gif"[..], 10), (1, b"/\xff", 5000)] {
        trace.objects.site.push(site);
        trace.objects.path.push(path);
        trace.objects.size.push(size);
    }
    for (time_us, client, object) in [(0, 0, 0), (1, 1, 1), (2, 0, NO_OBJECT)] {
        trace.requests.push(Request {
            time_us,
            client,
            site: 0,
            object,
            bytes: 10,
            status: 200,
            method: Method::Get,
            protocol: Protocol::Http11,
            access: object != NO_OBJECT,
        });
    }
    trace
}
