//! Tables for spreadsheets: every row, figures in full, hostile text as text.

mod sample;

use hotset_outcome::{Bootstrap, Outcome, compare};
use hotset_report::{Cell, Column, ComparisonView, Sheets, Table};
use sample::{DescriptionSample, Sample};

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
            "saves (0 to 1)",
            "saves low (0 to 1)",
            "saves high (0 to 1)",
            "moved (bytes)"
        ]
    );
    let alone = &arms[1];
    assert_eq!(alone[0], "page cache alone");
    assert_eq!(alone[3..], ["", "", "", ""], "unknown is empty");
    let plan = arms.iter().find(|row| row[0] == "plan").unwrap();
    let bounds: Vec<f64> = plan[3..6].iter().map(|of| of.parse().unwrap()).collect();
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
    let groups = ["sites", "sizes", "jobs", "stores"];
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
    assert_eq!(changes[0], ["change", "file", "size (bytes)", "site"]);
    assert_eq!(changes[1][0], "added");
    assert_eq!(changes[2][..2], ["dropped", "/old.html"]);
    assert!(changes[3..].iter().all(|row| row[0] == "kept"));
    assert_eq!(changes.len(), 1 + sample.placement.files.len() + 1);
}
