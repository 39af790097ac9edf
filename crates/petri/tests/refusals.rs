//! Nets that cannot be meant, and runs that cannot go on: one error each, with the path.

use hotset_petri::{Bag, Choice, Delay, Exploration, Fifo, Flaw, Net, Page, RunError, Time, nets};

fn refused(author: impl FnOnce(&mut Page<'_>)) -> String {
    Net::build("net", author).unwrap_err().to_string()
}

fn ended(net: &Net, seconds: f64) -> RunError {
    let mut run = net.simulate(1, 0, Choice::Fair).with_token_limit(1000);
    run.run_until(Time::from_secs(seconds).unwrap())
        .unwrap_err()
}

/// A place with a transition that moves its token round.
fn clock(page: &mut Page<'_>, name: &str) {
    let place = page.unit(name, 1);
    page.transition("tick")
        .take(&place)
        .put(place.after(Delay::constant(1.0)))
        .done();
}

#[test]
fn a_name_is_taken_once_on_a_page_and_again_on_another() {
    let error = refused(|page| {
        page.unit("a", 1);
        page.unit("a", 1);
    });
    assert!(error.starts_with("a: the name is taken"), "{error}");
    let two_pages = Net::build("net", |page| {
        page.page("one", |page| clock(page, "clock"));
        page.page("two", |page| clock(page, "clock"));
    });
    let net = two_pages.unwrap();
    assert_eq!(Vec::from_iter(net.places()), ["one/clock", "two/clock"]);
}

#[test]
fn a_name_must_fit_into_a_path() {
    for name in ["", "a/b"] {
        let error = refused(|page| clock(page, name));
        assert!(error.contains("must not be empty or contain"), "{error}");
    }
}

#[test]
fn an_unconnected_port_is_refused_with_its_path() {
    let error = refused(|page| {
        page.page("web1", |page| {
            let port = page.port::<Fifo<u32>>("requests");
            page.transition("serve").take(&port).done();
        });
    });
    assert!(
        error.starts_with("web1/requests: the port is not connected"),
        "{error}"
    );
}

#[test]
fn a_port_has_one_socket_and_only_ports_have_sockets() {
    let connect_twice = |page: &mut Page<'_>| {
        let port = page.page("inner", |page| page.unit_port("port"));
        let sockets = ["a", "b"].map(|name| page.unit(name, 1));
        sockets
            .iter()
            .for_each(|socket| page.connect(&port, socket));
    };
    let error = refused(connect_twice);
    assert!(
        error.starts_with("inner/port: the port is connected twice"),
        "{error}"
    );
    let error = refused(|page| {
        let [a, b] = ["a", "b"].map(|name| page.unit(name, 1));
        page.connect(&a, &b);
    });
    assert!(error.starts_with("a: is no port"), "{error}");
}

#[test]
fn a_fusion_set_holds_one_type_on_all_pages() {
    let error = refused(|page| {
        page.page("one", |page| {
            let memory = page.bag("memory", [1_u32]);
            page.fuse("memory", &memory);
        });
        page.page("two", |page| {
            let memory = page.bag("memory", ["x"]);
            page.fuse("memory", &memory);
        });
    });
    assert_eq!(
        error,
        "two/memory: holds &str, but its fusion set `memory` holds u32"
    );
}

#[test]
fn fused_places_are_one() {
    let net = Net::build("net", |page| {
        for (name, tokens) in [("one", 1), ("two", 0)] {
            page.page(name, |page| {
                let memory = page.unit("memory", tokens);
                page.fuse("memory", &memory);
                page.transition("use")
                    .take(&memory)
                    .put(memory.after(Delay::constant(1.0)))
                    .done();
            });
        }
    });
    assert_eq!(Vec::from_iter(net.unwrap().places()), ["one/memory"]);
}

