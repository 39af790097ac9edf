//! What a plan gives database servers, in their own terms.

use hotset_plan::{
    DatabaseDivision, DatabaseSite, DividedServer, HeldOutInterval, PinnedTable, PoolPrediction,
    RefusedPin,
};
use hotset_report::{Sheets, Style, View, display_width};

use crate::sample::Sample;

const MIB: u64 = 1 << 20;

fn server() -> DividedServer {
    DividedServer {
        database: "shop-db".to_owned(),
        pool_bytes_now: 32 * MIB,
        pool_bytes: 127 * MIB,
        pinned: Vec::new(),
        refused_pins: Vec::new(),
        store_reads_per_hour_now: 1_080_000.0,
        store_reads_per_hour: 1_200.0,
        lacks: None,
        kept_because: None,
    }
}

fn division(server: DividedServer) -> DatabaseDivision {
    DatabaseDivision {
        memory_bytes: 320 * MIB,
        files_bytes_now: 288 * MIB,
        files_bytes: 193 * MIB,
        is_left: false,
        read_ms_per_hour_now: 9_000_000.0,
        read_ms_per_hour: 700_000.0,
        servers: vec![server],
        sites: vec![DatabaseSite {
            site: Some("shop".to_owned()),
            store_reads_per_hour_now: 1_080_000.0,
            store_reads_per_hour: 1_200.0,
            read_ms_per_hour_now: 8_640_000.0,
            read_ms_per_hour: 9_600.0,
        }],
        held_out: None,
        predictions: Vec::new(),
    }
}

/// What the terminal shows, each run of white space as one space.
fn shown(division: DatabaseDivision) -> String {
    let sample = Sample {
        databases: Some(division),
        ..Sample::new()
    };
    let text = sample.view().terminal(Style::PLAIN);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_pool_and_pins_are_what_is_to_be_done() {
    let item = PinnedTable {
        table: "shop.item".to_owned(),
        bytes: 80 * MIB,
        reason: "its engine keeps no rows in a buffer pool".to_owned(),
    };
    let text = shown(division(DividedServer {
        pinned: vec![item],
        ..server()
    }));
    assert!(
        text.starts_with("Give shop-db a buffer pool of 127 MiB instead of 32"),
        "{text}"
    );
    assert!(text.contains("and pin the table shop.item."), "{text}");
    assert!(text.contains("Files have 193 MiB."), "{text}");
    assert!(text.contains("its engine keeps no rows"), "{text}");
}

#[test]
fn what_is_left_and_what_is_not_done_is_said() {
    let refused = RefusedPin {
        table: "shop.item".to_owned(),
        reason: "with innodb_flush_method=O_DIRECT a pin would save nothing".to_owned(),
    };
    let left = DividedServer {
        pool_bytes: 32 * MIB,
        refused_pins: vec![refused],
        kept_because: Some("no pages were read".to_owned()),
        ..server()
    };
    let held_out = HeldOutInterval {
        read_ms_per_hour_now: 1_000.0,
        read_ms_per_hour: 2_000.0,
        is_given_up: true,
    };
    let text = shown(DatabaseDivision {
        is_left: true,
        held_out: Some(held_out),
        ..division(left)
    });
    assert!(
        text.starts_with("Leave the memory as it is: shop-db keeps"),
        "{text}"
    );
    assert!(
        text.contains("shop.item is not pinned: with innodb_flush_method"),
        "{text}"
    );
    assert!(text.contains("So it was given up."), "{text}");
    assert!(
        text.contains("The buffer pool of shop-db is left as it is: no pages were read."),
        "{text}"
    );
}

#[test]
fn what_an_earlier_measurement_has_predicted_stands_beside_what_was_measured() {
    let prediction = PoolPrediction {
        database: "shop-db".to_owned(),
        from_pool_bytes: 32 * MIB,
        pool_bytes: 127 * MIB,
        predicted_reads_per_hour: 1_200.0,
        reads_per_hour: 1_350.0,
    };
    let text = shown(DatabaseDivision {
        predictions: vec![prediction],
        ..division(server())
    });
    assert!(
        text.contains("By what was measured with a buffer pool of 32 MiB, shop-db was to read"),
        "{text}"
    );
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let sample = Sample {
        databases: Some(division(server())),
        ..Sample::new()
    };
    for width in [60, 80, 100] {
        let style = Style {
            width: Some(width),
            ..Style::PLAIN
        };
        for line in sample.view().terminal(style).lines() {
            assert!(display_width(line) <= width, "{line}");
        }
    }
}

#[test]
fn tables_for_spreadsheets_are_there_without_servers() {
    for sample in [
        Sample::new(),
        Sample {
            databases: Some(division(server())),
            ..Sample::new()
        },
    ] {
        let view = sample.view();
        let names: Vec<&str> = view.sheets().iter().map(|(name, _)| *name).collect();
        assert!(names.contains(&"databases"), "{names:?}");
        assert!(names.contains(&"tables-by-site"), "{names:?}");
    }
}
