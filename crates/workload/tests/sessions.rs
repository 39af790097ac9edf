//! Sessions of emulated browsers: mixes of benchmarks, walks, draws, and files.

use std::path::Path;
use std::time::Duration;

use hotset_workload::applications::{Application, Rubbos, Rubis, Tpcw};
use hotset_workload::sessions::{
    Browser, Field, Mix, Next, NuRand, Spelling, Step, ThinkTime, Value, Walk, filled, page_shares,
    read, stationary, syllables, to_toml,
};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

const SHOP: Tpcw = Tpcw {
    items: 10_000,
    customers: 28_800,
};
const AUCTIONS: Rubis = Rubis {
    users: 1000,
    items: 300,
    old_items: 500,
};
const NEWS: Rubbos = Rubbos {
    users: 1000,
    stories: 300,
    old_stories: 500,
};

fn random() -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(1)
}

/// Percent of interactions in the browsing, shopping and ordering mix ("Workload-driven analysis of file systems in shared
/// multi-tier data-centers over InfiniBand", table 1).
const TABLE_1: [(&str, [f64; 3]); 14] = [
    ("home", [29.00, 16.00, 9.12]),
    ("new_products", [11.00, 5.00, 0.46]),
    ("best_sellers", [11.00, 5.00, 0.46]),
    ("product_detail", [21.00, 17.00, 12.35]),
    ("search_request", [12.00, 20.00, 14.53]),
    ("search_results", [11.00, 17.00, 13.08]),
    ("shopping_cart", [2.00, 11.60, 13.53]),
    ("customer_registration", [0.82, 3.00, 12.86]),
    ("buy_request", [0.75, 2.60, 12.73]),
    ("buy_confirm", [0.69, 1.20, 10.18]),
    ("order_inquiry", [0.30, 0.75, 0.25]),
    ("order_display", [0.25, 0.66, 0.22]),
    ("admin_request", [0.10, 0.10, 0.12]),
    ("admin_confirm", [0.09, 0.09, 0.11]),
];

#[test]
fn each_mix_of_tpcw_is_within_a_twentieth_of_a_point_of_the_published_one() {
    let mixes = SHOP.mixes();
    assert_eq!(mixes.len(), 3);
    for (number, mix) in mixes.iter().enumerate() {
        let shares = stationary(mix).expect("nobody goes back");
        assert_eq!(mix.pages.len(), TABLE_1.len());
        for (page, published) in TABLE_1 {
            let percent = 100.0 * shares[mix.page(page).expect("a page of TPC-W")];
            let difference = (percent - published[number]).abs();
            assert!(difference < 0.05, "{} {page}: {percent}", mix.name);
        }
    }
}

/// What the rule for the end of a session leaves of the mix, by walking.
#[test]
fn a_long_walk_has_the_mix() {
    let mix = &SHOP.mixes()[1];
    let shares = stationary(mix).expect("nobody goes back");
    let (mut walk, mut random) = (Walk::start(), random());
    let mut counts = vec![0_u32; mix.pages.len()];
    let steps = 200_000;
    for _ in 0..steps {
        counts[walk.page()] += 1;
        let step = walk.step(mix, &mut random);
        assert!(matches!(step, Step::To(_)), "{step:?}");
    }
    for (count, share) in counts.iter().zip(shares) {
        let walked = f64::from(*count) / f64::from(steps);
        assert!((walked - share).abs() < 0.005, "{walked} of {share}");
    }
}

/// Mean pages of sessions, and the share of `page` among all pages.
fn sessions(mix: &Mix, page: &str) -> (f64, f64) {
    let (mut random, mut pages, mut of_page) = (random(), 0_u32, 0_u32);
    let page = mix.page(page).expect("a page");
    let sessions = 4000;
    for _ in 0..sessions {
        let mut walk = Walk::start();
        loop {
            pages += 1;
            of_page += u32::from(walk.page() == page);
            if walk.step(mix, &mut random) == Step::End {
                break;
            }
        }
    }
    (
        f64::from(pages) / f64::from(sessions),
        f64::from(of_page) / f64::from(pages),
    )
}

