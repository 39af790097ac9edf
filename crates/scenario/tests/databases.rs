//! Database servers, in scenario files.

use std::fs;
use std::path::Path;

use hotset_scenario::{Database, Engine, FlushMethod, ProbedDatabase, Scenario};

const NODES: &str = "[[node]]\nname = \"web1\"\nmemory = \"1GiB\"\n\
    [[store]]\nname = \"disk\"\nprofile = \"hdd\"\n\
    [[site]]\nname = \"shop\"\nstore = \"disk\"\n";
const SHOP: &str =
    "[[database]]\nname = \"shop-db\"\nnode = \"web1\"\nstore = \"disk\"\nsites = [\"shop\"]\n";
const PROBE: &str = r#"{"socket": "/run/s", "version": "10.11.6-MariaDB", "pool_bytes": 33554432, "page_bytes": 16384,
    "flush_method": "fsync", "reads_through_page_cache": true, "observed_seconds": 60.0, "left_out": [], "unheard_of": 1,
    "tables": [{"name": "shop.item", "engine": "InnoDB", "bytes": 1048576, "resident_bytes": 65536, "page_cache_bytes": null,
    "page_reads_per_hour": 120.0, "rows_read_per_hour": 5.0}]}"#;

fn databases(folder: &Path, text: &str) -> Result<Vec<Database>, String> {
    let text = format!("{NODES}{text}");
    let scenario = Scenario::parse(&text, &folder.join("s.toml"));
    scenario.map(|it| it.databases).map_err(|it| it.to_string())
}

fn only(folder: &Path, text: &str) -> Database {
    let mut databases = databases(folder, text).expect("a database");
    assert_eq!(databases.len(), 1);
    databases.remove(0)
}

#[test]
fn a_database_is_as_mariadb_has_it_where_nothing_is_said() {
    let shop = only(Path::new(""), SHOP);
    assert_eq!(
        (&*shop.name, &*shop.node, shop.store),
        ("shop-db", "web1", 0)
    );
    assert_eq!((shop.engine, &shop.sites[..]), (Engine::InnoDb, &[0][..]));
    assert_eq!(shop.pool_bytes(), 128 << 20);
    assert!(!shop.reads_through_page_cache());
}

#[test]
fn what_was_measured_counts_unless_the_file_says_otherwise() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("shop.json"), PROBE).expect("a probe");
    let measured = only(folder.path(), &format!("{SHOP}probe = \"shop.json\"\n"));
    assert_eq!(measured.pool_bytes(), 32 << 20);
    assert!(measured.reads_through_page_cache());
    assert_eq!(measured.probes[0].tables[0].database(), "shop");
    let said =
        format!("{SHOP}probe = \"shop.json\"\npool = \"64MiB\"\nflush_method = \"O_DIRECT\"\n");
    let said = only(folder.path(), &said);
    assert_eq!(said.pool_bytes(), 64 << 20);
    assert_eq!(said.said_flush_method, Some(FlushMethod::Direct));
    assert!(!said.reads_through_page_cache());
    fs::create_dir(folder.path().join("of")).expect("a folder");
    let twice = format!("{SHOP}probe = [\"shop.json\", \"of/../shop.json\"]\n");
    let why = databases(folder.path(), &twice).expect_err("one measurement");
    assert!(
        why.contains("is named twice; name each measurement once"),
        "{why}"
    );
}

#[test]
fn each_refusal_names_the_key_and_what_mends_it() {
    for (from, to, says) in [
        (
            "\"web1\"",
            "\"web2\"",
            "`node` in [[database]]: there is no [[node]] called `web2`; there are: web1",
        ),
        (
            "\"disk\"",
            "\"disc\"",
            "`store` in [[database]]: there is no [[store]] called `disc`; there are: disk; did you mean `disk`?",
        ),
        (
            "[\"shop\"]",
            "[\"shp\"]",
            "`sites` in [[database]]: there is no [[site]] called `shp`; there are: shop; did you mean `shop`?",
        ),
        (
            "sites",
            "engine = \"oracle\"\nsites",
            "`oracle` is none of innodb, myisam, aria",
        ),
        (
            "sites",
            "flush_method = \"direct\"\nsites",
            "`direct` is none of fsync, O_DSYNC, O_DIRECT, O_DIRECT_NO_FSYNC",
        ),
        (
            "sites",
            "probe = \"none.json\"\nsites",
            "name a file that `hotset probe database --json` has written",
        ),
        ("sites", "password = \"x\"\nsites", "unknown key"),
    ] {
        assert!(SHOP.contains(from), "{from}");
        let text = SHOP.replacen(from, to, 1);
        let refused = databases(Path::new(""), &text).expect_err(to);
        assert!(refused.contains(says), "{refused}");
    }
}

#[test]
fn a_database_may_have_a_point_in_its_name() {
    let database = |said: &str| {
        let name = format!("\"name\": \"my.shop.item\"{said}");
        let text = PROBE.replacen("\"name\": \"shop.item\"", &name, 1);
        let probed = ProbedDatabase::from_json(&text).expect("a probe");
        probed.tables[0].database().to_owned()
    };
    assert_eq!(database(", \"database\": \"my.shop\""), "my.shop");
    // Older versions do not say it.
    assert_eq!(database(""), "my");
}

#[test]
fn figures_that_cannot_be_are_refused() {
    for (from, to, says) in [
        (
            "\"page_bytes\": 16384",
            "\"page_bytes\": 0",
            "`page_bytes` is 0",
        ),
        ("60.0", "0.0", "`observed_seconds` is 0"),
        ("120.0", "-1.0", "the reads of `shop.item` are no count"),
        ("\"bytes\": 1048576", "\"bytes\": -1", "invalid value"),
        ("\"tables\"", "\"chairs\"", "missing field `tables`"),
        ("33554432", "0", "`pool_bytes` is 0"),
        (
            "65536",
            "33554433",
            "`resident_bytes` of `shop.item` is 33554433, and the buffer pool has 33554432 bytes",
        ),
        (
            "65536",
            "16777216",
            "`resident_bytes` of `shop.item` is 16777216, and the table has 1048576 bytes",
        ),
        (
            "\"fsync\"",
            "\"quickly\"",
            "`flush_method` is `quickly`, which is none of fsync,",
        ),
        (
            "\"fsync\"",
            "\"O_DIRECT\"",
            "`reads_through_page_cache` is true, which `flush_method` `O_DIRECT` denies",
        ),
        ("120.0", "1e13", "the reads of `shop.item` are no count"),
        (
            "\"tables\": [",
            "\"tables\": [{\"name\": \"shop.item\", \"engine\": \"Aria\", \"bytes\": 1, \"rows_read_per_hour\": 0}, ",
            "`shop.item` is there twice",
        ),
    ] {
        assert!(PROBE.contains(from), "{from}");
        let refused = ProbedDatabase::from_json(&PROBE.replacen(from, to, 1)).expect_err(to);
        assert!(refused.contains(says), "{refused}");
    }
}

#[test]
fn a_probe_that_is_too_long_is_told_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("big.json");
    let file = fs::File::create(&path).expect("a file");
    file.set_len((128 << 20) + 1).expect("a long file");
    let error = ProbedDatabase::load(&path).expect_err("too long");
    assert!(
        error.to_string().contains("is larger than 128 MiB"),
        "{error}"
    );
}
