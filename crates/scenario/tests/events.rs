//! Events of scenario files: what they say, and what is refused.

use std::path::Path;

use hotset_scenario::{Change, Event, LinkEnds, Scenario};

const NODES: &str = "[[node]]\nname = \"web1\"\nmemory = \"1GiB\"\n[[node]]\nname = \"web2\"\nmemory = \"1GiB\"\n\
    [[link]]\nnode = \"web1\"\nrate = \"1Gbit\"\n[[store]]\nname = \"disk\"\nprofile = \"hdd\"\n";

fn events(text: &str) -> Result<Vec<Event>, String> {
    let text = format!("{NODES}{text}");
    let scenario = Scenario::parse(&text, Path::new("s.toml"));
    scenario.map(|it| it.events).map_err(|it| it.to_string())
}

fn event(keys: &str) -> Result<Vec<Event>, String> {
    events(&format!("[[event]]\nat = \"30s\"\n{keys}\n"))
}

#[test]
fn events_come_in_the_order_of_time() {
    let text = "[[event]]\nat = \"1.5s\"\nlink = \"web1\"\nstate = { rate = \"10Mbit\" }\n\
        [[event]]\nat = \"200ms\"\nnode = \"web2\"\nstate = \"down\"\n\
        [[event]]\nat = \"2s\"\nlink = \"web1\"\nstate = \"up\"\n\
        [[event]]\nat = \"1.6s\"\nstore = \"disk\"\nstate = { speed = 0.5 }\n";
    let link = LinkEnds::Switch("web1".to_owned());
    let expected = [
        (
            200,
            Change::Node {
                name: "web2".to_owned(),
                is_up: false,
            },
        ),
        (
            1_500,
            Change::LinkRate {
                link: link.clone(),
                bits_per_s: 10_000_000,
            },
        ),
        (
            1_600,
            Change::StoreSpeed {
                name: "disk".to_owned(),
                speed: 0.5,
            },
        ),
        (2_000, Change::Link { link, is_up: true }),
    ];
    let expected = expected.map(|(ms, change)| Event {
        at_ns: ms * 1_000_000,
        change,
    });
    assert_eq!(events(text).unwrap(), expected);
}

#[test]
fn events_that_mean_nothing_are_refused_with_their_place() {
    let complains = |keys: &str, words: &[&str]| {
        let message = event(keys).expect_err(keys);
        assert!(message.starts_with("s.toml:1"), "{message}");
        for word in words {
            assert!(message.contains(word), "{word:?} is not in {message}");
        }
    };
    complains(
        "node = \"web3\"\nstate = \"down\"",
        &["no [[node]] called `web3`; there are: web1, web2; did you mean `web"],
    );
    complains(
        "link = \"web2\"\nstate = \"down\"",
        &["no [[link]] of `web2`; there are: web1; did you mean `web1`?"],
    );
    complains(
        "store = \"disc\"\nstate = { speed = 0.5 }",
        &["no [[store]] called `disc`; there are: disk"],
    );
    complains("state = \"down\"", &["name one `node`, `link` or `store`"]);
    complains(
        "node = \"web1\"\nlink = \"web1\"\nstate = \"down\"",
        &["name one"],
    );
    complains(
        "node = \"web1\"\nstate = \"off\"",
        &["`state` in [[event]]", "`off` is none of down, up"],
    );
    complains(
        "node = \"web1\"\nstate = { speed = 0.5 }",
        &["a node is \"down\" or \"up\""],
    );
    complains(
        "link = \"web1\"\nstate = { speed = 0.5 }",
        &["a link is \"down\", \"up\" or has a rate"],
    );
    complains(
        "store = \"disk\"\nstate = \"down\"",
        &["a store has a speed"],
    );
    complains(
        "store = \"disk\"\nstate = { speed = 0 }",
        &["must be from 0.001 to 1000 times as fast"],
    );
    complains(
        "link = \"web1\"\nstate = { rate = \"fast\" }",
        &["write `1Gbit` or `100Mbit`"],
    );
    complains("link = \"web1\"\nstate = {}", &["give `rate` or `speed`"]);
    complains(
        "link = \"web1\"\nstate = { rates = \"1Gbit\" }",
        &["did you mean `rate`?"],
    );
    complains("link = \"web1\"\nstate = 3", &["must be \"down\", \"up\""]);
    complains("node = \"web1\"", &["`state` is missing"]);
    assert!(
        events("[[event]]\nnode = \"web1\"\nstate = \"up\"\n")
            .unwrap_err()
            .contains("`at` is missing")
    );
    assert!(
        events("[[event]]\nat = \"2h\"\nnode = \"web1\"\nstate = \"up\"\n")
            .unwrap_err()
            .contains("up to an hour")
    );
}

#[test]
fn a_link_between_two_nodes_goes_by_both_in_any_order() {
    let link = "[[link]]\nbetween = [\"web1\", \"web2\"]\nrate = \"1Gbit\"\n";
    let of = |link_of: &str| {
        let event = format!("[[event]]\nat = \"1s\"\nlink = {link_of}\nstate = \"down\"\n");
        events(&format!("{link}{event}"))
    };
    let ends = LinkEnds::Nodes(["web1".to_owned(), "web2".to_owned()]);
    let expected = Change::Link {
        link: ends,
        is_up: false,
    };
    assert_eq!(of("[\"web2\", \"web1\"]").unwrap()[0].change, expected);
    for (link_of, wanted) in [
        (
            "[\"web1\", \"disk\"]",
            "no [[link]] between `web1` and `disk`; there are: web1, web1-web2",
        ),
        (
            "[\"web1\", \"web2\", \"disk\"]",
            "name the node of a link, or the two",
        ),
    ] {
        let message = of(link_of).expect_err(link_of);
        assert!(message.starts_with("s.toml:18:8: "), "{message}");
        assert!(message.contains(wanted), "{message}");
    }
}
