//! Profiles of the documents' machines, and the figures that are simulated with them.

use std::fs;
use std::path::{Path, PathBuf};

use hotset_experiment::reproduce::{
    MachineFile, ReproducedCell, Reproduction, machine_files, published, published_names, reproduce,
};

use crate::place::{Calm, Place};

/// The tables of which profiles are made.
const MICRO_BENCHMARKS: [&str; 4] = ["tr65-table2", "char-table1", "char-table3", "char-tcp"];

fn documents() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/documents")
}

/// A table whose figures are all twice as large.
fn doubled(text: &str) -> &'static str {
    let value = |value: &str| match value.parse::<f64>() {
        Ok(figure) => (2.0 * figure).to_string(),
        Err(_) => value.to_owned(),
    };
    let line = |line: &str| match line.split_once(',') {
        // The first value names the row.
        Some((name, values)) if !line.starts_with('#') => {
            let values: Vec<String> = values.split(',').map(value).collect();
            format!("{name},{}", values.join(","))
        }
        _ => line.to_owned(),
    };
    let lines: Vec<String> = text.lines().map(line).collect();
    lines.join("\n").leak()
}

fn with_altered(table: &str) -> Vec<MachineFile> {
    machine_files(&|name: &str| match name == table {
        true => doubled(published(name)),
        false => published(name),
    })
}

#[test]
fn profiles_of_the_documents_machines_are_those_of_their_micro_benchmarks() {
    let files = machine_files(&published);
    for MachineFile { name, text } in files {
        assert!(!text.contains("NaN"), "{text}");
        let path = documents().join(&name);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, &text).expect("writable");
        }
        let kept = fs::read_to_string(&path).expect("a profile");
        assert_eq!(kept, text, "{name}: run with UPDATE_DOCS=1");
    }
}

#[test]
fn what_is_to_be_predicted_changes_no_profile() {
    let files = machine_files(&published);
    for table in published_names() {
        let is_micro = MICRO_BENCHMARKS.contains(&table);
        assert_ne!(doubled(published(table)), published(table), "{table}");
        assert_eq!(with_altered(table) != files, is_micro, "{table}");
    }
}

/// Figures of the line that says what A table 2 comes to with fitted costs.
fn simulated_with(file: &str) -> Vec<f64> {
    let files = machine_files(&published);
    let file = files.iter().find(|it| it.name == file).expect("a profile");
    let mut lines = file.text.lines();
    let line = lines.find(|line| line.starts_with("# Simulated with this"));
    let (_, figures) = line.expect("it is said").split_once(": ").expect("figures");
    let words = figures.split_whitespace();
    words.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn free_costs_of_parallel_file_systems_are_those_with_which_bare_reads_take_as_long_as_published() {
    let is_near = |figure: f64, published: f64| (figure / published - 1.0).abs() < 0.02;
    let pvfs = simulated_with("a-on-pvfs-disk.toml");
    // "1060 µs to open and close, 680 and 13825 µs for 4 KB and 1 MB in memory", and so on.
    let [open, cached_4k, cached_1m, .., uncached_4k, _, _, _] = pvfs[..] else {
        panic!("{pvfs:?}");
    };
    assert!(is_near(cached_4k, 680.0), "{pvfs:?}");
    assert!(is_near(cached_1m, 13_825.0), "{pvfs:?}");
    assert!(is_near(uncached_4k, 9600.0), "{pvfs:?}");
    // An open is no input: two calls of the manager in place of 1060 µs.
    assert!((700.0..1700.0).contains(&open), "{pvfs:?}");
    let lustre = simulated_with("a-on-lustre-disk.toml");
    assert!(is_near(lustre[0], 876.0), "{lustre:?}");
    assert!(is_near(lustre[1], 3000.0), "{lustre:?}");
}

/// A place with the documents' scenarios and profiles.
fn place() -> Place {
    let place = Place::with(&[]);
    for entry in fs::read_dir(documents()).expect("scenarios") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|it| it == "toml") {
            let name = path.file_name().expect("a name").to_string_lossy();
            let text = fs::read_to_string(&path).expect("text");
            place.write(&format!("experiments/documents/{name}"), &text);
        }
    }
    place
}

fn reproduced(place: &Place, name: &str) -> Reproduction {
    let names = [name.to_owned()];
    reproduce(&names, &place.path("experiments"), &Calm).expect("nobody interrupts")
}

fn cell<'r>(of: &'r Reproduction, row: &str, column: &str) -> &'r ReproducedCell {
    let mut cells = of.studies[0].cells.iter();
    let found = cells.find(|cell| cell.row == row && cell.column == column);
    found.unwrap_or_else(|| panic!("no cell {row}, {column}"))
}