#[test]
fn places_that_nobody_fills_or_empties_are_refused() {
    let error = refused(|page| {
        let empty = page.bag::<u32>("empty", []);
        page.transition("t").take(&empty).done();
    });
    assert!(
        error.starts_with("empty: nobody fills this place"),
        "{error}"
    );
    let error = refused(|page| {
        let from = page.unit("from", 1);
        let lost = page.unit("lost", 0);
        page.transition("t").take(&from).put(&lost).done();
    });
    assert!(
        error.starts_with("lost: nobody takes from this place"),
        "{error}"
    );
    let sink = Net::build("net", |page| {
        let from = page.unit("from", 1);
        let gone = page.sink::<u32>("gone");
        page.transition("t").take(&from).put(&gone).fire(|(), _| 1);
    });
    sink.unwrap();
}

#[test]
fn an_unindexed_join_is_refused_unless_asked_for() {
    let join = |page: &mut Page<'_>, asked_for: bool| {
        let a = page.bag("a", [1, 2]);
        let b = page.bag("b", [2, 3]);
        let pairs = page
            .transition("join")
            .take(&a)
            .take(&b)
            .when(|(a, b)| a == b);
        match asked_for {
            true => pairs.unindexed().done(),
            false => pairs.done(),
        };
    };
    let error = refused(|page| join(page, false));
    assert!(
        error.starts_with("join: its guard would try every pair"),
        "{error}"
    );
    let net = Net::build("net", |page| join(page, true)).unwrap();
    assert_eq!(net.simulate(1, 0, Choice::Fair).enabled(), [1]);
}

#[test]
fn a_transition_takes_something_and_from_each_coloured_place_once() {
    let error = refused(|page| {
        let sink = page.sink::<u32>("sink");
        page.transition("t").put(&sink).fire(|(), _| 1);
    });
    assert!(error.starts_with("t: takes no token"), "{error}");
    let error = refused(|page| {
        let a = page.bag("a", [1]);
        page.transition("t").take(&a).take(&a).done();
    });
    assert!(error.starts_with("t: takes twice from a"), "{error}");
}

#[test]
fn impossible_delays_are_refused_when_built() {
    for delay in [
        Delay::constant(-1.0),
        Delay::exponential(f64::NAN),
        Delay::uniform(2.0, 1.0),
        Delay::erlang(0, 1.0),
        Delay::empirical([]),
    ] {
        let error = refused(|page| {
            let place = page.unit("place", 1);
            page.transition("t")
                .take(&place)
                .put(&place)
                .delay(delay)
                .done();
        });
        assert!(error.starts_with("t: a delay of"), "{error}");
    }
}

#[test]
fn a_place_of_another_net_is_refused() {
    let mut foreign: Option<hotset_petri::Place<Bag<u32>>> = None;
    Net::build("one", |page| {
        foreign = Some(page.bag("a", [1]));
        page.transition("t").take(&foreign.unwrap()).done();
    })
    .unwrap();
    let error = refused(|page| {
        page.transition("t").take(&foreign.unwrap()).done();
    });
    assert!(
        error.starts_with("t: uses a place of another net"),
        "{error}"
    );
}

#[test]
fn a_parameter_that_makes_no_sense_names_its_rule() {
    let mm1 = nets::find("mm1").unwrap();
    for value in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = mm1.build(&[("rho", value)]).unwrap_err();
        assert!(matches!(error.flaw, Flaw::BadParameter { name: "rho", .. }));
    }
    let error = nets::find("philosophers").unwrap().build(&[("n", 2.5)]);
    assert!(error.unwrap_err().to_string().contains("a whole number"));
}

#[test]
fn a_deadlock_names_the_places_that_hold_tokens() {
    let net = Net::build("net", |page| {
        let forks = page.unit("forks", 1);
        let waiting = page.unit("waiting", 1);
        page.transition("eat")
            .take(forks.times(2))
            .take(&waiting)
            .put(forks.times(2))
            .put(&waiting)
            .done();
    });
    let error = ended(&net.unwrap(), 1.0).to_string();
    assert_eq!(
        error,
        "deadlock at 0 s: no transition can fire; tokens are left in forks, waiting"
    );
}

