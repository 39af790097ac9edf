//! What is sent when, against a plain reading of the rules.

use std::collections::BTreeMap;
use std::time::Duration;

use hotset_replay::schedule::{
    Moment, Operations, Pace, ScheduleError, ScheduleOptions, ScheduleSummary, schedule,
};
use hotset_replay::{Schedule, UNKNOWN_BYTES};
use hotset_trace::read::CountingRule;
use hotset_trace::sessions::{Sessions, sessions};
use hotset_trace::{
    Method, NO_OBJECT, Objects, PathTable, Protocol, Request, Requests, Trace, TraceOrigin,
};
use proptest::prelude::*;

const SECOND: i64 = 1_000_000;

/// A GET of `object` answered 200.
fn get(time_us: i64, client: u32, object: u32) -> Request {
    Request {
        time_us,
        client,
        site: (object % 2) as u16,
        object,
        bytes: 100,
        status: 200,
        method: Method::Get,
        protocol: Protocol::Http11,
        access: true,
    }
}

fn trace(rows: &[Request]) -> Trace {
    let mut requests = Requests::default();
    rows.iter().for_each(|row| requests.push(*row));
    let mut paths = PathTable::default();
    ["/a b", "/b", "/caf\u{e9}?x=1", "/%"]
        .iter()
        .for_each(|path| paths.push(path.as_bytes()));
    let mut clients = PathTable::default();
    (0..8_u8).for_each(|client| clients.push(&[b'a' + client]));
    Trace {
        sites: vec!["shop".into(), "blog".into()],
        clients,
        objects: Objects {
            site: vec![0, 1, 0, 1],
            size: vec![100, 1, 300, 1],
            path: paths,
        },
        requests,
        origin: TraceOrigin::Timed,
    }
}

fn made(
    rows: &[Request],
    options: &ScheduleOptions,
) -> Result<(Schedule, ScheduleSummary), ScheduleError> {
    let trace = trace(rows);
    schedule(&trace, &sessions(&trace.requests, 1), options)
}

fn ok(rows: &[Request], options: &ScheduleOptions) -> (Schedule, ScheduleSummary) {
    made(rows, options).expect("a schedule")
}

fn scaled(scale: f64) -> ScheduleOptions {
    ScheduleOptions {
        pace: Pace::Trace(scale),
        ..ScheduleOptions::default()
    }
}

/// Two connections of two requests each, ten minutes apart; finer than a second, so nothing is drawn.
fn two_connections() -> Vec<Request> {
    vec![
        get(SECOND + 1, 0, 0),
        get(4 * SECOND + 1, 0, 1),
        get(601 * SECOND + 1, 1, 0),
        get(606 * SECOND + 1, 1, 1),
    ]
}

#[test]
fn the_scale_divides_the_time_between_connections_and_leaves_think_times() {
    let (schedule, summary) = ok(&two_connections(), &scaled(2.0));
    assert_eq!(schedule.start_us, [0, 300 * SECOND]);
    assert_eq!(schedule.offset_us, [0, 3 * SECOND, 0, 5 * SECOND]);
    assert_eq!(schedule.connection, [0, 0, 1, 1]);
    assert_eq!(
        (summary.requests, summary.connections, summary.span_us),
        (4, 2, 305 * SECOND)
    );
}

#[test]
fn what_a_scale_asks_for_is_told_beside_what_is_due() {
    let at_scale = |scale| ok(&two_connections(), &scaled(scale)).1;
    let (as_logged, faster) = (at_scale(1.0), at_scale(1000.0));
    assert_eq!(as_logged.asked_span_us, as_logged.span_us);
    assert_eq!(as_logged.asked_rate(), Some(3.0 / 605.0));
    // The second connection starts after 0.6 s and lasts 5 s.
    assert_eq!(faster.asked_span_us, 605_000);
    assert_eq!(faster.asked_rate(), Some(3.0 / 0.605));
    assert_eq!(faster.span_us, 600_000 + 5 * SECOND);
    assert_eq!(faster.due_rate(), Some(3.0 / 5.6));
    assert_eq!(faster.longest_connection_us, 5 * SECOND);
    let alone = ok(&[get(1, 0, 0)], &scaled(1.0)).1;
    assert_eq!((alone.asked_rate(), alone.due_rate()), (None, None));
}

