//! Tables, figures and claims of the documents, beside what experiments in a folder have kept.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use hotset_experiment::reproduce::{
    DocumentClaim, ReproducedCell, ReproducedStudy, Reproduction, names, reproduce,
};

use crate::place::{Calm, Place};

/// The studies of these names, with the experiments of a place.
fn reproduced(place: &Place, names: &[&str]) -> Reproduction {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    reproduce(&names, &place.path("experiments"), &Calm).expect("nobody interrupts")
}

fn study<'r>(of: &'r Reproduction, name: &str) -> &'r ReproducedStudy {
    let found = of.studies.iter().find(|study| study.name == name);
    found.unwrap_or_else(|| panic!("no study {name}"))
}

fn cell<'r>(of: &'r ReproducedStudy, row: &str, column: &str) -> &'r ReproducedCell {
    let mut cells = of.cells.iter();
    let found = cells.find(|cell| cell.row == row && cell.column == column);
    found.unwrap_or_else(|| panic!("no cell {row}, {column} in {}", of.name))
}

/// A kept result of a file system: responses with cached files of these sizes, microseconds.
fn responses(file_system: &str, sizes: &[(&str, f64)]) -> String {
    let groups = sizes.iter().map(|(size, us)| {
        format!("{{\"kind\": \"size\", \"name\": \"{size}\", \"mean_us\": {us}}}")
    });
    let groups: Vec<String> = groups.collect();
    format!(
        "{{\"outcomes\": [{{\"version\": 1, \"name\": \"{file_system}-cached\", \"provenance\": {{\"kind\": \"measured\"}}, \
         \"groups\": [{}], \"total\": {{}}}}]}}",
        groups.join(", ")
    )
}

#[test]
fn studies_are_named_once_and_as_the_reference_figures_are() {
    let all: Vec<&str> = names().collect();
    let different: HashSet<&str> = all.iter().copied().collect();
    assert_eq!(different.len(), all.len(), "{all:?}");
    for name in [
        "tr65-table4",
        "tr65-figure13",
        "char-table3",
        "diskless-table2",
        "diskless-specweb99",
        "cpn-validation",
    ] {
        assert!(different.contains(name), "{name}");
    }
}

#[test]
fn without_experiments_published_and_calculated_figures_are_left() {
    let place = Place::with(&[]);
    let all = reproduced(&place, &[]);
    assert_eq!(all.studies.len(), names().count());
    assert!(!all.has_experiments);
    assert_eq!(all.remarks, [""; 0]);
    assert!(!place.path("experiments").exists());
    let cells: Vec<&ReproducedCell> = all.studies.iter().flat_map(|it| &it.cells).collect();
    assert!(cells.iter().all(|cell| cell.measured.is_none()));
    assert!(cells.iter().all(|cell| cell.published.is_some()));
    let table = study(&all, "tr65-table5");
    assert_eq!(cell(table, "64K", "lustre").published, Some(1666.0));
    let table = study(&all, "diskless-table2");
    assert_eq!(cell(table, "proxy 3x", "p95 dsa").published, Some(20436.0));
    assert_eq!(table.cells.len(), 23 * 12 - 4);
    // Errors are theirs, with the signs that the tables leave out.
    let errors = study(&all, "cpn-validation");
    let error = |row: &str| {
        cell(errors, row, "error, percent")
            .published
            .map(f64::round)
    };
    assert_eq!(error("random reads"), Some(20.0));
    assert_eq!(error("reads of trace 1"), Some(-12.0));
    assert_eq!(error("writes of trace 1"), Some(-29.0));
    assert_eq!(all.orderings.kept + all.orderings.broken, 0);
}

#[test]
fn what_the_text_only_bounds_is_no_published_figure() {
    let all = reproduced(&Place::with(&[]), &["cpn-validation", "tr65-figure6"]);
    let errors = study(&all, "cpn-validation");
    let is_drawn = |cell: &ReproducedCell| cell.row.starts_with("sequential");
    assert!(!errors.cells.iter().any(is_drawn), "{:?}", errors.cells);
    let has_bounds = errors.notes.iter().any(|it| it.contains("by 10 to 20 %"));
    assert!(has_bounds, "{:?}", errors.notes);
    let mut claims = all.claims.list.iter();
    let claim = claims.find(|it| it.text.starts_with("writes by dirty ratio"));
    let claim = claim.expect("a claim");
    assert_eq!((claim.section.as_str(), claim.holds), ("D §5.6", None));
    assert_eq!(claim.why, "The error here is not measured yet.");
    // The rate of data over the network is of no class.
    let rates = study(&all, "tr65-figure6");
    assert_eq!(rates.cells.len(), 1, "{:?}", rates.cells);
}

