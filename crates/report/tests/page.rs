//! The page, as text and in a real browser.

use crate::sample;
use hotset_plan::Arm;
use hotset_test_support::skip;

use crate::sample::{DescriptionSample, Sample};
use hotset_describe::{HotFile, RateSeries, SiteDescription, TimeSpan};
use hotset_outcome::{Bootstrap, compare};
use hotset_report::{ComparisonView, Page};
use std::path::Path;
use std::process::{Command, Output};

/// What the one script of a page begins with.
const OWN_SCRIPT: &str = "<script>// Lets the rows of lists be sorted";

/// Whether the only script is the page's own, and the only one that its policy lets run.
fn has_only_its_own_script(html: &str) -> bool {
    html.matches("<script").count() == 1
        && html.contains(OWN_SCRIPT)
        && html.matches("script-src 'sha256-").count() == 1
}

/// Bytes a page may take.
const LARGEST_PAGE: usize = 1_000_000;

fn page_of(sample: &Sample) -> String {
    sample.view().page(&sample::provenance())
}

fn plan_page() -> String {
    page_of(&Sample::new())
}

fn description_page() -> String {
    DescriptionSample::new().view().page(&sample::provenance())
}

/// Two outcomes of which one has a hostile name.
fn compare_page() -> String {
    let mut other = sample::outcome();
    other.name = sample::SCRIPT.to_owned();
    let compared = compare(&[sample::outcome(), other], &Bootstrap::seeded(1)).unwrap();
    let view = ComparisonView {
        side_by_side: &compared,
        outcomes: &[],
    };
    view.page(&sample::provenance())
}

/// Runs the page in a headless browser and returns what it prints, or nothing where there is none.
fn browse(html: &str, mode: &[&str]) -> Option<Output> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, html).unwrap();
    match browser(folder.path())
        .args(mode)
        .arg(format!("file://{}", file.display()))
        .output()
    {
        Ok(output) => Some(output),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            skip("there is no chromium on PATH");
            None
        }
        Err(error) => panic!("chromium: {error}"),
    }
}

fn browser(profile: &Path) -> Command {
    let mut command = Command::new("chromium");
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--enable-logging=stderr",
    ]);
    command.arg(format!(
        "--user-data-dir={}",
        profile.join("profile").display()
    ));
    command
}

fn dom(html: &str) -> Option<String> {
    let output = browse(html, &["--dump-dom"])?;
    assert!(output.status.success(), "{output:?}");
    let log = String::from_utf8_lossy(&output.stderr);
    let complaints: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("CONSOLE"))
        .collect();
    assert!(
        complaints.is_empty(),
        "the page logs to the console: {complaints:?}"
    );
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_page_shows_its_figures_and_plots_in_a_browser() {
    let Some(dom) = dom(&plan_page()) else { return };
    let headline = "Holding 312 files (41.2 MiB of 64 MiB) cuts the mean response by 12.3 % (8.2–15.3 %) on \
                    traffic the plan has not seen";
    assert!(dom.contains(headline), "no headline in {dom}");
    for figure in [
        "1,841",
        "2,701",
        "10,000",
        "0.873",
        "blog.example.org",
        "ext3-2004",
        "/images/shop-0.png",
    ] {
        assert!(dom.contains(figure), "no {figure} in {dom}");
    }
    assert_eq!(dom.matches("<svg").count(), 7, "plots");
    assert_eq!(dom.matches("</svg>").count(), 7, "plots");
    assert!(dom.contains("aria-label=\"Misses against memory."));
    assert!(dom.contains("<title>all sites: 4.2 % at 13:00 to 14:00</title>"));
}

#[test]
fn outcomes_side_by_side_show_their_plots_in_a_browser() {
    let Some(dom) = dom(&compare_page()) else {
        return;
    };
    assert_eq!(dom.matches("<svg").count(), 2, "plots");
    assert!(dom.contains("mean is 1 (1–1) × plan's; the difference may be chance"));
    assert!(dom.contains("0.5 s") && dom.contains("same requests, paired"));
    assert!(!dom.contains("<script"), "{dom}");
}

#[test]
fn scripts_in_paths_stay_text_and_do_not_run() {
    let loud = "/<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">";
    let mut sample = Sample::new();
    sample.placement.files[0].path = loud.into();
    sample.placement.files[0].site = loud.to_owned();
    sample.plan.sites[0].site = loud.to_owned();
    sample.description.sites[0].site = loud.to_owned();
    let html = page_of(&sample);
    let Some(dom) = dom(&html) else { return };
    assert!(
        !dom.contains("<title>run</title>") && !dom.contains("<img"),
        "{dom}"
    );
    assert!(has_only_its_own_script(&dom), "{dom}");
    assert!(
        dom.contains("&lt;script&gt;alert(1)&lt;/script&gt;"),
        "{dom}"
    );
}

