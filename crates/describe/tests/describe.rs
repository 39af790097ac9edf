//! Small traces whose figures can be worked out by hand.

use hotset_describe::{ClientNames, CurvePoint, DescribeOptions, Description, describe};
use hotset_trace::read::{NotFound, NotFoundPath};
use hotset_trace::{Method, NO_OBJECT, Protocol, Request, Trace, TraceOrigin, Zone};

const SECOND: i64 = 1_000_000;

/// A trace of two sites with files of 100, 200, 300 bytes (site 0) and 50 bytes (site 1), three clients.
fn empty_trace() -> Trace {
    let mut trace = Trace {
        sites: vec!["shop".into(), "blog".into()],
        ..Trace::default()
    };
    for client in [b"a", b"b", b"c"] {
        trace.clients.push(client);
    }
    for (site, size, path) in [
        (0, 100, "/a"),
        (0, 200, "/b"),
        (0, 300, "/c"),
        (1, 50, "/d"),
    ] {
        trace.objects.site.push(site);
        trace.objects.size.push(size);
        trace.objects.path.push(path.as_bytes());
    }
    trace
}

fn get(seconds: i64, client: u32, site: u16, object: u32) -> Request {
    Request {
        time_us: seconds * SECOND,
        client,
        site,
        object,
        bytes: 10,
        status: 200,
        method: Method::Get,
        protocol: Protocol::Http11,
        access: object != NO_OBJECT,
    }
}

fn trace_of(requests: &[Request]) -> Trace {
    let mut trace = empty_trace();
    requests
        .iter()
        .for_each(|&request| trace.requests.push(request));
    trace
}

fn described(requests: &[Request]) -> Description {
    describe(&trace_of(requests), &DescribeOptions::default())
}

/// Two minutes: 4 requests of client 0 in one connection, then one 16 seconds later, one of client 1,
/// one of client 2 on the other site.
fn two_minutes() -> Vec<Request> {
    vec![
        get(0, 0, 0, 0),
        get(0, 0, 0, 1),
        get(15, 0, 0, 0),
        get(30, 0, 0, NO_OBJECT),
        get(46, 0, 0, 0),
        get(70, 1, 0, 2),
        get(120, 2, 1, 3),
    ]
}

#[test]
fn figures_of_a_small_trace() {
    let description = described(&two_minutes());
    let [shop, blog] = &description.sites[..] else {
        panic!("two sites")
    };
    assert_eq!(
        (shop.requests, blog.requests, description.total.requests),
        (6, 1, 7)
    );
    assert_eq!((shop.accesses, shop.not_file_requests), (5, 1));
    assert_eq!(
        (shop.objects, shop.object_bytes, shop.response_bytes),
        (3, 600, 60)
    );
    assert_eq!((shop.clients, shop.connections), (Some(2), Some(3)));
    assert_eq!(shop.requests_per_connection, Some(2.0));
    assert_eq!(
        (description.total.clients, description.total.connections),
        (Some(3), Some(4))
    );
    assert_eq!(shop.status_classes.success, 6);
}

#[test]
fn rates_are_over_the_whole_trace_and_peak_minutes_are_calendar_minutes() {
    let description = described(&two_minutes());
    let [shop, blog] = &description.sites[..] else {
        panic!("two sites")
    };
    assert_eq!(shop.requests_per_second.mean, Some(6.0 / 120.0));
    assert_eq!(blog.requests_per_second.mean, Some(1.0 / 120.0));
    assert_eq!(shop.requests_per_second.peak_minute, Some(5.0 / 60.0));
    assert_eq!(shop.requests_per_minute.start_us, [0, 60 * SECOND]);
    assert_eq!(shop.requests_per_minute.requests, [5, 1]);
    assert_eq!(shop.requests_per_hour.requests, [6]);
    assert_eq!(shop.requests_by_hour_of_day[0], 6);
}

#[test]
fn the_peak_minute_is_never_below_the_mean() {
    let rates = |requests: &[Request]| {
        let rate = described(requests).total.requests_per_second;
        (rate.mean.unwrap(), rate.peak_minute.unwrap())
    };
    let two_seconds = [get(0, 0, 0, 0), get(1, 0, 0, 0), get(2, 0, 0, 0)];
    assert_eq!(rates(&two_seconds), (1.5, 1.5));
    let across_two_minutes: Vec<Request> = (15..105).map(|i| get(i, 0, 0, 0)).collect();
    let (mean, peak) = rates(&across_two_minutes);
    assert_eq!((mean, peak), (90.0 / 89.0, 90.0 / 89.0));
    let (mean, peak) = rates(&two_minutes());
    assert!(peak > mean, "a busy minute is shown as it is");
}

#[test]
fn hours_before_1970_count_from_midnight() {
    let total = described(&[get(-1, 0, 0, 0), get(0, 0, 0, 0)]).total;
    assert_eq!(
        (
            total.requests_by_hour_of_day[23],
            total.requests_by_hour_of_day[0]
        ),
        (1, 1)
    );
}

