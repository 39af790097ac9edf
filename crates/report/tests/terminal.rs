//! What commands print.

mod sample;

use hotset_describe::Description;
use hotset_describe::zipf::NoZipf;
use hotset_report::{CacheScanView, ResourceUsage, Style, View, display_width};
use hotset_trace::read::ReadSummary;
use sample::{DescriptionSample, Sample};

#[test]
fn a_plan_in_the_terminal() {
    insta::assert_snapshot!(Sample::new().view().terminal(Style::PLAIN));
}

#[test]
fn a_description_in_the_terminal() {
    insta::assert_snapshot!(DescriptionSample::new().view().terminal(Style::PLAIN));
}

#[test]
fn a_cache_scan_in_the_terminal() {
    let scan = CacheScanView {
        policy: "sieve".to_owned(),
        unit: "pages".to_owned(),
        memory_bytes: 64 << 20,
        backing: "hdd".to_owned(),
        requests: 10_000,
        hits: 7_344,
        hit_ratio: 0.7344,
        byte_hit_ratio: 0.41,
        mean_us: 3_211.4,
        reading: sample::reading(),
        outcomes: Vec::new(),
    };
    insta::assert_snapshot!(scan.terminal(Style::PLAIN));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for width in [60, 80, 100, 160] {
        let style = Style {
            width: Some(width),
            ..Style::PLAIN
        };
        let texts = [
            Sample::new().view().terminal(style),
            Sample::of_two_nodes().view().terminal(style),
            DescriptionSample::new().view().terminal(style),
        ];
        for line in texts.iter().flat_map(|text| text.lines()) {
            let columns = display_width(line);
            assert!(columns <= width, "{columns} columns of {width}: {line}");
        }
    }
}

/// A plan whose first file and first site have names of more than 200 columns.
fn with_long_names(style: Style) -> String {
    let mut sample = Sample::new();
    let site = &mut sample.plan.sites[0].site;
    *site = format!("{}.{}", site, "long".repeat(60));
    sample.placement.files[0].site.clone_from(site);
    let path = format!("/{}end.html", "folder/".repeat(40));
    sample.placement.files[0].path = path.as_str().into();
    sample.view().terminal(style)
}

#[test]
fn nothing_is_shortened_where_no_terminal_reads() {
    let text = with_long_names(Style::PLAIN);
    let path = format!("/{}end.html", "folder/".repeat(40));
    assert!(
        text.contains(&path) && text.contains(&"long".repeat(60)),
        "{text}"
    );
    assert!(!text.lines().any(|line| line.contains("r…")), "{text}");
    let cut = with_long_names(Style::terminal(80));
    assert!(!cut.contains(&path) && cut.contains('…'), "{cut}");
}

