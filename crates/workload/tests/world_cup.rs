//! Days of the 1998 World Cup's web site have their published rates, and its files are as they were counted.

use hotset_trace::Trace;
use hotset_workload::{Generator as _, Load, WorldCup, WorldCupDay, WorldCupFiles, Zipf};

/// A day with small files.
fn day(name: &str, scale: f64) -> WorldCup {
    WorldCup {
        day: name.parse().expect("a day"),
        scale,
        files: WorldCupFiles::Zipf(Zipf::new(0.9, 100, 1 << 20, Load::new(1, 1.0))),
    }
}

/// A share of 1 May, the day whose files were counted.
fn with_its_files(scale: f64, seed: u64) -> Trace {
    let of = WorldCup {
        files: WorldCupFiles::Counted,
        ..day("1998-05-01", scale)
    };
    of.generate(seed).expect("a trace")
}

/// About as many requests as were counted.
fn counted(seed: u64) -> Trace {
    with_its_files(0.2, seed)
}

/// Requests by file.
fn by_file(trace: &Trace) -> Vec<u64> {
    let mut counts = vec![0; trace.objects.len()];
    for file in &trace.requests.object {
        counts[*file as usize] += 1;
    }
    counts
}

/// Files whose names end so.
fn of_type(trace: &Trace, extension: &str) -> Vec<usize> {
    let files = 0..trace.objects.len();
    let has = |file: &usize| {
        trace
            .objects
            .path
            .get(*file)
            .ends_with(extension.as_bytes())
    };
    files.filter(has).collect()
}

fn is_near(found: f64, wanted: f64, percent: f64) -> bool {
    (found - wanted).abs() <= wanted * percent / 100.0
}

/// Requests by minute of the day.
fn by_minute(of: &WorldCup) -> Vec<u64> {
    let trace = of.generate(3).expect("a trace");
    let mut counts = vec![0; 1440];
    for time_us in &trace.requests.time_us {
        let minute = (time_us - of.day.start_us()) / 60_000_000;
        counts[minute as usize] += 1;
    }
    counts
}

#[test]
fn days_are_those_of_the_published_sum() {
    let all: Vec<(&str, WorldCupDay)> = WorldCupDay::all().collect();
    assert_eq!(all.len(), 88);
    let sum: u64 = all.iter().map(|(_, day)| day.requests).sum();
    assert_eq!(sum, 1_352_804_107);
    let (_, busiest) = all
        .iter()
        .find(|(name, _)| *name == "1998-06-30")
        .expect("a day");
    assert_eq!(busiest.requests, 75_207_657);
    // 30 June 1998 00:00:00 UTC.
    assert_eq!(busiest.start_us(), 899_164_800_000_000);
}

#[test]
fn the_busiest_day_has_its_minutes_and_others_their_peak() {
    for name in ["1998-06-30", "1998-05-01"] {
        let of = day(name, 0.002);
        let counts = by_minute(&of);
        let sum: u64 = counts.iter().sum();
        assert_eq!(sum, of.requests(), "{name}");
        let most = counts.iter().max().copied().unwrap_or_default() as f64;
        let wanted = of.day.peak_minute as f64 * of.scale;
        assert!(
            (most - wanted).abs() <= 1.0 + 0.01 * wanted,
            "{name}: {most} {wanted}"
        );
    }
    // 00:00 has 17,613 of 75,207,657.
    let counts = by_minute(&day("1998-06-30", 0.002));
    assert_eq!(counts[0], 35);
}

#[test]
fn what_is_no_day_and_no_share_is_refused() {
    let refused = "1998-07-27".parse::<WorldCupDay>();
    assert!(refused.is_err_and(|error| error.contains("1998-07-26")));
    for scale in [0.0, 1.5, f64::NAN, 1e-12] {
        assert!(day("1998-06-30", scale).generate(1).is_err(), "{scale}");
    }
}

#[test]
fn types_have_the_counted_shares_and_html_the_published_one() {
    let trace = counted(1);
    let counts = by_file(&trace);
    let all: u64 = counts.iter().sum();
    let share = |extension: &str| {
        let files = of_type(&trace, extension);
        let requests: u64 = files.iter().map(|file| counts[*file]).sum();
        requests as f64 / all as f64
    };
    // Of 198,855 requests for files in 200,000 of the day's log.
    for (extension, counted) in [
        (".gif", 0.8818),
        (".html", 0.1064),
        (".class", 0.0083),
        (".zip", 0.0026),
        (".mov", 0.0008),
    ] {
        let found = share(extension);
        // Four standard deviations of what is drawn.
        let chance = 4.0 * (counted * (1.0 - counted) / all as f64).sqrt();
        assert!(
            (found - counted).abs() <= chance + 0.0001,
            "{extension} {found}"
        );
    }
    // Arlitt and Jin, IEEE Network 14(3), 2000: 10 percent.
    assert_eq!((100.0 * share(".html")).floor(), 10.0);
}