#[test]
fn what_connections_have_left_at_the_end_is_sent_from_the_start_on() {
    // Due at 0 and 3 s, and at 0.6 and 5.6 s.
    let (schedule, _) = ok(&two_connections(), &scaled(1000.0));
    let folded = schedule.folded(2 * SECOND);
    assert_eq!(folded.start_us, [0, 600_000, SECOND, 1_600_000]);
    assert_eq!(folded.connection, [0, 1, 2, 3]);
    assert_eq!(folded.offset_us, [0; 4]);
    // Each asks for /a and then for /b; the latter are those that were left.
    let asked = |row: usize| &folded.targets[folded.target[row] as usize][..];
    assert_eq!(
        [0, 1, 2, 3].map(asked),
        [b"/a%20b", b"/a%20b", &b"/b"[..], b"/b"]
    );
    assert_eq!(schedule.folded(60 * SECOND), schedule);
    assert_eq!(schedule.folded(0).start_us, [0; 4]);
}

#[test]
fn by_the_rule_c1_every_access_is_sent_whatever_its_method_and_status() {
    let methods = [Method::Get, Method::Head, Method::Post, Method::Other];
    let statuses = [0, 200, 206, 304, 404, 500];
    let all = methods
        .iter()
        .flat_map(|method| statuses.map(|status| (*method, status)));
    let rows: Vec<Request> = all
        .zip(1..)
        .map(|((method, status), time)| Request {
            method,
            status,
            bytes: 300,
            ..get(time, 0, 2)
        })
        .collect();
    let c1 = ScheduleOptions {
        counting: CountingRule::C1,
        ..ScheduleOptions::default()
    };
    let (schedule, summary) = ok(&rows, &c1);
    assert_eq!((summary.requests, summary.files), (24, 1));
    assert_eq!((summary.skipped.total(), summary.partial), (0, 0));
    assert_eq!(schedule.expected_bytes, [300; 24]);
    // A part is a file of its own, and an empty file has no bytes.
    let part = Request {
        status: 206,
        ..get(1, 0, 0)
    };
    let empty = Request {
        status: 304,
        bytes: 0,
        ..get(2, 0, 1)
    };
    assert_eq!(ok(&[part, empty], &c1).0.expected_bytes, [100, 0]);
    let no_file = Request {
        object: NO_OBJECT,
        access: false,
        ..get(3, 0, 0)
    };
    assert_eq!(ok(&[part, no_file], &c1).1.skipped.not_a_file, 1);
    let none = made(&[no_file], &c1)
        .expect_err("nothing to send")
        .to_string();
    assert!(none.contains("by the rule c1"), "{none}");
}

#[test]
fn operations_of_specweb99_are_told_apart_where_that_is_wanted() {
    let dynamic = Request {
        bytes: 6100,
        ..get(2, 0, 0)
    };
    let post = Request {
        method: Method::Post,
        object: NO_OBJECT,
        access: false,
        ..get(3, 0, 0)
    };
    let rows = [get(1, 0, 0), dynamic, post, get(4, 0, 2)];
    let wanted = ScheduleOptions {
        specweb99: true,
        ..ScheduleOptions::default()
    };
    let (schedule, summary) = ok(&rows, &wanted);
    let targets: Vec<&[u8]> = schedule.targets.iter().map(|target| &**target).collect();
    let expected: [&[u8]; 4] = [b"/a%20b", b"/caf%C3%A9%3Fx=1", b"/a%20b?dynamic", b"/post"];
    assert_eq!(targets, expected);
    assert_eq!(
        (schedule.target, schedule.posts_to),
        (vec![0, 2, 3, 1], Some(3))
    );
    let unknown = UNKNOWN_BYTES;
    assert_eq!(schedule.expected_bytes, [100, unknown, unknown, 300]);
    let operations = Operations {
        static_gets: 2,
        dynamic_gets: 1,
        posts: 1,
    };
    assert_eq!((summary.files, summary.operations), (2, Some(operations)));
    let (schedule, summary) = ok(&rows, &ScheduleOptions::default());
    assert_eq!((schedule.targets.len(), schedule.posts_to), (2, None));
    assert_eq!((summary.skipped.post, summary.operations), (1, None));
}