/// /a has 3 of 6 accesses; the others 1 each and go by rising size: /d 50, /b 200, /c 300.
#[test]
fn bytes_for_a_percentage_take_objects_by_count_then_size() {
    let total = described(&two_minutes()).total;
    assert_eq!(total.bytes_for_percent_of_requests.p90, 650);
    let blog_and_a: Vec<Request> = (0..9)
        .map(|i| get(i, 0, 0, 0))
        .chain([get(9, 0, 1, 3)])
        .collect();
    let total = described(&blog_and_a).total;
    assert_eq!(
        total.bytes_for_percent_of_requests.p90, 100,
        "9 of 10 are 90 %"
    );
    assert_eq!(total.bytes_for_percent_of_requests.p95, 150);
}

#[test]
fn one_timers_sizes_and_hottest() {
    let total = described(&two_minutes()).total;
    assert_eq!((total.one_timers.objects, total.one_timers.bytes), (3, 550));
    assert_eq!(total.one_timers.object_share, 0.75);
    let objects = total.object_size_bytes.unwrap();
    assert_eq!(
        (
            objects.min,
            objects.p25,
            objects.p50,
            objects.p75,
            objects.max
        ),
        (50, 50, 100, 200, 300)
    );
    assert_eq!(objects.mean, 162.5);
    let accesses = total.access_size_bytes.unwrap();
    assert_eq!(
        (accesses.min, accesses.p25, accesses.p50, accesses.p75),
        (50, 100, 100, 200)
    );
    let hottest: Vec<_> = total
        .hottest
        .iter()
        .map(|file| (file.path.as_str(), file.accesses))
        .collect();
    assert_eq!(hottest, [("/a", 3), ("/d", 1), ("/b", 1), ("/c", 1)]);
    assert_eq!(total.hottest[1].site, "blog");
}

/// /a /b /a: the third access needs 300 bytes, the others miss in every cache.
#[test]
fn the_curve_ends_at_the_first_accesses() {
    let curve = described(&[get(0, 0, 0, 0), get(1, 0, 0, 1), get(2, 0, 0, 0)])
        .total
        .miss_ratio_curve;
    let last = CurvePoint {
        cache_bytes: 300,
        miss_ratio: 1.0 - 1.0 / 3.0,
        byte_miss_ratio: 1.0 - 100.0 / 400.0,
    };
    assert_eq!(curve.last(), Some(&last));
}

#[test]
fn an_empty_trace_has_nulls_and_zeros() {
    for trace in [Trace::default(), empty_trace()] {
        let total = describe(&trace, &DescribeOptions::default()).total;
        assert_eq!(
            (total.requests, total.objects, total.object_bytes),
            (0, 0, 0)
        );
        assert_eq!(total.requests_per_second.mean, None);
        assert_eq!((total.object_size_bytes, total.zipf), (None, None));
        assert!(total.miss_ratio_curve.is_empty() && total.hottest.is_empty());
    }
}

#[test]
fn no_time_between_requests_gives_no_rate() {
    for requests in [vec![get(5, 0, 0, 0)], vec![get(5, 0, 0, 0); 10]] {
        let total = described(&requests).total;
        assert_eq!(total.requests_per_second.mean, None);
        assert_eq!(total.requests_per_second.peak_minute, None);
        assert_eq!(total.requests_per_minute.requests, [requests.len() as u64]);
        assert_eq!(total.connections, Some(1));
    }
}

#[test]
fn a_trace_without_times_or_clients_has_neither_rates_nor_connections() {
    let mut trace = trace_of(&two_minutes());
    trace.origin = TraceOrigin::Untimed;
    let total = describe(&trace, &DescribeOptions::default()).total;
    assert_eq!(
        (total.requests_per_second.mean, total.connections),
        (None, None)
    );
    assert!(
        total.requests_by_hour_of_day.is_empty() && total.requests_per_hour.requests.is_empty()
    );
    trace.origin = TraceOrigin::Timed;
    trace.clients = Default::default();
    let total = describe(&trace, &DescribeOptions::default()).total;
    assert_eq!(
        (
            total.clients,
            total.connections,
            total.requests_per_connection
        ),
        (None, None, None)
    );
}

#[test]
fn sizes_that_overflow_saturate() {
    let mut trace = trace_of(&two_minutes());
    trace.objects.size = vec![u64::MAX; 4];
    let total = describe(&trace, &DescribeOptions::default()).total;
    assert_eq!(total.object_bytes, u64::MAX);
    assert!(
        total
            .miss_ratio_curve
            .iter()
            .all(|point| (0.0..=1.0).contains(&point.miss_ratio))
    );
}

#[test]
fn json_has_the_keys_other_tools_rely_on() {
    let options = DescribeOptions {
        rejected_lines: 3,
        ..DescribeOptions::default()
    };
    let json = serde_json::to_value(describe(&trace_of(&two_minutes()), &options)).unwrap();
    for (place, site, rejected) in [(&json["sites"][0], "shop", 0), (&json["total"], "total", 3)] {
        assert_eq!(place["site"], site);
        assert_eq!(place["rejected_lines"], rejected);
        for key in ["requests", "objects", "object_bytes", "response_bytes"] {
            assert!(place[key].is_u64(), "{key}");
        }
        assert!(place["requests_per_connection"].is_f64());
        assert!(place["requests_per_second"]["mean"].is_f64());
        assert!(place["requests_per_second"]["peak_minute"].is_f64());
        for percent in ["90", "95", "97", "98", "99"] {
            assert!(
                place["bytes_for_percent_of_requests"][percent].is_u64(),
                "{percent}"
            );
        }
        assert!(place.get("zipf").is_some());
    }
}