#[test]
fn claims_cite_sections_that_chapter_3_of_the_dissertation_has() {
    let studies = ["cpn-figure5", "cpn-table2", "cpn-table4", "cpn-figure17"];
    let all = reproduced(&Place::with(&[]), &studies);
    let of_chapter = |claim: &&DocumentClaim| claim.section.starts_with("D §3.");
    let claims: Vec<&DocumentClaim> = all.claims.list.iter().filter(of_chapter).collect();
    assert!(claims.len() >= 5, "{claims:?}");
    let sections = ["2.1", "2.2", "2.3", "3.1", "3.2", "3.3"];
    for claim in claims {
        let section = claim.section.trim_start_matches("D §3.").split(',').next();
        let is_there = section.is_some_and(|it| sections.contains(&it));
        assert!(is_there, "{claim:?}");
    }
}

#[test]
fn counts_are_those_of_the_cells_and_the_claims() {
    let all = reproduced(&Place::with(&[]), &[]);
    let errors = all.studies.iter().flat_map(|it| &it.cells);
    let errors: Vec<f64> = errors.filter_map(|cell| cell.error_percent).collect();
    let within = |percent: f64| errors.iter().filter(|it| it.abs() <= percent).count() as u64;
    assert_eq!(all.cells_within.all, errors.len() as u64);
    assert_eq!(all.cells_within.ten, within(10.0));
    assert_eq!(all.cells_within.forty, within(40.0));
    assert!(all.cells_within.all > 10);
    let claims = &all.claims;
    let count = |is_one: fn(&DocumentClaim) -> bool| {
        claims.list.iter().filter(|claim| is_one(claim)).count() as u64
    };
    assert_eq!(claims.hold, count(|claim| claim.holds == Some(true)));
    assert_eq!(claims.fail, count(|claim| claim.holds == Some(false)));
    assert_eq!(claims.contradictory, count(DocumentClaim::is_contradiction));
    // REFERENCE of the documents has some twenty.
    assert!(claims.contradictory >= 20, "{}", claims.contradictory);
    for claim in &claims.list {
        assert!(!claim.text.is_empty() && !claim.why.is_empty(), "{claim:?}");
        assert!(claim.section.starts_with(['A', 'B', 'C', 'D']), "{claim:?}");
    }
}

#[test]
fn five_cells_of_bare_reads_contradict_whole_responses() {
    let all = reproduced(&Place::with(&[]), &["tr65-table4", "tr65-table5"]);
    let bare = |claim: &&DocumentClaim| claim.text.starts_with("Reading");
    let found: Vec<&str> = all
        .claims
        .list
        .iter()
        .filter(bare)
        .map(|claim| claim.text.as_str())
        .collect();
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(found[0].contains("1M on pvfs takes 13825"), "{found:?}");
}

#[test]
fn the_slip_of_specweb99_explains_its_cells() {
    let all = reproduced(&Place::with(&[]), &["diskless-specweb99"]);
    let table = study(&all, "diskless-specweb99");
    let total = cell(table, "total connections local", "value");
    assert_eq!(total.simulated.map(f64::round), Some(1032.0));
    assert_eq!(total.error_percent.map(f64::round), Some(-40.0));
    let cause = total.explained.as_deref().unwrap_or_default();
    assert!(cause.contains("1734, as printed"), "{cause}");
    let disk = cell(table, "connections from local disk", "value");
    assert_eq!(disk.simulated, Some(354.0));
    assert_eq!(disk.explained, None);
    assert_eq!(all.claims.hold, 1, "{:?}", all.claims.list);
}

#[test]
fn kept_results_stand_beside_published_figures_in_their_order() {
    let place = Place::with(&[
        (
            "experiments/file-systems/results/ext3.json",
            responses("ext3", &[("4K", 450.0), ("64K", 860.0)]).as_str(),
        ),
        (
            "experiments/file-systems/results/ramfs.json",
            responses("ramfs", &[("4K", 420.0), ("64K", 900.0)]).as_str(),
        ),
        (
            "experiments/file-systems/results/glusterfs.json",
            responses("glusterfs", &[("4K", 1500.0)]).as_str(),
        ),
    ]);
    let all = reproduced(&place, &["tr65-table4"]);
    assert!(all.has_experiments);
    let table = study(&all, "tr65-table4");
    assert_eq!(cell(table, "4K", "ext3").measured, Some(450.0));
    assert_eq!(cell(table, "4K", "ext3").error_percent, None);
    let in_place = cell(table, "4K", "glusterfs");
    assert_eq!(
        (in_place.published, in_place.measured),
        (None, Some(1500.0))
    );
    // ramfs is faster than ext3 in both rows of the document, and in one of the two here.
    assert_eq!((all.orderings.kept, all.orderings.broken), (1, 1));
}

