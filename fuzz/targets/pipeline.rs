//! Whole files, compressed ones too, are read into a sound trace or refused in words. The first byte
//! chooses the rules, the second the format (detected where it is past the last), the rest is the file.
#![no_main]

use std::io::Write;
use std::ops::ControlFlow;

use hotset_trace::formats::FormatKind;
use hotset_trace::read::{
    CountingRule, FormatChoice, Order, QueryRule, ReadOptions, ReadSummary, read,
};
use hotset_trace::{NO_OBJECT, Requests, Trace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [rules, format, file @ ..] = data else {
        return;
    };
    let mut log = tempfile::NamedTempFile::new().expect("a temporary file");
    log.write_all(file).expect("room for the log");
    let inputs = [log.path().to_owned()];
    let options = options(*rules, *format);
    match read(&inputs, &options, &mut |_| ControlFlow::Continue(())) {
        Ok((trace, summary)) => {
            check_ids(&trace);
            check_counts(&trace.requests, &summary);
            if options.order == Order::Time {
                assert!(trace.requests.time_us.is_sorted());
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

fn options(rules: u8, format: u8) -> ReadOptions {
    let is_set = |bit: u8| rules >> bit & 1 == 1;
    let query = match rules & 3 {
        0 => QueryRule::Auto,
        1 => QueryRule::Exclude,
        2 => QueryRule::Strip,
        _ => QueryRule::Keep,
    };
    let counting = if is_set(2) {
        CountingRule::C1
    } else {
        CountingRule::Default
    };
    let order = if is_set(3) { Order::Time } else { Order::Log };
    let sites = ["images=/*.gif", "shop=host:shop.*"].map(|rule| rule.parse().expect("a rule"));
    let known = FormatKind::ALL.get(usize::from(format));
    ReadOptions {
        format: known.map(|kind| FormatChoice::Known(*kind)),
        counting,
        query,
        order,
        strict: is_set(4),
        keep_clients: is_set(5),
        sites: if is_set(6) { sites.into() } else { Vec::new() },
        max_rejected_share: is_set(7).then_some(1.0),
        accepts_guess: true,
        ..ReadOptions::default()
    }
}

/// Ids refer to entries of their tables, and every object has a size.
fn check_ids(trace: &Trace) {
    let (requests, objects) = (&trace.requests, &trace.objects);
    assert_eq!(objects.path.len(), objects.size.len());
    assert!(objects.size.iter().all(|size| *size >= 1));
    for row in 0..requests.len() {
        let request = requests.get(row);
        let has_object = request.object != NO_OBJECT;
        assert!(!has_object || (request.object as usize) < objects.size.len());
        assert!(has_object || !request.access);
        assert!(usize::from(request.site) < trace.sites.len());
        assert!(trace.clients.is_empty() || (request.client as usize) < trace.clients.len());
    }
}

/// Every line is accounted for, and every request is a row unless the counting rule dropped it.
fn check_counts(requests: &Requests, summary: &ReadSummary) {
    assert_eq!(summary.requests, requests.len() as u64);
    let accesses = requests.access.iter().filter(|access| **access).count();
    assert_eq!(summary.accesses, accesses as u64);
    let of_lines: u64 = summary.sources.iter().map(|source| source.requests).sum();
    assert_eq!(of_lines, summary.requests + summary.dropped_with_parameters);
    for source in &summary.sources {
        assert_eq!(
            source.lines,
            source.requests + source.without_request + source.rejected_lines
        );
    }
}
