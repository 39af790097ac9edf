//! What commands print.

use crate::sample;

use crate::sample::{DescriptionSample, Sample, live};
use hotset_describe::Description;
use hotset_describe::zipf::NoZipf;
use hotset_outcome::Interval;
use hotset_plan::{Arm, GroupSize, Lever, SampledStore, Setback};
use hotset_report::{
    AppliedView, CacheScanView, Lookup, ResourceUsage, StoreBasis, Style, View, display_width,
};
use hotset_trace::Zone;
use hotset_trace::read::ReadSummary;
use serde_json::Value;
use std::path::Path;

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
        time_zone: Zone::UTC,
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
fn a_store_that_nobody_named_is_what_the_gain_depends_on() {
    let start = |stores: [&str; 2], bases: [StoreBasis; 2]| {
        let text = plan_text(|sample| {
            sample.backing = stores.map(str::to_owned).into();
            sample.store_bases = bases.into();
        });
        let lines: Vec<&str> = text.lines().take(3).collect();
        lines.join(" ")
    };
    use StoreBasis::{Assumed, Found, Named, Usual};
    for (stores, bases, condition) in [
        (
            ["hdd"; 2],
            [Usual; 2],
            "If files are read from hdd, holding 312 files",
        ),
        (
            ["hdd"; 2],
            [Assumed; 2],
            "hdd is a guess, as the disk is virtual: `hotset probe` measures it. If files are read from hdd, holding 312 files",
        ),
        (
            ["nvme"; 2],
            [Found; 2],
            "With files on nvme, as the kernel says, holding 312 files",
        ),
        (
            ["nvme", "nfs"],
            [Found, Named],
            "With files on nvme, nfs, as the kernel says, holding 312 files",
        ),
        (
            ["nvme", "hdd"],
            [Found, Usual],
            "If files are read from nvme, hdd, holding 312 files",
        ),
    ] {
        let text = start(stores, bases);
        assert!(text.starts_with(condition), "{text}");
    }
}

#[test]
fn the_commonest_stores_are_laid_beside_the_one_in_use_in_a_line() {
    let said = |text: &str| {
        let mut lines = text.lines();
        let line = lines.find(|line| line.starts_with("Saved by the best plan for another store"));
        line.map(str::to_owned)
    };
    let candidates = |names: &'static [&str]| {
        plan_text(move |sample| {
            for (site, advice) in sample.advice.iter_mut().enumerate() {
                let first = advice.stores[0].clone();
                let store = |name: &&str| {
                    let mut store = first.clone();
                    store.store = (*name).to_owned();
                    store.page_cache_mean_us = 100.0;
                    // One site gains nothing on any store.
                    store.plan_mean_us = if site == 0 { 50.0 } else { 100.0 };
                    store
                };
                advice.stores = names.iter().map(store).collect();
            }
        })
    };
    let all = said(&candidates(&["nvme", "nfs", "hdd-7200"])).expect("a line");
    let share = all.split(' ').nth(9).expect("a share");
    assert!(
        all.contains("nvme") && all.contains("hdd-7200") && all.contains("nfs"),
        "{all}"
    );
    let sites = &Sample::new().plan.sites;
    let accesses = sites.iter().map(|site| site.held_out.accesses as f64);
    let accesses: Vec<f64> = accesses.collect();
    let expected = 50.0 * accesses[0] / (accesses[0] + accesses[1]);
    assert_eq!(share, format!("{expected:.1}"), "{all}");
    assert_eq!(said(&candidates(&["nvme", "nfs"])), None);
}

#[test]
fn what_other_stores_save_has_an_interval_where_it_is_estimated() {
    let text = plan_text(|sample| {
        for advice in &mut sample.advice {
            for (store, name) in advice.stores.iter_mut().zip(["nvme", "hdd-7200", "nfs"]) {
                store.store = name.to_owned();
                (store.page_cache_mean_us, store.plan_mean_us) = (100.0, 70.0);
                store.sampled = Some(SampledStore {
                    gain: Some(Interval {
                        low: 0.28,
                        high: 0.32,
                        level: 0.95,
                    }),
                    ..SampledStore::default()
                });
            }
        }
    });
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = "Saved by the best plan for another store, estimated from a sample of the file reads, with 95 % intervals: nvme 30.0 % (28.0–32.0 %), \
                hdd-7200 30.0 % (28.0–32.0 %), nfs 30.0 % (28.0–32.0 %).";
    assert!(words.contains(line), "{text}");
}

