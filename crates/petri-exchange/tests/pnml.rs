//! Nets written in the Petri Net Markup Language, and read from it.

use crate::support::grammar;
use hotset_test_support::skip;

use proptest::prelude::*;

use hotset_petri::{
    Choice, Delay, End, Exploration, Net, Page, RunError, Time, Unit, Urgent, nets,
};
use hotset_petri_exchange::export::{CpnTools, Exporter, Pnml, Text};
use hotset_petri_exchange::import;

fn written(net: &Net) -> String {
    Pnml.export(net).unwrap_or_else(|error| panic!("{error}"))
}

fn philosophers() -> Net {
    let entry = nets::find("philosophers").unwrap();
    entry.build(&[("n", 3.0)]).unwrap()
}

/// A net of pages in pages, with ports, a fusion set, several tokens on arcs, delays and urgencies.
#[derive(Clone, Debug)]
struct Drawn {
    tokens: Vec<u32>,
    transitions: Vec<DrawnTransition>,
    /// Whether it has a page, with the place that the page's port is connected to.
    page: Option<(usize, Box<Drawn>)>,
    fused: Option<usize>,
}

#[derive(Clone, Debug)]
struct DrawnTransition {
    takes: Vec<(usize, u32)>,
    gives: Vec<(usize, u32, Option<u8>)>,
    law: u8,
    is_urgent: bool,
}

fn law(number: u8) -> Delay {
    match number % 6 {
        0 => Delay::NONE,
        1 => Delay::constant(1.5),
        2 => Delay::exponential(1.0 / 3.0),
        3 => Delay::uniform(0.1, 0.7),
        4 => Delay::erlang(3, 1e-3),
        _ => Delay::empirical([0.25, 1e-9, 7.0]),
    }
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let transition = || {
        let takes = prop::collection::vec((0..3usize, 1..4u32), 1..3);
        let give = (0..3usize, 1..4u32, prop::option::of(1..6u8));
        let gives = prop::collection::vec(give, 0..3);
        let parts = (takes, gives, 0..6u8, any::<bool>());
        parts.prop_map(|(takes, gives, law, is_urgent)| DrawnTransition {
            takes,
            gives,
            law,
            is_urgent,
        })
    };
    let page = move |page| {
        let tokens = prop::collection::vec(0..5u32, 3);
        let transitions = prop::collection::vec(transition(), 1..4);
        let parts = (tokens, transitions, page, prop::option::of(0..3usize));
        parts.prop_map(|(tokens, transitions, page, fused)| Drawn {
            tokens,
            transitions,
            page,
            fused,
        })
    };
    let leaf = page(Just(None).boxed());
    leaf.prop_recursive(3, 4, 1, move |inner| {
        let inner = (0..3usize, inner.prop_map(Box::new));
        page(prop::option::of(inner).boxed())
    })
}

