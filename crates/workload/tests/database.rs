//! Databases of benchmarks: rows, files, and what is left when writing ends early.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use hotset_workload::applications::{
    Application, Database, DatabaseError, Engine, Rows, Rubbos, Rubis, Texts, Tpcw, WrittenRows,
    WrittenTable,
};
use hotset_workload::sessions::{Next, read};

const SHOP: Tpcw = Tpcw {
    items: 100,
    customers: 120,
};
const AUCTIONS: Rubis = Rubis {
    users: 50,
    items: 20,
    old_items: 10,
};
const NEWS: Rubbos = Rubbos {
    users: 60,
    stories: 12,
    old_stories: 8,
};

fn database<'a>(application: &'a dyn Application, seed: u64, folder: &'a Path) -> Database<'a> {
    Database {
        application,
        engine: Engine::Innodb,
        seed,
        folder,
        replace: false,
    }
}

fn written(application: &dyn Application, seed: u64) -> Vec<WrittenTable> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.database");
    let tables = database(application, seed, &path).write(&|| true);
    tables.expect("a database")
}

fn rows_of(tables: &[WrittenTable], name: &str) -> u64 {
    let table = tables.iter().find(|table| table.name == name);
    table.expect("a table of this name").written.rows
}

#[test]
fn tables_of_tpcw_have_the_rows_of_the_specification() {
    let tables = written(&SHOP, 1);
    for (name, rows) in [
        ("country", 92),
        ("author", 25),
        ("item", 100),
        ("address", 240),
        ("customer", 120),
        ("orders", 108),
        ("cc_xacts", 108),
        ("shopping_cart", 0),
        ("shopping_cart_line", 0),
    ] {
        assert_eq!(rows_of(&tables, name), rows, "{name}");
    }
    assert_eq!(tables.len(), 10);
}

/// Rows of one table, and what they come to.
fn filled(application: &dyn Application, name: &str, seed: u64) -> (String, WrittenRows) {
    let tables = application.tables().iter();
    let number = tables.clone().position(|table| table.name == name);
    let (texts, mut lines) = (Texts::new(seed), Vec::<u8>::new());
    let mut rows = Rows::new(seed, &texts, &mut lines, &|| true);
    let done = application.fill(number.expect("a table"), &mut rows);
    done.expect("memory takes all");
    let written = rows.finish().expect("memory takes all");
    (String::from_utf8(lines).expect("letters"), written)
}

#[test]
fn an_order_has_three_lines_on_average() {
    let shop = Tpcw {
        items: 100,
        customers: 20_000,
    };
    let (lines, written) = filled(&shop, "order_line", 1);
    let mean = written.rows as f64 / shop.orders() as f64;
    assert!((mean - 3.0).abs() < 0.05, "{mean}");
    assert_eq!(lines.lines().count() as u64, written.rows);
    let last = lines
        .lines()
        .last()
        .and_then(|line| line.split('\t').nth(1));
    assert_eq!(last, Some(shop.orders().to_string().as_str()));
}

#[test]
fn rows_have_a_value_for_each_column_and_fit_it() {
    let applications: [&dyn Application; 3] = [&SHOP, &AUCTIONS, &NEWS];
    for application in applications {
        for table in application.tables() {
            let columns: Vec<&str> = table
                .columns
                .lines()
                .map(str::trim)
                .filter(|line| !line.starts_with("PRIMARY"))
                .collect();
            let (lines, _) = filled(application, table.name, 3);
            for line in lines.lines() {
                let values: Vec<&str> = line.split('\t').collect();
                assert_eq!(values.len(), columns.len(), "{}: {line}", table.name);
                for (column, value) in columns.iter().zip(&values) {
                    let most = column
                        .split_once("CHAR(")
                        .and_then(|(_, rest)| rest.split_once(')'));
                    let most = most.map_or(usize::MAX, |(most, _)| most.parse().expect("a number"));
                    assert!(value.len() <= most, "{}: {column}: {value}", table.name);
                    assert!(!value.contains('\\'), "{line}");
                }
            }
        }
    }
}

#[test]
fn numbers_of_rows_refer_to_rows_that_are_there() {
    let (lines, _) = filled(&SHOP, "item", 5);
    for line in lines.lines() {
        let values: Vec<&str> = line.split('\t').collect();
        let author: u64 = values[2].parse().expect("a number");
        assert!((1..=SHOP.authors()).contains(&author), "{line}");
        for related in &values[7..12] {
            let related: u64 = related.parse().expect("a number");
            assert!((1..=SHOP.items).contains(&related) && values[0] != related.to_string());
        }
    }
    let authors: u64 = SHOP.authors();
    assert_eq!(authors, 25);
}