#[test]
fn targets_are_encoded_and_only_those_that_are_sent() {
    let rows = [get(1, 0, 0), get(2, 0, 2), get(3, 0, 3)];
    let (schedule, _) = ok(&rows, &ScheduleOptions::default());
    let targets: Vec<&str> = schedule
        .targets
        .iter()
        .map(|t| std::str::from_utf8(t).unwrap())
        .collect();
    assert_eq!(targets, ["/a%20b", "/caf%C3%A9%3Fx=1", "/%25"]);
    assert_eq!(schedule.target, [0, 1, 2]);
    let kept = ScheduleOptions {
        queries: true,
        ..ScheduleOptions::default()
    };
    assert_eq!(&*ok(&rows, &kept).0.targets[1], b"/caf%C3%A9?x=1");
}

#[test]
fn keys_become_paths() {
    let mut keys = trace(&[get(0, 0, 0), get(1, 0, 0)]);
    keys.origin = TraceOrigin::Untimed;
    keys.objects.path = PathTable::default();
    (0..4).for_each(|_| keys.objects.path.push(b"17"));
    let options = ScheduleOptions {
        pace: Pace::AsAnswered,
        ..ScheduleOptions::default()
    };
    let (schedule, _) =
        schedule(&keys, &sessions(&keys.requests, 0), &options).expect("a schedule");
    assert_eq!(&*schedule.targets[0], b"/17");
}

#[test]
fn a_file_that_was_empty_is_expected_to_be() {
    let rows = [
        Request {
            bytes: 0,
            ..get(1, 0, 1)
        },
        get(2, 0, 3),
        get(3, 0, 0),
    ];
    let (schedule, _) = ok(&rows, &ScheduleOptions::default());
    assert_eq!(schedule.expected_bytes, [0, 1, 100]);
}

#[test]
fn no_length_is_expected_where_the_trace_tells_none() {
    let part = |bytes, object| Request {
        bytes,
        status: 206,
        ..get(1, 0, object)
    };
    let rows = [part(100, 0), part(40, 2), get(2, 0, 3)];
    let (schedule, _) = ok(&rows, &ScheduleOptions::default());
    assert_eq!(schedule.expected_bytes, [UNKNOWN_BYTES, 300, 1]);
    let mut without = trace(&[Request {
        bytes: 0,
        ..get(1, 0, 0)
    }]);
    without.objects.size = vec![1; 4];
    let found = sessions(&without.requests, 0);
    let (schedule, _) =
        hotset_replay::schedule::schedule(&without, &found, &ScheduleOptions::default())
            .expect("a schedule");
    assert_eq!(schedule.expected_bytes, [UNKNOWN_BYTES]);
}

#[test]
fn what_is_not_sent_is_counted_by_its_first_reason() {
    let with = |method, status| Request {
        method,
        status,
        access: false,
        ..get(5, 0, 0)
    };
    let rows = [
        get(100 * SECOND, 0, 0),
        with(Method::Head, 200),
        with(Method::Post, 500),
        with(Method::Other, 200),
        with(Method::Get, 304),
        with(Method::Get, 404),
        with(Method::Get, 200),
        Request {
            object: NO_OBJECT,
            ..with(Method::Get, 206)
        },
        Request {
            site: 1,
            ..with(Method::Head, 200)
        },
        Request {
            status: 206,
            ..get(6, 0, 2)
        },
        get(90 * SECOND, 0, 0),
        get(99 * SECOND, 0, 0),
    ];
    let options = ScheduleOptions {
        sites: vec!["shop".into()],
        sort_window: Duration::from_secs(200),
        to: Some(Moment::At(99 * SECOND)),
        ..ScheduleOptions::default()
    };
    let (_, summary) = ok(&rows, &options);
    let counts = summary.skipped.reasons().map(|(count, _)| count);
    assert_eq!(counts, [1, 0, 2, 1, 1, 1, 1, 1, 2]);
    assert_eq!(
        summary.skipped.total() + summary.requests,
        summary.trace_requests
    );
    assert_eq!((summary.requests, summary.partial), (2, 1));
}

#[test]
fn rows_far_behind_are_skipped_and_those_near_are_sorted() {
    let rows = [
        get(1, 0, 0),
        get(100 * SECOND + 1, 1, 0),
        get(41 * SECOND, 2, 0),
        get(39 * SECOND, 3, 0),
    ];
    let (schedule, summary) = ok(&rows, &ScheduleOptions::default());
    assert_eq!(summary.skipped.out_of_order, 1);
    assert_eq!(
        (summary.steps_back.sorted, summary.steps_back.largest_us),
        (1, 61_000_001)
    );
    assert_eq!(schedule.start_us, [0, 41 * SECOND - 1, 100 * SECOND]);
}