fn draw(page: &mut Page<'_>, drawn: &Drawn, depth: usize) -> Unit {
    let port = match depth {
        0 => page.unit("start", 1),
        _ => page.unit_port("port"),
    };
    let tokens = drawn.tokens.iter().enumerate();
    // Of a fusion set, only the first place has tokens of its own.
    let of = |number: usize, tokens| match drawn.fused {
        Some(fused) if depth > 0 && fused == number => 0,
        _ => tokens,
    };
    let places: Vec<Unit> = tokens
        .map(|(number, &tokens)| page.unit(&format!("place <{number}> & more"), of(number, tokens)))
        .collect();
    if let Some(fused) = drawn.fused {
        page.fuse("a set", &places[fused]);
    }
    if let Some((socket, below)) = &drawn.page {
        let inner = page.page("page", |page| draw(page, below, depth + 1));
        page.connect(&inner, &places[*socket]);
    }
    page.transition("through")
        .take(&port)
        .put(&port)
        .delay(law(1))
        .done();
    for (number, it) in drawn.transitions.iter().enumerate() {
        let mut transition = page
            .transition(&format!("transition {number}"))
            .delay(law(it.law));
        if it.is_urgent {
            transition = transition.urgency(Urgent::HIGH);
        }
        for &(place, count) in &it.takes {
            transition = transition.take(places[place].times(count));
        }
        for &(place, count, after) in &it.gives {
            let after = after.map_or(Delay::NONE, law);
            transition = transition.put(places[place].times(count).after(after));
        }
        transition.done();
    }
    // So that every place is filled and emptied.
    for (number, place) in places.iter().enumerate() {
        let name = format!("turn {number}");
        page.transition(&name)
            .take(place)
            .put(place)
            .delay(law(1))
            .done();
    }
    port
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read_as_the_same_net(drawn in drawn()) {
        let built = Net::build("some net", |page| {
            draw(page, &drawn, 0);
        });
        // A fusion set may have got tokens twice, or a place none.
        let Ok(net) = built else { return Ok(()) };
        let text = written(&net);
        let read = import::pnml(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        prop_assert_eq!(Text.export(&read), Text.export(&net), "{}", text);
    }
}

#[test]
fn a_net_that_was_read_runs_as_the_one_that_was_written() {
    let net = philosophers();
    let read = import::pnml(&written(&net)).unwrap();
    let [mut one, mut other] = [&net, &read].map(|net| net.simulate(3, 0, Choice::Fair));
    for _ in 0..1000 {
        assert_eq!(one.step().unwrap(), other.step().unwrap());
    }
    assert!(one.now() > Time::ZERO);
}

#[test]
fn what_is_written_holds_to_the_grammar_of_the_standard() {
    let text = written(&philosophers());
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/grammars/ptnet.rng");
    grammar::holds(&text, &["--noout", "--nonet", "--relaxng", own]);
}

#[test]
fn what_is_written_holds_to_the_published_grammar() {
    let Ok(published) = std::env::var("HOTSET_PNML_GRAMMAR") else {
        return skip("HOTSET_PNML_GRAMMAR names no file");
    };
    let text = written(&philosophers());
    grammar::holds(&text, &["--noout", "--relaxng", &published]);
}

#[test]
fn what_the_language_has_no_word_for_is_refused_by_name() {
    let refusal = |author: &dyn Fn(&mut Page<'_>)| {
        let net = Net::build("net", |page| page.page("web1", author)).unwrap();
        Pnml.export(&net).unwrap_err().to_string()
    };
    let turning = |page: &mut Page<'_>| {
        let place = page.unit("place", 1);
        page.transition("turn").take(&place).put(&place).done();
        place
    };
    let coloured = refusal(&|page| {
        let jobs = page.fifo("jobs", [1]);
        page.transition("serve").take(&jobs).done();
    });
    assert_eq!(
        coloured,
        "web1/jobs: PNML of place/transition nets cannot express coloured tokens"
    );
    let inhibited = refusal(&|page| {
        let place = turning(page);
        page.transition("start").unless(&place).put(&place).done();
    });
    assert!(inhibited.starts_with("web1/start: ") && inhibited.ends_with("an inhibitor arc"));
    let reset = refusal(&|page| {
        let place = turning(page);
        page.transition("clear").take(&place).reset(&place).done();
    });
    assert!(reset.starts_with("web1/clear: ") && reset.ends_with("a reset arc"));
    let guarded = refusal(&|page| {
        let place = turning(page);
        page.transition("maybe").take(&place).when(|()| true).done();
    });
    assert!(guarded.starts_with("web1/maybe: ") && guarded.ends_with("a guard or code"));
    let drawn = refusal(&|page| {
        let place = turning(page);
        let delay = Delay::drawn(rand_distr::Exp1);
        page.transition("wait")
            .take(&place)
            .put(&place)
            .delay(delay)
            .done();
    });
    assert!(drawn.starts_with("web1/wait: ") && drawn.ends_with("a delay drawn by code"));
}

/// Customers arrive on their own, wait and are served; `more` stands on the transition that they arrive by, and on the page.
fn arrivals(more: &str, page: &str) -> Net {
    let inside = format!(
        "<place id=\"queue\"/><place id=\"idle\"><initialMarking><text>1</text></initialMarking></place>\
         <transition id=\"arrive\">{more}</transition>\
         <transition id=\"serve\">{}</transition>\
         <arc id=\"1\" source=\"arrive\" target=\"queue\"/><arc id=\"2\" source=\"queue\" target=\"serve\"/>\
         <arc id=\"3\" source=\"idle\" target=\"serve\"/><arc id=\"4\" source=\"serve\" target=\"idle\"/>{page}",
        import::DELAYED_BY_A_MILLISECOND
    );
    import::pnml(&document(&inside)).unwrap()
}

/// What a transition that takes nothing stands for: a token that it takes and gives back.
const CLOCK: &str = "<place id=\"clock\"><initialMarking><text>1</text></initialMarking></place>\
                     <arc id=\"5\" source=\"clock\" target=\"arrive\"/><arc id=\"6\" source=\"arrive\" target=\"clock\"/>";

