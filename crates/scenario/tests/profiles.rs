//! Profiles: the built-in ones against the figures they stand for, and files.

use std::path::{Path, PathBuf};

use hotset_scenario::{BUILTIN, Profile};

fn builtin(name: &str) -> Profile {
    Profile::builtin(name).expect(name)
}

fn assert_close(seen: f64, wanted: f64, what: &str) {
    assert!(
        (seen - wanted).abs() <= 1e-6 * wanted,
        "{what}: {seen} is not {wanted}"
    );
}

#[test]
fn the_disk_costs_10_ms_and_39_mb_a_second() {
    let hdd = builtin("hdd");
    assert_close(hdd.uncached_us(3900), 10_100.0, "uncached");
    assert_close(hdd.cached_us(4000), 6.0, "cached");
    assert_close(builtin("memory").uncached_us(4000), 6.0, "memory");
}

#[test]
fn stores_of_today_hit_the_figures_of_their_sources() {
    for (name, us_for_4k, mb_per_s) in [("nvme", 85.0, 3200.0), ("sata-ssd", 110.0, 500.0)] {
        let profile = builtin(name);
        assert_close(profile.uncached_us(4096), us_for_4k, name);
        assert_close(profile.uncached.bytes_per_us, mb_per_s, name);
    }
    for (name, open_us, cached_us, uncached_us) in [
        ("hdd-7200", 4.73, [1.26, 130.0], [8_900.0, 13_000.0]),
        ("moosefs", 198.0, [1.78, 133.0], [8_100.0, 13_900.0]),
    ] {
        let profile = builtin(name);
        for (at, bytes) in [4096, 1 << 20].into_iter().enumerate() {
            assert_close(profile.cached_us(bytes), open_us + cached_us[at], name);
            assert_close(profile.uncached_us(bytes), open_us + uncached_us[at], name);
        }
    }
}

#[test]
fn every_built_in_profile_is_positive_and_dearer_uncached() {
    for name in BUILTIN {
        let profile = builtin(name);
        assert_eq!(profile.name, name);
        assert!(!profile.source.is_empty());
        // Beyond the largest size measured, 1 MB, the two lines of ramfs-2004 cross.
        for bytes in [1, 4096, 1 << 20] {
            assert!(profile.cached_us(bytes) > 0.0, "{name} {bytes}");
            assert!(
                profile.uncached_us(bytes) >= profile.cached_us(bytes),
                "{name} {bytes}"
            );
        }
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "a skipped check must say so")]
fn the_2004_testbed_hits_its_published_latencies() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/reference/tr65_table2_fs_latency.csv");
    let Ok(text) = std::fs::read_to_string(&table) else {
        println!("skipped: no {}", table.display());
        return;
    };
    let rows = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("file_system"));
    for row in rows {
        let (name, figures) = row.split_once(',').expect("columns");
        let figures: Vec<f64> = figures
            .split(',')
            .map(|figure| figure.parse().expect("number"))
            .collect();
        let profile = builtin(&format!("{name}-2004"));
        assert_close(profile.cached_us(4096), figures[0] + figures[2], name);
        assert_close(profile.cached_us(1 << 20), figures[1] + figures[3], name);
        assert_close(profile.uncached_us(4096), figures[0] + figures[4], name);
        assert_close(profile.uncached_us(1 << 20), figures[1] + figures[5], name);
    }
}

const FILE: &str = "open_us = 1\n[cached]\nfixed_us = 2\nbytes_per_us = 4000\n[uncached]\nfixed_us = 80\nbytes_per_us = 500.5\n";

#[test]
fn a_cold_reading_has_a_line_of_its_own_or_that_of_any_other() {
    let plain = Profile::parse(FILE, Path::new("flash.toml")).expect("profile");
    assert_close(plain.cold_us(1001), plain.uncached_us(1001), "none given");
    let text = format!("{FILE}[cold]\nfixed_us = 160\nbytes_per_us = 1001\n");
    let with_cold = Profile::parse(&text, Path::new("flash.toml")).expect("profile");
    assert_close(with_cold.cold_us(1001), 162.0, "cold");
    let text = format!("{FILE}[cold]\nfixed_us = 160\n");
    let error = Profile::parse(&text, Path::new("flash.toml")).unwrap_err();
    assert!(error.to_string().contains("bytes_per_us"), "{error}");
}

#[test]
fn a_file_is_a_profile_named_after_it() {
    let profile = Profile::parse(FILE, Path::new("fast/flash.toml")).expect("profile");
    assert_eq!(
        (profile.name.as_str(), profile.source.as_str()),
        ("flash", "fast/flash.toml")
    );
    assert_close(profile.uncached_us(1001), 83.0, "uncached");
}

fn complaint(text: &str) -> String {
    Profile::parse(text, Path::new("p.toml"))
        .expect_err(text)
        .to_string()
}

#[test]
fn a_misspelt_key_names_the_nearest_with_its_place() {
    let message = complaint(&FILE.replace("\nbytes_per_us = 4000", "\nbyte_per_us = 4000"));
    assert!(
        message.starts_with("p.toml:4:1: `byte_per_us` in [cached]: unknown key"),
        "{message}"
    );
    assert!(
        message.contains("did you mean `bytes_per_us`?"),
        "{message}"
    );
}

#[test]
fn costs_that_cannot_be_are_refused_with_their_line() {
    assert!(
        complaint(&FILE.replace("500.5", "0"))
            .starts_with("p.toml:7:16: `bytes_per_us` in [uncached]")
    );
    assert!(complaint(&FILE.replace("500.5", "nan")).contains("finite"));
    assert!(complaint(&FILE.replace("= 80", "= -2")).starts_with("p.toml:6:12: `fixed_us`"));
    assert!(
        complaint(&FILE.replace("open_us = 1", "open_us = -1")).contains("must not be negative")
    );
    assert!(complaint("open_us = 1").contains("`cached` is missing; add it"));
    assert!(complaint("cached = 1\nopen_us = 1").contains("must be a table"));
}

#[test]
fn neither_a_name_nor_a_file_says_what_there_is() {
    let message = Profile::named_or_file("hddd")
        .expect_err("unknown")
        .to_string();
    assert!(
        message.contains("did you mean `hdd`?") && message.contains("lustre-2004"),
        "{message}"
    );
    let message = Profile::named_or_file("/nowhere/p.toml")
        .expect_err("missing")
        .to_string();
    assert!(
        message.starts_with("/nowhere/p.toml: cannot read"),
        "{message}"
    );
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    assert!(
        Profile::load(&folder)
            .expect_err("folder")
            .to_string()
            .contains("cannot read")
    );
}