#[test]
fn a_narrow_terminal_loses_no_column() {
    let figures = |text: &str| {
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.retain(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        words.sort_unstable();
        words.dedup();
        words
    };
    let at = |width| {
        let style = Style {
            width: Some(width),
            ..Style::PLAIN
        };
        DescriptionSample::new().view().terminal(style)
    };
    assert_eq!(figures(&at(60)), figures(&at(200)));
}

#[test]
fn no_control_character_from_a_log_is_printed() {
    let text = Sample::new().view().terminal(Style::PLAIN);
    assert!(
        text.chars().all(|c| c == '\n' || !c.is_control()),
        "{text:?}"
    );
    assert!(!text.contains('\u{202e}'), "{text:?}");
}

fn plan_text(change: impl FnOnce(&mut Sample)) -> String {
    let mut sample = Sample::new();
    sample.reading = ReadSummary::default();
    change(&mut sample);
    sample.view().terminal(Style::PLAIN)
}

#[test]
fn hold_nothing_is_said_in_words() {
    let text = plan_text(|sample| sample.plan.held.objects = 0);
    assert!(
        text.starts_with("Hold nothing: all 64 MiB serve this traffic best as page cache\n"),
        "{text}"
    );
}

#[test]
fn memory_that_all_files_fit_in_holds_nothing_for_that_reason() {
    let text = plan_text(|sample| {
        sample.plan.held.objects = 0;
        sample.description.total.object_bytes = 10 << 20;
    });
    let start = "Hold nothing: all 10 MiB read fit in the page cache\n";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn a_gain_that_may_be_none_is_not_promised() {
    let text = plan_text(|sample| {
        let interval = sample
            .plan
            .total
            .held_out
            .plan
            .gain_interval
            .as_mut()
            .unwrap();
        interval.low = -0.02;
    });
    let start =
        "Holding 312 files (41.2 MiB of 64 MiB) cuts the mean response by 12.3 % (-2.0 to 15.3 %)";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("; the gain may be chance\n"), "{text}");
}

#[test]
fn a_loss_is_called_a_loss() {
    let text = plan_text(|sample| {
        sample.plan.total.held_out.plan = sample::score(0.7, 3_200.0, Some(-0.032))
    });
    assert!(
        text.starts_with(
            "Holding 312 files (41.2 MiB of 64 MiB) raises the mean response by 3.2 % (0.2–7.3 %)"
        ),
        "{text}"
    );
}

#[test]
fn paths_that_are_not_utf8_are_shown_percent_encoded() {
    let text = plan_text(|sample| {
        sample.placement.files[0].path = hotset_scenario::FilePath(b"/caf\xe9.html".to_vec());
    });
    assert!(text.contains("/caf%E9.html"), "{text}");
}

#[test]
fn sites_without_a_row_or_a_list_are_counted() {
    let text = plan_text(|sample| {
        sample.plan.sites = vec![sample.plan.sites[0].clone(); 1_203];
        sample.advice = vec![sample.advice[0].clone(); 1_203];
    });
    assert_eq!(text.matches("\n… 1,003 more").count(), 2, "{text}");
    assert!(
        text.contains("Files of 1,198 more sites are held"),
        "{text}"
    );
    let mut sample = DescriptionSample::new();
    sample.description.sites = vec![sample.description.sites[0].clone(); 201];
    let text = sample.view().terminal(Style::PLAIN);
    assert_eq!(text.matches("\n… 1 more\nall sites").count(), 7, "{text}");
}

#[test]
fn sites_that_are_several_populations_have_no_exponent_together() {
    let mut sample = DescriptionSample::new();
    sample.description.total.zipf = None;
    sample.description.total.zipf_missing_because = Some(NoZipf::SeveralPopulations);
    let text = sample.view().terminal(Style::PLAIN);
    let all = text.lines().find(|line| line.ends_with("2 populations"));
    assert!(
        all.is_some_and(|line| line.starts_with("all sites")),
        "{text}"
    );
}

#[test]
fn a_description_without_times_or_a_head_leaves_both_out() {
    let mut sample = DescriptionSample::new();
    let Description { sites, total, .. } = &mut sample.description;
    for site in sites.iter_mut().chain([total]) {
        site.requests_by_hour_of_day.clear();
        site.zipf = None;
    }
    let text = sample.view().terminal(Style::PLAIN);
    assert!(
        !text.contains("Busiest hour") && !text.contains("alone"),
        "{text}"
    );
}

#[test]
fn the_bound_says_how_much_more_could_be_saved() {
    let text = |optimum_at_most_us| {
        let text = plan_text(|sample| {
            sample.plan.bound.value_us = 1e6;
            sample.plan.bound.optimum_at_most_us = optimum_at_most_us;
        });
        text.lines().rev().nth(1).unwrap().to_owned()
    };
    assert!(
        text(1.013e6)
            .starts_with("Another choice of files could save at most 1.3 % more. This bound")
    );
    assert!(text(1.0001e6).starts_with("Another choice of files could save less than 0.1 % more."));
    assert!(text(1e6).starts_with("No other choice of files could save more."));
}

#[test]
fn only_several_nodes_have_a_table() {
    let text = Sample::of_two_nodes().view().terminal(Style::PLAIN);
    let (_, nodes) = text.split_once("\nNodes\n").expect("a table of nodes");
    let row = nodes.lines().nth(1).expect("a row");
    assert!(row.starts_with("web1 ") && row.contains("24 MiB"), "{row}");
    assert!(
        text.contains("The file reads are dealt to 2 nodes in turn"),
        "{text}"
    );
    assert!(text.contains("so no plan is made for front."), "{text}");
    assert!(text.contains("saved µs/byte  node"), "{text}");
    let single = Sample::new().view().terminal(Style::PLAIN);
    assert!(
        !single.contains("Nodes") && !single.contains("  node"),
        "{single}"
    );
}

#[test]
fn a_plan_that_holds_nothing_has_no_bound() {
    let text = plan_text(|sample| sample.plan.held.objects = 0);
    assert!(!text.contains("could save"), "{text}");
}

#[test]
fn a_narrow_terminal_gets_narrow_paragraphs() {
    let text = Sample::new().view().terminal(Style {
        width: Some(60),
        ..Style::PLAIN
    });
    let headline = text.lines().take_while(|line| !line.is_empty());
    assert!(
        headline.map(display_width).all(|width| width <= 60),
        "{text}"
    );
}

#[test]
fn what_a_result_took_is_shown_part_by_part_to_who_asks() {
    let sample = Sample::new();
    let mut view = sample.view();
    assert!(!view.terminal(Style::PLAIN).contains("Timings"));
    view.usage = ResourceUsage {
        peak_memory_bytes: None,
        timings_seconds: vec![("split".into(), 0.25), ("arms".into(), 1.5)],
    };
    let text = view.terminal(Style::PLAIN);
    let end =
        "\nTimings\n  split                       0.250 s\n  arms                        1.500 s\n";
    assert!(text.ends_with(end), "{text}");
}
