//! Workers that stay with connections: by hand, and beside a plain simulation of the same connections.

use std::collections::VecDeque;
use std::sync::Arc;

use hotset_models::tiers::{
    Arrivals, File, Needs, Node, Processors, Role, Tiers, TiersResult, Traffic, Web,
};
use hotset_scenario::{CostLine, KeepAlive, Profile};
use proptest::prelude::*;

use crate::support::near;
use crate::tiers::{closed, free_web, node, once_each, run, store};

const S_NS: u64 = 1_000_000_000;
const MS_NS: u64 = 1_000_000;
/// After all that is simulated.
const LATE_NS: u64 = 1 << 50;

fn keep_alive(idle_ns: u64, requests: Option<u32>) -> Option<KeepAlive> {
    Some(KeepAlive { idle_ns, requests })
}

/// A web server with so many workers, each request of which takes a processor so long. There are as many processors as workers.
fn server(
    workers: Option<u32>,
    keep_alive: Option<KeepAlive>,
    request_ns: u64,
    needs: Needs,
) -> Node {
    let free = CostLine {
        fixed_us: 0.0,
        bytes_per_us: 1e9,
    };
    let profile = Profile::of_lines("free", free, free, "");
    let web = Web {
        stores: Arc::new([store("free", profile, request_ns)]),
        workers,
        keep_alive,
        needs,
        ..free_web()
    };
    Node {
        processors: Processors::of(None, 1.0, workers.unwrap_or(8)),
        ..node("web", None, Role::Web(web))
    }
}

/// Requests at these times on these connections, and one on its own when all is over: answers after the last request are not counted.
fn on_connections(requests: &[(u64, u32)]) -> Arc<Traffic> {
    let own = requests.iter().map(|it| it.1).max().unwrap_or_default() + 1;
    let mut all = requests.to_vec();
    all.push((LATE_NS, own));
    all.sort_by_key(|it| it.0);
    Arc::new(Traffic {
        sites: vec!["site".to_owned()],
        files: vec![File {
            site: 0,
            bytes: 100,
        }],
        requests: vec![0; all.len()],
        times_ns: all.iter().map(|it| it.0).collect(),
        connections: all.iter().map(|it| it.1).collect(),
        warm_up: 0,
    })
}

fn open(node: Node, requests: &[(u64, u32)]) -> TiersResult {
    let tiers = Tiers {
        arrivals: Arrivals::Open(vec![0]),
        ..closed(vec![node], 0, 1, 0)
    };
    let result = run(&tiers, &on_connections(requests));
    assert_eq!((result.stuck, result.asked), (0, result.ended));
    result
}

/// All responses together, seconds.
fn waited_s(result: &TiersResult) -> f64 {
    let response = result.total.latencies.response.as_ref().unwrap();
    response.count.unwrap() as f64 * response.mean_us.unwrap() / 1e6
}

/// Two connections, one of which stays for four seconds and the other for ten, and a third one after a second.
const THREE: [(u64, u32); 5] = [(0, 0), (0, 1), (S_NS, 2), (4 * S_NS, 1), (10 * S_NS, 0)];

#[test]
fn a_third_connection_waits_until_one_of_two_is_closed() {
    let of = |workers, keep_alive| {
        let node = server(workers, keep_alive, 0, Needs::default());
        waited_s(&open(node, &THREE))
    };
    let stays = keep_alive(15 * S_NS, None);
    near(of(Some(2), stays), 3.0, 1e-4);
    // A third worker has it at once, and so has one of those that stay with nothing.
    for (workers, keep_alive) in [(Some(3), stays), (Some(2), None), (None, None)] {
        assert!(of(workers, keep_alive) < 1e-3);
    }
    // Workers of nginx have any number of connections.
    assert!(of(None, stays) < 1e-3);
}

#[test]
fn the_server_closes_connections_without_requests_and_after_so_many() {
    let requests = [(0, 0), (S_NS, 1), (60 * S_NS, 0), (61 * S_NS, 1)];
    let of = |keep_alive| {
        let node = server(Some(1), keep_alive, 0, Needs::default());
        waited_s(&open(node, &requests))
    };
    // The first one is closed after two seconds. The second waits one second for that, and is closed two seconds later. Later each has a worker anew:
    // the first one until its only answer then.
    near(of(keep_alive(2 * S_NS, None)), 1.0, 1e-4);
    assert!(of(keep_alive(3600 * S_NS, Some(1))) < 1e-3);
    assert!(of(None) < 1e-3);
}