/// As the emulators walk their tables, where normalised ones would give 11 pages, and 12.3 % for the item.
#[test]
fn sessions_of_rubis_and_rubbos_are_as_long_as_their_emulators_make_them() {
    let (pages, items) = sessions(&AUCTIONS.mixes()[0], "view_item");
    assert!((47.0..53.0).contains(&pages), "{pages}");
    assert!((0.157..0.169).contains(&items), "{items}");
    let (pages, _) = sessions(&NEWS.mixes()[0], "view_story");
    assert!((13.0..14.6).contains(&pages), "{pages}");
}

#[test]
fn tables_name_no_page_that_is_not_there() {
    let pages = [(AUCTIONS.mixes(), 27), (NEWS.mixes(), 24)];
    for (mixes, count) in pages {
        for mix in mixes {
            assert_eq!(mix.pages.len(), count, "{}", mix.name);
            // A line whose names were not all known would have lost shares: each page leads on, or ends.
            for page in &mix.pages {
                let shares: f64 = page.next.iter().map(|it| it.share).sum();
                assert!(
                    shares == 0.0 || shares > 0.05,
                    "{} {}: {shares}",
                    mix.name,
                    page.name
                );
            }
            let back = |it: &&hotset_workload::sessions::PageType| it.goes_back();
            assert!(mix.pages.iter().filter(back).count() >= 3, "{}", mix.name);
        }
    }
}

#[test]
fn going_back_leads_to_the_pages_before_in_turn() {
    let text = "name = \"m\"\n\
        [[page]]\nname = \"a\"\npath = \"/a\"\nnext = [{ to = \"b\", share = 1 }]\n\
        [[page]]\nname = \"b\"\npath = \"/b\"\nnext = [{ to = \"back\", share = 1 }]\n";
    let mix = from_text(text);
    let (mut walk, mut random) = (Walk::start(), random());
    assert_eq!(walk.step(&mix, &mut random), Step::To(1));
    assert_eq!(walk.depth(), 1);
    assert_eq!(walk.step(&mix, &mut random), Step::Back(0));
    assert_eq!((walk.page(), walk.depth()), (0, 0));
}

/// Mass beyond one is never reached, and mass that is missing stays.
#[test]
fn shares_are_walked_as_a_running_sum() {
    let mix = from_text(
        "name = \"m\"\n\
        [[page]]\nname = \"a\"\npath = \"/a\"\nnext = [{ to = \"b\", share = 1.2 }, { to = \"end\", share = 0.2 }]\n\
        [[page]]\nname = \"b\"\npath = \"/b\"\nnext = [{ to = \"a\", share = 0.25 }]\n",
    );
    assert_eq!(mix.pages[0].next_at(0.99), Some(Next::Page(1)));
    assert_eq!(mix.pages[1].next_at(0.24), Some(Next::Page(0)));
    assert_eq!(mix.pages[1].next_at(0.25), None);
}

