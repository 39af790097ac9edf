//! What a net means, said in small nets.

use hotset_petri::{Choice, Colour, Delay, Net, Simulation, Stream, Urgency, Urgent, nets};

/// The transitions that fire, with their bindings, until nothing can.
fn trace(mut run: Simulation<'_>) -> Vec<(usize, f64, String)> {
    let mut trace = Vec::new();
    while let Some(event) = run.step().unwrap() {
        trace.push((event.transition, event.time.secs(), event.binding));
    }
    trace
}

fn bindings(net: &Net) -> Vec<String> {
    let trace = trace(net.simulate(1, 0, Choice::Fair));
    trace.into_iter().map(|it| it.2).collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Job(u32);

impl Colour for Job {}

impl Urgency for Job {
    type Rank = u32;

    fn rank(&self) -> u32 {
        self.0
    }
}

#[test]
fn queues_offer_tokens_in_their_order() {
    let fifo = Net::build("net", |page| {
        let queue = page.fifo("queue", [3, 1, 2]);
        page.transition("t").take(&queue).done();
    });
    assert_eq!(bindings(&fifo.unwrap()), ["3", "1", "2"]);
    let priority = Net::build("net", |page| {
        let queue = page.priority("queue", [Job(3), Job(1), Job(2)]);
        page.transition("t").take(&queue).done();
    });
    assert_eq!(bindings(&priority.unwrap()), ["Job(1)", "Job(2)", "Job(3)"]);
}

#[test]
fn a_delay_stamps_the_tokens_and_an_enabled_transition_fires_at_once() {
    let net = Net::build("net", |page| {
        let from = page.bag("from", [1]);
        let to = page.bag("to", []);
        page.transition("first")
            .take(&from)
            .put(to.after(Delay::constant(2.0)))
            .delay(Delay::constant(1.0))
            .fire(|token, _| token);
        page.transition("second").take(&to).done();
    })
    .unwrap();
    let expected = [(0, 0.0, "1".to_owned()), (1, 3.0, "1".to_owned())];
    assert_eq!(trace(net.simulate(1, 0, Choice::Fair)), expected);
}

#[test]
fn urgent_transitions_fire_first_and_late_ones_last() {
    let net = Net::build("net", |page| {
        for (name, urgency) in [
            ("c", Urgent::LOW),
            ("a", Urgent::HIGH),
            ("b", Urgent::NORMAL),
        ] {
            let place = page.unit(&format!("place {name}"), 1);
            page.transition(name).take(&place).urgency(urgency).done();
        }
    })
    .unwrap();
    let order: Vec<usize> = trace(net.simulate(1, 0, Choice::Fair))
        .iter()
        .map(|it| it.0)
        .collect();
    assert_eq!(order, [1, 2, 0]);
}

#[test]
fn an_inhibitor_counts_tokens_that_are_not_ready() {
    let net = Net::build("net", |page| {
        let start = page.unit("start", 1);
        let busy = page.unit("busy", 0);
        let waiting = page.unit("waiting", 1);
        page.transition("work")
            .take(&start)
            .put(busy.after(Delay::constant(5.0)))
            .urgency(Urgent::HIGH)
            .done();
        page.transition("rest").take(&busy).done();
        page.transition("go").take(&waiting).unless(&busy).done();
    })
    .unwrap();
    let times: Vec<f64> = trace(net.simulate(1, 0, Choice::Fair))
        .iter()
        .map(|it| it.1)
        .collect();
    assert_eq!(times, [0.0, 5.0, 5.0]);
}

#[test]
fn a_reset_takes_ready_and_pending_tokens() {
    let net = Net::build("net", |page| {
        let start = page.unit("start", 1);
        let alarm = page.unit("alarm", 0);
        let work = page.bag("work", [1, 2]);
        let units = page.unit("units", 3);
        page.transition("begin")
            .take(&start)
            .put(alarm.after(Delay::constant(1.0)))
            .put(work.after(Delay::constant(9.0)))
            .put(units.after(Delay::constant(9.0)))
            .fire(|(), _| 3);
        page.transition("clear")
            .take(&alarm)
            .reset(&work)
            .reset(&units)
            .done();
    })
    .unwrap();
    let mut run = net.simulate(1, 0, Choice::Fair);
    while run.step().unwrap().is_some() {}
    assert!(run.marking().iter().all(Vec::is_empty));
    assert_eq!(run.pending(), 0);
}

#[test]
fn fast_takes_the_first_binding_and_fair_any() {
    let net = Net::build("net", |page| {
        let bag = page.bag("bag", 0..100);
        page.transition("t").take(&bag).done();
    })
    .unwrap();
    let first = |run, choice| {
        net.simulate(1, run, choice)
            .step()
            .unwrap()
            .unwrap()
            .binding
    };
    assert!((0..20).all(|run| first(run, Choice::Fast) == "0"));
    assert!((0..20).any(|run| first(run, Choice::Fair) != "0"));
}

/// Adding a transition elsewhere leaves a transition's numbers as they were.
#[test]
fn a_transition_has_random_numbers_of_its_own() {
    let net = |others: bool| {
        Net::build("net", |page| {
            let clock = page.unit("clock", 1);
            page.transition("tick")
                .take(&clock)
                .put(clock.after(Delay::exponential(1.0)))
                .done();
            if others {
                let other = page.unit("other", 1);
                page.transition("other tick")
                    .take(&other)
                    .put(other.after(Delay::exponential(0.1)))
                    .done();
            }
        })
        .unwrap()
    };
    let ticks = |net: &Net| -> Vec<u64> {
        let mut run = net.simulate(5, 2, Choice::Fair);
        let events = std::iter::from_fn(|| run.step().unwrap());
        let ticks = events.filter(|it| it.transition == 0);
        ticks.take(20).map(|it| it.time.nanos()).collect()
    };
    assert_eq!(ticks(&net(false)), ticks(&net(true)));
}

/// The numbers themselves, so that a change of generator or of a machine's logarithm is seen.
#[test]
fn a_seed_gives_these_times_on_every_machine() {
    let net = nets::find("mm1").unwrap().build(&[]).unwrap();
    let mut run = net.simulate(1, 0, Choice::Fair);
    run.run_firings(1000).unwrap();
    assert_eq!(run.now().nanos(), 434_679_778);
}

/// Twenty classes of equal probability, and one of the far tail.
#[test]
fn exponential_numbers_are_exponentially_distributed() {
    const DRAWS: usize = 1_000_000;
    let mut stream = Stream::named(3, 0, "draws");
    let (mut classes, mut far) = ([0.0_f64; 20], 0.0_f64);
    for _ in 0..DRAWS {
        let value = stream.exponential();
        let class = (1.0 - (-value).exp()) * 20.0;
        classes[(class as usize).min(19)] += 1.0;
        far += f64::from(u8::from(value > 8.0));
    }
    let expected = DRAWS as f64 / 20.0;
    let squares: f64 = classes
        .iter()
        .map(|count| (count - expected).powi(2) / expected)
        .sum();
    // The 99.9 % quantile of χ² with 19 degrees of freedom.
    assert!(squares < 43.8, "{squares}: {classes:?}");
    let expected = DRAWS as f64 * (-8.0_f64).exp();
    assert!((far - expected).abs() < 4.0 * expected.sqrt(), "{far}");
}

/// Many pending tokens, whose times are spread, equal, close together or far apart.
#[test]
fn pending_tokens_come_in_the_order_of_their_times() {
    for delay in [
        Delay::exponential(1.0),
        Delay::constant(1e-9),
        Delay::uniform(0.0, 1e-6),
        Delay::empirical([0.5, 1e-9, 3e5, 0.5, 0.5]),
    ] {
        let net = Net::build("net", |page| {
            let travellers = page.bag("travellers", 0..20_000);
            page.transition("travel")
                .take(&travellers)
                .put(&travellers)
                .delay(delay)
                .fire(|traveller, _| traveller);
        })
        .unwrap();
        let mut run = net.simulate(1, 0, Choice::Fair);
        for _ in 0..10 {
            run.run_firings(20_000).unwrap();
            let marking = run.marking().swap_remove(0);
            assert_eq!(marking.len(), 20_000);
            let due = marking.iter().map(|it| it.ready_at.unwrap_or(run.now()));
            let first = due.min().unwrap();
            run.run_firings(1).unwrap();
            assert_eq!(run.now(), first);
        }
    }
}
