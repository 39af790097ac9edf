//! Generated traces have the properties their parameters promise.
use hotset_test_support::skip;
use std::collections::HashSet;

use hotset_trace::sessions::sessions;
use hotset_trace::{Method, NO_OBJECT, PathTable, Trace, TraceOrigin};
use hotset_workload::{
    AverageSize, CLASSES, GenerateError, Generator, Load, Mix, Shifting, SingleFile, SpecWeb99,
    Twin, Workload, Zipf, directories,
};
use proptest::prelude::*;

fn load(requests: u64) -> Load {
    Load::new(requests, 100.0)
}

fn counts(trace: &Trace) -> Vec<u64> {
    let mut counts = vec![0; trace.objects.len()];
    trace
        .requests
        .object
        .iter()
        .for_each(|object| counts[*object as usize] += 1);
    counts
}

/// Chi-square over ranks, those expected less than ten times taken together, and its degrees of freedom.
fn chi_square(counts: &[u64], weight: impl Fn(usize) -> f64) -> (f64, f64) {
    let total: u64 = counts.iter().sum();
    let weights: f64 = (0..counts.len()).map(&weight).sum();
    let (mut statistic, mut cells) = (0.0, 0.0);
    let (mut found, mut expected) = (0.0, 0.0);
    for (rank, count) in counts.iter().enumerate() {
        found += *count as f64;
        expected += total as f64 * weight(rank) / weights;
        if expected >= 10.0 {
            statistic += (found - expected).powi(2) / expected;
            cells += 1.0;
            (found, expected) = (0.0, 0.0);
        }
    }
    (statistic, cells - 1.0)
}

/// Within 4 standard deviations of what is expected by chance (normal approximation for many cells).
fn assert_fits((statistic, freedom): (f64, f64), what: &str) {
    assert!(freedom > 20.0, "{what}: {freedom} cells");
    let deviations = (statistic - freedom) / (2.0 * freedom).sqrt();
    assert!(
        deviations.abs() < 4.0,
        "{what}: chi-square {statistic} for {freedom}"
    );
}

#[test]
fn popularity_is_zipf_over_all_ranks() {
    for alpha in [0.0, 0.6, 0.9, 1.0, 1.1] {
        let trace = Zipf::new(alpha, 500, 5_000_000, load(200_000))
            .generate(1)
            .unwrap();
        let fit = chi_square(&counts(&trace), |rank| ((rank + 1) as f64).powf(-alpha));
        assert_fits(fit, &format!("alpha {alpha}"));
    }
}

#[test]
fn the_chi_square_tells_other_exponents_apart() {
    let trace = Zipf::new(0.9, 500, 5_000_000, load(200_000))
        .generate(1)
        .unwrap();
    let (statistic, freedom) = chi_square(&counts(&trace), |rank| ((rank + 1) as f64).powf(-0.93));
    assert!(statistic > freedom + 4.0 * (2.0 * freedom).sqrt());
}

#[test]
fn zipf_classes_have_the_documents_sizes_and_working_sets() {
    for (class, wanted) in CLASSES.iter().enumerate() {
        let trace = Zipf::class(class, load(10)).unwrap().generate(1).unwrap();
        let sizes = &trace.objects.size;
        let total = sizes.iter().sum::<u64>() as f64;
        assert!(
            (total / wanted.working_set_bytes as f64 - 1.0).abs() < 0.01,
            "class {class}"
        );
        assert!(
            sizes
                .iter()
                .all(|size| (wanted.min_bytes..=wanted.max_bytes).contains(size))
        );
    }
    assert!(Zipf::class(5, load(10)).is_err());
}

#[test]
fn zipf_class_table_is_that_of_the_documents() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/reference");
    let Ok(text) = std::fs::read_to_string(format!("{folder}/tr65_table3_zipf_classes.csv")) else {
        skip(format_args!("no table of Zipf classes in {folder}"));
        return;
    };
    for (line, class) in text.lines().skip(2).zip(CLASSES) {
        let cells: Vec<u64> = line
            .split(',')
            .take(4)
            .map(|cell| cell.parse().unwrap())
            .collect();
        assert_eq!(
            cells[1..],
            [class.min_bytes, class.max_bytes, class.working_set_bytes]
        );
    }
}