#[test]
fn responses_are_simulated_on_the_documents_machines_and_kept() {
    let place = place();
    let all = reproduced(&place, "tr65-table4");
    assert_eq!(all.remarks, [""; 0]);
    let cells = &all.studies[0].cells;
    assert!(
        cells.iter().all(|cell| cell.simulated.is_some()),
        "{cells:?}"
    );
    let simulated = |column: &str| cell(&all, "4K", column).simulated;
    assert!(simulated("ext3") < simulated("lustre"));
    assert!(simulated("lustre") < simulated("pvfs"));
    // Calls to I/O nodes are followed, and lines are another setting.
    let lines = place.path("experiments/reproduce/documents/a-pvfs-cached-4K-one-lines.json");
    assert!(lines.is_file(), "the line form is simulated too");
    // Each request for a file on PVFS asks its servers for it once more, and Lustre's client has it.
    let of = |file_system: &str, figure: &str| {
        let name = format!("a-{file_system}-cached-64K-one.json");
        let kept = place.path("experiments/reproduce/documents").join(name);
        let text = fs::read_to_string(kept).expect("it is kept");
        let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        document["figures"][figure].as_f64().expect("a figure")
    };
    for figure in ["web_packets_per_request", "web_bytes_per_request"] {
        assert!(of("pvfs", figure) > 1.4 * of("ext3", figure), "{figure}");
        assert!(of("lustre", figure) < 0.8 * of("pvfs", figure), "{figure}");
    }
    let large = cell(&all, "1M", "ext3");
    assert!(
        large.error_percent.is_some_and(|it| it.abs() < 50.0),
        "{large:?}"
    );
    assert!(all.orderings.kept > all.orderings.broken);

    let kept = place.path("experiments/reproduce/documents/a-ext3-cached-4K-one.json");
    let text = fs::read_to_string(&kept).expect("it is kept");
    let mut document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    document["figures"]["mean_us"] = 462.0.into();
    fs::write(&kept, document.to_string()).expect("writable");
    let again = reproduced(&place, "tr65-table4");
    assert_eq!(cell(&again, "4K", "ext3").simulated, Some(462.0));

    // Another profile is simulated anew.
    let profile = place.path("experiments/documents/a-ext3.toml");
    let text = fs::read_to_string(&profile).expect("a profile");
    fs::write(&profile, text + "# another\n").expect("writable");
    let anew = reproduced(&place, "tr65-table4");
    assert_ne!(cell(&anew, "4K", "ext3").simulated, Some(462.0));
}

/// The mean response that was simulated of a data-centre, which is kept, microseconds.
fn kept_us(place: &Place, centre: &str) -> f64 {
    let kept = format!("experiments/reproduce/documents/{centre}.json");
    let text = fs::read_to_string(place.path(&kept)).expect("it is kept");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    document["figures"]["mean_us"].as_f64().expect("a figure")
}

#[test]
fn files_that_are_not_in_memory_take_a_seek_and_causes_of_errors_are_named() {
    let place = place();
    let all = reproduced(&place, "tr65-table5");
    for file_system in ["ext3", "pvfs", "lustre"] {
        let of = cell(&all, "4K", file_system);
        let simulated = of.simulated.expect("simulated");
        // A table 2 reads 4 KB in 1.5, 9.6 and 3 ms; a mean seek and half a turn take 15 ms.
        assert!((5_000.0..20_000.0).contains(&simulated), "{of:?}");
        // The bare reads of table 2 are another setting.
        let bare = kept_us(&place, &format!("a-{file_system}-uncached-4K-one-bare"));
        assert!((bare - simulated).abs() > 1.0, "{bare}: {of:?}");
    }
    // A table 2 has no seeks between the files of ext3.
    assert!(kept_us(&place, "a-ext3-uncached-4K-one-bare") < 5_000.0);

    // A whole response that is shorter than the bare read of table 2 lies between what reads from memory take and what that read takes.
    let ramfs = cell(&all, "4K", "ramfs");
    assert!(ramfs.error_percent > Some(20.0), "{ramfs:?}");
    assert!(kept_us(&place, "a-ramfs-uncached-4K-one-in-memory") < 692.0);
    let cause = ramfs.explained.as_deref().unwrap_or_default();
    assert!(cause.contains("reading alone take 1406"), "{ramfs:?}");

    // One cell is misprinted, and simulated near what is meant or not.
    let misprinted = cell(&all, "64K", "lustre");
    let simulated = misprinted.simulated.expect("simulated");
    let is_near = (simulated / 16_666.0 - 1.0).abs() <= 0.2;
    let cause = misprinted.explained.as_deref().unwrap_or_default();
    assert_eq!(cause.contains("misprint"), is_near, "{misprinted:?}");
    assert!(misprinted.error_percent > Some(100.0), "{misprinted:?}");
}

