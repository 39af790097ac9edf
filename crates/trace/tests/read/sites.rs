//! Rules that split requests into sites.

use super::support::{get, read_good, read_text, read_with, write};
use hotset_trace::Trace;
use hotset_trace::read::{ReadError, ReadOptions, SiteRule};

fn rules(rules: &[&str]) -> ReadOptions {
    let sites = rules
        .iter()
        .map(|rule| rule.parse::<SiteRule>().unwrap())
        .collect();
    ReadOptions {
        sites,
        ..ReadOptions::default()
    }
}

fn site_names(trace: &Trace) -> Vec<&str> {
    trace
        .requests
        .site
        .iter()
        .map(|&site| trace.sites[site as usize].as_str())
        .collect()
}

/// Lines of the combined format behind a virtual host.
fn hosted(lines: &[(&str, &str)]) -> String {
    let lines = lines.iter().enumerate();
    lines
        .map(|(i, (host, path))| format!("{host}:80 {}", get(i as u32, path)))
        .collect()
}

#[test]
fn without_rules_and_hosts_there_is_one_site() {
    let (trace, _) = read_text(
        &[get(1, "/a"), get(2, "/b")].concat(),
        &ReadOptions::default(),
    );
    assert_eq!(trace.sites, ["all"]);
}

#[test]
fn first_path_rule_that_matches_wins() {
    let text = [
        get(1, "/shop/a"),
        get(2, "/shop/img/b"),
        get(3, "/img/c"),
        get(4, "/d"),
    ]
    .concat();
    let (trace, _) = read_text(&text, &rules(&["shop=/shop/*", "images=*/img/*"]));
    assert_eq!(site_names(&trace), ["shop", "shop", "images", "other"]);
    assert_eq!(trace.objects.site, trace.requests.site);
}

#[test]
fn requests_without_an_object_have_a_site_too() {
    let missing = super::support::line("c", 2, "GET /shop/%78 HTTP/1.1", 404, "9");
    let (trace, _) = read_text(&[get(1, "/a"), missing].concat(), &rules(&["x=/shop/x"]));
    assert_eq!(site_names(&trace), ["other", "x"]);
}

#[test]
fn virtual_hosts_are_sites_without_rules() {
    let text = hosted(&[
        ("a.example", "/i"),
        ("b.example", "/i"),
        ("A.example.", "/i"),
    ]);
    let (trace, _) = read_text(&text, &ReadOptions::default());
    assert_eq!(site_names(&trace), ["a.example", "b.example", "a.example"]);
    assert_eq!(trace.requests.object, [0, 1, 0]);
}

#[test]
fn host_rules_join_spellings_of_a_site_and_keep_other_hosts_apart() {
    let hosts = [
        "www.shop.example",
        "SHOP.example",
        "x.example",
        "y.example",
        "x.example",
    ];
    let text = hosted(&hosts.map(|host| (host, "/i")));
    let (trace, _) = read_text(&text, &rules(&["shop=host:*shop.example"]));
    assert_eq!(
        site_names(&trace),
        ["shop", "shop", "other", "other", "other"]
    );
    assert_eq!(trace.requests.object, [0, 0, 1, 2, 1]);
    assert_eq!(trace.objects.path.get(1), b"//x.example/i");
}

#[test]
fn path_rules_before_a_host_rule_go_first() {
    let text = hosted(&[
        ("a.example", "/img/x"),
        ("a.example", "/y"),
        ("b.example", "/img/x"),
    ]);
    let (trace, _) = read_text(&text, &rules(&["img=/img/*", "a=host:a.example"]));
    assert_eq!(site_names(&trace), ["img", "a", "img"]);
    let text = hosted(&[
        ("a.example", "/img/x"),
        ("a.example", "/y"),
        ("b.example", "/img/x"),
    ]);
    let (trace, _) = read_text(&text, &rules(&["a=host:a.example", "img=/img/*"]));
    assert_eq!(site_names(&trace), ["a", "a", "img"]);
}

#[test]
fn one_log_per_domain() {
    let folder = tempfile::tempdir().unwrap();
    let a = write(
        folder.path(),
        "a.example.log",
        [get(1, "/i"), get(5, "/i")].concat(),
    );
    let b = write(
        folder.path(),
        "b.example.log",
        [get(2, "/i"), get(3, "/j")].concat(),
    );
    let options = rules(&["a=log:*/a.example*", "b=log:*/b.example*"]);
    let (trace, summary) = read_good(&[a, b], &options);
    assert_eq!(site_names(&trace), ["a", "b", "b", "a"]);
    assert_eq!(trace.requests.object, [0, 1, 2, 0]);
    assert_eq!(summary.sources[1].site.as_deref(), Some("b"));
}

#[test]
fn rule_that_matches_nothing_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.log", get(1, "/a"));
    for rule in ["x=/shop/*", "x=host:*.example", "x=log:*/b.log"] {
        let error = read_with(std::slice::from_ref(&path), &rules(&[rule])).unwrap_err();
        assert!(matches!(error, ReadError::UnusedSiteRule { .. }));
        assert!(error.to_string().contains(rule), "{error}");
    }
}

#[test]
fn rules_that_are_none_are_refused() {
    for rule in ["shop", "=/x", "shop=", "shop=host:", "shop=/[", ""] {
        let error = rule.parse::<SiteRule>().unwrap_err();
        assert!(matches!(error, ReadError::SiteRule { .. }), "{rule}");
    }
}

#[test]
fn a_rule_that_can_never_match_is_refused_with_the_forms_there_are() {
    for text in [
        "shop=shop/*",
        "shop=vhost:a.example",
        "shop=a.example",
        "a\nb=/*",
        "\u{1b}[31m=/*",
    ] {
        let error = text.parse::<SiteRule>().expect_err(text).to_string();
        assert!(!error.contains(char::is_control), "{error}");
    }
    for text in [
        "shop=/shop/*",
        "shop=*.png",
        "shop={/a,/b}*",
        "shop=[/]a",
        "shop=?a",
        "a b=/*",
    ] {
        assert!(text.parse::<SiteRule>().is_ok(), "{text}");
    }
}
