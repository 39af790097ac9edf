//! What a net means, said in small nets.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use hotset_petri::{
    Choice, Colour, Delay, Experiment, Net, Object, Place, RunError, Simulation, StoppingRule,
    Stream, Time, Urgency, Urgent, nets,
};

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

/// Tokens that name one of three places, and go there after as many seconds.
fn sorter(tokens: &[u32]) -> Net {
    Net::build("net", |page| {
        let from = page.fifo("from", tokens.iter().copied());
        let to: Vec<_> = (0..3)
            .map(|it| page.fifo(&format!("to {it}"), []))
            .collect();
        page.transition("sort")
            .take(&from)
            .put(Place::one_of(&to).timed())
            .fire(|it, _| (Time::from_nanos(u64::from(it) * SECOND), (it as usize, it)));
        for (number, place) in to.iter().enumerate() {
            page.transition(&format!("take {number}"))
                .take(place)
                .done();
        }
    })
    .unwrap()
}

const SECOND: u64 = 1_000_000_000;

#[test]
fn code_says_to_which_of_several_places_a_token_goes() {
    let net = sorter(&[0, 2, 1]);
    let mut firings = trace(net.simulate(1, 0, Choice::Fast));
    let taken = firings.split_off(3);
    assert!(firings.iter().all(|it| (it.0, it.1) == (0, 0.0)));
    let expected = [(1, 0.0, "0"), (2, 1.0, "1"), (3, 2.0, "2")];
    assert_eq!(taken, expected.map(|it| (it.0, it.1, it.2.to_owned())));
}

#[test]
fn a_token_may_go_to_none_of_several_places() {
    let net = Net::build("net", |page| {
        let from = page.fifo("from", [0u32, 1, 2]);
        let to = ["a", "b"].map(|it| page.fifo(it, []));
        page.transition("sort")
            .take(&from)
            .put(Place::one_of(&to).maybe())
            .fire(|it, _| (it < 2).then_some((it as usize, it)));
        for (name, place) in ["take a", "take b"].iter().zip(&to) {
            page.transition(name).take(place).done();
        }
    })
    .unwrap();
    let mut run = net.simulate(1, 0, Choice::Fair);
    assert_eq!(run.run_firings(100).unwrap(), 5);
}

#[test]
fn a_token_that_goes_to_one_of_several_places_or_none_may_take_its_time() {
    let net = Net::build("net", |page| {
        let from = page.fifo("from", [0u32, 1, 2]);
        let to = ["a", "b"].map(|it| page.fifo(it, []));
        page.transition("sort")
            .take(&from)
            .put(Place::one_of(&to).maybe().timed())
            .fire(|it, _| {
                let after = Time::from_nanos(u64::from(it) * SECOND);
                (it < 2).then_some((after, (it as usize, it)))
            });
        for (name, place) in ["take a", "take b"].iter().zip(&to) {
            page.transition(name).take(place).done();
        }
    })
    .unwrap();
    let firings = trace(net.simulate(1, 0, Choice::Fast));
    let taken: Vec<_> = firings.iter().filter(|it| it.0 > 0).cloned().collect();
    let expected = [(1, 0.0, "0"), (2, 1.0, "1")];
    assert_eq!(taken, expected.map(|it| (it.0, it.1, it.2.to_owned())));
}

