//! How long it takes to describe two million requests.
//!
//! `cargo run --release -p hotset-describe --example describe_speed [REQUESTS] [SITES]` prints the time of
//! five descriptions of a Zipf-like trace with a tenth as many objects as requests.
#![allow(clippy::print_stdout)]

use std::{env, time::Instant};

use hotset_describe::{DescribeOptions, describe};
use hotset_trace::{Method, Protocol, Request, Trace};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const CLIENTS: u32 = 50_000;
const MEAN_GAP_US: i64 = 43_200;

fn trace(requests: u32, sites: u16) -> Trace {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut trace = Trace {
        sites: (0..sites).map(|site| format!("site{site}")).collect(),
        ..Trace::default()
    };
    (0..CLIENTS).for_each(|client| trace.clients.push(client.to_string().as_bytes()));
    let objects = (requests / 10).max(1);
    for object in 0..objects {
        trace.objects.site.push((object % u32::from(sites)) as u16);
        trace.objects.size.push(random.random_range(100..200_000));
        trace.objects.path.push(format!("/{object}").as_bytes());
    }
    for row in 0..requests {
        // The logarithm of the rank is uniform: Zipf with exponent 1.
        let object = (f64::from(objects).powf(random.random::<f64>()) as u32).min(objects - 1);
        trace.requests.push(Request {
            time_us: i64::from(row) * MEAN_GAP_US,
            client: random.random_range(0..CLIENTS),
            site: trace.objects.site[object as usize],
            object,
            bytes: trace.objects.size[object as usize],
            status: 200,
            method: Method::Get,
            protocol: Protocol::Http11,
            access: true,
        });
    }
    trace
}

fn main() {
    let mut arguments = env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok());
    let requests = arguments.next().unwrap_or(2_000_000);
    let sites = arguments.next().unwrap_or(1) as u16;
    let trace = trace(requests, sites);
    for _ in 0..5 {
        let start = Instant::now();
        let total = describe(&trace, &DescribeOptions::default()).total;
        println!(
            "{} requests, {} objects: {:.0?}",
            total.requests,
            total.objects,
            start.elapsed()
        );
    }
}
