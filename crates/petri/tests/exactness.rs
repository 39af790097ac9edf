//! Nets whose answers are known: the exact value lies in the interval, and in as many intervals of a hundred as it should.

mod support;

use hotset_petri::{Answer, Delay, Enough, Experiment, Net, Time, nets};

fn answer(net: &Net, seed: u64, replications: usize, seconds: f64) -> Answer {
    let experiment = Experiment {
        length: Time::from_secs(seconds).unwrap(),
        enough: Enough::Replications(replications),
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

/// Two stations; a customer of the second returns to the first with probability 1/4. Jackson: each is an M/M/1 queue of
/// the rate that flows through it.
#[test]
fn an_open_network_has_the_means_of_jackson() {
    let (rate, back) = (500.0, 0.25);
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
    })
    .unwrap();
    let load = rate / (1.0 - back) * 1e-3;
    let answer = answer(&net, 5, 20, 10.0);
    for monitor in ["first/in station", "second/in station"] {
        assert_exact(&answer, monitor, load / (1.0 - load));
    }
}

#[test]
fn intervals_cover_the_truth_as_often_as_they_say() {
    let net = nets::find("mm1").unwrap().build(&[("rho", 0.5)]).unwrap();
    let experiment = |seed| Experiment {
        length: Time::from_secs(1.0).unwrap(),
        warm_up: Time::from_secs(0.1),
        enough: Enough::Replications(10),
        seed,
        ..Experiment::default()
    };
    let covered = (0..100).filter(|&seed| {
        let answer = experiment(seed).run(&net, &()).unwrap();
        distance(&answer, "in system", 1.0) <= 1.0
    });
    let covered = covered.count();
    assert!((90..=99).contains(&covered), "{covered} of 100");
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
    assert_eq!(one.replications % 10, 0);
}

#[test]
fn a_single_run_gets_its_interval_from_batch_means() {
    let net = nets::find("mm1").unwrap().build(&[("rho", 0.5)]).unwrap();
    let answer = answer(&net, 6, 1, 100.0);
    assert_eq!(answer.replications, 1);
    assert_exact(&answer, "in system", 1.0);
}
