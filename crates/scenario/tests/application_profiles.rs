//! Profiles of applications: what they say, and complaints with what is wrong.

use std::path::Path;

use hotset_scenario::ApplicationProfile;

const GOOD: &str = r#"source = "measured here"
table_page = "16KiB"

[[page]]
name = "home"
web_us = 80
application_us = 220.5
database_us = 210
page_reads = 3.5

[[page]]
name = "buy_confirm"
log_flushes = 1
bytes = "8KiB"

[[table]]
name = "item"
bytes = "80MiB"
hot_bytes = "62MiB"
hot_share = 0.95
reads = 0.7

[[table]]
name = "author"
bytes = "15MiB"
reads = 0.3
"#;

fn parse(text: &str) -> Result<ApplicationProfile, String> {
    let profile = ApplicationProfile::parse(text, Path::new("conf/shop.toml"));
    profile.map_err(|error| error.to_string())
}

#[test]
fn a_profile_is_read_and_written_again() {
    let profile = parse(GOOD).expect("a profile");
    assert_eq!(profile.table_page_bytes, 16 << 10);
    let home = profile.page("home").expect("a page");
    assert_eq!((home.application_us, home.log_flushes), (220.5, 0.0));
    assert_eq!(profile.pages[1].bytes, 8192);
    assert_eq!(profile.tables[0].hot_bytes, Some(62 << 20));
    assert_eq!(
        (profile.tables[1].hot_bytes, profile.tables[1].hot_share),
        (None, 1.0)
    );
    assert_eq!(profile.page("away"), None);
    let written = profile.to_toml().expect("text");
    assert_eq!(parse(&written), Ok(profile));
}

#[test]
fn the_profile_of_the_guide_is_whole() {
    let guide = include_str!("../../../docs/how-to/simulate-pages.md");
    let mut blocks = guide.split("```toml\n").skip(1);
    let block = blocks.find(|it| it.contains("page = ["));
    let (text, _) = block.and_then(|it| it.split_once("```")).expect("a file");
    let profile = parse(text).expect("a profile");
    assert_eq!(profile.pages.len(), 14);
    assert!(!profile.tables.is_empty());
}

#[test]
fn what_cannot_be_used_is_refused() {
    for (from, to, wanted) in [
        ("web_us = 80", "web_us = -1", "conf/shop.toml:6:10"),
        ("page_reads", "pages_read", "unknown key"),
        (
            "web_us = 80",
            "web_us = 1e12",
            "at most 3600000000 microseconds",
        ),
        (
            "page_reads = 3.5",
            "page_reads = 1e6",
            "from 0 to 10000 for a page",
        ),
        (
            "log_flushes = 1",
            "log_flushes = 1e6",
            "from 0 to 10000 for a page",
        ),
        ("\"8KiB\"", "9000000000000000000", "must be at most 1TiB"),
        (
            "name = \"buy_confirm\"",
            "name = \"home\"",
            "`home` is there twice",
        ),
        (
            "hot_bytes = \"62MiB\"",
            "hot_bytes = \"99MiB\"",
            "more than its `bytes`",
        ),
        ("hot_share = 0.95", "hot_share = 1.5", "from 0 to 1"),
        (
            "table_page = \"16KiB\"",
            "table_page = \"17KiB\"",
            "power of two",
        ),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let error = parse(&GOOD.replacen(from, to, 1)).expect_err(to);
        assert!(error.contains(wanted), "{error}");
    }
    let error = parse("source = \"nothing\"").expect_err("no page");
    assert!(error.contains("there are no pages"), "{error}");
    let none = GOOD.replace("reads = 0.7", "reads = 0.0");
    let none = none.replace("reads = 0.3", "reads = 0.0");
    let error = parse(&none).expect_err("no reads");
    assert!(error.contains("nobody reads any"), "{error}");
}

#[test]
fn images_of_pages_are_described_once() {
    let with = GOOD.replacen("page_reads = 3.5", "page_reads = 3.5\nimages = 8", 1);
    let error = parse(&with).expect_err("no images");
    assert!(
        error.contains("add [images] with `files` and `bytes`"),
        "{error}"
    );
    let with = format!("{with}\n[images]\nfiles = 10000\nbytes = \"5KiB\"\n");
    let profile = parse(&with).expect("a profile");
    assert_eq!(profile.pages[0].images, 8.0);
    assert_eq!(profile.images.map(|it| it.bytes), Some(5 << 10));
    let written = profile.to_toml().expect("text");
    assert_eq!(parse(&written), Ok(profile));
    for (from, to, wanted) in [
        ("files = 10000", "files = 0", "from 1 to 1000000"),
        ("\"5KiB\"", "\"2MiB\"", "at most 1MiB"),
    ] {
        let error = parse(&with.replacen(from, to, 1)).expect_err(to);
        assert!(error.contains(wanted), "{error}");
    }
}