/// The items whose titles begin with the same syllables are those that a search is to find.
#[test]
fn five_titles_begin_alike() {
    let (lines, _) = filled(&SHOP, "item", 5);
    let beginning = |line: &str| line.split('\t').nth(1).map(|title| title[..14].to_owned());
    let mut titles: Vec<_> = lines.lines().filter_map(beginning).collect();
    titles.sort_unstable();
    let counts: Vec<usize> = titles
        .chunk_by(|a, b| a == b)
        .map(<[String]>::len)
        .collect();
    assert_eq!(counts, [5; 20]);
}

#[test]
fn bids_are_as_many_as_items_say() {
    let (items, _) = filled(&AUCTIONS, "items", 1);
    let (_, bids) = filled(&AUCTIONS, "bids", 1);
    let said = items.lines().filter_map(|line| line.split('\t').nth(7));
    let said: u64 = said
        .map(|count| count.parse::<u64>().expect("a number"))
        .sum();
    assert_eq!(bids.rows, said);
}

#[test]
fn the_same_seed_gives_the_same_tables_and_another_gives_others() {
    assert_eq!(written(&SHOP, 7), written(&SHOP, 7));
    let (one, other) = (written(&NEWS, 7), written(&NEWS, 8));
    assert_ne!(one[1].written.checksum, other[1].written.checksum);
    // Its categories have no random column.
    assert_eq!(one[0].written.checksum, other[0].written.checksum);
}

#[test]
fn the_folder_has_what_a_server_and_its_visitors_need() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shop.database");
    let shop = Database {
        engine: Engine::Aria,
        ..database(&SHOP, 1, &path)
    };
    let tables = shop.write(&|| true).expect("a database");
    let text = |name: &str| fs::read_to_string(path.join(name)).expect(name);
    assert_eq!(
        text("schema.sql").matches("ENGINE=Aria").count(),
        tables.len()
    );
    assert!(
        text("indexes.sql")
            .contains("ALTER TABLE customer ADD INDEX (c_uname), ADD INDEX (c_addr_id);")
    );
    for table in &tables {
        let name = table.name;
        let rows = fs::read(path.join(format!("tables/{name}.tsv"))).expect(name);
        assert_eq!(rows.len() as u64, table.written.bytes, "{name}");
        let load = format!("LOAD DATA LOCAL INFILE 'tables/{name}.tsv' INTO TABLE {name};");
        assert!(text("load.sql").contains(&load), "{name}");
    }
    for mix in SHOP.mixes() {
        let kept = read(&path.join(format!("sessions/{}.toml", mix.name)));
        assert_eq!(kept.expect("a mix"), mix);
    }
    assert!(text("database.toml").contains(&tables[0].written.checksum));
    assert!(text("conf/nginx.conf").contains("fastcgi_pass"));
}

#[test]
fn each_page_of_a_mix_has_a_script() {
    let applications: [(&dyn Application, usize); 3] = [(&SHOP, 14), (&AUCTIONS, 27), (&NEWS, 24)];
    for (application, count) in applications {
        let scripts: Vec<&str> = application.files().iter().map(|(path, _)| *path).collect();
        // One more has what they have in common.
        assert_eq!(scripts.len(), count + 1, "{}", application.name());
        for mix in application.mixes() {
            for page in &mix.pages {
                let script = format!("pages{}", page.path);
                assert!(scripts.contains(&script.as_str()), "{script}");
            }
        }
    }
}

/// A page that follows another is linked from its script, or from what its scripts have in common.
#[test]
fn each_page_leads_to_those_that_follow_it() {
    let applications: [&dyn Application; 3] = [&SHOP, &AUCTIONS, &NEWS];
    for application in applications {
        let files = application.files();
        let text = |name: &str| {
            let path = format!("pages/{name}.php");
            let found = files.iter().find(|(of, _)| *of == path);
            found.map_or("", |(_, text)| *text)
        };
        let common = ["shop", "auctions", "news"].map(text).concat();
        for mix in application.mixes() {
            for page in &mix.pages {
                let script = text(&page.name).to_owned() + &common;
                for transition in &page.next {
                    let Next::Page(to) = transition.to else {
                        continue;
                    };
                    let name = format!("'{}'", mix.pages[to].name);
                    let is_linked = script.contains(&name);
                    assert!(is_linked, "{} {}: {name}", application.name(), page.name);
                }
            }
        }
    }
}

