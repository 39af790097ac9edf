//! Parts of a trace merge to the part of the whole, and agree with plain counting.

use std::collections::{BTreeMap, BTreeSet};

use hotset_describe::{DescribeOptions, SliceCounts, describe};
use hotset_trace::{Method, NO_OBJECT, Protocol, Request, Trace, sessions::sessions};
use proptest::prelude::*;

const CLIENTS: u32 = 4;
const OBJECTS: u32 = 12;
const SITES: u16 = 3;

fn request() -> impl Strategy<Value = Request> {
    let object = prop_oneof![4 => 0..OBJECTS, 1 => Just(NO_OBJECT)];
    (
        -100_i64..400,
        0..CLIENTS,
        object,
        0_u16..SITES,
        0_u64..5_000,
        0_u16..700,
        any::<bool>(),
    )
        .prop_map(
            |(seconds, client, object, site, bytes, status, access)| Request {
                time_us: seconds * 1_000_000,
                client,
                site: if object == NO_OBJECT {
                    site
                } else {
                    site_of(object)
                },
                object,
                bytes,
                status,
                method: Method::Get,
                protocol: Protocol::Http11,
                access: access && object != NO_OBJECT,
            },
        )
}

fn site_of(object: u32) -> u16 {
    (object % u32::from(SITES)) as u16
}

fn trace() -> impl Strategy<Value = Trace> {
    (
        prop::collection::vec(request(), 0..300),
        prop::collection::vec(1_u64..10_000, OBJECTS as usize),
    )
        .prop_map(|(requests, sizes)| {
            let mut trace = Trace {
                sites: (0..SITES).map(|site| format!("site{site}")).collect(),
                ..Trace::default()
            };
            (0..CLIENTS).for_each(|client| trace.clients.push(client.to_string().as_bytes()));
            for (object, size) in sizes.into_iter().enumerate() {
                trace.objects.site.push(site_of(object as u32));
                trace.objects.size.push(size);
                trace.objects.path.push(format!("/{object}").as_bytes());
            }
            requests
                .into_iter()
                .for_each(|request| trace.requests.push(request));
            trace
        })
}

/// Accesses by object of one site (or all), counted the plain way.
fn plain_accesses(trace: &Trace, site: Option<u16>) -> BTreeMap<u32, u64> {
    let mut counts = BTreeMap::new();
    for row in (0..trace.requests.len()).map(|row| trace.requests.get(row)) {
        if row.access && site.is_none_or(|site| row.site == site) {
            *counts.entry(row.object).or_insert(0) += 1;
        }
    }
    counts
}

proptest! {
    #[test]
    fn parts_merge_to_the_whole(trace in trace(), cut in 0_usize..300, second in 0_usize..300) {
        let rows = trace.requests.len();
        let (first, second) = (cut.min(second).min(rows), cut.max(second).min(rows));
        let parts = [0..first, first..second, second..rows].map(|rows| SliceCounts::of(&trace, rows));
        let whole = SliceCounts::of(&trace, 0..rows);
        let merged = parts[0].clone().merge(&parts[1]).merge(&parts[2]);
        prop_assert_eq!(&merged, &whole);
        let backwards = parts[2].clone().merge(&parts[0]).merge(&parts[1]);
        prop_assert_eq!(&backwards, &whole);
    }

    #[test]
    fn an_empty_part_changes_nothing(trace in trace()) {
        let whole = SliceCounts::of(&trace, 0..trace.requests.len());
        prop_assert_eq!(&SliceCounts::default().merge(&whole), &whole);
        prop_assert_eq!(&whole.clone().merge(&SliceCounts::default()), &whole);
    }

    #[test]
    fn figures_agree_with_plain_counting(trace in trace()) {
        let description = describe(&trace, &DescribeOptions::default());
        let sites = description.sites.iter().enumerate().map(|(site, figures)| (Some(site as u16), figures));
        for (site, figures) in sites.chain([(None, &description.total)]) {
            let rows: Vec<Request> = (0..trace.requests.len())
                .map(|row| trace.requests.get(row))
                .filter(|row| site.is_none_or(|site| row.site == site))
                .collect();
            let counts = plain_accesses(&trace, site);
            prop_assert_eq!(figures.requests, rows.len() as u64);
            prop_assert_eq!(figures.response_bytes, rows.iter().map(|row| row.bytes).sum::<u64>());
            prop_assert_eq!(figures.accesses, counts.values().sum::<u64>());
            prop_assert_eq!(figures.objects, counts.len() as u64);
            prop_assert_eq!(figures.object_bytes, counts.keys().map(|&id| trace.objects.size[id as usize]).sum::<u64>());
            let clients: BTreeSet<u32> = rows.iter().map(|row| row.client).collect();
            prop_assert_eq!(figures.clients, Some(clients.len() as u64));
            prop_assert_eq!(figures.requests_per_minute.requests.iter().sum::<u64>(), figures.requests);
            prop_assert_eq!(figures.requests_by_hour_of_day.iter().sum::<u64>(), figures.requests);
            let mut alone = trace.clone();
            alone.requests.clear();
            rows.iter().for_each(|&row| alone.requests.push(row));
            prop_assert_eq!(figures.connections, Some(u64::from(sessions(&alone.requests, 1).connections)));
        }
    }

    /// The curve is that of the plain LRU stack: bytes of the distinct objects since the last access.
    #[test]
    fn curves_agree_with_a_plain_stack(trace in trace()) {
        let total = describe(&trace, &DescribeOptions::default()).total;
        let mut stack: Vec<u32> = Vec::new();
        let mut needed: Vec<Option<u64>> = Vec::new();
        for row in (0..trace.requests.len()).map(|row| trace.requests.get(row)).filter(|row| row.access) {
            let depth = stack.iter().position(|&id| id == row.object);
            needed.push(depth.map(|depth| stack[..=depth].iter().map(|&id| trace.objects.size[id as usize]).sum()));
            stack.retain(|&id| id != row.object);
            stack.insert(0, row.object);
        }
        for point in total.miss_ratio_curve {
            let misses = needed.iter().filter(|need| need.is_none_or(|need| need > point.cache_bytes)).count();
            prop_assert!((point.miss_ratio - misses as f64 / needed.len() as f64).abs() < 1e-12);
        }
    }
}