#[test]
fn a_result_that_cannot_be_used_is_left_out_and_named() {
    let newer = responses("ext3", &[("4K", 450.0)]).replace("\"version\": 1", "\"version\": 99");
    let file = "experiments/file-systems/results/ext3.json";
    let place = Place::with(&[(file, newer.as_str())]);
    let all = reproduced(&place, &["tr65-table4"]);
    let table = study(&all, "tr65-table4");
    assert_eq!(cell(table, "4K", "ext3").measured, None);
    assert_eq!(all.remarks.len(), 1, "{:?}", all.remarks);
    assert!(all.remarks[0].contains("ext3.json"), "{:?}", all.remarks);
    assert!(all.remarks[0].contains("version 99"), "{:?}", all.remarks);
}

/// The experiment of a captured trace, with what was measured on one store.
fn traced() -> Place {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/local-read-trace");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("it is there");
    let place = Place::with(&[]);
    for name in [
        "experiment.toml",
        "node.toml",
        "served.fio",
        "served.iolog",
        "results/ext3.json",
    ] {
        place.write(&format!("experiments/local-read-trace/{name}"), &read(name));
    }
    place
}

#[test]
fn predictions_are_kept_and_made_anew_where_another_version_made_them() {
    let place = traced();
    let error = |all: &Reproduction| {
        let errors = study(all, "cpn-validation");
        cell(errors, "reads of trace 1", "error, percent").error_percent
    };
    let first = reproduced(&place, &["cpn-validation"]);
    let predicted = error(&first).expect("a prediction");
    assert!(predicted.abs() < 20.0, "{predicted}");
    assert_eq!(first.remarks, [""; 0]);

    let kept = place.path("experiments/reproduce/local-read-trace-experiment.json");
    let text = fs::read_to_string(&kept).expect("it is kept");
    let mut document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for cell in document["predictions"][0]["prediction"]["cells"]
        .as_array_mut()
        .expect("figures")
    {
        cell["error_percent"] = 77.0.into();
    }
    fs::write(&kept, document.to_string()).expect("writable");
    let again = reproduced(&place, &["cpn-validation"]);
    assert_eq!(
        error(&again),
        Some(77.0),
        "what is kept is not simulated again"
    );

    document["tool"] = "hotset 0.0.1".into();
    fs::write(&kept, document.to_string()).expect("writable");
    let anew = reproduced(&place, &["cpn-validation"]);
    assert_eq!(error(&anew), Some(predicted));
    assert_eq!(anew.remarks.len(), 1, "{:?}", anew.remarks);
    assert!(anew.remarks[0].contains("0.0.1"), "{:?}", anew.remarks);
}

#[test]
fn kept_sweeps_decide_what_no_run_has_decided() {
    let place = Place::with(&[]);
    let results = "file-system-choice/results";
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let to = place.path("experiments").join(results);
    fs::create_dir_all(&to).expect("a folder");
    for entry in fs::read_dir(folder.join(results)).expect("kept sweeps") {
        let entry = entry.expect("readable");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
    }
    let all = reproduced(&place, &["tr65-figure7", "tr65-figure9"]);
    assert_eq!(all.remarks, [""; 0]);
    let classes = study(&all, "tr65-figure7");
    let local = cell(classes, "class-0", "ramfs").simulated;
    assert!(
        local > cell(classes, "class-0", "pvfs").simulated,
        "{local:?}"
    );
    assert!(
        !classes
            .cells
            .iter()
            .any(|it| it.row == "class-4" && it.column == "ramfs"),
        "its files do not fit into memory"
    );
    let holds = |begins: &str| {
        let mut claims = all.claims.list.iter();
        let found = claims.find(|claim| claim.text.starts_with(begins));
        found.expect("a claim").holds.expect("it is decided")
    };
    let directions = ["as the exponent rises PVFS", "as the exponent rises ext3"];
    let [pvfs, ext3] = directions.map(holds);
    assert!(pvfs != ext3, "one direction is taken");
}

