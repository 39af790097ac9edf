//! Links and clients on nodes in scenario files: what they say, and what is refused.

use std::path::Path;

use hotset_scenario::{
    LinkEnds, NetworkTopology, Offload, Scenario, ScenarioSetting, ServerSpec, StackCosts,
};

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
        (0.001, 9000, Offload::None)
    );
    assert_eq!(link.ends.to_string(), "desk-web");
    let plain = &scenario.links[0];
    assert_eq!(
        (plain.loss, plain.mtu_bytes, plain.offload),
        (0.0, 1500, Offload::Segmentation)
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
            "rate = \"100Mbit\"\n",
            "",
            "`between` in [[link]]: give the link a `rate`, or a `profile`",
        ),
        (
            "rate = \"100Mbit\"\n",
            "profile = \"ethernet-1gb\"\n",
            "`profile` in [[link]]: `ethernet-1gb` is none of ethernet-100m, ethernet-1g, ",
        ),
        (
            "rate = \"100Mbit\"\n",
            "profile = \"ipoib\"\nvirtual_lanes = 2\n",
            "`virtual_lanes` in [[link]]: is of links with profile = \"rdma\"; take it out",
        ),
        (
            "rate = \"100Mbit\"\n",
            "profile = \"rdma\"\nvirtual_lanes = 16\n",
            "`virtual_lanes` in [[link]]: must be from 1 to 15",
        ),
        (
            "offload = false",
            "offload = \"some\"",
            "`offload` in [[link]]: must be true, false, \"none\", \"checksum\", \"segmentation\" or \"full\"",
        ),
        (
            "offload = false",
            "offload = \"full\"\n[link.stack]\nhardware = 2",
            "must be from 0 to 1",
        ),
        (
            "offload = false",
            "[link.stack]\npacket_us = 1e12",
            "must be at most 1000000 microseconds, a second",
        ),
        (
            "offload = false",
            "[link.stack]\npackets_per_interrupt = -1",
            "must be a whole number from 1 to 65536",
        ),
        (
            "rate = \"100Mbit\"\n",
            "rate = \"1Tbit\"\n",
            "write `1Gbit` or `100Mbit`, from `0.001Mbit` to `10000Gbit`",
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

#[test]
fn offload_and_the_costs_of_network_stacks_are_read() {
    let stack = "offload = \"checksum\"\n[link.stack]\npacket_us = 2\ncopy_ns_per_byte = 0.5\n";
    let scenario = parse(&FILE.replacen("offload = false\n", stack, 1)).unwrap();
    let link = &scenario.links[1];
    assert_eq!(link.offload, Offload::Checksum);
    let costs = StackCosts {
        packet_us: 2.0,
        copy_ns_per_byte: 0.5,
        ..StackCosts::default()
    };
    assert_eq!(link.stack, Some(costs));
    assert_eq!(scenario.links[0].stack, None);
}

#[test]
fn each_offload_takes_its_part_from_processors() {
    let costs = StackCosts::PENTIUM_III_700;
    let of = |offload| {
        let message = (64 << 10, 8);
        costs.sent_ns(message, offload) + costs.received_ns(message, offload)
    };
    let all = [
        Offload::None,
        Offload::Checksum,
        Offload::Segmentation,
        Offload::Full,
    ];
    let work: Vec<f64> = all.map(of).into();
    assert!(work.is_sorted_by(|more, less| more > less), "{work:?}");
}

#[test]
fn a_message_costs_what_its_bytes_packets_and_interrupts_do() {
    let costs = StackCosts {
        copy_ns_per_byte: 1.0,
        checksum_ns_per_byte: 2.0,
        read_miss_ns_per_byte: 4.0,
        write_miss_ns_per_byte: 8.0,
        cold: 0.25,
        packet_us: 1.0,
        interrupt_us: 10.0,
        packets_per_interrupt: 2,
        ..StackCosts::default()
    };
    let message = (1000, 3);
    // A copy and the greater of sum and misses, and three packets.
    assert_eq!(costs.sent_ns(message, Offload::None), 3000.0 + 3000.0);
    assert_eq!(costs.sent_ns(message, Offload::Checksum), 3000.0 + 3000.0);
    assert_eq!(
        costs.sent_ns(message, Offload::Segmentation),
        3000.0 + 1000.0
    );
    assert_eq!(costs.sent_ns(message, Offload::Full), 3000.0);
    // A sum and a miss, a copy and a quarter of misses; without the sum a copy and a miss. Two interrupts.
    let received = |offload| costs.received_ns(message, offload);
    assert_eq!(received(Offload::None), 6000.0 + 3000.0 + 3000.0 + 20_000.0);
    assert_eq!(received(Offload::Checksum), 5000.0 + 3000.0 + 20_000.0);
    assert_eq!(received(Offload::Full), 5000.0 + 10_000.0);
}

#[test]
fn a_card_with_a_slow_processor_limits_its_link() {
    let full =
        "offload = \"full\"\n[link.stack]\npacket_us = 10\nhardware = 0.5\nfirmware_speed = 0.1\n";
    let scenario = parse(&FILE.replacen("offload = false\n", full, 1)).unwrap();
    let link = &scenario.links[1];
    // 10 µs, of which half takes ten times as long: 50 µs for each packet of 9000 bytes, in both cards.
    assert_eq!(link.passed_bits_per_s(10_000_000_000), 1_440_000_000);
    assert_eq!(link.passed_bits_per_s(100_000_000), 100_000_000);
    assert_eq!(link.passing_delay_ns(), 150_000);
}

#[test]
fn a_network_by_name_gives_what_its_table_does_not_say() {
    let of = |keys: &str| {
        let text = FILE.replacen("rate = \"1Gbit\"\n", keys, 1);
        parse(&text).unwrap().links.remove(0)
    };
    let myrinet = of("profile = \"myrinet\"\n");
    assert_eq!(
        (myrinet.bits_per_s, myrinet.mtu_bytes),
        (2_000_000_000, 9000)
    );
    assert_eq!(myrinet.stack, Some(StackCosts::PENTIUM_III_700));
    assert_eq!((myrinet.offload, myrinet.rdma_lanes), (Offload::None, None));
    let slower = of(
        "profile = \"myrinet\"\nrate = \"1Gbit\"\nmtu = 1500\ndelay = \"2us\"\noffload = \"checksum\"\n",
    );
    assert_eq!((slower.bits_per_s, slower.mtu_bytes), (1_000_000_000, 1500));
    assert_eq!(
        (slower.delay_ns, slower.offload),
        (2_000, Offload::Checksum)
    );
    let rdma = of("profile = \"rdma\"\nvirtual_lanes = 4\n");
    assert_eq!(rdma.rdma_lanes, Some(4));
    assert_eq!(rdma.mtu_bytes - hotset_scenario::RDMA_HEADER_BYTES, 4096);
    // Adapters move messages: bytes cost nothing.
    let costs = rdma.stack.unwrap();
    let of_bytes = |bytes| costs.received_ns((bytes, 1 + bytes / 4096), rdma.offload);
    assert_eq!(of_bytes(1), of_bytes(1 << 20));
    for (name, gbit) in [("100m", 0.1), ("1g", 1.0), ("10g", 10.0), ("25g", 25.0)] {
        let ethernet = of(&format!("profile = \"ethernet-{name}\"\n"));
        assert_eq!(ethernet.bits_per_s as f64, gbit * 1e9);
        // A core receives 42 Gbit/s in segments of 64 KiB, beside interrupts.
        let costs = StackCosts {
            interrupt_us: 0.0,
            ..ethernet.stack.unwrap()
        };
        let ns = costs.received_ns((65_536, 45), ethernet.offload);
        assert!((65_536.0 * 8.0 / ns / 42.0 - 1.0).abs() < 0.01, "{ns}");
    }
}

#[test]
fn ip_over_infiniband_is_as_fast_as_its_receiver() {
    let text = FILE.replacen("rate = \"1Gbit\"\n", "profile = \"ipoib\"\n", 1);
    let link = parse(&text).unwrap().links.remove(0);
    let costs = StackCosts {
        interrupt_us: 0.0,
        copy_ns_per_byte: 0.0,
        ..link.stack.unwrap()
    };
    // Copying is for another processor.
    let ns = costs.received_ns((1992 * 1000, 1000), link.offload);
    let mb_per_s = 1992.0 * 1000.0 / ns * 1e3;
    assert!((mb_per_s / 200.0 - 1.0).abs() < 0.01, "{mb_per_s}");
}

#[test]
fn switches_are_read_and_have_room_for_the_nodes() {
    let of = |keys: &str| parse(&format!("{FILE}[network]\n{keys}"));
    assert_eq!(parse(FILE).unwrap().network, None);
    assert_eq!(of("topology = \"star\"").unwrap().network, None);
    let torus = of("topology = \"torus\"\nsize = [4, 2]\nrate = \"10Gbit\"\ndelay = \"1us\"");
    let torus = torus.unwrap().network.unwrap();
    assert_eq!(torus.topology, NetworkTopology::Torus { size: [4, 2, 1] });
    assert_eq!((torus.bits_per_s, torus.delay_ns), (10_000_000_000, 1_000));
    let tree = of("topology = \"fat-tree\"\nports = 4\nrate = \"1Gbit\"").unwrap();
    assert_eq!(tree.network.unwrap().topology.places(), 16);
    for (keys, wanted) in [
        (
            "topology = \"star\"\nports = 4",
            "`ports` in [network]: a star has one switch",
        ),
        (
            "topology = \"ring\"",
            "`ring` is none of star, fat-tree, mesh, torus",
        ),
        (
            "topology = \"mesh\"\nsize = [2]",
            "say the `rate` of links between switches",
        ),
        (
            "topology = \"mesh\"\nsize = [1]\nrate = \"1Gbit\"",
            "it has room for 1 nodes, and there are 2",
        ),
        (
            "topology = \"mesh\"\nsize = [2, 0]",
            "must be one to three numbers from 1 to 64",
        ),
        (
            "topology = \"mesh\"\nsize = [64, 64, 64]",
            "of 4096 places at most",
        ),
        ("topology = \"mesh\"", "say its `size`"),
        (
            "topology = \"torus\"\nsize = [2]\nports = 4",
            "`ports` in [network]: is of another topology",
        ),
        (
            "topology = \"fat-tree\"\nports = 5",
            "`ports` in [network]: must be even",
        ),
        (
            "topology = \"fat-tree\"\nports = -1",
            "`ports` in [network]: must be a whole number from 2 to 24",
        ),
        (
            "topology = \"fat-tree\"",
            "say how many `ports` a switch has",
        ),
    ] {
        let complaint = of(keys).expect_err(keys);
        assert!(complaint.contains(wanted), "{complaint}");
    }
}
