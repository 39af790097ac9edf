//! Plots are SVG that survives odd values and odd names.

use hotset_document::plot::{Axis, Estimate, Ink, Plot, Series, Unit, svg};

fn curve(series: Vec<Series>) -> Plot {
    Plot {
        title: "Miss ratio",
        description: "Falls with memory.",
        x: Axis::log("memory", Unit::Bytes),
        y: Axis::linear("miss ratio", Unit::Share),
        series,
    }
}

#[test]
fn ticks_carry_units() {
    let points = (10..=30)
        .map(|e| (2f64.powi(e), 1.0 / f64::from(e)))
        .collect();
    let picture = svg(&curve(vec![Series::line("all sites", Ink::Main, points)])).unwrap();
    for tick in ["1 MiB", "16 MiB", "256 MiB", "0 %", "10 %"] {
        assert!(
            picture.contains(&format!(">\n{tick}\n<")),
            "no tick {tick} in {picture}"
        );
    }
}

#[test]
fn points_tell_their_values_when_hovered() {
    let picture = svg(&curve(vec![Series::line(
        "a<b>",
        Ink::Main,
        vec![(1024.0, 0.5), (4096.0, 0.25)],
    )]))
    .unwrap();
    assert!(
        picture.contains("<title>a&lt;b&gt;: 50 % at 1 KiB</title>"),
        "{picture}"
    );
}

#[test]
fn a_line_at_a_value_has_its_name_beside_it_and_an_estimate_its_whisker() {
    let place = Axis::linear("", Unit::Place);
    let estimate = Estimate {
        span: (0.0, 1.0),
        y: 0.5,
        interval: Some((0.4, 0.6)),
    };
    let mut plot = curve(vec![
        Series::estimate("plan", Ink::Main, estimate),
        Series::at("half", 0.5),
    ]);
    plot.x = place;
    let picture = svg(&plot).unwrap();
    assert!(picture.contains(">\nhalf\n<"), "{picture}");
    assert!(picture.contains("<title>plan: 50 %</title>"), "{picture}");
    let whisker = picture.matches("stroke=\"#334155\"").count();
    assert!(
        whisker >= 4,
        "three strokes of a whisker and a line: {whisker}"
    );
}

#[test]
fn values_without_a_place_on_the_axis_are_left_out() {
    let points = vec![
        (0.0, 1.0),
        (-5.0, 1.0),
        (f64::NAN, 0.2),
        (1024.0, f64::INFINITY),
        (4096.0, 0.5),
    ];
    let picture = svg(&curve(vec![Series::line("odd", Ink::Main, points)])).unwrap();
    assert_eq!(picture.matches("<circle").count(), 1, "{picture}");
    assert!(
        !picture.contains("NaN") && !picture.contains("inf"),
        "{picture}"
    );
}

#[test]
fn nothing_to_draw_still_gives_axes() {
    let picture = svg(&curve(Vec::new())).unwrap();
    assert!(picture.starts_with("<svg viewBox") && picture.ends_with("</svg>"));
}

#[test]
fn long_series_are_thinned() {
    let points: Vec<_> = (1..1_000_000).map(|i| (f64::from(i), 0.5)).collect();
    let picture = svg(&curve(vec![Series::line("long", Ink::Main, points)])).unwrap();
    assert!(picture.len() < 40_000, "{} bytes", picture.len());
}

#[test]
fn extreme_ranges_do_not_panic() {
    for unit in [
        Unit::Bytes,
        Unit::Share,
        Unit::Duration,
        Unit::Plain,
        Unit::Time,
        Unit::HourOfDay,
    ] {
        for high in [0.0, 1e-300, 5e-324, 1.0, 1e18, 1e300, f64::MAX, -1e300] {
            for axis in [Axis::linear("x", unit), Axis::log("x", unit)] {
                let line = Series::line("s", Ink::Main, vec![(high / 3.0, 0.1), (high, high)]);
                let plot = Plot {
                    x: axis.clone(),
                    y: axis,
                    ..curve(vec![line])
                };
                svg(&plot).unwrap();
            }
        }
    }
}

/// Times that are not whole minutes have seconds, in ticks and beside points.
#[test]
fn times_have_seconds_where_they_need_them() {
    let over = |step_us: f64| {
        // 2026-03-01 10:00 UTC.
        let start = 1_772_359_200e6;
        let points = (0..9).map(|step| (start + f64::from(step) * step_us, 0.5));
        svg(&Plot {
            x: Axis::time(jiff::tz::TimeZone::UTC, "UTC"),
            ..curve(vec![Series::line("achieved", Ink::Main, points.collect())])
        })
        .unwrap()
    };
    let (seconds, minutes) = (over(5e6), over(300e6));
    assert!(seconds.contains(">\n10:00:15\n<"), "{seconds}");
    assert!(
        seconds.contains("50 % at 2026-03-01 10:00:05<"),
        "{seconds}"
    );
    assert!(minutes.contains(">\n10:15\n<"), "{minutes}");
    assert!(minutes.contains("50 % at 2026-03-01 10:05<"), "{minutes}");
}