#[test]
fn shuffled_sizes_say_nothing_about_popularity() {
    let shuffled = Zipf {
        size_correlation: 0.0,
        ..Zipf::class(2, load(10)).unwrap()
    };
    let trace = shuffled.generate(3).unwrap();
    let logs: Vec<f64> = trace
        .objects
        .size
        .iter()
        .map(|size| (*size as f64).ln())
        .collect();
    let count = logs.len() as f64;
    let ranks: Vec<f64> = (1..=logs.len()).map(|rank| (rank as f64).ln()).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count;
    let covariance = |a: &[f64], b: &[f64]| {
        let (mean_a, mean_b) = (mean(a), mean(b));
        a.iter()
            .zip(b)
            .map(|(a, b)| (a - mean_a) * (b - mean_b))
            .sum::<f64>()
    };
    let correlation =
        covariance(&logs, &ranks) / (covariance(&logs, &logs) * covariance(&ranks, &ranks)).sqrt();
    assert!(correlation.abs() < 4.0 / count.sqrt(), "{correlation}");
}

#[test]
fn arrivals_have_the_rate_asked_for_and_keep_connections_together() {
    let trace = Zipf::new(0.9, 100, 1_000_000, load(50_000))
        .generate(1)
        .unwrap();
    assert!(trace.requests.time_us.is_sorted());
    let span = (trace.requests.time_us[49_999] - trace.requests.time_us[0]) as f64 / 1e6;
    assert!((50_000.0 / span / 100.0 - 1.0).abs() < 0.02, "{span}");
    let mean = sessions(&trace.requests, 1).requests_per_connection();
    assert!((9.5..10.5).contains(&mean), "{mean}");
}

/// First and last request of each connection, seconds after the first of all.
fn connections(trace: &Trace) -> Vec<(f64, f64)> {
    let sessions = sessions(&trace.requests, 1);
    let first = trace.requests.time_us[0];
    let mut spans = vec![(f64::INFINITY, 0.0_f64); sessions.connections as usize];
    for (connection, time_us) in sessions.connection.iter().zip(&sessions.time_us) {
        let (from, to) = &mut spans[*connection as usize];
        let second = (time_us - first) as f64 / 1e6;
        (*from, *to) = (from.min(second), to.max(second));
    }
    spans
}

/// A scale divides the time between the starts of connections and leaves what is within them, so that a rate grows with it only where
/// connections are short beside the trace.
#[test]
fn connections_are_short_enough_for_the_rate_to_follow_a_scale() {
    let zipf = Zipf::new(0.9, 100, 1_000_000, Load::new(20_000, 200.0));
    for seed in [1, 2] {
        let spans = connections(&zipf.generate(seed).unwrap());
        let rate = |scale: f64| {
            let ends = spans.iter().map(|(from, to)| from / scale + (to - from));
            20_000.0 / ends.fold(0.0, f64::max)
        };
        let grown = [2.0, 5.0, 10.0].map(|scale| rate(scale) / rate(1.0) / scale);
        assert!(
            grown[0] > 0.9 && grown[1] > 0.7 && grown[2] > 0.5,
            "seed {seed}: {grown:?} of what is asked"
        );
    }
}