#[test]
fn requests_of_a_connection_are_answered_one_after_the_other() {
    let of = |workers, keep_alive, connections: [u32; 4]| {
        let node = server(workers, keep_alive, MS_NS, Needs::default());
        let requests = connections.map(|connection| (0, connection));
        waited_s(&open(node, &requests)) * 1e3
    };
    let stays = keep_alive(15 * S_NS, None);
    near(of(Some(4), stays, [0; 4]), 1.0 + 2.0 + 3.0 + 4.0, 1e-3);
    near(of(Some(4), stays, [0, 1, 2, 3]), 4.0, 1e-3);
    near(of(Some(4), None, [0; 4]), 4.0, 1e-3);
    near(of(None, stays, [0; 4]), 4.0, 1e-3);
}

#[test]
fn clients_who_keep_connections_leave_others_without_a_worker() {
    let per_s = |keep_alive, clients| {
        let node = server(Some(2), keep_alive, 0, Needs::default());
        let result = run(
            &closed(vec![node], 0, clients, MS_NS),
            &once_each(&[100; 3_000], Vec::new(), 100),
        );
        assert_eq!((result.stuck, result.asked), (0, result.ended));
        let workers = result.nodes[0].workers.as_ref().unwrap();
        let busy = workers.utilisation.unwrap();
        (result.total.throughput_per_s.unwrap(), busy)
    };
    let stays = keep_alive(15 * S_NS, None);
    let (kept, busy) = per_s(stays, 3);
    near(kept, per_s(None, 2).0, 0.01);
    near(busy, 1.0, 0.01);
    near(per_s(None, 3).0, 1.5 * kept, 0.01);
    // Where connections are closed after each answer, everybody has a turn.
    near(per_s(keep_alive(S_NS, Some(1)), 3).0, 1.5 * kept, 0.01);
}

/// Little's law: connections that come in a second, times how long each stays.
#[test]
fn workers_are_busy_for_as_long_as_connections_stay() {
    let connections = 0..200u32;
    let requests: Vec<(u64, u32)> = connections
        .flat_map(|number| {
            let start_ns = u64::from(number) * 100 * MS_NS;
            [0, 1, 2].map(|second| (start_ns + second * S_NS, number))
        })
        .collect();
    let node = server(Some(100), keep_alive(15 * S_NS, None), 0, Needs::default());
    let result = open(node, &requests);
    let workers = result.nodes[0].workers.as_ref().unwrap();
    near(
        workers.mean_queue_length.unwrap() * result.seconds,
        200.0 * 2.0,
        0.01,
    );
}

#[test]
fn workers_with_an_idle_connection_take_memory() {
    let requests: Vec<(u64, u32)> = (0..20u32)
        .flat_map(|number| {
            let second = u64::from(number);
            [(second * S_NS, number), ((100 + second) * S_NS, number)]
        })
        .collect();
    let most_workers = |keep_alive| {
        let needs = Needs {
            worker_bytes: 4096,
            ..Needs::default()
        };
        let result = open(server(Some(64), keep_alive, 0, needs), &requests);
        result.nodes[0].memory.unwrap().most_workers
    };
    assert_eq!(most_workers(keep_alive(3600 * S_NS, None)), 20);
    assert_eq!(most_workers(None), 1);
}

/// What becomes of a connection in the plain simulation.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Closed,
    InLine,
    Busy { until_ns: u64, since_ns: u64 },
    Idle { until_ns: u64 },
}

