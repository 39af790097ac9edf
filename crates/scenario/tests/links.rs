//! Links and clients on nodes in scenario files: what they say, and what is refused.

use std::path::Path;

use hotset_scenario::{LinkEnds, Scenario, ScenarioSetting, ServerSpec};

const FILE: &str = "[[node]]\nname = \"web\"\nmemory = \"1GiB\"\n\
    [[node]]\nname = \"desk\"\nmemory = \"64MiB\"\nserver = \"none\"\n\
    [[link]]\nnode = \"web\"\nrate = \"1Gbit\"\n\
    [[link]]\nbetween = [\"desk\", \"web\"]\nrate = \"100Mbit\"\ndelay = \"50us\"\nloss = \"0.1%\"\nmtu = 9000\n\
    offload = false\n\
    [[client]]\nname = \"crowd\"\nasks = \"web\"\nclients = 8\nnode = \"desk\"\n";

fn parse(text: &str) -> Result<Scenario, String> {
    Scenario::parse(text, Path::new("s.toml")).map_err(|error| error.to_string())
}

#[test]
fn clients_on_nodes_and_links_between_nodes_are_read() {
    let scenario = parse(FILE).unwrap();
    let desk = &scenario.nodes[1];
    assert_eq!(desk.server, ServerSpec::None);
    assert!(!desk.has_server() && !desk.reads_store());
    assert_eq!(scenario.clients[0].node.as_deref(), Some("desk"));
    assert_eq!(scenario.link_of("web").unwrap().bits_per_s, 1_000_000_000);
    assert_eq!(scenario.link_of("desk"), None);
    let (link, between) = scenario.links_between().next().unwrap();
    assert_eq!(between, &["desk".to_owned(), "web".to_owned()]);
    assert_eq!((link.bits_per_s, link.delay_ns), (100_000_000, 50_000));
    assert_eq!(
        (link.loss, link.mtu_bytes, link.offload),
        (0.001, 9000, false)
    );
    assert_eq!(link.ends.to_string(), "desk-web");
    let plain = &scenario.links[0];
    assert_eq!(
        (plain.loss, plain.mtu_bytes, plain.offload),
        (0.0, 1500, true)
    );
    assert_eq!(plain.ends, LinkEnds::Switch("web".to_owned()));
}

#[test]
fn a_link_between_nodes_is_set_by_both_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.toml");
    std::fs::write(&file, FILE).unwrap();
    for names in ["desk-web", "web-desk"] {
        let setting = format!("link.{names}.rate=10Mbit");
        let setting: ScenarioSetting = setting.parse().unwrap();
        let scenario = Scenario::load_with(&file, &[setting]).unwrap();
        assert_eq!(scenario.links[1].bits_per_s, 10_000_000);
        assert_eq!(scenario.links[0].bits_per_s, 1_000_000_000);
    }
}

#[test]
fn links_and_clients_that_mean_nothing_are_refused_with_their_place() {
    for (from, to, wanted) in [
        (
            "[\"desk\", \"web\"]",
            "[\"desk\", \"wep\"]",
            "s.toml:12:11: `between` in [[link]]: no node is called `wep`; there are: web, desk; did you mean `web`?",
        ),
        (
            "[\"desk\", \"web\"]",
            "[\"web\", \"web\"]",
            "`between` in [[link]]: name two nodes",
        ),
        (
            "[\"desk\", \"web\"]",
            "[\"web\"]",
            "`between` in [[link]]: name two nodes",
        ),
        (
            "between = [\"desk\", \"web\"]",
            "node = \"web\"",
            "`node` in [[link]]: `web` has a link already",
        ),
        (
            "between = [\"desk\", \"web\"]\n",
            "",
            "s.toml:12:8: [[link]]: name its `node`, or with `between` two nodes",
        ),
        (
            "[[link]]\nnode = \"web\"",
            "[[link]]\nbetween = [\"web\", \"desk\"]",
            "`between` in [[link]]: `desk-web` has a link already",
        ),
        (
            "\"0.1%\"",
            "\"much\"",
            "`loss` in [[link]]: must be a percentage",
        ),
        (
            "9000",
            "20",
            "`mtu` in [[link]]: must be from 576 to 9216 bytes",
        ),
        (
            "node = \"desk\"\n",
            "node = \"dask\"\n",
            "`node` in [[client]]: no node is called `dask`; there are: web, desk; did you mean `desk`?",
        ),
        (
            "node = \"desk\"\n",
            "node = \"web\"\n",
            "`node` in [[client]]: `web` has a server",
        ),
        (
            "asks = \"web\"",
            "asks = \"desk\"",
            "`asks` in [[client]]: `desk` has no server",
        ),
        (
            "server = \"none\"",
            "server = \"none\"\n[[node]]\nname = \"front\"\nmemory = \"64MiB\"\nserver = \"nginx-proxy\"\nupstream = \"desk\"",
            "`upstream` in [[node]]: `desk` has no server",
        ),
    ] {
        assert!(FILE.contains(from), "{from}");
        let complaint = parse(&FILE.replacen(from, to, 1)).expect_err(to);
        assert!(complaint.contains(wanted), "{complaint}");
    }
}
