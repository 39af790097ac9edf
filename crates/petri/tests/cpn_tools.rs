//! Nets written for CPN Tools.
#![allow(clippy::print_stdout, reason = "a skipped test says why")]

#[path = "support/grammar.rs"]
mod grammar;

use hotset_petri::export::{CpnTools, Exporter};
use hotset_petri::{Delay, Net, Page, Unit, Urgent, nets};

fn built(author: impl FnOnce(&mut Page<'_>)) -> Net {
    Net::build("net", author).unwrap()
}

fn philosophers() -> Net {
    let entry = nets::find("philosophers").unwrap();
    entry.build(&[("n", 3.0)]).unwrap()
}

fn turning(page: &mut Page<'_>) -> Unit {
    let place = page.unit("place", 1);
    page.transition("turn")
        .take(&place)
        .put(&place)
        .delay(Delay::constant(1.0))
        .done();
    place
}

/// A net with everything that a file of CPN Tools can hold.
fn of_all_kinds() -> Net {
    built(|page| {
        let place = turning(page);
        page.fuse("a set", &place);
        let stop = page.unit("stop", 3);
        let (input, output) = page.page("below <&>", |page| {
            let own = page.unit("own", 0);
            page.fuse("a set", &own);
            let (input, output) = (page.unit_port("in"), page.unit_port("out"));
            let wait = Delay::empirical([0.5, 2e-9]);
            page.transition("move")
                .take(input.times(2))
                .unless(&own)
                .put(output.after(Delay::erlang(2, 0.5)))
                .delay(wait)
                .done();
            (input, output)
        });
        page.connect(&input, &stop);
        page.connect(&output, &stop);
        let delay = Delay::uniform(0.0, 1.0);
        page.transition("clear")
            .take(&place)
            .reset(&stop)
            .put(&place)
            .delay(delay)
            .done();
    })
}

#[test]
fn a_file_holds_to_the_document_type() {
    for net in [philosophers(), of_all_kinds()] {
        let text = CpnTools.export(&net).unwrap();
        let own = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/grammars/cpn.dtd");
        grammar::holds(&text, &["--noout", "--nonet", "--dtdvalid", own]);
        match std::env::var("HOTSET_CPN_DTD") {
            Ok(published) => {
                grammar::holds(&text, &["--noout", "--nonet", "--dtdvalid", &published])
            }
            Err(_) => println!("skipped the published one: HOTSET_CPN_DTD names no file"),
        }
    }
}

#[test]
fn pages_ports_fusion_sets_delays_and_all_kinds_of_arcs_are_written() {
    let text = CpnTools.export(&of_all_kinds()).unwrap();
    for part in [
        "colset UNIT = unit timed;",
        "<pageattr name=\"below &lt;&amp;&gt;\"/>",
        "type=\"In\"",
        "type=\"Out\"",
        "orientation=\"Inhibitor\"",
        "orientation=\"Reset\"",
        "<fusion_elm idref=",
        ">2`()<",
        ">1`()@+us(erlang(2, 4.0))<",
        ">@+us(List.nth([0.5, 2E~9], discrete(0, 1)))<",
        ">@+us(uniform(0.0, 1.0))<",
        ">@+us(1.0)<",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn what_a_file_cannot_hold_is_refused_by_name() {
    let refusal = |author: &dyn Fn(&mut Page<'_>)| {
        let net = built(|page| page.page("web1", author));
        CpnTools.export(&net).unwrap_err().to_string()
    };
    let cases = [
        (
            refusal(&|page| {
                let jobs = page.fifo("jobs", [1u32]);
                page.transition("serve").take(&jobs).done();
            }),
            "web1/jobs: CPN Tools cannot express tokens of the Rust type u32",
        ),
        (
            refusal(&|page| {
                let place = turning(page);
                page.transition("maybe").take(&place).when(|()| true).done();
            }),
            "web1/maybe: CPN Tools cannot express its guard and code, which are closures",
        ),
        (
            refusal(&|page| {
                let place = turning(page);
                page.transition("first")
                    .take(&place)
                    .urgency(Urgent::HIGH)
                    .done();
            }),
            "web1/first: CPN Tools cannot express an urgency",
        ),
        (
            refusal(&|page| {
                let place = turning(page);
                page.transition("few").take(&place).below(&place, 3).done();
            }),
            "web1/few: CPN Tools cannot express an inhibitor arc that counts",
        ),
        (
            refusal(&|page| {
                let place = turning(page);
                page.page("below", |page| {
                    page.transition("far").take(&place).done();
                });
            }),
            "web1/below/far: CPN Tools cannot express an arc to a place of another page; connect a port",
        ),
    ];
    for (error, expected) in cases {
        assert_eq!(error, expected);
    }
}