/// The same connections with a look at all of them for each event: all responses together, nanoseconds. Each request takes `service_ns`.
fn plainly(requests: &[(u64, u32)], workers: usize, keep: KeepAlive, service_ns: u64) -> u64 {
    let count = requests
        .iter()
        .map(|it| it.1 as usize + 1)
        .max()
        .unwrap_or(0);
    let mut states = vec![State::Closed; count];
    let mut begun = vec![0u32; count];
    let mut left = vec![0usize; count];
    for (_, connection) in requests {
        left[*connection as usize] += 1;
    }
    let mut waiting: Vec<VecDeque<u64>> = vec![VecDeque::new(); count];
    let mut line: VecDeque<usize> = VecDeque::new();
    let (mut next, mut all_ns) = (0, 0);
    loop {
        let ends = states
            .iter()
            .enumerate()
            .filter_map(|(at, state)| match state {
                State::Busy { until_ns, .. } | State::Idle { until_ns } => Some((*until_ns, at)),
                State::Closed | State::InLine => None,
            });
        let end = ends.min();
        let comes = requests.get(next).copied();
        let (now_ns, at) = match (end, comes) {
            (None, None) => return all_ns,
            (Some(end), Some((comes_ns, _))) if end.0 <= comes_ns => end,
            (Some(end), None) => end,
            (_, Some((comes_ns, connection))) => {
                next += 1;
                let at = connection as usize;
                waiting[at].push_back(comes_ns);
                match states[at] {
                    State::Closed => {
                        states[at] = State::InLine;
                        line.push_back(at);
                    }
                    State::Idle { .. } => {
                        begin(
                            &mut states[at],
                            &mut begun[at],
                            &mut waiting[at],
                            comes_ns,
                            service_ns,
                        );
                    }
                    State::InLine | State::Busy { .. } => {}
                }
                let has = |it: &&State| matches!(it, State::Busy { .. } | State::Idle { .. });
                if states.iter().filter(has).count() < workers
                    && let Some(first) = line.pop_front()
                {
                    begin(
                        &mut states[first],
                        &mut begun[first],
                        &mut waiting[first],
                        comes_ns,
                        service_ns,
                    );
                }
                continue;
            }
        };
        let mut is_closed = true;
        if let State::Busy { since_ns, .. } = states[at] {
            all_ns += now_ns - since_ns;
            left[at] -= 1;
            is_closed = left[at] == 0 || keep.requests.is_some_and(|most| begun[at] >= most);
        }
        if !is_closed {
            match waiting[at].is_empty() {
                false => begin(
                    &mut states[at],
                    &mut begun[at],
                    &mut waiting[at],
                    now_ns,
                    service_ns,
                ),
                true => {
                    states[at] = State::Idle {
                        until_ns: now_ns + keep.idle_ns,
                    };
                }
            }
            continue;
        }
        begun[at] = 0;
        states[at] = State::Closed;
        if !waiting[at].is_empty() {
            states[at] = State::InLine;
            line.push_back(at);
        }
        if let Some(first) = line.pop_front() {
            begin(
                &mut states[first],
                &mut begun[first],
                &mut waiting[first],
                now_ns,
                service_ns,
            );
        }
    }
}

/// A connection's worker begins with its next request.
fn begin(
    state: &mut State,
    begun: &mut u32,
    waiting: &mut VecDeque<u64>,
    now_ns: u64,
    service_ns: u64,
) {
    *begun += 1;
    *state = State::Busy {
        until_ns: now_ns + service_ns,
        since_ns: waiting.pop_front().unwrap_or(now_ns),
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn responses_are_those_of_a_plain_simulation(
        gaps in prop::collection::vec((1u64..40_000_000, 0u32..8), 1..80),
        workers in 1u32..5,
        idle_ms in 1u64..60,
        most in prop::option::of(1u32..4),
        service_us in 50u64..9_000,
    ) {
        let mut now_ns = 0;
        let requests: Vec<(u64, u32)> = gaps
            .iter()
            .map(|&(gap_ns, connection)| {
                now_ns += gap_ns;
                (now_ns, connection)
            })
            .collect();
        // So that hardly two events come at the same time.
        let keep = KeepAlive { idle_ns: idle_ms * MS_NS + 7, requests: most };
        let service_ns = service_us * 1000 + 3;
        let node = server(Some(workers), Some(keep), service_ns, Needs::default());
        let simulated_s = waited_s(&open(node, &requests));
        let expected_s = plainly(&requests, workers as usize, keep, service_ns) as f64 / 1e9;
        near(simulated_s, expected_s, 1e-3);
    }
}
