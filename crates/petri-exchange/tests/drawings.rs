//! How nets are shown and drawn.

use hotset_test_support::skip;
use std::io::Write;
use std::process::{Command, Stdio};

use hotset_petri_exchange::export::{CpnTools, Dot, Exporter, Svg, Text};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use hotset_petri::{Delay, Fifo, Net, Page, Place, Urgent, nets};

fn built(author: impl FnOnce(&mut Page<'_>)) -> Net {
    Net::build("net", author).unwrap()
}

/// A net with everything that a drawing can show.
fn of_all_kinds() -> Net {
    built(|page| {
        let jobs = page.fifo("jobs \"to do\"", ["a", "b"]);
        let stop = page.unit("stop", 7);
        let left = page.unit("left", 0);
        page.fuse("done", &left);
        let inner = page.page("worker", |page| {
            let port = page.port::<Fifo<&'static str>>("jobs");
            let done = page.unit("done", 0);
            page.fuse("done", &done);
            page.page("nested", |page| {
                let own = page.unit("own", 1);
                page.transition("tick").take(&own).put(&own).done();
            });
            page.transition("work")
                .take(&port)
                .when(|job| *job != "b")
                .put(done.times(2))
                .put(port.maybe().after(Delay::constant(2.0)))
                .delay(Delay::uniform(1.0, 3.0))
                .urgency(Urgent::HIGH)
                .fire(|_, _| None);
            port
        });
        page.connect(&inner, &jobs);
        page.transition("halt")
            .take(&left)
            .below(&stop, 3)
            .unless(&jobs)
            .reset(&stop)
            .put(stop.times(7))
            .done();
    })
}

fn library() -> impl Iterator<Item = Net> {
    nets::LIBRARY.iter().map(|entry| entry.build(&[]).unwrap())
}

#[test]
fn the_text_says_everything_of_a_net() {
    let expected = r#"net net
  place jobs "to do": &str (FIFO); 2 tokens: "a", "b"
  place stop: unit; 7 tokens
  place left: unit; fused as done
  transition halt
    takes left
    gives 7 of stop
    while stop holds fewer than 3, jobs "to do" is empty
    resets stop
  page worker
    place jobs: &str (FIFO); port, connected to jobs "to do"
    place done: unit; fused as done
    transition work
      takes jobs
      gives jobs (maybe) after 2 s, 2 of done
      when its guard accepts
      delay uniform, 1 to 3 s
      with urgency 100
    page nested
      place own: unit; 1 token
      transition tick
        takes own
        gives own
"#;
    assert_eq!(Text.export(&of_all_kinds()).unwrap(), expected);
}

#[test]
fn arcs_to_one_of_several_places_say_so() {
    let net = built(|page| {
        let from = page.fifo("from", [0u32, 1]);
        let to = ["a", "b"].map(|it| page.sink(it));
        page.transition("sort")
            .take(&from)
            .put(Place::one_of(&to))
            .fire(|it, _| (it as usize, it));
    });
    let text = Text.export(&net).unwrap();
    assert!(
        text.contains("gives a (one of several), b (one of several)"),
        "{text}"
    );
    let dot = Dot.export(&net).unwrap();
    assert_eq!(dot.matches("one of several").count(), 2, "{dot}");
    let refused = CpnTools.export(&net).unwrap_err().to_string();
    assert!(refused.contains("one of several places"), "{refused}");
}

#[test]
fn a_drawing_for_graphviz_has_pages_ports_fusion_sets_and_all_kinds_of_arcs() {
    let dot = Dot.export(&of_all_kinds()).unwrap();
    for part in [
        "subgraph cluster_1 {\n    label=\"worker\"",
        "subgraph cluster_2 {\n      label=\"nested\"",
        "label=\"jobs \\\"to do\\\"\\n&str (FIFO)\\n2 tokens: \\\"a\\\", \\\"b\\\"\"",
        "peripheries=2",
        "fusion: done",
        "dir=none, style=dashed",
        "arrowhead=odot, label=\"< 3\"",
        "arrowhead=normalnormal",
        "label=\"maybe @+ 2 s\"",
        "shape=box, label=\"work\\n@+ uniform, 1 to 3 s\\n[guard]\\nurgency 100\"",
    ] {
        assert!(dot.contains(part), "{part} in\n{dot}");
    }
}

#[test]
fn the_same_net_is_drawn_the_same() {
    for net in library() {
        assert_eq!(Dot.export(&net), Dot.export(&net));
        assert_eq!(Svg.export(&net), Svg.export(&net));
    }
}

/// What Graphviz makes of a drawing; nothing where it is not installed.
fn graphviz(dot: &str) -> Option<String> {
    let command = Command::new("dot")
        .args(["-Tsvg"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = command else {
        skip("the program dot of Graphviz is not installed");
        return None;
    };
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(dot.as_bytes()).expect("dot reads it");
    drop(input);
    let output = child.wait_with_output().expect("dot ends");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}\n{dot}");
    assert_eq!(complaint, "", "{dot}");
    Some(String::from_utf8(output.stdout).expect("dot writes text"))
}

#[test]
fn graphviz_reads_every_drawing() {
    for net in library().chain([of_all_kinds()]) {
        let Some(svg) = graphviz(&Dot.export(&net).unwrap()) else {
            return;
        };
        let transitions = net.transitions().len();
        assert!(svg.matches("<g id=\"node").count() > transitions);
    }
}

/// Left, top, right and bottom.
type Area = [f64; 4];

/// The number that an attribute of an element has.
fn number(element: &BytesStart<'_>, name: &str) -> f64 {
    let attribute = element.try_get_attribute(name).unwrap();
    let value = attribute
        .unwrap_or_else(|| panic!("{name} in {element:?}"))
        .value;
    value.parse().unwrap()
}

/// The areas of all elements of a class in a picture.
fn areas(svg: &str, class: &str) -> Vec<Area> {
    let mut reader = Reader::from_str(svg);
    let mut found = Vec::new();
    loop {
        let element = match reader.read_event().expect("it is XML") {
            Event::Eof => return found,
            Event::Empty(element) | Event::Start(element) => element,
            _ => continue,
        };
        let is_of_class = element.try_get_attribute("class").unwrap();
        if is_of_class.is_none_or(|it| it.value != class) {
            continue;
        }
        let of = |name| number(&element, name);
        found.push(match element.name().as_ref() {
            "ellipse" => {
                let (x, y, rx, ry) = (of("cx"), of("cy"), of("rx"), of("ry"));
                [x - rx, y - ry, x + rx, y + ry]
            }
            _ => [
                of("x"),
                of("y"),
                of("x") + of("width"),
                of("y") + of("height"),
            ],
        });
    }
}

fn overlap(a: &Area, b: &Area) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

fn contains(outer: &Area, inner: &Area) -> bool {
    outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3]
}

#[test]
fn nothing_in_a_picture_lies_on_something_else() {
    for net in library().chain([of_all_kinds()]) {
        let svg = Svg.export(&net).unwrap();
        // A port has a second ellipse within its first.
        let mut things: Vec<Area> = Vec::new();
        let [places, transitions, labels] =
            ["place", "transition", "back"].map(|it| areas(&svg, it));
        assert_eq!(transitions.len(), net.transitions().len());
        for thing in places.into_iter().chain(transitions).chain(labels) {
            if !things.iter().any(|other| contains(other, &thing)) {
                things.push(thing);
            }
        }
        for (index, thing) in things.iter().enumerate() {
            let other = things[..index].iter().find(|other| overlap(thing, other));
            assert!(other.is_none(), "{net:?}: {thing:?} and {other:?}");
        }
    }
}

#[test]
fn a_picture_frames_each_page_and_what_is_on_it() {
    let svg = Svg.export(&of_all_kinds()).unwrap();
    let frames = areas(&svg, "frame");
    assert_eq!(frames.len(), 2);
    assert!(contains(&frames[0], &frames[1]), "{frames:?}");
    let within = |frame: &Area| {
        let transitions = areas(&svg, "transition");
        transitions.iter().filter(|it| contains(frame, it)).count()
    };
    assert_eq!((within(&frames[0]), within(&frames[1])), (2, 1));
}

#[test]
fn a_net_too_large_for_a_picture_is_refused() {
    let philosophers = nets::find("philosophers").unwrap();
    let net = philosophers.build(&[("n", 1000.0)]).unwrap();
    let error = Svg.export(&net).unwrap_err().to_string();
    let expected =
        "philosophers: a picture cannot express 7000 places and transitions; it takes 500 at most";
    assert_eq!(error, expected);
}

/// A line of stations, each on a page.
fn line(stations: u32) -> Net {
    built(|page| {
        let first = page.fifo("queue 0", [1]);
        let mut from = first;
        for number in 1..=stations {
            let station = page.station(&format!("station {number}"), 1, Delay::constant(1.0));
            page.connect(&station.queue, &from);
            from = match number == stations {
                true => first,
                false => page.fifo(&format!("queue {number}"), []),
            };
            page.connect(&station.served, &from);
        }
    })
}

#[test]
fn a_large_net_is_drawn_page_by_page() {
    let small = Svg.export(&line(3)).unwrap();
    assert!(!small.contains("translate"), "one picture");
    let large = Svg.export(&line(20)).unwrap();
    assert_eq!(
        large.matches("translate").count(),
        21,
        "the net and its pages"
    );
    let titles = large.matches("class=\"title\"").count();
    assert_eq!(titles, 21);
    // On its own sheet a station takes a server and gives it back later: one line with a head at each end.
    assert_eq!(large.matches("marker-start").count(), 20);
    // As a box on the net's sheet, and as a title.
    assert_eq!(large.matches(">station 7<").count(), 2);
}

#[test]
fn a_long_initial_marking_is_drawn_as_a_number() {
    let net = built(|page| {
        let long = page.fifo("long", ["x".repeat(100)]);
        page.transition("keep")
            .take(&long)
            .put(&long)
            .fire(|it, _| it);
    });
    let drawn = Svg.export(&net).unwrap();
    assert!(drawn.contains("1 token") && !drawn.contains("xxx"));
}
