//! Ranges and lists of values for a key.

use hotset_scenario::{FigureUnit, Variation};
use proptest::prelude::*;

fn texts(variation: &str) -> Result<Vec<String>, String> {
    let variation: Variation = variation.parse()?;
    let texts = variation.values().iter().map(|it| it.text.clone());
    Ok(texts.collect())
}

#[test]
fn ranges_multiply_or_add_and_have_both_ends() {
    for (written, wanted) in [
        ("256MiB..4GiB:x2", "256MiB 512MiB 1GiB 2GiB 4GiB"),
        ("256MiB..1GiB:+256MiB", "256MiB 512MiB 768MiB 1GiB"),
        ("100Mbit..1Gbit:+300Mbit", "100Mbit 400Mbit 700Mbit 1Gbit"),
        ("0.1..0.5:+0.1", "0.1 0.2 0.3 0.4 0.5"),
        ("1..64:x4", "1 4 16 64"),
        ("0..20ms:+10ms", ""),
        ("0s..20ms:+10ms", "0s 10ms 20ms"),
        ("10%..40%:x2", "10% 20% 40%"),
        ("1M..4m:x2", "1MiB 2MiB 4MiB"),
        ("1MB..3MB:+1MB", "1MB 2MB 3MB"),
        ("5..5:x2", "5"),
        // The last step is shorter where it does not meet the end.
        ("1..10:x2", "1 2 4 8 10"),
        ("64MiB..1GiB:+512MiB", "64MiB 576MiB 1GiB"),
        // Steps of less than a byte are one value.
        ("1B..3B:x1.1", "1B 2B 3B"),
    ] {
        let got = texts(&format!("node.web1.memory={written}"));
        match wanted {
            "" => assert!(got.is_err(), "{written}"),
            _ => assert_eq!(
                got.map(|it| it.join(" ")),
                Ok(wanted.to_owned()),
                "{written}"
            ),
        }
    }
}

#[test]
fn lists_keep_their_order_and_know_figures() {
    let parsed = |text: &str| text.parse::<Variation>().expect(text);
    let kinds = parsed("store.disk.kind=xfs, ext4");
    assert_eq!((kinds.path(), kinds.unit()), ("store.disk.kind", None));
    assert_eq!(
        texts("store.disk.kind=xfs, ext4"),
        Ok(vec!["xfs".into(), "ext4".into()])
    );
    let memory = parsed("node.web1.memory=1GiB,512M");
    assert_eq!(memory.unit(), Some(FigureUnit::Bytes));
    let figures: Vec<_> = memory.values().iter().map(|it| it.figure).collect();
    assert_eq!(
        figures,
        [Some((1u64 << 30) as f64), Some((512u64 << 20) as f64)]
    );
    let mixed = parsed("node.web1.memory=1GiB,10%");
    assert_eq!((mixed.unit(), mixed.values()[0].figure), (None, None));
    let rate = parsed("link.web1.rate=100Mbit,1Gbit");
    assert_eq!(rate.unit(), Some(FigureUnit::BitsPerS));
    assert_eq!(
        parsed("client.crowd.think=5ms").values()[0].figure,
        Some(5000.0)
    );
    // Names of files may have two points.
    assert_eq!(
        texts("store.disk.profile=../a.toml,hdd").map(|it| it.len()),
        Ok(2)
    );
}

#[test]
fn what_is_no_variation_is_refused_with_what_to_write() {
    for (written, says) in [
        ("node.web1.memory", "write PATH=A..B:xN"),
        ("memory=1..2:x2", "write PATH=A..B:xN"),
        ("node.web1.memory=1GiB..2GiB", "has no step"),
        ("node.web1.memory=1GiB..2GiB:x1", "`x1` is not a step"),
        ("node.web1.memory=1GiB..2GiB:x0", "`x0` is not a step"),
        ("node.web1.memory=1GiB..2GiB:2", "`2` is not a step"),
        ("node.web1.memory=1GiB..2GiB:+5ms", "`+5ms` is not a step"),
        ("node.web1.memory=1GiB..2GiB:+0B", "`+0B` is not a step"),
        ("node.web1.memory=2GiB..1GiB:x2", "begins above its end"),
        ("node.web1.memory=1GiB..2ms:x2", "units of one kind"),
        ("node.web1.memory=1GiB..many:x2", "`many` is not a figure"),
        ("node.web1.cpus=0..4:x2", "0 stays 0"),
        ("node.web1.memory=1B..1TiB:+1B", "more than 100000 values"),
        ("store.disk.kind=ext4,", "write PATH=A..B:xN"),
        ("store.disk.kind=ext4,ext4", "`ext4` is named twice"),
    ] {
        let complaint = texts(written).expect_err(written);
        assert!(complaint.contains(says), "{written}: {complaint}");
    }
}

proptest! {
    /// By the definition: as many steps as stay below the end, and the end.
    #[test]
    fn a_range_has_its_ends_and_the_steps_between(from in 1u64..1000, more in 0u64..100_000, step in 1u64..5000, factor in 2u64..9) {
        let to = from + more;
        let ends = |it: &[String]| (it[0].clone(), it[it.len() - 1].clone());
        let wanted = (from.to_string(), to.to_string());
        let sums = texts(&format!("client.crowd.clients={from}..{to}:+{step}")).unwrap();
        prop_assert_eq!(sums.len() as u64, 1 + more.div_ceil(step));
        prop_assert_eq!(ends(&sums), wanted.clone());
        let products = texts(&format!("client.crowd.clients={from}..{to}:x{factor}")).unwrap();
        let below = (0..).map(|n| from * factor.pow(n)).take_while(|it| *it < to).count();
        prop_assert_eq!(products.len(), 1 + below);
        prop_assert_eq!(ends(&products), wanted);
        let figures: Vec<u64> = products.iter().map(|it| it.parse().unwrap()).collect();
        prop_assert!(figures.windows(2).all(|it| it[0] < it[1]), "{:?}", figures);
    }

    #[test]
    fn no_text_panics(text in "(node.a.b=)?[0-9a-zA-Z.:+x%,µ]{0,30}") {
        if let Ok(variation) = text.parse::<Variation>() {
            prop_assert!(!variation.values().is_empty());
        }
    }
}