/// FNV-1a (draft-eastlake-fnv) of all that a cache sees of a trace.
fn fingerprint(trace: &Trace) -> u64 {
    let requests = &trace.requests;
    let times = requests.time_us.iter().map(|time| time.cast_unsigned());
    let objects = requests.object.iter().map(|object| u64::from(*object));
    let values = times
        .chain(objects)
        .chain(requests.bytes.iter().copied())
        .chain(trace.objects.size.iter().copied());
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for byte in values.flat_map(u64::to_le_bytes) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

/// Measurements that are kept in `experiments/` were made with traces of seeds. Clients may change, these not.
#[test]
fn times_files_and_sizes_of_a_seed_stay_what_they_were() {
    let zipf = Zipf {
        size_correlation: 0.0,
        ..Zipf::class(0, Load::new(30_000, 100.0)).unwrap()
    };
    let mix = Mix {
        sites: vec![
            ("one".into(), Box::new(zipf)),
            (
                "two".into(),
                Box::new(SpecWeb99 {
                    connections: 20,
                    requests: 5_000,
                }),
            ),
        ],
    };
    let found = [zipf.generate(7), mix.generate(3)].map(|trace| fingerprint(&trace.unwrap()));
    assert_eq!(
        found,
        [0xf913_46ec_2025_9c5e, 0x3cbd_90a3_f90b_ffc3],
        "{found:x?}"
    );
}

#[test]
fn a_single_file_is_all_that_is_asked_for() {
    let trace = SingleFile {
        size_bytes: 65_536,
        load: load(100),
    }
    .generate(1)
    .unwrap();
    assert_eq!(trace.objects.size, [65_536]);
    assert_eq!(counts(&trace), [100]);
    assert!(trace.requests.bytes.iter().all(|bytes| *bytes == 65_536));
}

#[test]
fn average_size_is_the_mean_of_files_and_of_requests() {
    let workload = AverageSize {
        mean_bytes: 10_000,
        objects: 300,
        load: load(100_000),
    };
    let trace = workload.generate(1).unwrap();
    let mean = |bytes: &[u64]| bytes.iter().sum::<u64>() as f64 / bytes.len() as f64;
    assert!((mean(&trace.objects.size) - 10_000.0).abs() < 1.0);
    assert!((mean(&trace.requests.bytes) / 10_000.0 - 1.0).abs() < 0.01);
    assert_fits(chi_square(&counts(&trace), |_| 1.0), "uniform");
}

#[test]
fn a_shift_moves_exactly_the_share_asked_for() {
    let zipf = Zipf::new(0.9, 200, 2_000_000, load(400_000));
    let trace = Shifting {
        zipf,
        shift_every: 200_000,
        share: 0.1,
    }
    .generate(2)
    .unwrap();
    let still = zipf.generate(2).unwrap();
    // Before the shift nothing differs; after it, the requests for the ranks that were dealt anew do.
    assert_eq!(
        trace.requests.object[..200_000],
        still.requests.object[..200_000]
    );
    let pairs = trace
        .requests
        .object
        .iter()
        .zip(&still.requests.object)
        .skip(200_000);
    let moved: HashSet<_> = pairs
        .filter(|(a, b)| a != b)
        .map(|(_, rank)| *rank)
        .collect();
    assert_eq!(moved.len(), 20);
    assert_eq!(trace.objects, still.objects);
}

#[test]
fn specweb99_has_the_documents_file_set() {
    assert_eq!(directories(0), 25);
    assert_eq!(directories(1000), 680);
    let trace = SpecWeb99 {
        connections: 1000,
        requests: 10,
    }
    .generate(1)
    .unwrap();
    assert_eq!(trace.objects.len(), 680 * 36);
    assert_eq!(trace.objects.size[..36].iter().sum::<u64>(), 5_119_484);
    assert_eq!(
        (trace.objects.size[0], trace.objects.size[35]),
        (102, 921_600)
    );
}

#[test]
fn specweb99_requests_have_the_documents_mix() {
    const REQUESTS: u64 = 400_000;
    let trace = SpecWeb99 {
        connections: 100,
        requests: REQUESTS,
    }
    .generate(1)
    .unwrap();
    let requests = &trace.requests;
    let share = |wanted: &dyn Fn(usize) -> bool| {
        (0..requests.len()).filter(|row| wanted(*row)).count() as f64 / REQUESTS as f64
    };
    assert!((share(&|row| requests.access[row]) - 0.952).abs() < 0.0015);
    assert!((share(&|row| trace.is_scripted(row)) - 0.252).abs() < 0.003);
    assert!((share(&|row| requests.method[row] == Method::Post) - 0.048).abs() < 0.0015);
    assert!((share(&|row| requests.object[row] == NO_OBJECT) - 0.048).abs() < 0.0015);
    let size = |row: usize| trace.objects.size[requests.object[row] as usize];
    for row in (0..requests.len()).filter(|row| requests.access[*row]) {
        let added = if trace.is_scripted(row) { 6000 } else { 0 };
        assert_eq!(requests.bytes[row], size(row) + added);
    }
    // Each of the 100 connections receives 50,000 bytes a second.
    let seconds = (requests.time_us[requests.len() - 1] - requests.time_us[0]) as f64 / 1e6;
    let rate = requests.bytes.iter().sum::<u64>() as f64 / seconds / 100.0;
    assert!((rate / 50_000.0 - 1.0).abs() < 0.03, "{rate}");
    let files: Vec<u64> = (0..requests.len())
        .filter(|row| requests.access[*row])
        .map(|row| trace.objects.size[requests.object[row] as usize])
        .collect();
    let mean_kib = files.iter().sum::<u64>() as f64 / files.len() as f64 / 1024.0;
    // The document's 14.2668 KB lies 0.7 % below what the benchmark's weights give, 14.367.
    assert!((mean_kib / 14.2668 - 1.0).abs() < 0.03, "{mean_kib}");
    let large = files.iter().filter(|size| **size >= 102_400).sum::<u64>();
    let large_kib = large as f64 / files.len() as f64 / 1024.0;
    assert!((large_kib / 4.8950 - 1.0).abs() < 0.06, "{large_kib}");
}

#[test]
fn specweb99_directories_are_zipf() {
    let trace = SpecWeb99 {
        connections: 500,
        requests: 200_000,
    }
    .generate(1)
    .unwrap();
    let mut counts = vec![0; trace.objects.len() / 36];
    let files = trace
        .requests
        .object
        .iter()
        .filter(|object| **object != NO_OBJECT);
    files.for_each(|object| counts[*object as usize / 36] += 1);
    assert_fits(
        chi_square(&counts, |rank| 1.0 / (rank + 1) as f64),
        "directories",
    );
}

fn two_sites() -> Mix {
    Mix {
        sites: vec![
            (
                "shop".into(),
                Box::new(Zipf::new(0.9, 50, 500_000, load(1000))),
            ),
            (
                "bench".into(),
                Box::new(SpecWeb99 {
                    connections: 10,
                    requests: 500,
                }),
            ),
            (
                "old".into(),
                Box::new(Twin {
                    workload: Workload::NYSE,
                    scale: 0.02,
                }),
            ),
        ],
    }
}

#[test]
fn a_mix_keeps_each_sites_requests_and_interleaves_them() {
    let mix = two_sites();
    let trace = mix.generate(5).unwrap();
    assert_eq!(trace.sites, ["shop", "bench", "old"]);
    assert!(trace.requests.time_us.is_sorted());
    for (site, (_, generator)) in mix.sites.iter().enumerate() {
        let alone = generator.generate(5 + site as u64).unwrap();
        let rows =
            (0..trace.requests.len()).filter(|row| usize::from(trace.requests.site[*row]) == site);
        let rows: Vec<usize> = rows.collect();
        let bytes: Vec<u64> = rows.iter().map(|row| trace.requests.bytes[*row]).collect();
        assert!(bytes == alone.requests.bytes);
        for (row, object) in rows.iter().zip(&alone.requests.object) {
            let mixed = trace.requests.object[*row];
            assert_eq!(mixed == NO_OBJECT, *object == NO_OBJECT);
            if mixed != NO_OBJECT {
                let same = trace.objects.path.get(mixed as usize)
                    == alone.objects.path.get(*object as usize);
                assert!(same && usize::from(trace.objects.site[mixed as usize]) == site);
            }
        }
    }
    let clients: HashSet<&[u8]> = trace.clients.iter().collect();
    assert_eq!(clients.len(), trace.clients.len());
}

#[test]
fn two_sites_of_one_name_are_refused() {
    let named = |name: &str| -> (String, Box<dyn Generator>) {
        (
            name.to_owned(),
            Box::new(Zipf::new(0.9, 50, 500_000, load(100))),
        )
    };
    let mix = Mix {
        sites: vec![named("shop"), named("shop")],
    };
    let why = mix.generate(1).unwrap_err().to_string();
    assert!(
        why.contains("two sites of the mix would be called `shop`"),
        "{why}"
    );
}

/// A trace of keys.
struct Keys;

impl Generator for Keys {
    fn generate(&self, seed: u64) -> Result<Trace, GenerateError> {
        let trace = Zipf::new(0.9, 50, 500_000, load(100)).generate(seed)?;
        let origin = TraceOrigin::Untimed;
        Ok(Trace { origin, ..trace })
    }
}

#[test]
fn a_workload_without_times_has_no_place_in_a_mix() {
    let mix = Mix {
        sites: vec![("keys".into(), Box::new(Keys))],
    };
    let why = mix.generate(1).unwrap_err().to_string();
    assert!(why.contains("keys has no times"), "{why}");
}

#[test]
fn seeds_decide_everything() {
    assert!(two_sites().generate(1).unwrap() == two_sites().generate(1).unwrap());
    assert!(two_sites().generate(1).unwrap() != two_sites().generate(2).unwrap());
}

#[test]
fn nonsense_is_refused() {
    let zipf = Zipf::new(0.9, 100, 1_000_000, load(10));
    let bad: Vec<Box<dyn Generator>> = vec![
        Box::new(SingleFile {
            size_bytes: 0,
            load: load(1),
        }),
        Box::new(SingleFile {
            size_bytes: 1,
            load: Load {
                rate_per_second: 0.0,
                ..load(1)
            },
        }),
        Box::new(SingleFile {
            size_bytes: 1,
            load: Load {
                rate_per_second: f64::NAN,
                ..load(1)
            },
        }),
        Box::new(SingleFile {
            size_bytes: 1,
            load: Load {
                requests: u64::MAX,
                ..load(1)
            },
        }),
        Box::new(AverageSize {
            mean_bytes: 10,
            objects: 0,
            load: load(1),
        }),
        Box::new(Zipf {
            alpha: -1.0,
            ..zipf
        }),
        Box::new(Zipf {
            alpha: f64::NAN,
            ..zipf
        }),
        Box::new(Zipf { objects: 0, ..zipf }),
        Box::new(Zipf {
            min_bytes: 0,
            ..zipf
        }),
        Box::new(Zipf {
            max_bytes: 2000,
            ..zipf
        }),
        Box::new(Shifting {
            zipf,
            shift_every: 0,
            share: 0.5,
        }),
        Box::new(Shifting {
            zipf,
            shift_every: 5,
            share: 1.5,
        }),
        Box::new(SpecWeb99 {
            connections: 0,
            requests: 1,
        }),
    ];
    for (index, generator) in bad.into_iter().enumerate() {
        assert!(generator.generate(1).is_err(), "case {index}");
    }
    let error = Zipf {
        max_bytes: 2000,
        ..zipf
    }
    .generate(1)
    .unwrap_err();
    assert!(matches!(error, GenerateError::Sizes { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn working_sets_come_out_within_one_percent(
        alpha in 0.0..2.0f64,
        objects in 1..2000u32,
        mean in 20..1_000_000u64,
        seed in any::<u64>(),
    ) {
        let wanted = u64::from(objects) * mean;
        let trace = Zipf::new(alpha, objects, wanted, load(5)).generate(seed).unwrap();
        let total = trace.objects.size.iter().sum::<u64>() as f64;
        prop_assert!((total / wanted as f64 - 1.0).abs() < 0.01, "{total} for {wanted}");
    }
}

#[test]
fn a_trace_that_names_no_clients_has_one_of_its_own_in_a_mix() {
    let named = Zipf::new(0.9, 50, 500_000, load(100));
    let mut keys = named.generate(1).unwrap();
    keys.clients = PathTable::default();
    keys.requests.client.iter_mut().for_each(|it| *it = 0);
    for is_first in [false, true] {
        let mut sites: Vec<(String, Box<dyn Generator>)> = vec![
            ("named".to_owned(), Box::new(named)),
            ("keys".to_owned(), Box::new(keys.clone())),
        ];
        if is_first {
            sites.reverse();
        }
        let mixed = Mix { sites }.generate(1).unwrap();
        let requests = &mixed.requests;
        let clients_of = |site: u16| -> HashSet<u32> {
            let rows = requests.client.iter().zip(&requests.site);
            rows.filter(|row| *row.1 == site)
                .map(|row| *row.0)
                .collect()
        };
        let names = mixed.clients.len();
        assert!(requests.client.iter().all(|it| (*it as usize) < names));
        assert!(clients_of(0).is_disjoint(&clients_of(1)), "{is_first}");
    }
}