#[test]
fn hold_nothing_is_said_in_words() {
    let text = plan_text(|sample| sample.plan.held.objects = 0);
    let start = "Leave it to the page cache: all 64 MiB serve this traffic best as page cache\n";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn memory_that_all_files_fit_in_holds_nothing_for_that_reason() {
    let text = plan_text(|sample| {
        sample.plan.held.objects = 0;
        sample.description.total.object_bytes = 10 << 20;
    });
    let start = "Leave it to the page cache: all 10 MiB read fit in it\n";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn a_gain_that_may_be_none_is_not_promised() {
    let text = plan_text(|sample| {
        let plan = &mut sample.plan.total.held_out[Arm::Plan];
        plan.weighted_gain_interval.as_mut().unwrap().low = -0.02;
    });
    let start =
        "Holding 312 files (41.2 MiB of 64 MiB) cuts the mean response by 12.3 % (-2.0 to 15.3 %)";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("; the gain may be chance\n"), "{text}");
}

/// A plan that raises the mean response by 3.2 % and is given up.
fn give_up(sample: &mut Sample) {
    let plan = &mut sample.plan;
    plan.given_up = Some(std::mem::take(&mut plan.held));
    plan.total.held_out[Arm::Plan] = sample::score(0.7, 3_200.0, Some(-0.032));
    plan.sites.iter_mut().for_each(|site| site.held_objects = 0);
    sample.placement.files.clear();
}

#[test]
fn a_plan_that_loses_is_left_to_the_page_cache_and_its_loss_is_called_a_loss() {
    let text = plan_text(give_up);
    let start = "Leave it to the page cache: the best plan found, holding 312 files (41.2 MiB of 64 MiB), \
                 raises the\nmean response by 3.2 % (0.2–7.3 %) on traffic it has not seen\n";
    assert!(text.starts_with(start), "{text}");
    assert!(!text.contains("to hold"), "{text}");
    assert!(text.contains("\nplan, given up  "), "{text}");
}

#[test]
fn with_weights_the_headline_is_about_the_weighted_mean_and_sites_have_their_say() {
    let text = plan_text(|sample| {
        let plan = &mut sample.plan;
        plan.sites[0].weight = 10.0;
        plan.sites[1].held_out[Arm::Plan] = sample::score(0.7, 3_400.0, Some(-0.061));
        plan.total.held_out[Arm::Plan].weighted_gain = Some(0.2);
        plan.total.held_out[Arm::Plan].gain = Some(-0.1);
    });
    let start = "Holding 312 files (41.2 MiB of 64 MiB) cuts the weighted mean response by 20.0 %";
    assert!(text.starts_with(start), "{text}");
    assert!(
        text.contains("\nSite by site: blog.example.org saves 12.0 %; shop loses 6.1 %.\n"),
        "{text}"
    );
    assert!(text.contains("weighted mean"), "{text}");
}

#[test]
fn of_many_sites_those_with_the_largest_difference_are_named() {
    let text = plan_text(|sample| {
        sample.plan.sites = vec![sample.plan.sites[0].clone(); 7];
        sample.plan.sites[3].site = "most".to_owned();
        sample.plan.sites[3].held_out[Arm::Plan].gain = Some(0.5);
        sample.plan.sites[5].held_out[Arm::Plan] = sample::score(0.7, 3_200.0, Some(0.0));
    });
    let sentence =
        "\nSite by site: 6 sites save, most the most (50.0 %); 1 site shows no clear difference.\n";
    assert!(text.contains(sentence), "{text}");
}

#[test]
fn a_site_that_the_plan_could_not_learn_about_is_named() {
    let text = plan_text(|sample| sample.plan.sites[1].training_accesses = 0);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = "No file of shop can be held: the part of the traffic that the plan learns from has no file read \
                    of it.";
    assert!(words.contains(sentence), "{text}");
}

#[test]
fn what_was_rejected_is_named_with_the_site_that_it_would_starve() {
    let text = plan_text(|sample| sample.plan.rejected = Some(sample::rejected()));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentences = "Memory groups with 312 files held (41.2 MiB) would serve the traffic as logged better. This was not \
                     chosen: if clients wait for answers and ask for the same files again, shop would get 25.0 % of the \
                     answers per second that it could get.";
    assert!(words.contains(sentences), "{text}");
}

#[test]
fn groups_are_proposed_where_a_site_with_priority_shares_a_page_cache_under_load() {
    let words = |change: fn(&mut sample::Sample)| {
        let text = plan_text(change);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let proposal = "shop has priority, and shares one page cache with the other sites.";
    let heavy = words(|sample| {
        sample.plan.rejected = Some(sample::rejected());
        sample.plan.sites[1].weight = 10.0;
    });
    assert!(heavy.contains(proposal), "{heavy}");
    let without_priority = words(|sample| sample.plan.rejected = Some(sample::rejected()));
    assert!(!without_priority.contains(proposal), "{without_priority}");
    let without_shift = words(|sample| sample.plan.sites[1].weight = 10.0);
    assert!(!without_shift.contains(proposal), "{without_shift}");
}

#[test]
fn changes_to_the_plan_in_force_are_marked_as_added_and_dropped() {
    let text = plan_text(|sample| {
        let mut previous = sample.placement.clone();
        previous.files.drain(..2);
        previous.files[0].path = "/old.html".into();
        sample.previous = Some(previous);
    });
    let heading =
        "Changes to the plan in force: 3 to add (15.3 KiB), 1 to drop (9.34 KiB), 309 unchanged";
    assert!(text.contains(heading), "{text}");
    let marked = |sign: &str| {
        let lines = text.lines().filter(|line| line.starts_with(sign));
        lines.collect::<Vec<_>>().len()
    };
    assert_eq!((marked("+ "), marked("- ")), (3, 1), "{text}");
    assert!(text.contains("/old.html"), "{text}");
}

#[test]
fn a_plan_that_is_in_force_changes_nothing() {
    let text = plan_text(|sample| sample.previous = Some(sample.placement.clone()));
    let start =
        "Nothing to change. Holding 312 files (41.2 MiB of 64 MiB) cuts the mean response by";
    assert!(text.starts_with(start), "{text}");
    let none = "0 to add (0 B), 0 to drop (0 B), 312 unchanged";
    assert!(text.contains(none), "{text}");
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

#[test]
fn a_share_saved_that_falls_with_memory_is_explained() {
    let text = plan_text(|sample| {
        let last = sample.plan.curve.last_mut().unwrap();
        last.plan.weighted_gain = Some(0.0);
    });
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("The share saved is largest at 256 MiB and falls beyond it"),
        "{text}"
    );
    let rising = plan_text(|_| ());
    assert!(!rising.contains("falls beyond"), "{rising}");
}

#[test]
fn the_curve_names_its_knee_and_says_why_more_memory_looks_worse() {
    let text = plan_text(|sample| sample.plan.curve[1].setbacks = vec![sample::setback()]);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in [
        "The knee of the plan's curve is at 8 MiB: up to there each further byte of memory saves more time than the \
         average over the curve, beyond it less.",
        "The page cache alone has fewer hits than with less memory: 65.6 % at 2 MiB, 70.0 % at 1 MiB. What the page \
         cache keeps with more memory need not include what it keeps with less.",
    ] {
        assert!(words.contains(sentence), "{text}");
    }
    let row = |memory: &str| {
        let mut lines = text.lines().map(str::trim);
        lines
            .find(|line| line.starts_with(memory))
            .map(str::to_owned)
    };
    assert!(row("8 MiB").expect("a row").ends_with("knee"), "{text}");
    assert!(row("2 MiB").expect("a row").ends_with("worse"), "{text}");
}

#[test]
fn groups_on_one_of_two_nodes_are_said_to_be_there() {
    let mut sample = Sample::of_two_nodes();
    let group = |memory_bytes| GroupSize {
        memory_bytes,
        floor_bytes: 1 << 20,
    };
    sample.plan.lever = Lever::GroupsAndFiles;
    sample.plan.nodes[0].groups = vec![group(16 << 20), group(8 << 20)];
    let text = sample.view().terminal(Style::PLAIN);
    let start = "Giving each site a memory group of its own on web1 and holding 312 files";
    assert!(text.starts_with(start), "{text}");
    let groups = "node  site               group  floor\nweb1  blog.example.org  16 MiB  1 MiB\nweb1  shop               8 MiB  1 MiB\n";
    assert!(text.contains(groups), "{text}");
    sample.plan.nodes[1].groups = sample.plan.nodes[0].groups.clone();
    let text = sample.view().terminal(Style::PLAIN);
    assert!(
        text.starts_with("Giving each site a memory group of its own and holding"),
        "{text}"
    );
}

#[test]
fn rows_of_the_curve_that_were_estimated_say_so_and_how_far_they_may_be_off() {
    let text = plan_text(|sample| {
        let point = &mut sample.plan.curve[3];
        point.page_cache.weighted_mean_us = 1_000.0;
        point.plan.weighted_mean_us = 2_000.0;
        point.sampled = Some(sample::sampled(point));
    });
    assert!(text.contains("knee, sampled"), "{text}");
    assert!(text.contains("(19.0–21.0 %)  knee, sampled"), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let off = "mean responses are off by 3.4 % at most, and hit ratios by 1.2 %.";
    assert!(words.contains(off), "{text}");
}

#[test]
fn no_two_rows_of_the_curve_look_the_same() {
    let text = plan_text(|sample| {
        let curve = &mut sample.plan.curve;
        curve[3].memory_bytes = (470 << 20) - 4096;
        curve[4].memory_bytes = 470 << 20;
        curve[4].setbacks = vec![Setback {
            than_memory_bytes: (470 << 20) - 4096,
            ..sample::setback()
        }];
    });
    assert!(
        text.contains("\n469.996 MiB  ") && text.contains("\n470.000 MiB  "),
        "{text}"
    );
    assert!(text.contains("70.0 % at 469.996 MiB"), "{text}");
}

#[test]
fn folders_in_commands_to_be_pasted_are_quoted_where_a_shell_would_split_them() {
    let mut state = live::state(Value::Null);
    state.folders = live::folders();
    state.folders[0].folder = "/srv/our shop's files".into();
    let lookup = Lookup { lines: None };
    let applied = AppliedView {
        state: &state,
        folder: Path::new("/var/lib/my state"),
        lookup: Some(&lookup),
    };
    let text = applied.terminal(Style::PLAIN);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for commands in [
        "`hotset status --state '/var/lib/my state'` checks it, `hotset release --state '/var/lib/my state'` takes",
        r"--state '/var/lib/my state' --root 'shop=/srv/our shop'\''s files' --root shop:/img/=/srv/img`",
    ] {
        assert!(words.contains(commands), "{words}");
    }
}
