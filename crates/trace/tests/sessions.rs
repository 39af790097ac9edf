//! Connections and arrivals against a plain reading of the rules.

use std::collections::BTreeMap;

use hotset_trace::sessions::{Sessions, sessions};
use hotset_trace::{Method, NO_OBJECT, Protocol, Request, Requests};
use proptest::prelude::*;

const SECOND: i64 = 1_000_000;

fn requests(rows: &[(u32, i64, Protocol)]) -> Requests {
    let mut requests = Requests::default();
    for (client, time_us, protocol) in rows {
        requests.push(Request {
            time_us: *time_us,
            client: *client,
            site: 0,
            object: NO_OBJECT,
            bytes: 0,
            status: 200,
            method: Method::Get,
            protocol: *protocol,
            access: false,
        });
    }
    requests
}

fn http11(rows: &[(u32, i64)]) -> Requests {
    let rows: Vec<_> = rows
        .iter()
        .map(|(client, second)| (*client, second * SECOND, Protocol::Http11))
        .collect();
    requests(&rows)
}

/// The 15-second rule, client by client.
fn plain_connections(requests: &Requests) -> Vec<u32> {
    let mut by_client: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (row, client) in requests.client.iter().enumerate() {
        by_client.entry(*client).or_default().push(row);
    }
    let mut label = vec![(0, 0); requests.len()];
    for (client, mut rows) in by_client {
        rows.sort_by_key(|row| requests.time_us[*row]);
        let mut count = 0;
        for (index, row) in rows.iter().enumerate() {
            if index > 0 && requests.time_us[*row] - requests.time_us[rows[index - 1]] > 15 * SECOND
            {
                count += 1;
            }
            label[*row] = (client, count);
        }
    }
    let mut numbers = BTreeMap::new();
    label
        .iter()
        .map(|label| {
            let next = numbers.len() as u32;
            *numbers.entry(*label).or_insert(next)
        })
        .collect()
}

#[test]
fn a_gap_of_fifteen_seconds_joins_and_of_sixteen_does_not() {
    let found = sessions(&http11(&[(1, 0), (1, 15), (1, 31), (2, 31)]), 1);
    assert_eq!(found.connection, [0, 0, 1, 2]);
    assert_eq!(found.connections, 3);
    assert!((found.requests_per_connection() - 4.0 / 3.0).abs() < 1e-12);
}

#[test]
fn the_gap_counts_from_the_prior_request_not_from_the_first() {
    let found = sessions(&http11(&[(1, 0), (1, 14), (1, 28), (1, 42)]), 1);
    assert_eq!(found.connections, 1);
}

#[test]
fn a_clock_that_steps_back_does_not_split_a_connection() {
    let found = sessions(&http11(&[(1, 20), (1, 5), (1, 35)]), 1);
    assert_eq!(found.connection, [0, 0, 0]);
    assert!(found.time_us[1] < found.time_us[0] && found.time_us[0] < found.time_us[2]);
}

#[test]
fn no_requests_make_no_connections() {
    assert_eq!(sessions(&Requests::default(), 1), Sessions::default());
    assert_eq!(Sessions::default().requests_per_connection(), 0.0);
}

#[test]
fn follow_ups_in_one_second_arrive_as_one_burst_after_the_opening() {
    let found = sessions(
        &http11(&[(1, 0), (1, 0), (1, 0), (1, 3), (1, 3), (1, 3)]),
        5,
    );
    let time = &found.time_us;
    assert!(time[0] <= time[1] && time[1] == time[2]);
    assert!(time[3] == time[4] && time[4] == time[5]);
}

#[test]
fn http_1_0_requests_of_one_second_arrive_apart_and_in_order() {
    let rows = [
        (1, 0, Protocol::Http10),
        (1, 0, Protocol::Http10),
        (1, 0, Protocol::Http10),
    ];
    let found = sessions(&requests(&rows), 5);
    assert!(found.time_us[0] < found.time_us[1] && found.time_us[1] < found.time_us[2]);
    assert_eq!(found.connections, 1);
}

#[test]
fn times_finer_than_a_second_are_left_alone() {
    let rows = [(1, 0, Protocol::Http11), (1, 1_500_000, Protocol::Http11)];
    let rows = requests(&rows);
    assert_eq!(sessions(&rows, 5).time_us, rows.time_us);
}

/// Chi-square of `times` within their second over ten equal cells: 9 degrees of freedom, of which
/// 27.9 is exceeded once in a thousand runs.
fn chi_square_in_second(times: impl Iterator<Item = i64>) -> f64 {
    let mut cells = [0.0; 10];
    let mut total = 0.0;
    for time in times {
        cells[(time.rem_euclid(SECOND) / (SECOND / 10)) as usize] += 1.0;
        total += 1.0;
    }
    cells
        .iter()
        .map(|count| (count - total / 10.0f64).powi(2) / (total / 10.0))
        .sum()
}

#[test]
fn openings_lone_follow_ups_and_bursts_are_uniform_in_their_second() {
    // Each client opens with a follow-up in the same second, sends a lone one and then a burst.
    let rows: Vec<_> = (0..20_000)
        .flat_map(|c| [(c, 0), (c, 0), (c, 4), (c, 9), (c, 9)])
        .collect();
    let found = sessions(&http11(&rows), 11);
    for place in [0, 2, 3] {
        let times = found.time_us.iter().skip(place).step_by(5).copied();
        let statistic = chi_square_in_second(times);
        assert!(statistic < 27.9, "place {place}: {statistic}");
    }
}

fn protocol() -> impl Strategy<Value = Protocol> {
    prop_oneof![
        Just(Protocol::Http10),
        Just(Protocol::Http11),
        Just(Protocol::Unknown)
    ]
}

proptest! {
    #[test]
    fn agrees_with_the_plain_reading(
        rows in prop::collection::vec((0..5u32, 0..120i64, protocol()), 0..120),
        seed in any::<u64>(),
    ) {
        let rows: Vec<_> = rows.into_iter().map(|(c, second, p)| (c, second * SECOND, p)).collect();
        let requests = requests(&rows);
        let found = sessions(&requests, seed);
        prop_assert_eq!(&found.connection, &plain_connections(&requests));
        for (row, time) in found.time_us.iter().enumerate() {
            prop_assert_eq!(time.div_euclid(SECOND) * SECOND, requests.time_us[row]);
        }
        for later in 0..requests.len() {
            for earlier in 0..later {
                let same = found.connection[earlier] == found.connection[later];
                if same && requests.time_us[earlier] <= requests.time_us[later] {
                    prop_assert!(found.time_us[earlier] <= found.time_us[later]);
                }
            }
        }
    }

    /// The rows of a client get the same times whatever the other clients do.
    #[test]
    fn clients_do_not_influence_each_other(
        rows in prop::collection::vec((0..4u32, 0..60i64), 0..80),
        seed in any::<u64>(),
    ) {
        let all = sessions(&http11(&rows), seed);
        let alone: Vec<_> = rows.iter().copied().filter(|(client, _)| *client == 2).collect();
        let of_two = rows.iter().zip(&all.time_us).filter(|((client, _), _)| *client == 2);
        let times: Vec<i64> = of_two.map(|(_, time)| *time).collect();
        prop_assert_eq!(sessions(&http11(&alone), seed).time_us, times);
    }
}
