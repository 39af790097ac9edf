//! URLs that are no place to send requests to are refused with what is wrong; size classes.

use hotset_replay::{Endpoint, ReplayError, SizeClass};

#[test]
fn a_url_gives_host_port_and_prefix() {
    let endpoint = Endpoint::resolve("http://127.0.0.1:8080/a/b/").unwrap();
    assert_eq!(
        (endpoint.tls, endpoint.port, endpoint.prefix.as_str()),
        (false, 8080, "/a/b")
    );
    assert_eq!(endpoint.host_header(), "127.0.0.1:8080");
    let endpoint = Endpoint::resolve("https://[::1]").unwrap();
    assert_eq!(
        (endpoint.tls, endpoint.port, endpoint.host.as_str()),
        (true, 443, "::1")
    );
    assert_eq!(endpoint.host_header(), "[::1]");
    assert_eq!(
        Endpoint::resolve("HTTP://127.0.0.1:80/")
            .unwrap()
            .host_header(),
        "127.0.0.1"
    );
}

#[test]
fn other_urls_are_refused() {
    for url in [
        "127.0.0.1:80",
        "ftp://127.0.0.1",
        "http://",
        "http:///path",
        "http://127.0.0.1:0",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:http",
        "http://[::1",
        "http://[::1]x",
        "http://user@127.0.0.1",
        "http://127.0.0.1/?a=b",
        "http://127.0.0.1/a b",
        "http://127.0.0.1/\r\nX: y",
        "http://127.0.0.1?x",
        "",
    ] {
        let error = Endpoint::resolve(url).unwrap_err();
        assert!(matches!(error, ReplayError::Url { .. }), "{url}: {error}");
    }
}

#[test]
fn a_name_without_address_is_said_so() {
    // Reserved never to exist (RFC 6761).
    let error = Endpoint::resolve("http://no-such-host.invalid/").unwrap_err();
    assert!(matches!(error, ReplayError::Dns { .. }), "{error}");
    assert!(
        error.to_string().contains("no-such-host.invalid"),
        "{error}"
    );
}

#[test]
fn size_classes_lie_between_powers_of_four() {
    let classes: Vec<_> = SizeClass::all().collect();
    assert_eq!(classes.len(), SizeClass::COUNT);
    for pair in classes.windows(2) {
        assert_eq!(pair[0].to_bytes(), Some(pair[1].from_bytes()));
        assert_eq!(SizeClass::of(pair[1].from_bytes()), pair[1]);
        assert_eq!(SizeClass::of(pair[1].from_bytes() - 1), pair[0]);
    }
    assert_eq!(SizeClass::of(0), classes[0]);
    assert_eq!(SizeClass::of(u64::MAX), classes[11]);
    let names: Vec<_> = classes.iter().map(ToString::to_string).collect();
    assert_eq!(names[..3], ["< 1 KiB", "1 KiB–4 KiB", "4 KiB–16 KiB"]);
    assert_eq!(names[11], "≥ 1 GiB");
}