#[test]
fn a_cause_is_named_where_the_switch_makes_the_error_go_away() {
    let place = place();
    let all = reproduced(&place, "tr65-table4");
    // Opening and closing cost more by table 2 than the calls to I/O nodes that a response waits for.
    let lustre = cell(&all, "4K", "lustre");
    let switched = kept_us(&place, "a-lustre-cached-4K-one-lines");
    assert!(lustre.error_percent < Some(-20.0), "{lustre:?}");
    let is_near = (switched / 1540.0 - 1.0).abs() <= 0.2;
    assert_eq!(lustre.explained.is_some(), is_near, "{lustre:?}");
}

#[test]
fn orders_that_table_2_contradicts_are_named() {
    let all = reproduced(&Place::with(&[]), "tr65-table4");
    let mut texts = all.claims.list.iter().map(|claim| claim.text.as_str());
    let by_size = |size: &str| format!("By opening, closing and reading {size} the order is");
    let small = texts.find(|text| text.starts_with(&by_size("4K")));
    let small = small.expect("4K is contradicted");
    assert!(
        small.contains("ext3 and ramfs, lustre, pvfs (table 2)"),
        "{small}"
    );
    assert!(small.contains("ramfs, ext3, lustre, pvfs"), "{small}");
    let large = texts.find(|text| text.starts_with(&by_size("1M")));
    assert!(
        large.is_some_and(|text| text.contains("pvfs, ext3, lustre, ramfs")),
        "{large:?}"
    );
}

#[test]
fn claims_are_decided_by_what_is_simulated_where_nothing_was_measured() {
    let place = place();
    let all = reproduced(&place, "char-figure8");
    let cells = &all.studies[0].cells;
    assert_eq!(cells.len(), 27, "{cells:?}");
    let of = |row: &str, disk: &str| cell(&all, row, disk).simulated.expect("simulated");
    // Files in memory come from no disk, and half of the files are half way. The last file that is read before, from the disk, ends when it is measured.
    let cached = of("1M, 100 % cached", "IDE") / of("1M, 100 % cached", "RAID");
    assert!((0.97..1.03).contains(&cached), "{cached}");
    assert!(of("1M, 0 % cached", "IDE") > of("1M, 50 % cached", "IDE"));
    assert!(of("1M, 50 % cached", "IDE") > of("1M, 100 % cached", "IDE"));
    let mut claims = all.claims.list.iter();
    let claim = claims.find(|claim| claim.text.starts_with("cached files"));
    let claim = claim.expect("a claim");
    assert_eq!(claim.holds, Some(true), "{claim:?}");
    assert!(claim.why.contains("Simulated"), "{claim:?}");
}

#[test]
fn a_parallel_file_system_of_today_is_simulated_beside_what_was_measured_of_it() {
    let all = reproduced(&place(), "cpn-orangefs");
    assert_eq!(all.remarks, [""; 0]);
    let cells = &all.studies[0].cells;
    assert_eq!(cells.len(), 88);
    for cell in cells {
        assert!(cell.simulated > Some(0.0), "{cell:?}");
        assert!(cell.measured > Some(0.0), "{cell:?}");
    }
    // Costs are made of it.
    let input = cell(&all, "read records of 64k", "1 client");
    assert_eq!(input.error_percent, None, "{input:?}");
    let counted = cell(&all, "read records of 64k", "2 clients");
    assert!(counted.error_percent.is_some(), "{counted:?}");
    assert!(all.claims.list.iter().all(|claim| claim.holds.is_some()));
}

#[test]
fn a_missing_profile_leaves_out_what_is_made_of_it_and_is_named() {
    let place = place();
    let missing = place.path("experiments/documents/a-on-lustre-servers.toml");
    fs::remove_file(&missing).expect("it was there");
    let all = reproduced(&place, "tr65-table4");
    assert!(cell(&all, "4K", "pvfs").simulated.is_some());
    let without = cell(&all, "4K", "lustre");
    assert_eq!((without.published, without.simulated), (Some(1540.0), None));
    let mut remarks = all.remarks.iter();
    assert!(
        remarks.any(|remark| remark.contains("a-on-lustre-servers.toml")),
        "{:?}",
        all.remarks
    );
}

#[test]
fn what_cannot_be_kept_is_shown_all_the_same_and_said() {
    let place = place();
    // No folder can be made here, as on a disk without room for one.
    place.write("experiments/reproduce", "a file");
    let all = reproduced(&place, "cpn-orangefs");
    assert!(!all.studies[0].cells.is_empty());
    let mut remarks = all.remarks.iter();
    assert!(
        remarks.any(|remark| remark.contains("are not kept")),
        "{:?}",
        all.remarks
    );
}
