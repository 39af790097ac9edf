//! Tables for spreadsheets: every row, figures in full, hostile text as text.

use crate::sample;
use hotset_plan::Arm;

use crate::sample::{DescriptionSample, Sample};
use hotset_describe::Lists;
use hotset_outcome::{Bootstrap, Outcome, Score, compare};
use hotset_report::{Cell, Column, ComparisonView, Sheets, Table};

fn sheet(view: &impl Sheets, name: &str) -> Vec<Vec<String>> {
    let sheets = view.sheets();
    let (_, table) = sheets
        .iter()
        .find(|(found, _)| *found == name)
        .expect("a table of that name");
    rows(&table.csv().unwrap())
}

/// Reads what was written, by a reader of its own.
fn rows(text: &str) -> Vec<Vec<String>> {
    assert!(text.is_empty() || text.ends_with("\r\n"), "{text:?}");
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let records = reader.records().map(|record| record.unwrap());
    records
        .map(|record| record.iter().map(str::to_owned).collect())
        .collect()
}

#[test]
fn headers_name_units_and_figures_are_given_in_full() {
    let sample = DescriptionSample::new();
    let hottest = sheet(&sample.view(), "hottest-files");
    assert_eq!(hottest[0], ["file", "reads", "size (bytes)", "site"]);
    assert_eq!(hottest[1], ["/favicon.ico", "807", "3638", "total"]);
    let traffic = sheet(&sample.view(), "traffic");
    assert_eq!(traffic[0][5], "sent (bytes)");
    assert_eq!(traffic[0][6], "mean rate (per second)");
    assert_eq!(traffic[1][5], (6_812_u64 * 260_000).to_string());
}

#[test]
fn a_figure_with_an_interval_takes_three_columns() {
    let arms = sheet(&Sample::new().view(), "arms");
    assert_eq!(
        arms[0],
        [
            "memory used by",
            "hit ratio (0 to 1)",
            "mean response (microseconds)",
            "weighted mean (microseconds)",
            "saves (0 to 1)",
            "saves low (0 to 1)",
            "saves high (0 to 1)",
            "moved (bytes)"
        ]
    );
    let alone = &arms[1];
    assert_eq!(alone[0], "page cache alone");
    assert_eq!(alone[2], alone[3], "sites of one weight");
    assert_eq!(alone[4..], ["", "", "", ""], "unknown is empty");
    let plan = arms.iter().find(|row| row[0] == "plan").unwrap();
    let bounds: Vec<f64> = plan[4..7].iter().map(|of| of.parse().unwrap()).collect();
    assert!(bounds[1] < bounds[0] && bounds[0] < bounds[2], "{plan:?}");
}

#[test]
fn rows_that_people_are_not_shown_are_there() {
    let mut sample = Sample::new();
    sample.plan.sites = vec![sample.plan.sites[0].clone(); 1_203];
    let sites = sheet(&sample.view(), "sites");
    assert_eq!(sites.len(), 1 + 1_203);
    assert!(!sites.concat().concat().contains('…'));
    let files = sheet(&sample.view(), "held-files");
    assert_eq!(files.len(), 1 + sample.placement.files.len());
}

#[test]
fn text_is_quoted_and_never_a_formula() {
    let mut table = Table::new([Column::flexible("path")]);
    let hostile = ["/a,b", "/say \"hi\"", "=1+1", "@cmd", "-2", "+3", "/a\r\nb"];
    for path in hostile {
        table.row([path]);
    }
    let text = table.csv().unwrap();
    assert!(text.starts_with("path\r\n\"/a,b\"\r\n\"/say \"\"hi\"\"\"\r\n'=1+1\r\n"));
    let read = rows(&text).concat();
    assert_eq!(read[4..7], ["'@cmd", "'-2", "'+3"]);
    assert_eq!(read[7], "/a%0D%0Ab", "no character that ends a line");
}

#[test]
fn a_table_without_rows_has_its_header() {
    let table = Table::new([Column::text("site"), Column::number("requests")]);
    assert_eq!(table.csv().unwrap(), "site,requests\r\n");
    assert_eq!(Cell::from("text"), Cell::from(String::from("text")));
}

#[test]
fn names_of_tables_do_not_depend_on_the_result() {
    let names = |sample: &Sample| -> Vec<&'static str> {
        let sheets = sample.view().sheets();
        sheets.into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names(&Sample::new()), names(&Sample::of_two_nodes()));
}

/// The header of each table.
fn headers(view: &impl Sheets) -> Vec<(&'static str, String)> {
    let sheets = view.sheets().into_iter();
    let header = |table: Table| table.csv().unwrap().lines().next().unwrap().to_owned();
    sheets.map(|(name, table)| (name, header(table))).collect()
}