#[test]
fn a_name_that_turns_text_around_is_written_out_in_plots_too() {
    let mut sample = DescriptionSample::new();
    sample.description.sites[0].site = "shop\u{202e}gro.example".to_owned();
    let html = sample.view().page(&sample::provenance());
    assert!(!html.contains('\u{202e}'), "{html}");
    let name = "<title>shop%E2%80%AEgro.example: ";
    assert!(html.contains(name), "{html}");
}

/// Uses of an address that a browser would follow by itself.
fn fetched(html: &str) -> Vec<&str> {
    let markers = [
        "src=",
        "href=",
        "url(",
        "@import",
        "<link",
        "<script",
        "<iframe",
        "<object",
        "srcset=",
        "fetch(",
        "import(",
        "XMLHttpRequest",
        "WebSocket",
    ];
    let allowed = |rest: &&str| !rest.starts_with("href=\"#") && !rest.starts_with(OWN_SCRIPT);
    markers
        .iter()
        .flat_map(|m| html.match_indices(m).map(|(at, _)| &html[at..]))
        .filter(allowed)
        .collect()
}

#[test]
fn only_several_nodes_have_a_table() {
    let page = page_of(&Sample::of_two_nodes());
    assert!(page.contains("What each node holds") && page.contains("web1"));
    assert!(page.contains("so no plan is made for front."));
    assert!(has_only_its_own_script(&page), "a node's name is text");
    assert!(!plan_page().contains("What each node holds"));
}

#[test]
fn nothing_is_fetched() {
    for html in [plan_page(), compare_page(), description_page()] {
        let found: Vec<String> = fetched(&html)
            .iter()
            .map(|f| f.chars().take(60).collect())
            .collect();
        assert!(found.is_empty(), "{found:?}");
        let addresses = html.matches("http").count();
        let namespaces = html.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(
            addresses - namespaces,
            html.matches("http-equiv").count(),
            "an address other than a namespace"
        );
        assert!(html.contains("default-src 'none'"), "no policy");
    }
}

#[test]
fn every_link_has_its_anchor() {
    for html in [plan_page(), compare_page()] {
        for (at, _) in html.match_indices("href=\"#") {
            let name = html[at + 7..].split('"').next().unwrap();
            assert!(html.contains(&format!("id=\"{name}\"")), "no anchor {name}");
        }
    }
}

#[test]
fn the_page_speaks_to_screen_readers() {
    speaks_to_screen_readers(&plan_page());
    speaks_to_screen_readers(&compare_page());
}

fn speaks_to_screen_readers(html: &str) {
    assert!(html.starts_with("<!DOCTYPE html><html lang=\"en\">"));
    assert_eq!(html.matches("<h1>").count(), 1);
    assert_eq!(
        html.matches("<table").count(),
        html.matches("<caption>").count()
    );
    assert_eq!(
        html.matches("<svg").count(),
        html.matches("role=\"img\" aria-label=").count()
    );
    assert!(!html.contains("<th>"), "a header cell without scope");
}

#[test]
fn many_sites_and_endless_paths_keep_the_page_small() {
    let mut sample = Sample::new();
    for file in &mut sample.placement.files {
        file.path = format!("/{}", "a/".repeat(5_000)).as_str().into();
    }
    sample.plan.sites = vec![sample.plan.sites[0].clone(); 300];
    sample.description.sites = vec![sample.description.sites[0].clone(); 300];
    let html = page_of(&sample);
    assert!(html.len() < LARGEST_PAGE, "{} bytes", html.len());
    assert!(
        plan_page().len() < LARGEST_PAGE / 4,
        "{} bytes",
        plan_page().len()
    );
}

#[test]
fn a_page_in_short_has_the_beginnings_of_its_lists_and_no_script() {
    let (whole, sample) = (plan_page(), Sample::new());
    let short = sample.view().page_in_short(&sample::provenance());
    assert!(whole.contains(OWN_SCRIPT) && !short.contains("<script"));
    assert!(whole.contains("class=\"list\"") && !short.contains("class=\"list\""));
    assert_eq!(short.matches("<svg").count(), whole.matches("<svg").count());
}

#[test]
fn a_plan_without_accesses_times_or_clients_is_a_page_too() {
    let mut sample = Sample::new();
    let nothing = sample::score(f64::NAN, f64::NAN, None);
    let held_out = &mut sample.plan.total.held_out;
    (held_out[Arm::Plan], held_out[Arm::PageCache]) = (nothing.clone(), nothing);
    sample.plan.held.objects = 0;
    sample.plan.curve.clear();
    sample.advice.clear();
    sample.description.sites.truncate(1);
    blank(&mut sample.description.sites[0]);
    blank(&mut sample.description.total);
    let html = page_of(&sample);
    assert!(
        html.contains("Leave it to the page cache") && html.contains("shop"),
        "{html}"
    );
    assert!(!html.contains("NaN") && !html.contains("inf<"), "{html}");
}