#[test]
fn methods_and_statuses_are_counted_by_site() {
    let mut requests = two_minutes();
    requests[3].status = 404;
    requests[3].method = Method::Post;
    requests[6].method = Method::Head;
    let description = described(&requests);
    let [shop, blog] = &description.sites[..] else {
        panic!("two sites")
    };
    assert_eq!((shop.methods.get, shop.methods.post), (5, 1));
    assert_eq!((blog.methods.get, blog.methods.head), (0, 1));
    assert_eq!(shop.status_codes, [(200, 5), (404, 1)].into());
    assert_eq!(description.total.status_codes, [(200, 6), (404, 1)].into());
    assert_eq!(description.total.methods.get, 5);
}

#[test]
fn the_busiest_clients_come_first_and_keep_their_names_only_if_told() {
    let trace = trace_of(&two_minutes());
    let clients = |client_names, hottest| {
        let options = DescribeOptions {
            client_names,
            hottest,
            ..DescribeOptions::default()
        };
        let description = describe(&trace, &options);
        assert_eq!(description.lists.top_clients.len(), 3);
        let clients = description.total.top_clients.into_iter();
        let clients = clients.map(|of| (of.client, of.requests, of.response_bytes));
        clients.collect::<Vec<_>>()
    };
    let numbered = clients(ClientNames::Numbered, 2);
    assert_eq!(
        numbered,
        [("client 1".into(), 5, 50), ("client 2".into(), 1, 10)]
    );
    assert_eq!(clients(ClientNames::OfTrace, 20)[2].0, "c");
}

#[test]
fn paths_answered_404_go_to_their_sites() {
    let path = |site: &str, path: &str, requests| NotFoundPath {
        site: site.into(),
        path: path.into(),
        requests,
    };
    let all = NotFound {
        count_error: 3,
        paths: vec![
            path("shop", "/x", 9),
            path("blog", "/y", 5),
            path("shop", "/z", 2),
        ],
    };
    let options = DescribeOptions {
        not_found: Some(&all),
        hottest: 2,
        ..DescribeOptions::default()
    };
    let description = describe(&trace_of(&two_minutes()), &options);
    assert_eq!(
        description.sites[0].not_found.paths,
        [all.paths[0].clone(), all.paths[2].clone()]
    );
    assert_eq!(description.sites[1].not_found.paths, all.paths[1..2]);
    assert_eq!(description.total.not_found.paths, all.paths[..2]);
    assert_eq!(description.total.not_found.count_error, 3);
    assert_eq!(description.lists.not_found, all.paths);
}

#[test]
fn hours_are_those_of_the_clocks_in_the_zone() {
    // Noon UTC in January and in July.
    let noons = [1_768_478_400, 1_784_116_800].map(|seconds| get(seconds, 0, 0, 0));
    let trace = trace_of(&noons);
    let hours = |zone: &str| {
        let zone: Zone = zone.parse().unwrap();
        let options = DescribeOptions {
            zone: &zone,
            ..DescribeOptions::default()
        };
        let described = describe(&trace, &options);
        assert_eq!(described.time_zone, zone);
        let hours = described.total.requests_by_hour_of_day.into_iter();
        let hours: Vec<usize> = hours
            .enumerate()
            .filter(|(_, n)| *n > 0)
            .map(|(h, _)| h)
            .collect();
        (hours, described.total.requests_per_hour.start_us)
    };
    let starts = |offset: i64| noons.map(|noon| noon.time_us + offset).to_vec();
    assert_eq!(hours("UTC"), (vec![12], starts(0)));
    assert_eq!(hours("Europe/Berlin"), (vec![13, 14], starts(0)));
    // 17:30 there: the hour began 30 minutes before.
    assert_eq!(hours("Asia/Kolkata"), (vec![17], starts(-1800 * SECOND)));
    assert_eq!(hours("-12:00"), (vec![0], starts(0)));
}

#[test]
fn statuses_of_no_class_are_counted_as_what_they_are() {
    let with = |status: u16, object| Request {
        status,
        ..get(0, 0, 0, object)
    };
    let statuses = [999, 999, 0, 600, 304, 304, 404, 200];
    let requests = statuses.map(|status| with(status, NO_OBJECT));
    let total = described(&[&requests[..], &[with(304, 1)]].concat()).total;
    let of = |status: u16| total.status_codes[&status];
    assert_eq!((of(0), of(600), of(999)), (1, 1, 2));
    assert_eq!(
        (total.status_classes.other, total.status_classes.redirection),
        (4, 3)
    );
    assert_eq!(
        (total.not_modified_requests, total.not_modified_without_file),
        (3, 2)
    );
    assert_eq!(total.not_file_requests, 8);
}
