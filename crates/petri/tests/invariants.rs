//! Place and transition invariants, beside what nets are known for.

use hotset_petri::{Net, Unit, nets};

fn library(name: &str, set: &[(&str, f64)]) -> Net {
    nets::find(name).unwrap().build(set).unwrap()
}

#[test]
fn philosophers_and_forks_are_each_somewhere() {
    let net = library("philosophers", &[]);
    let invariants = net.place_invariants().unwrap();
    // Each philosopher thinks or eats; each fork lies there, or is one of two neighbours'.
    assert_eq!(invariants.len(), 10);
    assert!(invariants.iter().all(|it| it.tokens == 1));
    let sizes = |size| {
        invariants
            .iter()
            .filter(|it| it.weights.len() == size)
            .count()
    };
    assert_eq!((sizes(2), sizes(3)), (5, 5));
    // Each sits down and gets up as often.
    let rounds = net.transition_invariants().unwrap();
    assert_eq!(rounds.len(), 5);
    assert!(
        rounds
            .iter()
            .all(|it| it.len() == 2 && it.iter().all(|part| part.1 == 1))
    );
}

#[test]
fn customers_of_a_closed_network_stay_in_it() {
    let net = library("closed-network", &[("n", 7.0)]);
    let invariants = net.place_invariants().unwrap();
    let of_customers = invariants.iter().find(|it| it.weights.len() == 3).unwrap();
    assert_eq!(of_customers.tokens, 7);
}

#[test]
fn weights_are_those_of_the_arcs() {
    let net = Net::build("net", |page| {
        let [few, many] = [("few", 1), ("many", 6)].map(|it| page.unit(it.0, it.1));
        page.transition("split")
            .take(&few)
            .put(many.times(3))
            .done();
        page.transition("join").take(many.times(3)).put(&few).done();
    })
    .unwrap();
    let invariants = net.place_invariants().unwrap();
    assert_eq!(invariants.len(), 1);
    assert_eq!(
        (&invariants[0].weights, invariants[0].tokens),
        (&vec![(0, 3), (1, 1)], 9)
    );
}

#[test]
fn those_of_a_net_that_is_too_large_are_not_looked_for() {
    let net = library("philosophers", &[("n", 1000.0)]);
    assert_eq!(net.place_invariants(), None);
    assert_eq!(net.transition_invariants(), None);
}

#[test]
fn places_beyond_number_are_not_weighed_against_each_other() {
    let net = Net::build("net", |page| {
        let places = (0..6000).map(|it| page.unit(&format!("place {it}"), 1));
        let places: Vec<Unit> = places.collect();
        let take = page.transition("take");
        let take = places.iter().fold(take, |take, place| take.take(place));
        take.done();
    })
    .unwrap();
    assert_eq!(net.place_invariants(), None);
    assert_eq!(net.transition_invariants(), Some(Vec::new()));
}
