//! Markov chains of nets, beside theory and simulation.

use crate::support::station;
use hotset_petri::{
    ChainError, Delay, Experiment, Exploration, Net, Page, SteadyState, StoppingRule, Time, nets,
};

fn solved(net: &Net) -> SteadyState {
    net.stationary(&Exploration::default(), &|_| true).unwrap()
}

fn refused(author: impl FnOnce(&mut Page<'_>)) -> ChainError {
    let net = Net::build("net", author).unwrap();
    let limits = Exploration {
        max_markings: 10_000,
        ..Exploration::default()
    };
    net.stationary(&limits, &|_| true).unwrap_err()
}

fn assert_near(value: f64, expected: f64) {
    let off = (value - expected).abs() / expected;
    assert!(off < 1e-9, "{value} instead of {expected}");
}

/// A queue with room for `k` customers, of which those that find it full are lost.
fn limited_queue(rho: f64, k: u32) -> Net {
    Net::build("M/M/1/K", |page| {
        let source = page.unit("source", 1);
        let arrived = page.unit("arrived", 0);
        let room = page.unit("room", k);
        let queue = page.unit("queue", 0);
        let idle = page.unit("idle", 1);
        let busy = page.unit("busy", 0);
        page.transition("arrive")
            .take(&source)
            .put(source.after(Delay::exponential(1.0 / rho)))
            .put(&arrived)
            .done();
        page.transition("enter")
            .take(&arrived)
            .take(&room)
            .put(&queue)
            .done();
        page.transition("leave").take(&arrived).unless(&room).done();
        page.transition("start")
            .take(&queue)
            .take(&idle)
            .put(&busy)
            .delay(Delay::exponential(1.0))
            .done();
        page.transition("end")
            .take(&busy)
            .put(&idle)
            .put(&room)
            .done();
    })
    .unwrap()
}

/// Pₙ = ρⁿ (1 − ρ) / (1 − ρᴷ⁺¹) (Kleinrock, "Queueing systems" I, 1975, section 3.6).
#[test]
fn a_limited_queue_has_the_numbers_of_theory() {
    for (rho, k) in [(0.5, 3), (0.8, 10), (1.5, 7)] {
        let found = solved(&limited_queue(rho, k));
        let weights: Vec<f64> = (0..=k as i32).map(|n| rho.powi(n)).collect();
        let all: f64 = weights.iter().sum();
        let mean: f64 = weights
            .iter()
            .enumerate()
            .map(|(n, it)| n as f64 * it / all)
            .sum();
        assert!(found.residual <= 1e-12);
        assert_near(found.tokens[3] + found.tokens[5], mean);
        let lost = weights[k as usize] / all;
        assert_near(found.rates[2], rho * lost);
        assert_near(found.rates[1], rho * (1.0 - lost));
        assert_near(found.rates[4], rho * (1.0 - lost));
    }
}

/// Single servers, one after the other, each customer starting again at the first.
fn ring(services: &[f64], customers: u32) -> Net {
    Net::build("ring", |page| {
        let starts = page.unit("start", customers);
        let stations = services.iter().enumerate();
        let stations =
            stations.map(|(it, &service)| station(page, &format!("station {it}"), service));
        let stations: Vec<_> = stations.collect();
        page.transition("set out")
            .take(&starts)
            .put(&stations[0].queue)
            .done();
        for (it, from) in stations.iter().enumerate() {
            let to = &stations[(it + 1) % stations.len()];
            page.transition(&format!("go on {it}"))
                .take(&from.served)
                .put(&to.queue)
                .done();
        }
    })
    .unwrap()
}

/// Mean value analysis (Reiser and Lavenberg, Journal of the ACM 27, 1980).
#[test]
fn a_closed_network_has_the_numbers_of_mean_value_analysis() {
    let services = [1.0, 0.5, 0.8];
    for customers in [1, 4, 12] {
        let mut queues = [0.0; 3];
        let mut throughput = 0.0;
        for n in 1..=customers {
            let waits: Vec<f64> = services
                .iter()
                .zip(queues)
                .map(|(s, q)| s * (1.0 + q))
                .collect();
            throughput = f64::from(n) / waits.iter().sum::<f64>();
            queues = [0, 1, 2].map(|it| throughput * waits[it]);
        }
        let net = ring(&services, customers);
        let found = solved(&net);
        let of = |path: &str| {
            let place = net.places().position(|it| it == path).unwrap();
            found.tokens[place]
        };
        for (it, queue) in queues.into_iter().enumerate() {
            let in_station = of(&format!("station {it}/queue")) + of(&format!("station {it}/busy"));
            assert_near(in_station, queue);
        }
        let ends = net
            .transitions()
            .position(|it| it == "station 0/end")
            .unwrap();
        assert_near(found.rates[ends], throughput);
    }
}

#[test]
fn a_simulation_agrees_with_the_chain() {
    let net = nets::find("philosophers").unwrap().build(&[]).unwrap();
    let found = solved(&net);
    let eating = net.places().zip(&found.tokens);
    let eating: f64 = eating
        .filter(|(path, _)| path.ends_with("eating"))
        .map(|it| it.1)
        .sum();
    let experiment = Experiment {
        length: Time::from_nanos(5_000_000_000),
        enough: StoppingRule::Replications(20),
        ..Experiment::default()
    };
    let answer = experiment.run(&net, &()).unwrap();
    let simulated = answer
        .estimates
        .iter()
        .find(|it| it.name == "share eating")
        .unwrap();
    // Five times the half width: the seed is fixed, but may change.
    let most = 5.0 * (simulated.high - simulated.low) / 2.0;
    assert!(
        (simulated.mean - eating / 5.0).abs() < most,
        "{simulated:?}: {eating}"
    );
}

#[test]
fn nets_that_are_no_markov_chains_are_refused_by_name() {
    let ticks = |page: &mut Page<'_>, delay| {
        let clock = page.unit("clock", 1);
        page.transition("tick")
            .take(&clock)
            .put(&clock)
            .delay(delay)
            .done();
    };
    let error = refused(|page| ticks(page, Delay::constant(1.0)));
    assert!(
        error
            .to_string()
            .starts_with("tick: has a delay that is not exponential")
    );
    let error = refused(|page| ticks(page, Delay::NONE));
    assert!(error.to_string().contains("no time passes"), "{error}");
    let error = refused(|page| {
        let numbers = page.bag("numbers", [1]);
        page.transition("take").take(&numbers).done();
    });
    assert!(
        error.to_string().starts_with("take: has coloured tokens"),
        "{error}"
    );
    let error = refused(|page| {
        let source = page.unit("source", 1);
        let heap = page.unit("heap", 0);
        let slow = Delay::exponential(1.0);
        page.transition("add")
            .take(&source)
            .put(source.after(slow))
            .put(&heap)
            .done();
        page.transition("never").take(heap.times(100_000)).done();
    });
    assert!(
        error
            .to_string()
            .starts_with("net: has more states than were allowed"),
        "{error}"
    );
}

#[test]
fn a_solution_that_is_stopped_says_so() {
    let net = limited_queue(0.5, 3);
    let error = net.stationary(&Exploration::default(), &|_| false);
    let expected = "M/M/1/K: stopped before its probabilities were known";
    assert_eq!(error.unwrap_err().to_string(), expected);
}