#[test]
fn long_gaps_are_cut_before_they_are_scaled() {
    let options = ScheduleOptions {
        gap_max: Some(Duration::from_secs(10)),
        ..scaled(2.0)
    };
    let (schedule, summary) = ok(&two_connections(), &options);
    assert_eq!(schedule.start_us, [0, 5 * SECOND]);
    assert_eq!((summary.cut.gaps, summary.cut.total_us), (1, 590 * SECOND));
    assert_eq!(summary.cut.longest_us, 600 * SECOND);
}

/// Over a ramp of 100 s the rate at time t is t/100 s of the full one, so t²/200 s of the trace have passed.
#[test]
fn a_ramp_lets_the_rate_grow_in_proportion_to_the_time() {
    let times = [(0, 0), (2, 1), (8, 2), (50, 0), (51, 1), (100, 2)];
    let rows = times.map(|(second, client)| get(second * 1_000_000, client, 0));
    let options = ScheduleOptions {
        ramp: Duration::from_secs(100),
        ..scaled(1.0)
    };
    let (schedule, summary) = ok(&rows, &options);
    let (plain, unramped) = ok(&rows, &scaled(1.0));
    let ramped = |us: &i64| match *us as f64 / 1e6 {
        second if second < 50.0 => (200.0 * second).sqrt(),
        second => second + 50.0,
    };
    for (ramped, start_us) in plain.start_us.iter().map(ramped).zip(&schedule.start_us) {
        assert!(
            (ramped - *start_us as f64 / 1e6).abs() < 1e-5,
            "{ramped}: {start_us}"
        );
    }
    assert!(
        schedule.start_us[2] > 35_000_000,
        "the first seconds are drawn out"
    );
    assert_eq!(summary.span_us, unramped.span_us + 50_000_000);
    assert!(schedule.start_us.is_sorted());
}

#[test]
fn a_part_of_the_trace_starts_at_once() {
    let options = ScheduleOptions {
        from: Some(Moment::After(Duration::from_secs(3))),
        to: Some(Moment::After(Duration::from_secs(601))),
        ..ScheduleOptions::default()
    };
    let (schedule, summary) = ok(&two_connections(), &options);
    assert_eq!(schedule.start_us, [0, 597 * SECOND]);
    assert_eq!(schedule.offset_us, [0, 0]);
    assert_eq!(summary.first_us, 4 * SECOND + 1);
}

#[test]
fn without_clients_every_request_is_a_connection() {
    let mut trace = trace(&[get(1, 0, 0), get(2, 0, 1)]);
    trace.clients = PathTable::default();
    let (schedule, _) = schedule(
        &trace,
        &sessions(&trace.requests, 0),
        &ScheduleOptions::default(),
    )
    .expect("a schedule");
    assert_eq!(schedule.connection, [0, 1]);
    assert_eq!(schedule.offset_us, [0, 0]);
}

#[test]
fn times_that_cannot_be_kept_are_refused_unless_they_are_not_asked_for() {
    let equal = [get(SECOND, 0, 0), get(SECOND, 1, 0)];
    let error = made(&equal, &ScheduleOptions::default()).unwrap_err();
    assert_eq!(
        error,
        ScheduleError::EqualTimes {
            requests: 2,
            time_us: SECOND
        }
    );
    assert!(error.to_string().contains("closed loop"), "{error}");
    let mut untimed = trace(&equal);
    untimed.origin = TraceOrigin::Untimed;
    let found = sessions(&untimed.requests, 0);
    let error = schedule(&untimed, &found, &ScheduleOptions::default()).unwrap_err();
    assert_eq!(error, ScheduleError::NoTimes);
    let closed = ScheduleOptions {
        pace: Pace::AsAnswered,
        ..ScheduleOptions::default()
    };
    assert_eq!(
        schedule(&untimed, &found, &closed)
            .expect("a schedule")
            .1
            .requests,
        2
    );
    assert_eq!(ok(&equal[..1], &ScheduleOptions::default()).1.requests, 1);
}