#[test]
fn headers_do_not_depend_on_the_result() {
    let full = Sample::new();
    let wanted = headers(&full.view());
    assert_eq!(headers(&Sample::of_two_nodes().view()), wanted);
    let mut weighted = Sample::new();
    weighted.plan.sites[0].weight = 7.0;
    assert_eq!(headers(&weighted.view()), wanted);
    let mut bare = Sample::new();
    bare.plan.sites.truncate(1);
    bare.plan.curve.clear();
    bare.placement.files.clear();
    bare.advice.clear();
    bare.memory_needed = vec![(0.2, None)];
    bare.plan.total.held_out[Arm::Plan].weighted_gain = None;
    bare.plan.total.held_out[Arm::Adaptive].moved_bytes = None;
    assert_eq!(headers(&bare.view()), wanted);
    let needed = sheet(&bare.view(), "memory-for-gain");
    assert_eq!(needed[0], ["saves (0 to 1)", "needs (bytes)"]);
    assert_eq!(needed[1], ["0.2", ""]);
}

#[test]
fn headers_of_a_description_do_not_depend_on_the_traffic() {
    let full = DescriptionSample::new();
    let mut bare = DescriptionSample::new();
    bare.description.sites.truncate(1);
    for site in &mut bare.description.sites {
        site.zipf = None;
        site.clients = None;
        site.requests_per_connection = None;
        site.object_size_bytes = None;
        site.status_codes = [(200, 7)].into();
    }
    bare.description.total = bare.description.sites[0].clone();
    bare.description.lists = Lists::default();
    assert_eq!(headers(&bare.view()), headers(&full.view()));
    let statuses = sheet(&bare.view(), "status-codes");
    assert_eq!(statuses[0], ["site", "status", "requests"]);
    assert_eq!(statuses[1][1..], ["200", "7"]);
}

#[test]
fn headers_of_outcomes_side_by_side_do_not_depend_on_what_is_known() {
    let mut bare = compared(0);
    for outcome in &mut bare {
        outcome.total = Score::default();
        outcome.groups.clear();
    }
    let headers = |outcomes: &[Outcome]| {
        let side_by_side = compare(outcomes, &Bootstrap::seeded(1)).unwrap();
        headers(&ComparisonView {
            side_by_side: &side_by_side,
            outcomes,
        })
    };
    assert_eq!(headers(&bare), headers(&compared(3)));
}

/// Two outcomes side by side, each with `sites` sites.
fn compared(sites: usize) -> Vec<Outcome> {
    let outcome = |name: &str| {
        let mut outcome = sample::outcome();
        outcome.name = name.to_owned();
        let score = outcome.total.clone();
        (0..sites).fold(outcome, |outcome, i| {
            outcome.with_site(format!("site{i}"), score.clone())
        })
    };
    vec![outcome("page cache"), outcome("plan")]
}

#[test]
fn outcomes_side_by_side_have_all_their_groups_and_columns() {
    let outcomes = compared(300);
    let side_by_side = compare(&outcomes, &Bootstrap::seeded(1)).unwrap();
    let view = ComparisonView {
        side_by_side: &side_by_side,
        outcomes: &outcomes,
    };
    let names: Vec<&str> = view.sheets().into_iter().map(|(name, _)| name).collect();
    let groups = ["sites", "sizes", "jobs", "stores", "pages"];
    let expected = [
        &["served", "means", "percentiles"][..],
        &groups,
        &["resources", "links"],
    ];
    assert_eq!(names, expected.concat());
    let sites = sheet(&view, "sites");
    assert_eq!(sites.len(), 1 + 2 * (300 + 2));
    let means = sheet(&view, "means");
    assert_eq!(
        means[0][..5],
        [
            "outcome",
            "time",
            "mean (microseconds)",
            "mean low (microseconds)",
            "mean high (microseconds)"
        ]
    );
    assert_eq!(means[2][0], "plan");
    assert_eq!(sheet(&view, "links").len(), 1, "a header");
    assert_eq!(sheet(&view, "links")[0].len(), 6, "with every column");
}

#[test]
fn every_file_that_is_added_dropped_or_kept_has_a_row() {
    let mut sample = Sample::new();
    assert_eq!(sheet(&sample.view(), "changes").len(), 1);
    let mut previous = sample.placement.clone();
    previous.files[0].path = "/old.html".into();
    sample.previous = Some(previous);
    let changes = sheet(&sample.view(), "changes");
    assert_eq!(
        changes[0],
        ["change", "file", "size (bytes)", "node", "site"]
    );
    assert_eq!(changes[1][0], "added");
    assert_eq!(changes[2][..2], ["dropped", "/old.html"]);
    assert!(changes[3..].iter().all(|row| row[0] == "kept"));
    assert_eq!(changes.len(), 1 + sample.placement.files.len() + 1);
}