#[test]
fn sizes_are_those_that_were_counted() {
    for seed in [1, 2] {
        let trace = counted(seed);
        let mut sizes = trace.objects.size.clone();
        assert_eq!(sizes.len(), 2536);
        let bytes = sizes.iter().sum::<u64>() as f64;
        assert!(is_near(bytes, 54_565_377.0, 0.01), "{bytes}");
        sizes.sort_unstable();
        assert_eq!(sizes[0], 42);
        assert!(
            (2_000_000..=2_891_887).contains(&sizes[2535]),
            "{}",
            sizes[2535]
        );
        let median = sizes[1268] as f64;
        assert!(is_near(median, 3781.0, 5.0), "{median}");
        // A request is for 8,211 bytes in the mean, one for an image for 3,675. A few archives weigh much.
        let counts = by_file(&trace);
        let mean = |files: &[usize]| {
            let requests: u64 = files.iter().map(|file| counts[*file]).sum();
            let bytes = files
                .iter()
                .map(|file| counts[*file] * trace.objects.size[*file]);
            bytes.sum::<u64>() as f64 / requests as f64
        };
        let files: Vec<usize> = (0..sizes.len()).collect();
        assert!(is_near(mean(&files), 8211.0, 12.0), "{}", mean(&files));
        let images = mean(&of_type(&trace, ".gif"));
        assert!(is_near(images, 3675.0, 7.0), "{images}");
    }
}

/// Pages have many images, which are asked for as often: popularity is flat at first, and steep later.
#[test]
fn popularity_falls_as_it_was_counted() {
    let mut counts = by_file(&counted(3));
    counts.sort_unstable_by_key(|count| std::cmp::Reverse(*count));
    let all: u64 = counts.iter().sum();
    for (files, share) in [
        (10, 0.107),
        (40, 0.353),
        (100, 0.582),
        (200, 0.769),
        (1000, 0.969),
    ] {
        let requests: u64 = counts[..files].iter().sum();
        let found = requests as f64 / all as f64;
        assert!(is_near(found, share, 3.0), "{files}: {found} {share}");
    }
    let exponent = |from: usize, to: usize| {
        let fall = counts[from - 1] as f64 / counts[to - 1] as f64;
        fall.ln() / (to as f64 / from as f64).ln()
    };
    // Counted: 3076, 1379, 536 and 13 requests.
    let (first, later) = (exponent(1, 40), exponent(100, 1000));
    assert!((first - 0.217).abs() <= 0.05, "{first}");
    assert!((later - 1.615).abs() <= 0.15, "{later}");
}

#[test]
fn a_fifth_of_the_answers_are_not_modified_and_read_nothing() {
    let trace = counted(4);
    let requests = &trace.requests;
    let rows = 0..requests.len();
    let (unchanged, whole): (Vec<usize>, Vec<usize>) =
        rows.partition(|row| requests.status[*row] == 304);
    let share = unchanged.len() as f64 / requests.len() as f64;
    // "Almost 19 percent", and no first answer.
    assert!((0.18..=0.191).contains(&share), "{share}");
    for row in unchanged {
        assert!(!requests.access[row] && requests.bytes[row] == 0, "{row}");
    }
    for row in whole {
        let size = trace.objects.size[requests.object[row] as usize];
        assert!(requests.access[row] && requests.bytes[row] == size, "{row}");
    }
    let mut sent = vec![false; trace.objects.len()];
    for (file, access) in requests.object.iter().zip(&requests.access) {
        assert!(*access || sent[*file as usize], "{file} was never sent");
        sent[*file as usize] = true;
    }
}

#[test]
fn the_same_seed_gives_the_same_requests() {
    let made = |seed: u64| with_its_files(0.001, seed);
    assert_eq!(made(5), made(5));
    assert_ne!(made(5).requests, made(6).requests);
    assert_ne!(made(5).objects.size, made(6).objects.size);
}