/// How far a cell that is simulated is off, percent.
fn off(cell: &ReproducedCell) -> f64 {
    let both = cell.simulated.zip(cell.published);
    let (simulated, published) = both.expect("it is simulated and published");
    100.0 * (simulated / published - 1.0)
}

#[test]
fn twins_measure_what_the_table_of_workloads_says() {
    let all = reproduced(&Place::with(&[]), &["diskless-table1"]);
    let table = study(&all, "diskless-table1");
    assert_eq!(table.cells.len(), 30);
    for cell in &table.cells {
        assert!(off(cell).abs() < 5.0, "{cell:?}");
        assert_eq!(cell.error_percent, None, "it is an input: {cell:?}");
    }
    assert_eq!(all.cells_within.all, 0);
}

#[test]
fn a_diskless_web_server_is_simulated_where_its_scenarios_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/diskless-simulated");
    let place = Place::with(&[]);
    for name in [
        "local.toml",
        "nfs.toml",
        "diskless.toml",
        "disk.toml",
        "mount.toml",
        "servers.toml",
    ] {
        let text = fs::read_to_string(folder.join(name)).expect("it is there");
        place.write(&format!("experiments/diskless-simulated/{name}"), &text);
    }
    place.write(
        "experiments/diskless-simulated/twins.toml",
        "[nyse]\nminutes = 12\nscales = [4]\nshared_minutes = 12\n",
    );
    let all = reproduced(&place, &["diskless-table2"]);
    assert_eq!(all.remarks, [""; 0]);
    let table = study(&all, "diskless-table2");
    let ms = |figure: &str, node: &str| {
        let cell = cell(table, "nyse 4x", &format!("{figure} {node}"));
        cell.simulated.expect("it is simulated")
    };
    for node in ["local", "nfs", "dsa"] {
        let [p50, p95, p99] = ["p50", "p95", "p99"].map(|figure| ms(figure, node));
        // Apache alone takes half a millisecond.
        assert!(
            0.5 < p50 && p50 <= p95 && p95 <= p99,
            "{node}: {p50}, {p95}, {p99}"
        );
        assert!(p50 < 5.0, "{node}: {p50}");
    }
    // Each request asks the file server whether its file has changed.
    assert!(ms("p50", "nfs") > ms("p50", "local"));
    assert_eq!(cell(table, "proxy 3x", "p95 dsa").simulated, None);
    let kept = place.path("experiments/reproduce/diskless-table2.json");
    assert!(kept.is_file(), "it takes a minute, and is kept");
}

#[test]
fn the_costs_of_network_stacks_are_simulated_without_experiments() {
    let all = reproduced(&Place::with(&[]), &["char-table5"]);
    let table = study(&all, "char-table5");
    assert_eq!(table.cells.len(), 10);
    let errors = table
        .cells
        .iter()
        .map(|cell| cell.error_percent.expect("simulated").abs());
    let mut errors: Vec<f64> = errors.collect();
    errors.sort_unstable_by(f64::total_cmp);
    let median = f64::midpoint(errors[4], errors[5]);
    assert!(median <= 15.0, "{errors:?}");
    // The sender's sum is hidden behind misses of the cache, and the receiver's is not.
    let us = |operation: &str, end: &str| {
        let row = format!("datacentre: {operation}");
        cell(table, &row, end).simulated.expect("simulated")
    };
    assert_eq!(
        us("checksum", "sender"),
        us("copy with checksum offload", "sender")
    );
    assert!(
        us("copy with checksum offload", "receiver")
            > us("copy without checksum offload", "receiver")
    );
    let claims = &all.claims.list;
    let verdict = |of: &str| {
        claims
            .iter()
            .find(|it| it.text.contains(of))
            .expect(of)
            .holds
    };
    assert_eq!(verdict("16 KB"), Some(true));
    assert_eq!(verdict("TCP offload pays"), Some(true));
}

#[test]
fn latencies_of_the_clusters_follow_their_processors() {
    let all = reproduced(&Place::with(&[]), &["char-tcp"]);
    let table = study(&all, "char-tcp");
    let latencies = table
        .cells
        .iter()
        .filter(|it| it.column.starts_with("latency"));
    let errors: Vec<f64> = latencies.map(off).collect();
    assert_eq!(errors.len(), 3);
    assert!(errors.iter().all(|it| it.abs() < 2.0), "{errors:?}");
    assert_eq!(all.cells_within.all, 0, "they are inputs");
}