#[test]
fn a_transition_that_takes_nothing_fires_as_one_with_a_clock() {
    let delay = import::DELAYED_BY_A_MILLISECOND;
    let (net, plain) = (arrivals(delay, ""), arrivals(delay, CLOCK));
    let [mut one, mut other] = [&net, &plain].map(|net| net.simulate(3, 0, Choice::Fair));
    for _ in 0..1000 {
        assert_eq!(one.step().unwrap(), other.step().unwrap());
        // The clock is no place of the net.
        assert_eq!(one.marking()[..], other.marking()[..2]);
    }
    assert!(one.now() > Time::ZERO);
    assert_eq!(Vec::from_iter(net.places()), ["queue", "idle"]);
}

#[test]
fn a_transition_that_takes_nothing_has_its_first_token_after_its_delay() {
    let net = arrivals(
        "<toolspecific tool=\"hotset\" version=\"1\"><delay law=\"constant\">2</delay></toolspecific>",
        "<transition id=\"never\"/><arc id=\"7\" source=\"queue\" target=\"never\"><inscription><text>100</text></inscription></arc>",
    );
    let mut run = net.simulate(0, 0, Choice::Fair);
    let mut arrivals = Vec::new();
    while run.now() < Time::from_secs(9.0).unwrap() {
        let event = run.step().unwrap().unwrap();
        arrivals.extend((event.transition == 0).then_some(event.time.secs()));
    }
    // The token of each comes two seconds later.
    assert_eq!(arrivals[..5], [0.0, 2.0, 4.0, 6.0, 8.0]);
}

#[test]
fn what_takes_neither_tokens_nor_time_can_be_explored_and_followed_but_not_timed() {
    let net = arrivals("", "");
    let mut run = net.simulate(0, 0, Choice::Fair);
    assert!(run.step().unwrap().is_some());
    let error = run.run_until(Time::from_secs(1.0).unwrap()).unwrap_err();
    assert!(
        matches!(&error, RunError::TimelessSource { path } if path == "arrive"),
        "{error}"
    );
    let space = Exploration::default().explore(&net, &|_| true).unwrap();
    assert!(
        matches!(space.ended(), End::Unbounded { place: 0, .. }),
        "{:?}",
        space.ended()
    );
    assert_eq!(space.bounds().len(), 2);
    let sums = net.place_invariants().unwrap();
    assert!(sums.iter().all(|it| it.weights == [(1, 1)]), "{sums:?}");
}

#[test]
fn a_transition_that_takes_nothing_is_written_as_it_was_read() {
    let net = arrivals(import::DELAYED_BY_A_MILLISECOND, "");
    let again = import::pnml(&written(&net)).unwrap();
    assert_eq!(Text.export(&again), Text.export(&net));
    assert!(
        Text.export(&net)
            .unwrap()
            .contains("exponential, mean 0.001 s")
    );
    let refused = CpnTools.export(&net).unwrap_err().to_string();
    assert!(
        refused.starts_with("arrive: CPN Tools cannot express a transition that takes nothing"),
        "{refused}"
    );
}

/// A document with this inside its outermost page, from line 4 on.
fn document(inside: &str) -> String {
    format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n\
         <page id=\"top\">\n{inside}\n</page></net></pnml>"
    )
}

const PLACE: &str = "<place id=\"p\"><initialMarking><text>1</text></initialMarking></place>\n\
                     <transition id=\"t\"/>\n";

#[test]
fn nodes_without_names_are_called_by_their_identifiers() {
    let arcs = "<arc id=\"a\" source=\"p\" target=\"t\"/>";
    let net = import::pnml(&document(&format!("{PLACE}{arcs}"))).unwrap();
    assert_eq!(Vec::from_iter(net.places()), ["p"]);
    assert_eq!(Vec::from_iter(net.transitions()), ["t"]);
    assert!(net.simulate(0, 0, Choice::Fair).step().unwrap().is_some());
}

#[test]
fn other_programs_words_and_graphics_are_passed_over() {
    let inside = "<place id=\"p\"><graphics><position x=\"1\" y=\"2\"/></graphics>\
                  <toolspecific tool=\"other\" version=\"1\"><any/></toolspecific></place>\
                  <transition id=\"t\"/><arc id=\"a\" source=\"p\" target=\"t\"/>";
    assert!(import::pnml(&document(inside)).is_ok());
}

