//! A station is one event a visit, and serves as the net that is drawn out does.

use hotset_petri::{Choice, Delay, Fifo, Net, Page, Place, Stream, Time};
use proptest::prelude::*;

type Customer = u32;

/// What a random network is made with: servers and mean service of each station.
#[derive(Clone, Debug)]
struct Network {
    stations: Vec<(u32, f64, Law)>,
    customers: u32,
    seed: u64,
}

#[derive(Clone, Copy, Debug)]
enum Law {
    Exponential,
    Erlang,
    Uniform,
}

fn delay(mean: f64, law: Law) -> Delay {
    match law {
        Law::Exponential => Delay::exponential(mean),
        Law::Erlang => Delay::erlang(3, mean),
        Law::Uniform => Delay::uniform(0.5 * mean, 1.5 * mean),
    }
}

fn network() -> impl Strategy<Value = Network> {
    let law = prop_oneof![
        Just(Law::Exponential),
        Just(Law::Erlang),
        Just(Law::Uniform)
    ];
    let station = (1..4_u32, 0.1..10.0, law);
    let stations = prop::collection::vec(station, 1..5);
    (stations, 1..20_u32, any::<u64>()).prop_map(|(stations, customers, seed)| Network {
        stations,
        customers,
        seed,
    })
}

/// Draws a station; its queue and where the served are.
type Draw = fn(&mut Page<'_>, &str, u32, Delay) -> [Place<Fifo<Customer>>; 2];

fn compiled(
    page: &mut Page<'_>,
    name: &str,
    servers: u32,
    service: Delay,
) -> [Place<Fifo<Customer>>; 2] {
    let station = page.station(name, servers, service);
    page.watch_busy(&format!("{name} utilisation"), &station.idle, servers);
    [station.queue, station.served]
}

/// With a place of those in service, and two firings a visit. The transition that draws the service has the same name.
fn drawn_out(
    page: &mut Page<'_>,
    name: &str,
    servers: u32,
    service: Delay,
) -> [Place<Fifo<Customer>>; 2] {
    let (ports, in_service) = page.page(name, |page| {
        let queue = page.port::<Fifo<Customer>>("queue");
        let served = page.port::<Fifo<Customer>>("served");
        let idle = page.unit("idle", servers);
        let in_service = page.fifo("in service", []);
        page.transition("serve")
            .take(&queue)
            .take(&idle)
            .put(&in_service)
            .delay(service)
            .fire(|customer: Customer, _| customer);
        page.transition("leave")
            .take(&in_service)
            .put(&served)
            .put(&idle)
            .fire(|customer, _| customer);
        ([queue, served], in_service)
    });
    page.watch_utilisation(&format!("{name} utilisation"), [in_service.id()], servers);
    ports
}

/// Customers who go from each station to the next one or the one after, as their own numbers and the moment decide.
fn net(of: &Network, draw: Draw) -> Net {
    Net::build("stations", |page| {
        let ports: Vec<_> = of
            .stations
            .iter()
            .enumerate()
            .map(|(number, &(servers, mean, law))| {
                draw(
                    page,
                    &format!("station {number}"),
                    servers,
                    delay(mean, law),
                )
            })
            .collect();
        let count = ports.len();
        let queues: Vec<Place<Fifo<Customer>>> = (0..count)
            .map(|number| {
                let customers = if number == 0 { 0..of.customers } else { 0..0 };
                page.fifo(&format!("queue {number}"), customers)
            })
            .collect();
        for (number, [queue, served]) in ports.iter().enumerate() {
            page.connect(queue, &queues[number]);
            let done = page.fifo(&format!("served {number}"), []);
            page.connect(served, &done);
            let next = [1, 2].map(|step| queues[(number + step) % count]);
            let route = page.transition(&format!("route {number}")).take(&done);
            route
                .put(next[0].maybe())
                .put(next[1].maybe())
                .fire(|customer, firing| match firing.random().chance(0.5) {
                    true => (Some(customer), None),
                    false => (None, Some(customer)),
                });
        }
    })
    .unwrap()
}

/// Who left which station when, in the order of times.
fn departures(net: &Net, seed: u64) -> Vec<(Time, String, String)> {
    let mut run = net.simulate(seed, 0, Choice::Fair);
    let paths: Vec<String> = net.transitions().map(str::to_owned).collect();
    let mut departures = Vec::new();
    while departures.len() < 200 {
        let event = run.step().unwrap().expect("customers stay");
        let path = &paths[event.transition];
        if path.starts_with("route") {
            departures.push((event.time, path.clone(), event.binding));
        }
    }
    departures.sort();
    departures
}

/// No two services of such laws end at the same nanosecond, but for one in many millions.
fn has_ties(departures: &[(Time, String, String)]) -> bool {
    departures.windows(2).any(|pair| pair[0].0 == pair[1].0)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn customers_leave_as_from_stations_that_are_drawn_out(of in network()) {
        let one = departures(&net(&of, compiled), of.seed);
        prop_assume!(!has_ties(&one));
        prop_assert_eq!(one, departures(&net(&of, drawn_out), of.seed));
    }
}

#[test]
fn a_visit_is_one_firing_and_one_pending_entry() {
    let of = Network {
        stations: vec![(3, 1.0, Law::Exponential)],
        customers: 10,
        seed: 1,
    };
    let net = net(&of, compiled);
    let mut run = net.simulate(of.seed, 0, Choice::Fair);
    run.run_firings(3).unwrap();
    assert_eq!(run.pending(), 3);
    let serve = net.transitions().position(|path| path == "station 0/serve");
    let mut services = 0;
    for _ in 0..1000 {
        let event = run.step().unwrap().unwrap();
        services += u32::from(Some(event.transition) == serve);
    }
    assert_eq!(services, 500);
}

/// Both ways of watching servers say the same.
#[test]
fn busy_servers_are_watched_alike() {
    let of = Network {
        stations: vec![(2, 1.0, Law::Erlang), (1, 2.0, Law::Uniform)],
        customers: 3,
        seed: 8,
    };
    let utilisations = |draw| {
        let net = net(&of, draw);
        let mut run = net.simulate(Stream::named(1, 2, "").below(100), 0, Choice::Fair);
        run.run_until(Time::from_secs(500.0).unwrap()).unwrap();
        run.monitors()
    };
    let (compiled, drawn_out) = (utilisations(compiled), utilisations(drawn_out));
    assert_eq!(compiled, drawn_out);
    assert!(
        compiled
            .iter()
            .all(|it| it.is_some_and(|it| it > 0.2 && it < 1.0))
    );
}