fn from_text(text: &str) -> Mix {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mix.toml");
    std::fs::write(&path, text).expect("a file");
    read(&path).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_mix_is_read_back_as_it_was_written() {
    let mixes = SHOP.mixes().into_iter();
    for mix in mixes.chain(AUCTIONS.mixes()).chain(NEWS.mixes()) {
        let text = to_toml(&mix, &["Visitors of a shop."]);
        assert_eq!(from_text(&text), mix, "{text}");
    }
}

#[test]
fn a_file_that_contradicts_itself_is_refused_with_its_place() {
    let page = "[[page]]\nname = \"a\"\npath = \"/a\"\nnext = []\n";
    let cases = [
        ("page = []", "`page`"),
        ("shares_of = 0", "`shares_of`"),
        (
            "[think]\nmean = \"7\"\nmost = \"70s\"",
            "`7`: write a duration",
        ),
        ("[session]\nmean = \"7s\"", "go together"),
        ("[session]\nends_at = \"b\"", "no page `b`"),
    ];
    for (lines, said) in cases {
        let text = match lines {
            "page = []" => format!("name = \"m\"\n{lines}\n"),
            _ => format!("name = \"m\"\n{lines}\n{page}"),
        };
        refuses(&text, said);
    }
    for (from, to, said) in [
        ("path = \"/a\"", "path = \"a\"", "begins with /"),
        (
            "next = []",
            "next = [{ to = \"c\", share = 1 }]",
            "no page `c`",
        ),
        (
            "next = []",
            "next = [{ to = \"a\", share = -1 }]",
            "below 0",
        ),
        (
            "next = []",
            "next = []\nfields = [{ name = \"x\" }]",
            "a field has one of",
        ),
        (
            "next = []",
            "next = []\nfields = [{ name = \"x\", nurand = { a = 9223372036854775808, from = 1, to = 2 } }]",
            "`a` and `to` must be at most 9223372036854775807",
        ),
        ("name = \"a\"", "name = \"back\"", "is taken"),
    ] {
        refuses(&format!("name = \"m\"\n{}", page.replace(from, to)), said);
    }
}

#[track_caller]
fn refuses(text: &str, said: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mix.toml");
    std::fs::write(&path, text).expect("a file");
    let error = read(&path).expect_err(text).to_string();
    assert!(error.contains(said), "{error}");
    assert!(error.contains("mix.toml:"), "{error}");
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = read(Path::new("no/such.toml")).expect_err("no file");
    assert!(error.to_string().contains("no/such.toml"), "{error}");
}

/// Kolmogorov and Smirnov's distance of a sample from a distribution.
fn distance(mut sample: Vec<f64>, distribution: impl Fn(f64) -> f64) -> f64 {
    sample.sort_by(f64::total_cmp);
    let count = sample.len() as f64;
    let gaps = sample.iter().enumerate().map(|(below, value)| {
        let expected = distribution(*value);
        let (before, after) = (below as f64 / count, (below + 1) as f64 / count);
        (expected - before).abs().max((after - expected).abs())
    });
    gaps.fold(0.0, f64::max)
}

/// The distance that one sample in a thousand of the distribution exceeds.
fn critical(count: usize) -> f64 {
    1.95 / (count as f64).sqrt()
}

#[test]
fn think_times_are_exponential_and_cut() {
    let think = SHOP.mixes()[0].think;
    let mut random = random();
    let times: Vec<f64> = (0..20_000)
        .map(|_| think.draw(&mut random).as_secs_f64())
        .collect();
    let longest = times.iter().copied().fold(0.0, f64::max);
    assert!(longest <= 70.0, "{longest}");
    let distance = distance(times, |seconds| 1.0 - (-seconds / 7.0).exp());
    assert!(distance < critical(20_000), "{distance}");
}

#[test]
fn another_mean_is_cut_in_proportion_and_none_is_none() {
    let think = SHOP.mixes()[0].think;
    let faster = think.with_mean(Duration::from_millis(700));
    assert_eq!(faster.most, Duration::from_secs(7));
    let none = think.with_mean(Duration::ZERO);
    assert_eq!(none.draw(&mut random()), Duration::ZERO);
    assert_eq!(ThinkTime::NONE.draw(&mut random()), Duration::ZERO);
}

/// The distribution of NURand by counting every pair of its two draws.
fn counted(numbers: NuRand) -> Vec<f64> {
    let span = numbers.to - numbers.from + 1;
    let mut shares = vec![0.0; span as usize];
    for a in 0..=numbers.a {
        for any in numbers.from..=numbers.to {
            shares[((a | any) % span) as usize] += 1.0;
        }
    }
    let all: f64 = shares.iter().sum();
    shares.iter().map(|count| count / all).collect()
}

#[test]
fn uneven_choices_are_those_of_the_specification() {
    for customers in [288_u64, 1000] {
        let numbers = NuRand::of_customers(customers);
        let shares = counted(numbers);
        let cumulated: Vec<f64> = shares
            .iter()
            .scan(0.0, |sum, share| {
                *sum += share;
                Some(*sum)
            })
            .collect();
        let (mut random, count) = (random(), 20_000);
        let mut counts = vec![0.0; shares.len()];
        for _ in 0..count {
            let number = numbers.draw(&mut random);
            assert!((1..=customers).contains(&number), "{number}");
            counts[(number - 1) as usize] += 1.0 / f64::from(count);
        }
        let mut sum = 0.0;
        let gaps = counts.iter().zip(cumulated).map(|(count, expected)| {
            sum += count;
            (sum - expected).abs()
        });
        let distance = gaps.fold(0.0, f64::max);
        assert!(
            distance < critical(count as usize),
            "{customers}: {distance}"
        );
    }
}

#[test]
fn the_range_of_uneven_choices_grows_with_the_shop() {
    let of_customers =
        [2880, 10_000, 40_000, 184_320, 640_000].map(|it| NuRand::of_customers(it).a);
    assert_eq!(of_customers, [1023, 4095, 16_383, 65_535, 262_143]);
    let of_items = [1000, 10_000, 100_000, 1_000_000, 10_000_000].map(|it| NuRand::of_items(it).a);
    assert_eq!(of_items, [63, 511, 4095, 32_767, 524_287]);
}

#[test]
fn syllables_spell_digits() {
    assert_eq!(syllables(1970, 0), "OGNGULBA");
    assert_eq!(syllables(7, 3), "BABAUL");
}

#[test]
fn fields_are_filled_by_their_shares_and_by_each_other() {
    let field = |name: &str, share: f64, value: Value| Field {
        name: name.to_owned(),
        share,
        value,
    };
    let fields = [
        field("name", 1.0, Value::Numbers(1, 9, Spelling::Syllables(0))),
        field("word", 1.0, Value::SameAs("name".to_owned())),
        field("text", 0.25, Value::Letters(3, 5)),
    ];
    let (mut random, mut texts) = (random(), 0);
    for _ in 0..2000 {
        let values = filled(&fields, &mut random);
        assert_eq!(values[0].1, values[1].1);
        if let Some((_, text)) = values.get(2) {
            assert!((3..=5).contains(&text.len()), "{text}");
            texts += 1;
        }
    }
    assert!((400..600).contains(&texts), "{texts}");
}

/// One of TPC-W, of which formulas know the shares, and one of RUBiS, where visitors go back.
#[test]
fn a_browser_visits_each_page_as_often_as_its_share_says() {
    for mix in [SHOP.mixes().remove(0), AUCTIONS.mixes().remove(0)] {
        let shares = page_shares(&mix, 5);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-6);
        let mut browser = Browser::new(3, 0);
        let (mut counts, mut now) = (vec![0.0; mix.pages.len()], Duration::ZERO);
        for _ in 0..200_000 {
            let (page, think) = browser.go_on(&mix, now);
            counts[page] += 1.0 / 200_000.0;
            now += think;
        }
        for (count, share) in counts.iter().zip(&shares) {
            assert!(
                (count - share).abs() < 0.01,
                "{}: {count}, {share}",
                mix.name
            );
        }
    }
}

#[test]
fn the_mean_of_a_think_time_heeds_where_it_is_cut() {
    let think = ThinkTime {
        mean: Duration::from_secs(7),
        most: Duration::from_secs(70),
    };
    let mut random = random();
    let draws = (0..100_000).map(|_| think.draw(&mut random).as_secs_f64());
    let mean = draws.sum::<f64>() / 100_000.0;
    assert!(
        (mean - think.cut_mean().as_secs_f64()).abs() < 0.1,
        "{mean}"
    );
    assert_eq!(ThinkTime::NONE.cut_mean(), Duration::ZERO);
}