#[test]
fn a_file_that_is_no_place_transition_net_is_one_error_with_its_line() {
    let in_page = |inside: &str| import::pnml(&document(inside)).unwrap_err().to_string();
    let marked = |tokens: &str| {
        format!("<place id=\"p\">\n<initialMarking><text>{tokens}</text></initialMarking></place>")
    };
    let arc = |ends: &str| in_page(&format!("{PLACE}<arc id=\"a\" {ends}/>"));
    let named = |id: &str, name: &str| {
        format!("<place id=\"{id}\"><name><text>{name}</text></name></place>\n")
    };
    let nested = "<page id=\"x\">".repeat(100) + &"</page>".repeat(100);
    let cases = [
        (in_page("<place id=\"p\">"), "line 5: "),
        (
            in_page("<place id=\"p\">\n<capacity/></place>"),
            "line 5: `capacity` is no element of a place",
        ),
        (
            in_page("\n<referenceTransition id=\"r\" ref=\"t\"/>"),
            "line 5: `referenceTransition` is no element of a page",
        ),
        (
            in_page(&marked("-1")),
            "line 5: initialMarking `-1`: must be a whole number from 0",
        ),
        (
            in_page(&marked("99999999999")),
            "line 5: initialMarking `99999999999`: must be",
        ),
        (
            in_page(&marked("many")),
            "line 5: initialMarking `many`: must be",
        ),
        (
            in_page(&(named("p", "a") + &named("q", "a"))),
            "line 5: a: the name is taken",
        ),
        (
            in_page(&named("p", "a/b")),
            "line 4: a/b: a name must not be empty or contain `/`",
        ),
        (
            in_page(
                "<place id=\"p\"/>\n<transition id=\"p\"><name><text>t</text></name></transition>",
            ),
            "line 5: the identifier `p` is taken",
        ),
        (in_page("<place/>"), "line 4: `place` has no `id`"),
        (
            arc("source=\"p\" target=\"nowhere\""),
            "line 6: the arc's target `nowhere` is no place",
        ),
        (
            arc("source=\"p\" target=\"p\""),
            "line 6: an arc joins a place and a transition",
        ),
        (arc("source=\"p\""), "line 6: `arc` has no `target`"),
        (
            in_page("<referencePlace id=\"p\" ref=\"q\"/>"),
            "line 4: refers to `q`, and no place has that identifier",
        ),
        (
            in_page("<referencePlace id=\"p\" ref=\"p\"/>"),
            "line 4: refers to itself",
        ),
        (in_page(&nested), "line 4: pages are nested deeper than 64"),
    ];
    for (error, expected) in cases {
        assert!(error.starts_with(expected), "{error}, not {expected}");
    }
}

#[test]
fn a_circle_of_reference_places_is_refused() {
    let circle = "<referencePlace id=\"p\" ref=\"q\"/><referencePlace id=\"q\" ref=\"p\"/>";
    let error = import::pnml(&document(circle)).unwrap_err().to_string();
    assert!(error.contains("circle"), "{error}");
}

#[test]
fn other_documents_are_refused() {
    let of = |text: &str| import::pnml(text).unwrap_err().to_string();
    assert!(of("").starts_with("line 1: "));
    assert!(of("<html/>").starts_with("line 1: is not PNML"));
    let coloured = document("").replace("ptnet", "symmetricnet");
    assert!(of(&coloured).starts_with("line 2: the net's type is"));
    let two = document("").replace("</pnml>", "\n<net id=\"m\" type=\"x\"/></pnml>");
    assert!(of(&two).starts_with("line 6: holds a second net"));
}

#[test]
fn a_delay_of_more_stages_than_can_be_drawn_is_refused_with_its_line() {
    let net = Net::build("net", |page| {
        let place = page.unit("place", 1);
        page.transition("wait")
            .take(&place)
            .put(&place)
            .delay(Delay::erlang(3, 0.5))
            .done();
    });
    let text = written(&net.unwrap());
    assert!(text.contains(">3 0.5<"), "{text}");
    for stages in ["4294967296", "1e300", "0", "-3"] {
        let wrong = text.replace(">3 0.5<", &format!(">{stages} 0.5<"));
        let error = import::pnml(&wrong).unwrap_err().to_string();
        assert!(
            error.contains("line ") && error.contains("delay"),
            "{error}"
        );
    }
}
