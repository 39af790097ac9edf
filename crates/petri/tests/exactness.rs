//! Nets whose answers are known: the exact value lies in the interval, and in as many intervals of a hundred as it should.

use crate::support;

use std::sync::atomic::{AtomicUsize, Ordering};

use hotset_outcome::{GroupKey, GroupKind, Provenance, ProvenanceKind, documents};
use hotset_petri::{
    Answer, Delay, Experiment, Net, StoppingRule, Time, Watcher, batch_means, mean_and_half_width,
    nets,
};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

fn answer(net: &Net, seed: u64, replications: usize, seconds: f64) -> Answer {
    let experiment = Experiment {
        length: Time::from_secs(seconds).unwrap(),
        enough: StoppingRule::Replications(replications),
        seed,
        ..Experiment::default()
    };
    experiment.run(net, &()).unwrap()
}

/// How far a monitor's mean is from the exact value, in half widths of its interval.
fn distance(answer: &Answer, monitor: &str, exact: f64) -> f64 {
    let mut estimates = answer.estimates.iter();
    let it = estimates.find(|it| it.name == monitor).unwrap();
    (it.mean - exact).abs() / (it.high - it.mean)
}

/// A seed is fixed, so a sound engine passes always. Twice the half width of a 95 % interval is four standard errors.
fn assert_exact(answer: &Answer, monitor: &str, exact: f64) {
    let distance = distance(answer, monitor, exact);
    assert!(
        distance < 2.0,
        "{monitor}: {exact} is {distance} half widths off: {answer:?}"
    );
}

#[test]
fn mm1_has_the_mean_of_theory() {
    let rho = 0.8;
    let net = nets::find("mm1").unwrap().build(&[("rho", rho)]).unwrap();
    let answer = answer(&net, 1, 20, 10.0);
    assert_exact(&answer, "in system", rho / (1.0 - rho));
    assert_exact(&answer, "utilisation", rho);
    assert_exact(&answer, "response time", 1e-3 / (1.0 - rho));
    assert_exact(&answer, "waiting time", 1e-3 * rho / (1.0 - rho));
}

/// Pollaczek and Khinchine: L = ρ + ρ²(1 + c²)/(2(1 − ρ)).
#[test]
fn mg1_has_the_mean_of_pollaczek_and_khinchine() {
    let (rho, stages) = (0.7, 4.0);
    let set = [("rho", rho), ("stages", stages)];
    let net = nets::find("mg1").unwrap().build(&set).unwrap();
    let exact = rho + rho * rho * (1.0 + 1.0 / stages) / (2.0 * (1.0 - rho));
    assert_exact(&answer(&net, 2, 20, 10.0), "in system", exact);
}

/// Throughput of single servers in a circle, by mean value analysis (Reiser and Lavenberg, 1980).
fn mean_value_analysis(services: &[f64], customers: u32) -> f64 {
    let mut queues = vec![0.0; services.len()];
    let mut throughput = 0.0;
    for n in 1..=customers {
        let times: Vec<f64> = services
            .iter()
            .zip(&queues)
            .map(|(s, q)| s * (1.0 + q))
            .collect();
        throughput = f64::from(n) / times.iter().sum::<f64>();
        queues = times.iter().map(|time| throughput * time).collect();
    }
    throughput
}

#[test]
fn a_closed_network_has_the_throughput_of_mean_value_analysis() {
    let net = nets::find("closed-network")
        .unwrap()
        .build(&[("n", 4.0)])
        .unwrap();
    let exact = mean_value_analysis(&[1e-3, 0.5e-3, 0.8e-3], 4);
    let answer = answer(&net, 3, 20, 10.0);
    assert_exact(&answer, "throughput", exact);
    // Little: the time of a round is customers over throughput.
    assert_exact(&answer, "time of a round", 4.0 / exact);
}

/// Slots go round producer and consumer, as customers go round two servers.
#[test]
fn a_producer_and_a_consumer_have_the_throughput_of_a_closed_network() {
    let net = nets::find("producer-consumer").unwrap().build(&[]).unwrap();
    let exact = mean_value_analysis(&[1e-3, 1e-3], 10);
    assert_exact(&answer(&net, 4, 20, 10.0), "throughput", exact);
}