#[test]
fn a_place_that_grows_without_bound_is_named() {
    let net = Net::build("net", |page| {
        page.page("web1", |page| {
            let source = page.unit("source", 1);
            let queue = page.unit("queue", 0);
            page.transition("arrive")
                .take(&source)
                .put(source.after(Delay::constant(1e-3)))
                .put(&queue)
                .done();
            page.transition("serve").take(queue.times(2000)).done();
        });
    });
    let error = ended(&net.unwrap(), 10.0);
    assert!(
        matches!(&error, RunError::Unbounded { path, limit: 1000, .. } if path == "web1/queue"),
        "{error}"
    );
}

#[test]
fn a_loop_that_lets_no_time_pass_ends() {
    let net = Net::build("net", |page| {
        let a = page.unit("a", 1);
        page.transition("spin").take(&a).put(&a).done();
    });
    let error = ended(&net.unwrap(), 1.0);
    assert!(matches!(&error, RunError::ZeroTimeLoop { path, .. } if path == "spin"));
}

#[test]
fn a_bad_delay_of_the_code_names_its_transition() {
    for seconds in [f64::NAN, -1.0, f64::INFINITY] {
        let net = Net::build("net", |page| {
            let a = page.unit("a", 1);
            page.transition("wrong")
                .take(&a)
                .put(&a)
                .fire(move |(), firing| firing.delay_by(seconds));
        });
        let error = ended(&net.unwrap(), 1.0);
        assert!(matches!(&error, RunError::BadDelay { path, .. } if path == "wrong"));
    }
}

#[test]
fn a_guard_that_panics_names_its_transition_and_the_run_stays_ended() {
    let net = Net::build("net", |page| {
        let a = page.bag("a", [0_u32]);
        page.transition("divide")
            .take(&a)
            .when(|a| 1 / std::hint::black_box(*a) > 0)
            .put(&a)
            .fire(|a, _| a);
    })
    .unwrap();
    let mut run = net.simulate(1, 0, Choice::Fair);
    let error = run.step().unwrap_err();
    assert_eq!(
        error.to_string(),
        "divide: its code panicked at 0 s: attempt to divide by zero"
    );
    assert_eq!(run.step().unwrap_err(), error);
}

#[test]
fn an_object_is_borrowed_once_and_only_by_transitions_of_its_net() {
    let mut foreign = None;
    let twice = Net::build("net", |page| {
        let turn = page.unit("turn", 1);
        let count = page.object("count", |_| 0);
        foreign = Some(count);
        let turning = page.transition("twice").take(&turn).put(&turn);
        turning
            .borrow(&count)
            .borrow(&count)
            .fire_with(|(), (_, _), _| ());
    });
    let error = twice.unwrap_err().to_string();
    assert_eq!(error, "twice: borrows count twice; borrow it once");
    let other = Net::build("net", |page| {
        let turn = page.unit("turn", 1);
        let turning = page.transition("turn round").take(&turn).put(&turn);
        turning.borrow(&foreign.unwrap()).fire_with(|(), _, _| ());
    });
    let error = other.unwrap_err().to_string();
    assert!(
        error.starts_with("turn round: borrows an object of another net"),
        "{error}"
    );
}

#[test]
fn a_net_with_objects_has_no_state_space() {
    let net = Net::build("net", |page| {
        let turn = page.unit("turn", 1);
        let count = page.object("count", |_| 0);
        let turning = page.transition("web1").take(&turn).put(&turn);
        turning.borrow(&count).fire_with(|(), count, _| *count += 1);
    });
    let net = net.unwrap();
    let error = Exploration::default().explore(&net, &|_| true).err();
    let error = error.map(|it| it.to_string()).unwrap_or_default();
    assert!(error.starts_with("web1: borrows an object"), "{error}");
}
