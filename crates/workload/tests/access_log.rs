//! A generated access log, read again, gives the same accesses.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;

use hotset_trace::read::{ReadOptions, read};
use hotset_trace::{NO_OBJECT, Objects, Trace};
use hotset_workload::access_log::{LogStyle, check_sites, write_log};
use hotset_workload::{Generator, Load, Mix, SpecWeb99, Zipf};

/// Site, path, size and second of each access.
type Seen = Vec<(String, Vec<u8>, u64, i64)>;

fn accesses(trace: &Trace) -> Seen {
    let requests = &trace.requests;
    (0..requests.len())
        .filter(|row| requests.access[*row])
        .map(|row| {
            let object = requests.object[row];
            let path = trace.objects.path.get(object as usize).to_vec();
            let site = trace.sites[usize::from(requests.site[row])].clone();
            let second = requests.time_us[row].div_euclid(1_000_000);
            (site, path, trace.objects.size[object as usize], second)
        })
        .collect()
}

fn written_and_read(trace: &Trace, style: LogStyle, site: Option<u16>) -> Trace {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("access.log");
    let mut file = BufWriter::new(File::create(&path).unwrap());
    write_log(trace, style, site, &mut file).unwrap();
    file.flush().unwrap();
    let (read, _) = read(&[path], &ReadOptions::default(), &mut |_| {
        ControlFlow::Continue(())
    })
    .unwrap();
    read
}

fn two_sites() -> Trace {
    let zipf = Zipf::new(0.9, 200, 1_000_000, Load::new(2000, 20.0));
    let bench = SpecWeb99 {
        connections: 5,
        requests: 1000,
    };
    let sites: Vec<(String, Box<dyn Generator>)> = vec![
        ("shop.example".into(), Box::new(zipf)),
        ("bench.example".into(), Box::new(bench)),
    ];
    Mix { sites }.generate(1).unwrap()
}

#[test]
fn vhost_lines_give_back_sites_accesses_and_requests() {
    let trace = two_sites();
    let read = written_and_read(&trace, LogStyle::VhostCombined, None);
    assert_eq!(read.requests.len(), trace.requests.len());
    assert_eq!(accesses(&read), accesses(&trace));
    // What a script makes of a file stands with the bytes of the file.
    let logged = |row: usize| match trace.is_scripted(row) {
        true => trace.objects.size[trace.requests.object[row] as usize],
        false => trace.requests.bytes[row],
    };
    let logged: Vec<u64> = (0..trace.requests.len()).map(logged).collect();
    assert_eq!(read.requests.bytes, logged);
    assert_ne!(read.requests.bytes, trace.requests.bytes);
    assert_eq!(read.requests.method, trace.requests.method);
    assert_eq!(read.requests.protocol, trace.requests.protocol);
}

#[test]
fn sites_that_a_line_would_give_another_name_are_refused_before_anything_is_written() {
    let mut trace = two_sites();
    for name in ["my shop", "Shop", "shop:80", "shop.", "-", "", "caf\u{e9}"] {
        trace.sites[1] = name.to_owned();
        let error = check_sites(&trace, LogStyle::VhostCombined).expect_err(name);
        assert!(error.to_string().starts_with(&format!("site `{name}` ")));
        let mut log = Vec::new();
        let error = write_log(&trace, LogStyle::VhostCombined, None, &mut log).expect_err(name);
        assert_eq!(
            (error.kind(), log.len()),
            (std::io::ErrorKind::InvalidInput, 0)
        );
        assert_eq!(check_sites(&trace, LogStyle::Combined), Ok(()));
    }
    for name in ["shop", "my-shop_2.example", "192.0.2.1"] {
        trace.sites[1] = name.to_owned();
        let checked = check_sites(&trace, LogStyle::VhostCombined);
        assert_eq!(checked, Ok(()), "{name}");
    }
}

#[test]
fn one_site_at_a_time_gives_back_its_accesses() {
    let trace = two_sites();
    for style in [LogStyle::Common, LogStyle::Combined] {
        for site in [0, 1] {
            let read = written_and_read(&trace, style, Some(site));
            let strip =
                |seen: Seen| -> Vec<_> { seen.into_iter().map(|(_, a, b, c)| (a, b, c)).collect() };
            let name = &trace.sites[usize::from(site)];
            let wanted = accesses(&trace)
                .into_iter()
                .filter(|access| access.0 == *name)
                .collect();
            assert_eq!(strip(accesses(&read)), strip(wanted));
        }
    }
}

#[test]
fn odd_paths_survive() {
    let paths: [&[u8]; 6] = [
        b"/a b",
        b"/100%41",
        b"/quote\"s",
        b"/q?x=1#y",
        b"/caf\xc3\xa9\xff",
        b"/bell\x07\\",
    ];
    let zipf = Zipf::new(0.0, paths.len() as u32, 6_000, Load::new(200, 20.0));
    let mut trace = zipf.generate(1).unwrap();
    trace.objects = Objects {
        path: Default::default(),
        ..trace.objects
    };
    paths
        .into_iter()
        .for_each(|path| trace.objects.path.push(path));
    let read = written_and_read(&trace, LogStyle::Combined, None);
    let paths = |trace: &Trace| {
        accesses(trace)
            .into_iter()
            .map(|seen| seen.1)
            .collect::<Vec<_>>()
    };
    assert_eq!(paths(&read), paths(&trace));
}

#[test]
fn requests_that_are_for_no_file_are_read_as_such() {
    let trace = SpecWeb99 {
        connections: 5,
        requests: 1000,
    }
    .generate(1)
    .unwrap();
    let read = written_and_read(&trace, LogStyle::Combined, None);
    let for_no_file = |trace: &Trace| -> Vec<bool> {
        trace
            .requests
            .object
            .iter()
            .map(|object| *object == NO_OBJECT)
            .collect()
    };
    assert_eq!(for_no_file(&read), for_no_file(&trace));
}

#[test]
fn combined_lines_are_about_as_long_as_real_ones() {
    let trace = two_sites();
    let mut log = Vec::new();
    write_log(&trace, LogStyle::Combined, None, &mut log).unwrap();
    let mean = log.len() as f64 / trace.requests.len() as f64;
    assert!((180.0..220.0).contains(&mean), "{mean} bytes a line");
}