/// Two stations of 1 ms; a customer of the second returns to the first with some probability.
fn jackson(rate: f64, back: f64) -> Net {
    let net = Net::build("jackson", |page| {
        let source = page.unit("source", 1);
        let stations = ["first", "second"].map(|name| support::station(page, name, 1e-3));
        let back_to = page.bag::<()>("back", []);
        page.transition("arrive")
            .take(&source)
            .put(source.after(Delay::exponential(1.0 / rate)))
            .put(&stations[0].queue)
            .done();
        page.transition("go on")
            .take(&stations[0].served)
            .put(&stations[1].queue)
            .done();
        page.transition("return or leave")
            .take(&stations[1].served)
            .put(back_to.maybe())
            .fire(move |(), firing| firing.random().chance(back).then_some(()));
        page.transition("come back")
            .take(&back_to)
            .put(&stations[0].queue)
            .fire(|(), _| ());
    });
    net.unwrap()
}

/// Jackson: each station is an M/M/1 queue of the rate that flows through it.
#[test]
fn an_open_network_has_the_means_of_jackson() {
    let (rate, back) = (500.0, 0.25);
    let load = rate / (1.0 - back) * 1e-3;
    let answer = answer(&jackson(rate, back), 5, 20, 10.0);
    for monitor in ["first/in station", "second/in station"] {
        assert_exact(&answer, monitor, load / (1.0 - load));
    }
}

/// How many intervals of a hundred seeds hold the exact value. The seeds are fixed and the numbers are the same on every
/// machine, so a count that is right once is right always.
fn covered(net: &Net, monitor: &str, exact: f64) -> usize {
    let experiment = |seed| Experiment {
        length: Time::from_secs(2.0).unwrap(),
        warm_up: Time::from_secs(0.2),
        enough: StoppingRule::Replications(10),
        seed,
        ..Experiment::default()
    };
    let covers = |seed: &u64| {
        let answer = experiment(*seed).run(net, &()).unwrap();
        distance(&answer, monitor, exact) <= 1.0
    };
    (0..100).filter(covers).count()
}

#[test]
fn intervals_cover_the_truth_as_often_as_they_say() {
    let library = |name: &str, set: &[(&str, f64)]| nets::find(name).unwrap().build(set).unwrap();
    let (rho, stages) = (0.5, 4.0);
    let mg1 = rho + rho * rho * (1.0 + 1.0 / stages) / (2.0 * (1.0 - rho));
    let closed = mean_value_analysis(&[1e-3, 0.5e-3, 0.8e-3], 4);
    let load = 0.5;
    for (net, monitor, exact) in [
        (library("mm1", &[("rho", rho)]), "in system", 1.0),
        (
            library("mg1", &[("rho", rho), ("stages", stages)]),
            "in system",
            mg1,
        ),
        (
            library("closed-network", &[("n", 4.0)]),
            "throughput",
            closed,
        ),
        (
            jackson(load * 1e3 * 0.75, 0.25),
            "second/in station",
            load / (1.0 - load),
        ),
    ] {
        let covered = covered(&net, monitor, exact);
        assert!((90..=99).contains(&covered), "{net:?}: {covered} of 100");
    }
}

/// Mean waits of customers one after the other, in batches of so many, at a queue of M/M/1 that is busy for `rho` of the time. A service takes 1 in
/// the mean (D. V. Lindley, "The theory of queues with a single server", Proceedings of the Cambridge Philosophical Society 48, 1952).
fn waits(rho: f64, seed: u64, batches: usize, customers: usize) -> Vec<f64> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut exponential = |mean: f64| -mean * libm::log(1.0 - random.random::<f64>());
    let mut wait = 0.0_f64;
    let mut of_batch = || {
        let mut sum = 0.0;
        for _ in 0..customers {
            sum += wait;
            wait = (wait + exponential(1.0) - exponential(1.0 / rho)).max(0.0);
        }
        sum / customers as f64
    };
    (0..batches).map(|_| of_batch()).collect()
}

/// Batches of eight customers are nearly alike their neighbours. As if they were independent, few intervals hold the mean.
#[test]
fn batches_that_depend_on_each_other_have_intervals_that_cover_the_truth() {
    let rho = 0.8;
    let exact = rho / (1.0 - rho);
    let (mut joined, mut as_if_independent) = (0, 0);
    for seed in 0..100 {
        let batches = waits(rho, seed, 8192, 8);
        let covers = |found: Option<(f64, f64)>| {
            let (mean, half_width) = found.unwrap();
            u32::from((mean - exact).abs() <= half_width)
        };
        joined += covers(batch_means(&batches));
        as_if_independent += covers(mean_and_half_width(&batches));
    }
    assert!((85..=100).contains(&joined), "{joined} of 100");
    assert!(as_if_independent < 75, "{as_if_independent} of 100");
}