#[test]
fn scales_that_are_none_are_refused() {
    for scale in [
        0.0,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1e300,
        1e-300,
    ] {
        let error = made(&two_connections(), &scaled(scale)).unwrap_err();
        assert!(matches!(error, ScheduleError::Scale(_)), "{scale}: {error}");
    }
}

#[test]
fn an_unknown_site_gets_the_nearest_name() {
    let options = |site: &str| ScheduleOptions {
        sites: vec![site.into()],
        ..ScheduleOptions::default()
    };
    let message = |site: &str| {
        made(&two_connections(), &options(site))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        message("shpo"),
        "site `shpo` is not in the trace (did you mean `shop`?): its sites are shop, blog"
    );
    assert_eq!(
        message("xyz"),
        "site `xyz` is not in the trace: its sites are shop, blog"
    );
}

#[test]
fn a_range_that_is_none_or_holds_nothing_is_refused() {
    let range = |from, to| ScheduleOptions {
        from,
        to,
        ..ScheduleOptions::default()
    };
    let after = |seconds| Some(Moment::After(Duration::from_secs(seconds)));
    let error = |options| made(&two_connections(), &options).unwrap_err();
    assert!(matches!(
        error(range(after(5), after(5))),
        ScheduleError::EmptyRange { .. }
    ));
    let nothing = error(range(after(3600), None)).to_string();
    assert!(nothing.contains("4 outside the chosen times"), "{nothing}");
    assert!(
        nothing.contains("from 1970-01-01T00:00:01.000001Z"),
        "{nothing}"
    );
}

#[test]
fn moments_are_read_as_people_write_them() {
    let at = |seconds: i64| Ok(Moment::At(seconds * SECOND));
    for text in [
        "2015-05-17T10:05:03Z",
        "2015-05-17 10:05:03",
        "2015-05-17T12:05:03+02:00",
        "17/May/2015:10:05:03 +0000",
        "[17/May/2015:12:05:03 +0200]",
    ] {
        assert_eq!(text.parse::<Moment>(), at(1_431_857_103), "{text}");
    }
    assert_eq!("2015-05-17".parse::<Moment>(), at(1_431_820_800));
    assert_eq!(
        "1h30m".parse(),
        Ok(Moment::After(Duration::from_secs(5400)))
    );
    for text in ["", "10", "tomorrow", "-5s", "2015-13-01", "1e300s"] {
        assert!(text.parse::<Moment>().is_err(), "{text}");
    }
}

/// A request of a connection: offset, target, bytes.
type OfConnection = (i64, Vec<u8>, u64);

/// One connection as it should be: start and requests.
type Connection = (i64, Vec<OfConnection>);

/// The rules read plainly, for accesses of all sites without a range.
fn plain(
    trace: &Trace,
    sessions: &Sessions,
    scale: f64,
    window: i64,
    gap_max: i64,
) -> Vec<Connection> {
    let requests = &trace.requests;
    let mut connections: BTreeMap<u32, Vec<(i64, usize)>> = BTreeMap::new();
    for row in 0..requests.len() {
        let latest = requests.time_us[..row]
            .iter()
            .max()
            .copied()
            .unwrap_or(i64::MIN);
        if requests.access[row] && (latest == i64::MIN || latest - requests.time_us[row] <= window)
        {
            let of_connection = connections.entry(sessions.connection[row]).or_default();
            of_connection.push((sessions.time_us[row], row));
        }
    }
    let mut connections: Vec<Vec<(i64, usize)>> = connections.into_values().collect();
    connections.iter_mut().for_each(|rows| rows.sort());
    connections.sort_by_key(|rows| rows[0]);
    let (mut elapsed, mut prior) = (0, None);
    let mut made = Vec::new();
    for rows in connections {
        let start = rows[0].0;
        elapsed += prior.map_or(0, |prior: i64| (start - prior).min(gap_max));
        prior = Some(start);
        let request = |&(time, row): &(i64, usize)| {
            let object = requests.object[row] as usize;
            let target = [&b"/a%20b"[..], b"/b", b"/caf%C3%A9%3Fx=1", b"/%25"][object].to_vec();
            (time - start, target, trace.objects.size[object])
        };
        made.push((
            (elapsed as f64 / scale).round() as i64,
            rows.iter().map(request).collect(),
        ));
    }
    made
}

