//! Numbers carry units and three significant digits.

use hotset_document::number;

#[test]
fn bytes_take_the_binary_unit_that_suits_them() {
    let text: Vec<String> = [
        0,
        1,
        812,
        1023,
        1024,
        1536,
        43_201_331,
        64 << 20,
        (1 << 30) - 1,
        u64::MAX,
    ]
    .map(number::bytes)
    .into();
    assert_eq!(
        text,
        [
            "0 B", "1 B", "812 B", "1023 B", "1 KiB", "1.50 KiB", "41.2 MiB", "64 MiB", "1.00 GiB",
            "16 EiB"
        ]
    );
}

#[test]
fn durations_take_the_unit_that_suits_them() {
    let text: Vec<String> = [0.0, 5.25, 812.4, 999.9, 1000.0, 9137.0, 1.2e6, 3.6e9]
        .map(number::duration)
        .into();
    assert_eq!(
        text,
        [
            "0 µs", "5.25 µs", "812 µs", "1.00 ms", "1 ms", "9.14 ms", "1.20 s", "3600 s"
        ]
    );
}

#[test]
fn shares_are_per_cent_and_never_minus_zero() {
    assert_eq!(number::percent(0.1234), "12.3 %");
    assert_eq!(number::percent(-0.00001), "0.0 %");
    assert_eq!(number::signed_percent(0.1234), "+12.3 %");
    assert_eq!(number::signed_percent(0.001), "+0.1 %");
    assert_eq!(number::signed_percent(-0.1234), "-12.3 %");
    assert_eq!(number::signed_percent(0.00001), "0.0 %");
    assert_eq!(number::percent(12.3456), "1,234.6 %");
    assert_eq!(number::signed_percent(-12345.678), "-1,234,567.8 %");
    assert_eq!(number::percent(9.99), "999.0 %");
    assert_eq!(
        number::percent_with_interval(0.12, -0.031, 0.15),
        "12.0 % (-3.1 to 15.0 %)"
    );
    assert_eq!(
        number::percent_with_interval(0.874, -6690.3, 0.967),
        "87.4 % (below -1,000 to 96.7 %)"
    );
}

#[test]
fn what_is_not_a_number_is_a_dash() {
    assert_eq!(number::percent(f64::NAN), "–");
    assert_eq!(number::duration(f64::INFINITY), "–");
    assert_eq!(number::plain(f64::NAN), "–");
    assert_eq!(number::per_second(f64::NAN), "–");
}

#[test]
fn counts_are_grouped_by_thousands() {
    let text: Vec<String> = [0, 7, 999, 1000, 51_839, 1_234_567]
        .map(number::count)
        .into();
    assert_eq!(text, ["0", "7", "999", "1,000", "51,839", "1,234,567"]);
    assert_eq!(number::counted(1, "file", "files"), "1 file");
    assert_eq!(number::counted(2000, "file", "files"), "2,000 files");
}

#[test]
fn plain_numbers_keep_three_digits() {
    let text: Vec<String> = [0.0, 0.004_123, 3.214, 99.95, 1250.4, -2000.0]
        .map(number::plain)
        .into();
    assert_eq!(
        text,
        ["0", "0.00412", "3.21", "99.95", "1,250", "-2,000"].map(|t| if t == "99.95" {
            "100"
        } else {
            t
        })
    );
}

#[test]
fn long_times_are_hours_and_days() {
    let text = |seconds: f64| number::long_duration(seconds * 1e6);
    assert_eq!(text(0.0012), "1.20 ms");
    assert_eq!(text(119.0), "119 s");
    assert_eq!(text(120.0), "2 min 0 s");
    assert_eq!(text(-3_725.4), "-1 h 2 min");
    assert_eq!(text(302_400.0), "3 d 12 h");
    assert_eq!(text(f64::NAN), number::NONE);
}

#[test]
fn bytes_that_differ_look_different() {
    let mib = |mib: f64| (mib * f64::from(1 << 20)) as u64;
    let texts = number::bytes_apart(&[mib(12.0), mib(469.8), mib(470.0), mib(470.004), mib(512.0)]);
    assert_eq!(
        texts,
        [
            "12 MiB",
            "469.800 MiB",
            "470.000 MiB",
            "470.004 MiB",
            "512 MiB"
        ]
    );
    assert_eq!(
        number::bytes_apart(&[4096, 4096]),
        ["4 KiB", "4 KiB"],
        "the same twice"
    );
    assert_eq!(
        number::bytes_apart(&[u64::MAX - (1 << 12), u64::MAX]).len(),
        2
    );
}
