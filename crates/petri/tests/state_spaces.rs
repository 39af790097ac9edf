//! State spaces whose markings somebody else has counted.

use crate::contest;

use hotset_petri::{Choice, End, Exploration, Net, Page, Place, RunError, StateSpace, Time, nets};

fn explored(net: &Net) -> StateSpace<'_> {
    Exploration::default().explore(net, &|_| true).unwrap()
}

/// Markings, firings between them, and how many markings are dead.
fn counts(author: impl FnOnce(&mut Page<'_>)) -> (usize, usize, usize) {
    counts_of(&Net::build("net", author).unwrap())
}

fn counts_of(net: &Net) -> (usize, usize, usize) {
    let space = explored(net);
    assert_eq!(*space.ended(), End::Complete);
    (space.len(), space.arcs(), space.dead().len())
}

fn library(name: &str, set: &[(&str, f64)]) -> Net {
    nets::find(name).unwrap().build(set).unwrap()
}

/// Each of two tokens is where it began, in the place of its own, or gone.
#[test]
fn tokens_that_code_sends_to_one_of_several_places_are_followed() {
    let counted = counts(|page| {
        let from = page.bag("from", [0u32, 1]);
        let to = ["a", "b"].map(|it| page.bag(it, []));
        page.transition("sort")
            .take(&from)
            .put(Place::one_of(&to))
            .fire(|it, _| (it as usize, it));
        for (name, place) in ["take a", "take b"].iter().zip(&to) {
            page.transition(name).take(place).done();
        }
    });
    assert_eq!(counted, (9, 12, 1));
}

/// Two people who eat once, each with two forks: both have eaten, or both hold one fork and wait for ever.
#[test]
fn a_dead_marking_in_which_all_have_ended_is_no_deadlock() {
    let net = Net::build("two forks", |page| {
        let [left, right] = ["left", "right"].map(|it| page.unit(it, 1));
        for (name, first, second) in [("Ann", left, right), ("Bob", right, left)] {
            page.page(name, |page| {
                let hungry = page.unit("hungry", 1);
                let holds_one = page.unit("holds one", 0);
                let fed = page.end("fed");
                page.transition("take one")
                    .take(&hungry)
                    .take(&first)
                    .put(&holds_one)
                    .done();
                page.transition("eat")
                    .take(&holds_one)
                    .take(&second)
                    .put(&first)
                    .put(&second)
                    .put(&fed)
                    .done();
            });
        }
    });
    let net = net.unwrap();
    let space = explored(&net);
    let dead = Vec::from_iter(space.dead());
    let deadlocks = Vec::from_iter(space.deadlocks());
    assert_eq!((dead.len(), deadlocks.len()), (2, 1));
    let holds_one = net.places().position(|it| it == "Ann/holds one").unwrap();
    assert_eq!(space.marking(deadlocks[0]).tokens(holds_one), 1);
    let ended = dead.iter().filter(|&&it| space.has_ended(it)).count();
    assert_eq!(ended, 1);
}

#[test]
fn a_run_of_a_net_that_has_ended_says_so() {
    let net = Net::build("net", |page| {
        let waits = page.unit("waits", 1);
        let ended = page.end("ended");
        page.transition("go").take(&waits).put(&ended).done();
    });
    let net = net.unwrap();
    let mut run = net.simulate(1, 0, Choice::Fair);
    let ended = run.run_until(Time::from_nanos(1000));
    assert_eq!(ended, Err(RunError::Ended { at: Time::ZERO }));
}

/// Who eats is a set of philosophers of whom no two are neighbours: their number is that of Lucas.
#[test]
fn philosophers_who_take_both_forks_have_lucas_numbers_of_markings() {
    let (mut before, mut lucas) = (2, 1);
    for n in 2..=16 {
        (before, lucas) = (lucas, before + lucas);
        let net = library("philosophers", &[("n", f64::from(n))]);
        // Of two philosophers, each is the other's neighbour on both sides.
        assert_eq!(explored(&net).len(), lucas, "{n} philosophers");
    }
}

#[test]
fn customers_of_a_closed_network_are_spread_in_any_way() {
    for (servers, n) in [(3_u64, 100_u64), (4, 10)] {
        let net = library(
            "closed-network",
            &[("servers", servers as f64), ("n", n as f64)],
        );
        // n + servers − 1 over servers − 1.
        let ways = (1..servers).fold(1, |ways, it| ways * (n + it) / it);
        assert_eq!(explored(&net).len() as u64, ways);
    }
}

#[test]
fn a_buffer_is_filled_to_any_level() {
    let net = library("producer-consumer", &[]);
    assert_eq!(counts_of(&net), (11, 20, 0));
    assert_eq!(explored(&net).bounds(), [1, 1, 10, 10]);
}

/// Markings and firings as published: Model Checking Contest 2020, examination StateSpace, the values on which its tools agree
/// (github.com/yanntm/pnmcc-models-2021, oracleSS.tar.gz). The contest ignores what is dead.
#[test]
fn nets_of_the_model_checking_contest_have_the_published_numbers() {
    for (name, net, markings, firings) in [
        ("Philosophers-PT-000005", contest::philosophers(5), 243, 945),
        (
            "Philosophers-PT-000010",
            contest::philosophers(10),
            59_049,
            459_270,
        ),
        ("Kanban-PT-00005", contest::kanban(5), 2_546_432, 24_460_016),
        ("FMS-PT-00002", contest::manufacturing(2), 3_444, 16_311),
        (
            "SharedMemory-PT-000005",
            contest::shared_memory(5),
            1_863,
            10_395,
        ),
        ("Dekker-PT-010", contest::dekker(10), 6_144, 171_530),
        ("TokenRing-PT-010", contest::token_ring(10), 58_905, 294_050),
    ] {
        let (found, arcs, _) = counts_of(&net);
        assert_eq!((found, arcs), (markings, firings), "{name}");
    }
}

/// Each of n processes is idle or reads, or one writes and all others are idle: 2ⁿ + n markings.
#[test]
fn readers_and_writers_have_two_to_the_n_plus_n_markings() {
    for n in 1..=10 {
        let (markings, _, dead) = counts(|page| {
            let keys = page.unit("keys", n);
            for it in 0..n {
                page.page(&format!("process {it}"), |page| {
                    let [idle, reading, writing] = [("idle", 1), ("reading", 0), ("writing", 0)]
                        .map(|it| page.unit(it.0, it.1));
                    let moves = [
                        ("read", idle, reading, Some(keys.times(1)), None),
                        ("stop reading", reading, idle, None, Some(keys.times(1))),
                        ("write", idle, writing, Some(keys.times(n)), None),
                        ("stop writing", writing, idle, None, Some(keys.times(n))),
                    ];
                    for (name, from, to, takes, gives) in moves {
                        let none = keys.times(0);
                        let transition = page.transition(name).take(&from).put(&to);
                        let transition = transition.take(takes.unwrap_or(none.clone()));
                        transition.put(gives.unwrap_or(none)).done();
                    }
                });
            }
        });
        assert_eq!(
            (markings, dead),
            ((1 << n) + n as usize, 0),
            "{n} processes"
        );
    }
}

#[test]
fn a_firing_sequence_leads_to_the_dead_marking() {
    let net = Net::build("net", |page| {
        let raw = page.unit("raw", 3);
        let made = page.bag("made", [0_u32]);
        page.transition("make")
            .take(raw.times(2))
            .take(&made)
            .put(&made)
            .fire(|made, _| made + 1);
    })
    .unwrap();
    let mut space = explored(&net);
    assert_eq!((space.len(), space.arcs()), (2, 1));
    let dead = space.dead().next().unwrap();
    let path = space.path_to(dead);
    assert_eq!(path.len(), 1);
    assert_eq!((path[0].transition, path[0].binding.as_str()), (0, "0"));
    assert_eq!(space.marking(dead).tokens(0), 1);
    assert_eq!(space.marking(dead).colours(1), ["1"]);
}

#[test]
fn every_outcome_of_a_chance_is_followed() {
    let found = counts(|page| {
        let coin = page.unit("coin", 2);
        let side = page.bag("side", []);
        page.transition("toss")
            .take(&coin)
            .put(&side)
            .fire(|(), firing| firing.random().chance(0.5));
        page.transition("show").take(&side).when(|_| false).done();
    });
    // No coin tossed; heads or tails; both heads, one of each, both tails.
    assert_eq!(found, (6, 6, 3));
}

#[test]
fn clients_of_a_join_have_open_requests_or_none() {
    for clients in 1..=4 {
        let net = library("keyed-join", &[("clients", f64::from(clients))]);
        // A client thinks, or waits for an answer that is a success or a failure.
        assert_eq!(counts_of(&net).0, 3_usize.pow(clients));
    }
}

fn ended(net: &Net) -> End {
    explored(net).ended().clone()
}

#[test]
fn a_place_that_grows_without_bound_is_found_with_the_firings_that_fill_it() {
    for (name, place) in [
        ("mm1", "queue"),
        ("mg1", "queue"),
        ("token-bucket", "queue"),
    ] {
        let net = library(name, &[]);
        let mut space = explored(&net);
        let End::Unbounded {
            place: found,
            from,
            to,
        } = *space.ended()
        else {
            panic!("{name}: {:?}", space.ended());
        };
        assert_eq!(net.places().nth(found), Some(place), "{name}");
        let before = space.path_to(from).len();
        let again = space.path_to(to).split_off(before);
        let arrivals = again
            .iter()
            .map(|it| net.transitions().nth(it.transition).unwrap());
        assert!(arrivals.clone().count() > 0 && arrivals.into_iter().all(|it| it == "arrive"));
    }
}

#[test]
fn growth_shows_beside_a_large_initial_marking() {
    let net = Net::build("net", |page| {
        let heap = page.unit("heap", 1 << 20);
        let source = page.unit("source", 1);
        page.transition("arrive")
            .take(&source)
            .put(&source)
            .put(&heap)
            .done();
        page.transition("empty").take(heap.times(1 << 22)).done();
        for lamp in 0..10 {
            let off = page.unit(&format!("off {lamp}"), 1);
            let on = page.unit(&format!("on {lamp}"), 0);
            page.transition(&format!("light {lamp}"))
                .take(&off)
                .put(&on)
                .done();
            page.transition(&format!("darken {lamp}"))
                .take(&on)
                .put(&off)
                .done();
        }
    });
    let net = net.unwrap();
    let few = Exploration {
        max_markings: 1000,
        ..Exploration::default()
    };
    let space = few.explore(&net, &|_| true).unwrap();
    assert!(
        matches!(space.ended(), End::Unbounded { place: 0, .. }),
        "{:?}",
        space.ended()
    );
}

#[test]
fn growth_that_an_inhibitor_ends_is_no_growth() {
    let net = Net::build("net", |page| {
        let source = page.unit("source", 1);
        let heap = page.unit("heap", 0);
        page.transition("add")
            .take(&source)
            .put(&source)
            .put(&heap)
            .below(&heap, 20)
            .done();
        page.transition("clear")
            .take(&source)
            .put(&source)
            .reset(&heap)
            .done();
    });
    let net = net.unwrap();
    assert_eq!(
        (ended(&net), explored(&net).bounds()[1]),
        (End::Complete, 20)
    );
}

#[test]
fn limits_end_an_exploration_and_say_which() {
    let net = library("philosophers", &[("n", 20.0)]);
    let with = |max_markings, memory_bytes, goes_on| {
        let exploration = Exploration {
            max_markings,
            memory_bytes,
        };
        let space = exploration.explore(&net, &|_| goes_on).unwrap();
        (space.ended().clone(), space.len())
    };
    assert_eq!(with(1000, u64::MAX, true), (End::TooManyMarkings, 1000));
    assert_eq!(with(15_127, u64::MAX, true), (End::Complete, 15_127));
    assert_eq!(with(usize::MAX, u64::MAX, false), (End::Stopped, 1));
    let (ended, found) = with(usize::MAX, 300_000, true);
    assert_eq!(ended, End::OutOfMemory);
    assert!((100..15_127).contains(&found), "{found}");
}

#[test]
fn what_follows_from_one_marking_has_to_fit_into_memory() {
    // Of 2000 philosophers any may sit down first, and each of these markings needs more than 1 KiB.
    let net = library("philosophers", &[("n", 2000.0)]);
    let exploration = Exploration {
        memory_bytes: 1 << 20,
        ..Exploration::default()
    };
    let space = exploration.explore(&net, &|_| true).unwrap();
    assert_eq!((space.ended(), space.len()), (&End::OutOfMemory, 1));
    assert!(space.bytes() < 1 << 20, "{}", space.bytes());
}

#[test]
fn code_that_panics_is_an_error_with_the_way_there() {
    let net = Net::build("net", |page| {
        let numbers = page.bag("numbers", [3_u32]);
        page.transition("count down")
            .take(&numbers)
            .put(&numbers)
            .fire(|it, _| it.checked_sub(2).expect("enough is left"));
    })
    .unwrap();
    let error = Exploration::default()
        .explore(&net, &|_| true)
        .err()
        .unwrap();
    let message = error.to_string();
    assert!(
        message.starts_with("count down: its code panicked: enough is left"),
        "{message}"
    );
    assert!(message.ends_with("after `count down` with 3"), "{message}");
}

#[test]
fn code_that_draws_without_end_is_refused() {
    let net = Net::build("net", |page| {
        let numbers = page.bag("numbers", [3.0]);
        page.transition("draw")
            .take(&numbers)
            .put(&numbers)
            .fire(|_, firing| firing.random().unit());
    })
    .unwrap();
    let error = Exploration::default()
        .explore(&net, &|_| true)
        .err()
        .unwrap();
    assert!(
        error.to_string().starts_with("draw: its code draws"),
        "{error}"
    );
}

#[test]
fn a_delay_that_code_chooses_lets_tokens_overtake_each_other() {
    let build = |chooses: bool| {
        Net::build("net", |page| {
            let start = page.fifo("start", [1_u32, 2]);
            let queue = page.fifo("queue", []);
            page.transition("go")
                .take(&start)
                .put(&queue)
                .fire(move |token, firing| {
                    if chooses {
                        firing.delay_by(f64::from(token));
                    }
                    token
                });
            page.transition("end").take(&queue).done();
        })
        .unwrap()
    };
    let [in_order, in_any] = [false, true].map(build);
    assert!(!explored(&in_order).is_timed() && explored(&in_any).is_timed());
    // In order, the queue has 1, or both, or 2 with 1 gone. Otherwise it may also have 1 with 2 gone.
    assert_eq!((explored(&in_order).len(), explored(&in_any).len()), (6, 7));
}

#[test]
fn the_long_run_is_that_of_the_terminal_components() {
    let net = library("philosophers", &[]);
    let philosophers = explored(&net).long_run().unwrap();
    assert_eq!(
        (philosophers.home_markings, philosophers.can_start_anew),
        (11, true)
    );
    assert!(philosophers.live.iter().all(|&live| live));

    // Both forks of the contest's philosophers can be taken by different people.
    let net = contest::philosophers(5);
    let mut space = explored(&net);
    assert_eq!(space.dead().len(), 2);
    let stuck = space.long_run().unwrap();
    assert_eq!((stuck.terminal_components, stuck.home_markings), (2, 0));
    assert!(stuck.live.iter().all(|&live| !live));

    let net = Net::build("net", |page| {
        let [a, b, c] = [("a", 1), ("b", 0), ("c", 0)].map(|it| page.unit(it.0, it.1));
        page.transition("leave").take(&a).put(&b).done();
        page.transition("there").take(&b).put(&c).done();
        page.transition("back").take(&c).put(&b).done();
    })
    .unwrap();
    let circle = explored(&net).long_run().unwrap();
    assert_eq!((circle.home_markings, circle.can_start_anew), (2, false));
    assert_eq!(circle.live, [false, true, true]);
}