#[test]
fn a_place_that_is_not_among_the_several_ends_the_run() {
    let net = sorter(&[3]);
    let error = net.simulate(1, 0, Choice::Fast).run_firings(9).unwrap_err();
    assert!(
        matches!(&error, RunError::Panicked { path, .. } if path == "sort"),
        "{error}"
    );
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

/// A shelf of a run: what it is asked for twice is there. It can be neither copied nor sent to another thread.
struct Books(Rc<RefCell<Vec<u32>>>);

impl Books {
    fn holds(&mut self, book: u32) -> bool {
        let is_there = self.0.borrow().contains(&book);
        self.0.borrow_mut().push(book);
        is_there
    }
}

/// Requests for books of a shelf, which are answered in 3 s or, where the book is to be fetched, in 9 s with another after it.
fn reading() -> (Net, Object<Books>) {
    let mut shelf = None;
    let net = Net::build("reading", |page| {
        let wanted = page.fifo("wanted", [1, 1, 2]);
        let reader = page.unit("reader", 1);
        let read = page.bag("read", []);
        let fetched = page.bag("fetched", []);
        let books = page.object("books", |_| Books(Rc::default()));
        shelf = Some(books);
        page.transition("ask")
            .take(&wanted)
            .take(&reader)
            .borrow(&books)
            .put(read.timed())
            .put(fetched.many().timed().after(Delay::constant(1.0)))
            .put(&reader)
            .delay(Delay::constant(1.0))
            .fire_with(|book, books, _| {
                let seconds = |seconds| Time::from_secs(seconds).unwrap();
                match books.holds(book) {
                    true => ((seconds(3.0), book), Vec::new()),
                    false => {
                        let more = vec![(seconds(8.0), book), (seconds(0.0), book + 10)];
                        ((seconds(9.0), book), more)
                    }
                }
            });
        page.transition("answer").take(&read).done();
        page.transition("shelve").take(&fetched).done();
    });
    (net.unwrap(), shelf.unwrap())
}

#[test]
fn tokens_of_one_firing_have_delays_of_their_own() {
    let (net, _) = reading();
    let expected = [
        (0, 0.0, "1"),
        (0, 1.0, "1"),
        (0, 2.0, "2"),
        (2, 2.0, "11"),
        (2, 4.0, "12"),
        (1, 5.0, "1"),
        (1, 10.0, "1"),
        (2, 10.0, "1"),
        (1, 12.0, "2"),
        (2, 12.0, "2"),
    ];
    let mut trace = trace(net.simulate(1, 0, Choice::Fast));
    trace.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    let expected = expected.map(|(transition, at, binding)| (transition, at, binding.to_owned()));
    assert_eq!(trace, expected);
}

#[test]
fn each_run_has_objects_of_its_own() {
    let (net, books) = reading();
    for _ in 0..2 {
        let mut run = net.simulate(1, 0, Choice::Fast);
        run.run_firings(100).unwrap();
        assert_eq!(*run.object(books).0.borrow(), [1, 1, 2]);
    }
}

#[test]
fn an_object_can_be_changed_between_firings() {
    let mut count = None;
    let net = Net::build("counting", |page| {
        let turn = page.unit("turn", 1);
        let sum = page.object("sum", |_| 0);
        page.transition("count")
            .take(&turn)
            .borrow(&sum)
            .put(&turn)
            .delay(Delay::constant(1.0))
            .fire_with(|(), sum, _| *sum += 1);
        count = Some(sum);
    });
    let (net, sum) = (net.unwrap(), count.unwrap());
    let mut run = net.simulate(1, 0, Choice::Fast);
    run.run_firings(5).unwrap();
    assert_eq!(std::mem::take(&mut *run.object_mut(sum)), 5);
    run.run_firings(2).unwrap();
    assert_eq!(*run.object(sum), 2);
}

#[test]
fn replications_on_several_threads_make_objects_that_cannot_be_sent() {
    let answer = |threads| {
        let net = Net::build("counting", |page| {
            let turn = page.unit("turn", 1);
            let counted = page.samples("counted");
            let count = page.object("sum", |stream| Rc::new(Cell::new(stream.below(100))));
            page.transition("count")
                .take(&turn)
                .borrow(&count)
                .put(&turn)
                .delay(Delay::constant(1.0))
                .fire_with(move |(), count, firing| {
                    count.set(count.get() + 1);
                    firing.record(counted, count.get() as f64);
                });
        });
        let experiment = Experiment {
            length: Time::from_secs(10.0).unwrap(),
            warm_up: Some(Time::ZERO),
            enough: StoppingRule::Replications(8),
            threads,
            ..Experiment::default()
        };
        experiment.run(&net.unwrap(), &()).unwrap()
    };
    assert_eq!(answer(1), answer(4));
    assert!(answer(1).estimates[0].low < answer(1).estimates[0].high);
}

#[test]
fn times_of_all_replications_are_counted_on_any_number_of_threads() {
    let net = nets::find("mm1").unwrap().build(&[]).unwrap();
    let answer = |threads| {
        let experiment = Experiment {
            length: Time::from_secs(0.01).unwrap(),
            warm_up: Some(Time::ZERO),
            enough: StoppingRule::Replications(300),
            threads,
            ..Experiment::default()
        };
        experiment.run(&net, &()).unwrap()
    };
    let one = answer(1);
    assert_eq!(one.replications, 300);
    let with_times = one.estimates.iter().filter(|it| it.histogram.is_some());
    let counts = with_times.map(|it| (it.count, it.histogram.as_ref().map(|times| times.len())));
    let counts = Vec::from_iter(counts);
    assert!(!counts.is_empty() && counts.iter().all(|(count, times)| count == times));
    assert_eq!(one, answer(4));
}
