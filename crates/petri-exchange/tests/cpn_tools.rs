//! Nets written for CPN Tools.

use std::collections::HashSet;

use crate::support::grammar;
use hotset_test_support::skip;

use hotset_petri::{Delay, Net, Page, Unit, Urgent, colour, expr, nets};
use hotset_petri_exchange::export::{CpnTools, Exporter};

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
    hold_to(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/grammars/cpn.dtd"
    ));
}

#[test]
fn a_file_holds_to_the_published_document_type() {
    match std::env::var("HOTSET_CPN_DTD") {
        Ok(published) => hold_to(&published),
        Err(_) => skip("HOTSET_CPN_DTD names no file"),
    }
}

fn hold_to(document_type: &str) {
    let library = nets::LIBRARY.iter().map(|it| it.build(&[]).unwrap());
    for net in library.chain([philosophers(), of_all_kinds(), coloured()]) {
        let text = CpnTools.export(&net).unwrap();
        grammar::holds(&text, &["--noout", "--nonet", "--dtdvalid", document_type]);
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

colour! {
    #[derive(Clone, Debug, PartialEq)]
    enum Light { Red, Green }
}
colour! {
    #[derive(Clone, Debug)]
    struct Car { number: u32, r#type: &'static str, light: Light }
}

/// A net with every word of the language.
#[allow(clippy::nonminimal_bool, reason = "every operator is to be written")]
fn coloured() -> Net {
    let (seats, share) = (5_u32, 0.25);
    built(|page| {
        let first = Car {
            number: 1,
            r#type: "a \"b\"",
            light: Light::Red,
        };
        let cars = page.bag("cars", [first]);
        let signed = page.fifo("signed", [(-3_i32, true)]);
        let keyed = page.keyed::<u32, ()>("keyed", [(1, ())]);
        let gone = page.sink::<u32>("gone");
        let cleared = page.bag::<()>("cleared", [()]);
        page.transition("pure")
            .take(&cars)
            .join_expr(&keyed, expr!(move |car| (car.number + 1) % seats; seats))
            .when_expr(expr!(move |(car, (key, ()))| car.light == Light::Red && *key != 3 || !(car.number * 2 <= seats); seats))
            .put(&cars)
            .put(gone.maybe().after(Delay::constant(1.0)))
            .fire_expr(expr!(move |(Car { number, light, .. }, (key, _)), _| {
                let next = number + key;
                if light == Light::Green {
                    (Car { number: next, r#type: "x, (y", light: Light::Red }, Some(next))
                } else {
                    (Car { number, r#type: "z", light: Light::Green }, None)
                }
            }));
        page.transition("by chance")
            .take(&signed)
            .reset(&cleared)
            .put(&signed)
            .put(&cleared)
            .fire_expr(expr!(move |(number, is_on), firing| {
                let number = number / 2 - -1;
                ((number, is_on && firing.random().chance(share)), ())
            }; share));
        let source = page.unit("source", 1);
        page.transition("fill")
            .take(&source)
            .put(&keyed)
            .fire_expr(expr!(|(), _| (2, ())));
    })
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
                let jobs = page.fifo("jobs", ['a']);
                page.transition("serve").take(&jobs).done();
            }),
            "web1/jobs: CPN Tools cannot express tokens of the Rust type char; declare it with `colour!`",
        ),
        (
            refusal(&|page| {
                let place = turning(page);
                page.transition("maybe").take(&place).when(|()| true).done();
            }),
            "web1/maybe: CPN Tools cannot express its guard, which is a closure; write it with `when_expr`",
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

#[test]
fn all_that_is_in_the_way_of_a_file_is_named_transitions_first() {
    let net = built(|page| {
        let jobs = page.fifo("jobs", ['a']);
        let turns = page.fifo("turns", [1_u32]);
        page.transition("serve")
            .take(&jobs)
            .take(&turns)
            .when(|(job, _)| *job == 'a')
            .done();
        page.transition("skip")
            .take(&turns)
            .when_expr(expr!(|turn| *turn > 3))
            .done();
        page.transition("end")
            .take(&turns)
            .urgency(Urgent::HIGH)
            .done();
        page.transition("check")
            .take(&turns)
            .when(|turn| *turn > 5)
            .done();
    });
    let refused = CpnTools.export(&net).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "serve: CPN Tools cannot express its guard, which is a closure; write it with `when_expr`; 3 more places and \
         transitions are in the way"
    );
    let others = refused.others.iter();
    let others = others.map(|it| (it.what.as_str(), it.paths.join(", ")));
    assert_eq!(
        Vec::from_iter(others),
        [
            ("an urgency", "end".to_owned()),
            (
                "its guard, which is a closure; write it with `when_expr`",
                "check".to_owned()
            ),
            (
                "tokens of the Rust type char; declare it with `colour!`",
                "jobs".to_owned()
            ),
        ]
    );
}

#[test]
fn a_page_with_too_many_nodes_to_be_laid_out_has_them_in_rows() {
    let net = built(|page| {
        for number in 0..300 {
            let place = page.unit(&format!("place {number}"), 1);
            page.transition(&format!("turn {number}"))
                .take(&place)
                .put(&place)
                .delay(Delay::constant(1.0))
                .done();
        }
    });
    let file = CpnTools.export(&net).unwrap();
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    let file = roxmltree::Document::parse_with_options(&file, options).unwrap();
    let nodes = file.descendants();
    let nodes = nodes.filter(|it| it.has_tag_name("place") || it.has_tag_name("trans"));
    let positions = nodes.filter_map(|it| {
        let at = it.children().find(|it| it.has_tag_name("posattr"))?;
        at.attribute("x").zip(at.attribute("y"))
    });
    let positions: HashSet<(&str, &str)> = positions.collect();
    assert_eq!(positions.len(), 600);
    let columns: HashSet<&str> = positions.iter().map(|it| it.0).collect();
    assert_eq!(columns.len(), 25);
}

#[test]
fn expressions_are_written_in_standard_ml() {
    let text = CpnTools.export(&coloured()).unwrap();
    for part in [
        "colset Light = with Light_Red | Light_Green timed;",
        "colset Car = record number: INT * type&apos;: STRING * light: Light timed;",
        "colset INT_x_BOOL = product INT * BOOL timed;",
        "colset LIST_OF_INT_x_BOOL = list INT_x_BOOL;",
        "var all_signed: LIST_OF_INT_x_BOOL;",
        "{number = 1, type&apos; = &quot;a \\&quot;b\\&quot;&quot;, light = Light_Red}<",
        ">1`[(~3, true)]<",
        ">[#1 keyed = (#number car + 1) mod 5, \
         #light car = Light_Red andalso #1 keyed &lt;&gt; 3 orelse not (#number car * 2 &lt;= 5)]<",
        ">(let val next = #number car + #1 keyed in if #light car = Light_Green then 1`next else empty end)@+us(1.0)<",
        "(let val number = Int.quot (#1 signed, 2) - ~1 in \
         ((number, #2 signed andalso (uniform (0.0, 1.0) &lt; 0.25)), ()) end);",
        ">signed::all_signed<",
        ">all_signed^^[new_signed]<",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn tokens_that_come_to_a_queue_later_wait_on_the_page_of_who_gives_them() {
    let net = nets::find("closed-network").unwrap().build(&[("n", 2.0)]);
    let text = CpnTools.export(&net.unwrap()).unwrap();
    for part in [
        ">1`[0, 0]<",
        "<text>served, on the way</text>",
        ">customer::all_queue<",
        ">all_served^^[served]<",
        ">@+us(exponential(1000.0))<",
        ">1`(intTime ())<",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn an_expression_that_standard_ml_has_no_word_for_is_refused_by_name() {
    let refusal = |author: &dyn Fn(&mut Page<'_>)| {
        let net = built(|page| page.page("web1", author));
        CpnTools.export(&net).unwrap_err().to_string()
    };
    let outside = 3_u32;
    let cases = [
        (
            refusal(&|page| {
                let jobs = page.fifo("jobs", [1_u32]);
                let serve = page.transition("serve").take(&jobs);
                serve.when_expr(expr!(move |job| *job < outside)).done();
            }),
            "web1/serve: CPN Tools cannot express `outside` from outside",
        ),
        (
            refusal(&|page| {
                let jobs = page.fifo("jobs", [1_u32]);
                let serve = page.transition("serve").take(&jobs);
                serve.when_expr(expr!(|job| job.is_power_of_two())).done();
            }),
            "web1/serve: CPN Tools cannot express the method `is_power_of_two`",
        ),
        (
            refusal(&|page| {
                let jobs = page.fifo("jobs", [1_u32]);
                let serve = page.transition("serve").take(&jobs).put(&jobs);
                serve.fire_expr(expr!(|job, _| u32::max(job, 3)));
            }),
            "web1/serve: CPN Tools cannot express a call",
        ),
    ];
    for (error, expected) in cases {
        assert!(error.starts_with(expected), "{error}");
    }
}

/// What expressions may use, for a compiler that knows Standard ML but not CPN Tools.
const PRELUDE: &str = "
infix 8 `; infix 6 @+; infix 5 ++; infixr 5 ^^;
fun n ` token = List.tabulate (n, fn _ => token);
fun tokens @+ (delay: int) = tokens;
fun a ++ b = a @ b;
fun a ^^ b = a @ b;
val empty = [];
fun uniform (a: real, b: real) = a + b;
fun exponential (rate: real) = 1.0 / rate;
fun erlang (stages: int, rate: real) = real stages / rate;
fun discrete (a: int, b: int) = a + b;
fun intTime () = 0;
";

/// A declaration of a colour set in Standard ML.
fn as_type(layout: &str) -> String {
    let (name, meaning) = layout["colset ".len()..].split_once(" = ").unwrap();
    let meaning = meaning.trim_end_matches(';').trim_end_matches(" timed");
    match meaning.split_once(' ') {
        Some(("product", parts)) => format!("type {name} = {parts};\n"),
        Some(("record", fields)) => format!("type {name} = {{{}}};\n", fields.replace(" * ", ", ")),
        Some(("with", members)) => format!("datatype {name} = {members};\n"),
        Some(("list", of)) => format!("type {name} = {of} list;\n"),
        _ => format!("type {name} = {meaning};\n"),
    }
}

/// All expressions of a file as a program: a function for each transition.
fn program(file: &str) -> String {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    let file = roxmltree::Document::parse_with_options(file, options).unwrap();
    let all = |name| file.descendants().filter(move |it| it.has_tag_name(name));
    let within = |it: &roxmltree::Node<'_, '_>, name| {
        let inside = it.descendants().find(|it| it.has_tag_name(name));
        let text = inside.and_then(|it| it.descendants().find(|it| it.has_tag_name("text")));
        text.and_then(|it| it.text()).unwrap_or_default().to_owned()
    };
    let layouts = |name| {
        all(name).filter_map(|it| it.children().find(|it| it.has_tag_name("layout"))?.text())
    };
    let mut text = PRELUDE.to_owned() + &String::from_iter(layouts("color").map(as_type));
    text += &String::from_iter(all("ml").filter_map(|it| it.text()));
    let variables = layouts("var").map(|it| it[4..].trim_end_matches(';'));
    let variables = Vec::from_iter(variables).join(", ");
    for place in all("place") {
        let (set, marking) = (within(&place, "type"), within(&place, "initmark"));
        if !marking.is_empty() {
            text += &format!("\nval _ = {marking}: {set} list;");
        }
    }
    for it in all("trans") {
        text += &format!(
            "\nfun transition ({variables}) = let val delay = [()]{}",
            within(&it, "time")
        );
        if let Some(guard) = Some(within(&it, "cond")).filter(|it| !it.is_empty()) {
            text += &format!("\nval guard = {guard}: bool list");
        }
        if let Some((output, action)) = within(&it, "code").split_once("action") {
            let output = output.split_once("output").unwrap().1;
            text += &format!(
                "\nval {} = {}",
                output.trim().trim_end_matches(';'),
                action.trim().trim_end_matches(';')
            );
        }
        let of = |arc: &roxmltree::Node<'_, '_>| {
            let mut ends = arc.children().filter(|it| it.has_tag_name("transend"));
            ends.any(|end| end.attribute("idref") == it.attribute("id"))
        };
        for arc in all("arc").filter(of) {
            let expression = within(&arc, "annot");
            if !expression.is_empty() {
                text += &format!("\nval arc = {expression}");
            }
        }
        text += "\nin () end;";
    }
    text
}

#[test]
fn a_compiler_of_standard_ml_understands_every_expression() {
    let library = nets::LIBRARY.iter().map(|it| it.build(&[]).unwrap());
    for net in library.chain([of_all_kinds(), coloured()]) {
        let program = program(&CpnTools.export(&net).unwrap());
        let file =
            std::env::temp_dir().join(format!("hotset-{}-{}.sml", std::process::id(), net.name()));
        std::fs::write(&file, &program).unwrap();
        let output = std::process::Command::new("poly")
            .arg("--error-exit")
            .stdin(std::fs::File::open(&file).unwrap())
            .output();
        std::fs::remove_file(&file).unwrap();
        let Ok(output) = output else {
            return skip("the compiler Poly/ML is not installed");
        };
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}\n{program}");
    }
}