fn connections(schedule: &Schedule) -> Vec<Connection> {
    let mut connections: Vec<Connection> = schedule
        .start_us
        .iter()
        .map(|start| (*start, Vec::new()))
        .collect();
    for row in 0..schedule.target.len() {
        let target = schedule.targets[schedule.target[row] as usize].to_vec();
        let request = (
            schedule.offset_us[row],
            target,
            schedule.expected_bytes[row],
        );
        connections[schedule.connection[row] as usize]
            .1
            .push(request);
    }
    connections
}

fn rows() -> impl Strategy<Value = Vec<Request>> {
    let row = (0..200_i64, 0..8_u32, 0..4_u32, any::<bool>());
    let request = |(second, client, object, access)| Request {
        access,
        ..get(second * SECOND, client, object)
    };
    proptest::collection::vec(row.prop_map(request), 2..60)
}

/// When each request is due, its target and its bytes, in order.
fn due(schedule: &Schedule, length_us: i64) -> Vec<(i64, Vec<u8>, u64)> {
    let of_one = |(start, requests): Connection| {
        let at = move |offset: i64| (start + offset) % length_us;
        requests
            .into_iter()
            .map(move |(offset, target, bytes)| (at(offset), target, bytes))
    };
    let mut due: Vec<_> = connections(schedule).into_iter().flat_map(of_one).collect();
    due.sort();
    due
}

proptest! {
    #[test]
    fn what_is_folded_is_due_as_before_but_for_whole_lengths(
        rows in rows(), scale in 0.1..500.0_f64, length_us in 1..100 * SECOND,
    ) {
        let trace = trace(&rows);
        if let Ok((schedule, _)) = schedule(&trace, &sessions(&trace.requests, 1), &scaled(scale)) {
            let folded = schedule.folded(length_us);
            prop_assert!(due(&folded, i64::MAX).iter().all(|(at, _, _)| *at < length_us));
            prop_assert_eq!(due(&folded, length_us), due(&schedule, length_us));
            prop_assert!(folded.connection.is_sorted() && folded.start_us.is_sorted());
            // A connection goes on where what it was part of went on.
            let whole: Vec<_> = connections(&schedule).into_iter().map(|it| it.1).collect();
            for (_, part) in connections(&folded) {
                let is_of = |whole: &Vec<OfConnection>| whole.windows(part.len()).any(|window| {
                    let same = |(one, other): (&OfConnection, &OfConnection)| {
                        (one.0 - window[0].0, &one.1, one.2) == (other.0, &other.1, other.2)
                    };
                    window.iter().zip(&part).all(same)
                });
                prop_assert!(whole.iter().any(is_of), "{:?}", part);
            }
        }
    }

    #[test]
    fn a_schedule_is_what_the_rules_say(
        rows in rows(), seed: u64, scale in 0.1..50.0_f64, window in 0..120_u64, gap_max in 1..60_u64,
    ) {
        let trace = trace(&rows);
        let found = sessions(&trace.requests, seed);
        let options = ScheduleOptions {
            pace: Pace::Trace(scale),
            sort_window: Duration::from_secs(window),
            gap_max: Some(Duration::from_secs(gap_max)),
            ..ScheduleOptions::default()
        };
        let expected = plain(&trace, &found, scale, window as i64 * SECOND, gap_max as i64 * SECOND);
        match schedule(&trace, &found, &options) {
            Ok((schedule, summary)) => {
                prop_assert_eq!(connections(&schedule), expected);
                prop_assert!(schedule.connection.is_sorted() && schedule.start_us.is_sorted());
                prop_assert_eq!(summary.requests + summary.skipped.total(), rows.len() as u64);
                let sites = schedule.site.iter().map(|site| &schedule.sites[usize::from(*site)]);
                let targets = schedule.target.iter().map(|target| &schedule.targets[*target as usize]);
                for (site, target) in sites.zip(targets) {
                    let of_shop = target.starts_with(b"/a") || target.starts_with(b"/c");
                    prop_assert_eq!(site == "shop", of_shop);
                }
            }
            Err(ScheduleError::EqualTimes { .. }) => {
                prop_assert!(rows.iter().all(|row| row.time_us == rows[0].time_us));
            }
            Err(error) => prop_assert!(expected.is_empty(), "{}", error),
        }
    }
}