#[test]
fn the_same_seed_gives_the_same_answer_on_any_number_of_threads() {
    let net = nets::find("keyed-join").unwrap().build(&[]).unwrap();
    let on = |threads| {
        let experiment = Experiment {
            length: Time::from_secs(0.5).unwrap(),
            threads,
            ..Experiment::default()
        };
        experiment.run(&net, &()).unwrap()
    };
    let (one, three) = (on(1), on(3));
    assert_eq!(one, three);
    assert!(one.estimates.iter().any(|it| it.histogram.is_some()));
    assert_eq!(one.replications % 10, 0);
}

#[test]
fn a_single_run_gets_its_interval_from_batch_means() {
    let net = nets::find("mm1").unwrap().build(&[("rho", 0.5)]).unwrap();
    let answer = answer(&net, 6, 1, 100.0);
    assert_eq!(answer.replications, 1);
    assert_exact(&answer, "in system", 1.0);
}

#[test]
fn times_have_percentiles_and_counts() {
    let net = nets::find("mm1").unwrap().build(&[("rho", 0.5)]).unwrap();
    let answer = answer(&net, 7, 20, 50.0);
    let find = |name: &str| answer.estimates.iter().find(|it| it.name == name).unwrap();
    let response = find("response time");
    // The response time of an M/M/1 queue is exponential: its quantiles are multiples of its mean, here 2 ms.
    for share in [0.5, 0.95, 0.99] {
        let exact = -2e-3 * f64::ln(1.0 - share);
        let found = response.quantile(share).unwrap();
        assert!((found / exact - 1.0).abs() < 0.05, "{share}: {found}");
    }
    let (count, measured) = (response.count.unwrap() as f64, 20.0 * 50.0);
    assert!((count / measured / 500.0 - 1.0).abs() < 0.02, "{count}");
    assert!(response.longest() > response.quantile(0.99));
    assert_eq!(find("in system").quantile(0.5), None);
    assert_eq!(find("in system").count, None);
}

/// Every figure of the answer that has a place in outcomes is there, and they contradict nothing.
#[test]
fn an_answer_is_an_outcome() {
    let net = nets::find("mm1").unwrap().build(&[("rho", 0.5)]).unwrap();
    let answer = answer(&net, 7, 5, 10.0);
    let provenance = Provenance::new(ProvenanceKind::Simulated);
    let outcome = answer.outcome("mm1", provenance);
    let written = serde_json::json!({ "outcomes": [&outcome] }).to_string();
    assert_eq!(
        documents::parse(written.as_bytes()).unwrap(),
        std::slice::from_ref(&outcome)
    );
    let utilisation = outcome.resources.iter().find_map(|it| it.utilisation);
    assert!((utilisation.unwrap() - 0.5).abs() < 0.1);
    let key = GroupKey::new(GroupKind::Job, "response time");
    let (_, times) = outcome.score_of(&key).unwrap().response().unwrap();
    assert!((times.mean_us.unwrap() / 2000.0 - 1.0).abs() < 0.1);
    assert!(
        times
            .mean_interval
            .unwrap()
            .contains(times.mean_us.unwrap())
    );
}

/// Stops a run after so many of its parts.
struct After(AtomicUsize);

impl Watcher for After {
    fn advance_by(&self, _: f64) {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

#[test]
fn a_run_that_is_stopped_says_what_it_saw() {
    let net = nets::find("mm1").unwrap().build(&[("rho", 0.5)]).unwrap();
    let experiment = |replications| Experiment {
        length: Time::from_secs(20.0).unwrap(),
        warm_up: Time::from_secs(0.1),
        enough: StoppingRule::Replications(replications),
        threads: 1,
        ..Experiment::default()
    };
    // A replication is a hundred parts, a single one 30 batches of four.
    for (replications, parts, seen) in [(10, 250, 3), (1, 60, 1)] {
        let watcher = After(AtomicUsize::new(parts));
        let answer = experiment(replications).run(&net, &watcher).unwrap();
        assert!(answer.stopped);
        assert_eq!(answer.replications, seen);
        assert_exact(&answer, "in system", 1.0);
    }
    let at_once = After(AtomicUsize::new(0));
    let answer = experiment(10).run(&net, &at_once).unwrap();
    assert_eq!((answer.replications, answer.estimates.len()), (0, 0));
}
