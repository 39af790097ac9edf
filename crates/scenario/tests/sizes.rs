//! Sizes: what is understood, and what is refused with the fix.

use hotset_scenario::{MemorySize, parse_bytes};
use proptest::prelude::*;

#[test]
fn every_unit_is_understood() {
    let cases = [
        ("1", 1),
        ("67108864", 64 << 20),
        ("512MiB", 512 << 20),
        ("1.5GiB", 3 << 29),
        ("2GB", 2_000_000_000),
        ("3 KB", 3_000),
        ("1KiB", 1024),
        ("1TiB", 1 << 40),
        ("0.001MB", 1_000),
        ("12B", 12),
        ("64k", 64 << 10),
        ("64K", 64 << 10),
        ("512M", 512 << 20),
        ("1.5g", 3 << 29),
        ("2G", 2 << 30),
        ("1T", 1 << 40),
        ("18446744073709551615", u64::MAX),
    ];
    for (text, bytes) in cases {
        assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
    }
}

#[test]
fn nonsense_is_refused_and_the_message_says_what_is_accepted() {
    for text in [
        "0",
        "-1",
        "1e3",
        "",
        "MiB",
        "0MiB",
        "0.1B",
        "1.5",
        "12 parsecs",
        "1..5GB",
        ".5GB",
        "5.GB",
        "0%",
        "-3%",
        "%",
        "1e1%",
        "NaN%",
        "inf%",
        "+5%",
    ] {
        let message = text.parse::<MemorySize>().expect_err(text).to_string();
        assert!(message.contains(&format!("`{text}`")), "{message}");
        assert!(
            message.contains("MiB") || message.contains("10%"),
            "{message}"
        );
    }
}

#[test]
fn a_lower_case_b_is_taken_for_bits_and_the_fix_is_named() {
    let message = parse_bytes("4338Mb").expect_err("bits").to_string();
    assert!(
        message.contains("`4338MB`") && message.contains("`4338MiB`"),
        "{message}"
    );
    let message = parse_bytes("2gib").expect_err("case").to_string();
    assert!(message.contains("`2GiB`"), "{message}");
    for bits in ["1Kb", "1kb", "1gb"] {
        let message = parse_bytes(bits).expect_err("bits").to_string();
        assert!(message.contains("would be bits"), "{message}");
    }
}

#[test]
fn what_no_u64_holds_is_refused() {
    assert!(parse_bytes("16777216TiB").is_err());
    assert_eq!(parse_bytes("16777215TiB"), Ok(16_777_215 << 40));
}

#[test]
fn a_percentage_is_of_all_object_bytes() {
    let size: MemorySize = "10%".parse().expect("percent");
    assert_eq!(size, MemorySize::PercentOfObjects(10.0));
    assert_eq!(size.bytes(12_345), 1_234);
    assert_eq!(size.to_string(), "10%");
}

proptest! {
    #[test]
    fn any_text_is_answered_without_a_panic(text in any::<String>()) {
        let _ = text.parse::<MemorySize>();
    }

    #[test]
    fn text_that_looks_like_a_size_is_answered_without_a_panic(text in "[0-9.]{0,45} ?[KMGTkmgtiBb%]{0,3}") {
        let _ = text.parse::<MemorySize>();
    }

    #[test]
    fn what_is_shown_reads_back(bytes in 1u64..) {
        let size = MemorySize::Bytes(bytes);
        prop_assert_eq!(size.to_string().parse::<MemorySize>(), Ok(size));
    }
}