/// A request a second for ten minutes and one second, which begins the eleventh minute.
#[test]
fn a_minute_that_the_log_hardly_covers_is_no_dive_in_the_rate() {
    let mut sample = DescriptionSample::new();
    let start_us = (0..11).map(|minute| minute * 60_000_000).collect();
    let mut requests = vec![60; 11];
    requests[10] = 1;
    sample.description.span = Some(TimeSpan {
        first_us: 0,
        last_us: 601_000_000,
    });
    sample.description.sites.truncate(1);
    sample.description.total.requests_per_minute = RateSeries { start_us, requests };
    let html = sample.view().page(&sample::provenance());
    let rates: Vec<&str> = html
        .split("<title>blog.example.org: ")
        .skip(1)
        .map(|rest| &rest[..rest.find(" at ").unwrap()])
        .take_while(|value| !value.contains('%'))
        .collect();
    assert!(
        rates.len() >= 10 && rates.iter().all(|rate| *rate == "1"),
        "{rates:?}"
    );
}

fn blank(site: &mut SiteDescription) {
    site.clients = None;
    site.requests_per_connection = None;
    site.requests_per_second = Default::default();
    site.requests_per_minute = Default::default();
    site.requests_per_hour = Default::default();
    site.object_size_bytes = None;
    site.access_size_bytes = None;
    site.zipf = None;
    site.miss_ratio_curve.clear();
}

/// A page whose list of hottest files has `rows` rows, and a script behind its own that uses it and shows what came of it.
fn used(rows: u64, script: &str) -> Option<String> {
    let mut sample = DescriptionSample::new();
    let file = sample.description.lists.hottest[0].clone();
    sample.description.lists.hottest = (0..rows)
        .map(|i| HotFile {
            path: format!("/file{i}.html"),
            accesses: i * 7_919 % rows,
            size_bytes: 1_000 * i,
            ..file.clone()
        })
        .collect();
    let html = sample.view().page(&sample::provenance());
    // The page's policy would not let a second script run.
    let (head, rest) = html.split_once("script-src ").unwrap();
    let (_, rest) = rest.split_once('"').unwrap();
    let open = format!("{head}script-src 'unsafe-inline'\"{rest}");
    let script = format!("<script>{USE}{script}</script></body>");
    dom(&open.replace("</body>", &script))
}

/// The list of hottest files: `head(i)` is a header, `column(i)` what a column shows.
const USE: &str = r#"
    const list = document.querySelector("section#sizes table.list");
    const head = (i) => list.tHead.rows[0].cells[i];
    const rows = () => [...list.tBodies[0].rows].filter((row) => !row.hidden);
    const column = (i) => rows().map((row) => row.cells[i].textContent);
    const say = (...what) => { document.title = what.join("|"); };
"#;

#[test]
fn a_list_is_sorted_by_its_figures() {
    let script = r#"
        head(1).querySelector("button").click();
        const first = [head(1).ariaSort, column(1)[0], column(1).at(-1)];
        head(2).querySelector("button").click();
        head(2).querySelector("button").click();
        say(...first, head(1).ariaSort ?? "none", head(2).ariaSort, column(2)[0], column(2)[1], rows().length);
    "#;
    let Some(dom) = used(5_000, script) else {
        return;
    };
    let title = "<title>descending|4,999|0|none|ascending|0 B|1000 B|5000</title>";
    assert!(dom.contains(title), "{:?}", dom.get(..900));
}

#[test]
fn a_list_is_searched_as_one_types() {
    let script = r#"
        const find = list.parentElement.previousElementSibling;
        const input = find.querySelector("input");
        input.value = "FILE49";
        input.dispatchEvent(new Event("input"));
        const some = [rows().length, find.querySelector("output").textContent];
        input.value = "";
        input.dispatchEvent(new Event("input"));
        say(find.tagName, ...some, rows().length, find.querySelector("output").textContent);
    "#;
    let Some(dom) = used(5_000, script) else {
        return;
    };
    let title = "<title>LABEL|111|111 of 5000 rows|5000|</title>";
    assert!(dom.contains(title), "{:?}", dom.get(..900));
}

#[test]
fn a_script_that_is_not_the_pages_own_does_not_run() {
    let html = description_page();
    let html = html.replace("</body>", "<script>document.title = 'run'</script></body>");
    let Some(output) = browse(&html, &["--dump-dom"]) else {
        return;
    };
    let dom = String::from_utf8_lossy(&output.stdout);
    assert!(
        dom.contains("<button") && !dom.contains("<title>run"),
        "{dom}"
    );
}

#[test]
#[ignore = "writes pictures of the page to look at: HOTSET_PICTURES=folder"]
fn pictures() {
    let folder = std::env::var("HOTSET_PICTURES").unwrap();
    std::fs::write(format!("{folder}/plan.html"), plan_page()).unwrap();
    std::fs::write(format!("{folder}/describe.html"), description_page()).unwrap();
}
