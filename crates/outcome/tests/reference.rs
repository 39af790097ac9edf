//! The published figures in experiments/reference are those of the tables they name.
use hotset_outcome::{GroupKey, GroupKind, Outcome, ProvenanceKind, Score, documents};
use hotset_test_support::skip;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document(name: &str) -> Vec<Outcome> {
    let path = repository().join("experiments/reference").join(name);
    documents::read(&path).unwrap_or_else(|error| panic!("{error}"))
}

/// Header and rows of a table of the literature, without comments; nothing where it is not beside the
/// checkout.
fn table(name: &str) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    let path = repository().join("../shared/reference").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        skip(format_args!("there is no {}", path.display()));
        return None;
    };
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut rows = lines.map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    Some((rows.next()?, rows.collect()))
}

/// Holds a document to the rows of a table whose first columns are `key` and the file size.
fn holds(name: &str, csv: &str, key: &[&str], figure: fn(&Score) -> Option<f64>) {
    let Some((header, rows)) = table(csv) else {
        return;
    };
    let outcomes = document(name);
    let rows: Vec<_> = rows
        .iter()
        .filter(|row| row.starts_with(&owned(key)))
        .collect();
    assert_eq!(outcomes.len(), header.len() - key.len() - 1);
    for (column, outcome) in (key.len() + 1..).zip(&outcomes) {
        assert_eq!(outcome.name, header[column]);
        assert_eq!(outcome.provenance.kind, ProvenanceKind::Reference);
        assert_eq!(outcome.groups.len(), rows.len());
        for (row, size) in rows.iter().zip(&outcome.groups) {
            assert_eq!(size.key, GroupKey::new(GroupKind::Size, &row[key.len()]));
            assert_eq!(
                figure(&size.score),
                row[column].parse().ok(),
                "{name} {}",
                size.key
            );
        }
    }
}

fn owned(key: &[&str]) -> Vec<String> {
    key.iter().map(|&part| part.to_owned()).collect()
}

#[test]
fn response_times_are_those_of_tables_4_and_5() {
    let file = |number| format!("characterization-table-{number}.json");
    holds(
        &file(4),
        "tr65_table4_response_cached.csv",
        &[],
        Score::mean_us,
    );
    holds(
        &file(5),
        "tr65_table5_response_uncached.csv",
        &[],
        Score::mean_us,
    );
}

#[test]
fn throughputs_are_those_of_table_6() {
    for state in ["cached", "uncached"] {
        let file = format!("characterization-table-6-{state}.json");
        holds(&file, "tr65_table6_throughput.csv", &[state], |score| {
            score.throughput_per_s
        });
    }
}

#[test]
fn latencies_are_those_of_table_2() {
    let outcomes = document("characterization-table-2.json");
    let Some((_, rows)) = table("tr65_table2_fs_latency.csv") else {
        return;
    };
    for (row, outcome) in rows.iter().zip(&outcomes) {
        assert_eq!(outcome.name, row[0]);
        let means: Vec<_> = outcome
            .groups
            .iter()
            .map(|group| group.score.mean_us())
            .collect();
        let published: Vec<Option<f64>> = row[1..].iter().map(|cell| cell.parse().ok()).collect();
        assert_eq!(means, published, "{}", row[0]);
    }
}
