//! Databases of benchmarks, as the command writes and refuses them.

use std::fs;
use std::path::Path;
use std::process::Command;

use hotset_test_support::skip;

use crate::support::Workplace;
use crate::support::schema::holds_to;

const SMALL: [&str; 4] = ["--class", "0", "--items", "100"];

#[test]
fn a_database_and_its_sessions_are_written() {
    let place = Workplace::new();
    let args = [
        "generate",
        "rubbos",
        "-o",
        "news.database",
        "--engine",
        "aria",
        "--seed",
        "3",
        "--json",
    ];
    let json = place.json(args.iter().chain(&SMALL));
    holds_to("generate-database.json", &json);
    assert_eq!(
        (json["seed"].as_u64(), json["engine"].as_str()),
        (Some(3), Some("aria"))
    );
    for table in json["tables"].as_array().expect("tables") {
        let name = table["name"].as_str().expect("a name");
        let path = place.path(&format!("news.database/tables/{name}.tsv"));
        let rows = fs::read_to_string(path).expect("rows");
        assert_eq!(
            table["rows"].as_u64(),
            Some(rows.lines().count() as u64),
            "{name}"
        );
        assert_eq!(table["bytes"].as_u64(), Some(rows.len() as u64), "{name}");
    }
    for session in json["sessions"].as_array().expect("sessions") {
        assert!(
            place.path(session.as_str().expect("a path")).exists(),
            "{session}"
        );
    }
}

#[test]
fn what_makes_no_database_is_refused() {
    let place = Workplace::new();
    let refuses = |more: &[&str], says: &str| {
        let args = ["generate", "tpcw"].iter().chain(more);
        place.refuses(args).has_code(2).says(says);
    };
    refuses(&[], "-o NAME.database");
    refuses(&["-o", "a", "--files", "www"], "--files and --log");
    refuses(&["-o", "a", "--class", "5"], "classes 0 to 4");
    refuses(&["-o", "a", "--items", "0"], "--items");
    refuses(&["-o", "a", "--engine", "oracle"], "innodb");
    fs::create_dir(place.path("photos")).expect("a folder");
    refuses(&["-o", "photos"], "is there already");
    refuses(&["-o", "photos", "--replace"], "not a database's folder");
}

/// The interpreter of PHP, if it is installed.
fn php() -> Option<&'static str> {
    let runs = Command::new("php").arg("--version").output();
    runs.is_ok_and(|output| output.status.success())
        .then_some("php")
}

#[test]
fn pages_are_scripts_that_php_reads() {
    let Some(php) = php() else {
        return skip("php is not installed (php-cli)");
    };
    let applications = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workload/src/applications");
    let mut count = 0;
    for folder in ["tpcw/pages", "rubis/pages", "rubbos/pages", "servers"] {
        for page in fs::read_dir(applications.join(folder)).expect("pages") {
            let page = page.expect("a page").path();
            if page.extension().is_none_or(|ending| ending != "php") {
                continue;
            }
            let read = Command::new(php).arg("-l").arg(&page).output();
            let read = read.expect("php runs");
            let said = String::from_utf8_lossy(&read.stdout).into_owned();
            assert!(read.status.success(), "{said}");
            count += 1;
        }
    }
    assert_eq!(count, 15 + 28 + 25 + 1);
}