#[test]
fn a_database_is_replaced_only_where_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.database");
    let first = database(&SHOP, 1, &path);
    first.write(&|| true).expect("a database");
    assert!(matches!(
        first.write(&|| true),
        Err(DatabaseError::Exists(_))
    ));
    fs::write(path.join("old"), "").expect("a file");
    let again = Database {
        replace: true,
        ..database(&SHOP, 2, &path)
    };
    again.write(&|| true).expect("a database");
    assert!(!path.join("old").exists());
    let other = folder.path().join("photos");
    fs::create_dir(&other).expect("a folder");
    let over = Database {
        folder: &other,
        ..again
    };
    assert!(matches!(over.write(&|| true), Err(DatabaseError::Other(_))));
}

#[test]
fn nothing_is_left_of_what_was_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.database");
    let asked = AtomicU32::new(0);
    let go_on = || asked.fetch_add(1, Ordering::Relaxed) < 3;
    let done = database(&SHOP, 1, &path).write(&go_on);
    assert!(matches!(done, Err(DatabaseError::Interrupted)));
    let left = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 0);
}

/// MiB that tables took in MariaDB 10.11, beside the estimates of shops, auctions and news of their rows.
#[test]
fn estimates_are_within_three_percent_of_measured_tables() {
    let shop = |items, customers, engine| Tpcw { items, customers }.estimated_bytes(engine);
    let auctions = |users, items, old_items, engine| {
        let site = Rubis {
            users,
            items,
            old_items,
        };
        site.estimated_bytes(engine)
    };
    let news = |users, stories, old_stories, engine| {
        let site = Rubbos {
            users,
            stories,
            old_stories,
        };
        site.estimated_bytes(engine)
    };
    for (name, estimated, measured_mib) in [
        ("shop 0", shop(1000, 15_350, Engine::Innodb), 25.63),
        ("shop 1", shop(10_000, 57_950, Engine::Innodb), 90.75),
        ("shop 2", shop(100_000, 229_040, Engine::Innodb), 389.20),
        ("shop, MyISAM", shop(10_000, 78_490, Engine::Myisam), 97.16),
        ("shop, Aria", shop(10_000, 78_490, Engine::Aria), 104.55),
        (
            "auctions 1",
            auctions(18_464, 603, 9232, Engine::Innodb),
            95.25,
        ),
        (
            "auctions 2",
            auctions(83_089, 2714, 41_545, Engine::Innodb),
            426.53,
        ),
        (
            "auctions, Aria",
            auctions(18_464, 603, 9232, Engine::Aria),
            93.70,
        ),
        ("news 1", news(89_438, 107, 2612, Engine::Innodb), 102.84),
        ("news 2", news(402_473, 483, 11_752, Engine::Innodb), 445.48),
        (
            "news, MyISAM",
            news(89_438, 107, 2612, Engine::Myisam),
            83.19,
        ),
    ] {
        let off = estimated as f64 / f64::from(1 << 20) / measured_mib - 1.0;
        assert!(off.abs() < 0.03, "{name}: {off}");
    }
}

#[test]
fn a_shop_of_so_many_bytes_has_the_customers_that_fill_them() {
    for bytes in [25 << 20, 100 << 20, 450 << 20, 2 << 30, 6_u64 << 30] {
        let shop = Tpcw::of_bytes(bytes, 10_000, Engine::Innodb);
        let off = shop.estimated_bytes(Engine::Innodb) as f64 / bytes as f64;
        assert!((off - 1.0).abs() < 0.001, "{bytes}: {off}");
        assert_eq!(shop.customers % 10, 0);
    }
    assert_eq!(Tpcw::of_bytes(1, 10_000, Engine::Innodb).customers, 10);
}

/// Dates of what visitors of the news site write are those of its population.
#[test]
fn the_news_site_stays_on_the_day_of_its_population() {
    let (lines, _) = filled(&NEWS, "stories", 1);
    let newest = lines
        .lines()
        .filter_map(|line| line.split('\t').nth(3))
        .max();
    let day = "2004-06-01";
    assert!(newest.is_some_and(|date| date < day), "{newest:?}");
    let common = NEWS
        .files()
        .iter()
        .find(|(path, _)| *path == "pages/news.php");
    let today = format!("const TODAY = '{day}';");
    assert!(common.is_some_and(|(_, text)| text.contains(&today)));
    for (path, text) in NEWS.files() {
        let dates = text.matches("NOW()").count();
        assert_eq!(
            dates,
            usize::from(path.ends_with("register_user.php")),
            "{path}"
        );
    }
}
