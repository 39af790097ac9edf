//! Server profiles: what they say, and complaints with line, column and fix.

use std::path::Path;

use hotset_scenario::{Balance, Scenario, ServerCosts, ServerProfile, ServerSpec};

const GOOD: &str = r#"source = "measured here"

[nginx]
request_us = 20
ns_per_byte = 0.25
connection_us = 30.5

[nginx-proxy]
request_us = 45.0
ns_per_byte = 0.6

[files-client]
request_us = 12.0
ns_per_byte = 0.3
"#;

fn parse(text: &str) -> Result<ServerProfile, String> {
    let profile = ServerProfile::parse(text, Path::new("conf/servers.toml"));
    profile.map_err(|error| error.to_string())
}

#[test]
fn a_profile_is_read_and_written_again() {
    let profile = parse(GOOD).expect("a profile");
    let proxy = ServerSpec::NginxProxy {
        cache: false,
        upstream: Vec::new(),
        balance: Balance::RoundRobin,
    };
    let costs = ServerCosts {
        request_us: 45.0,
        ns_per_byte: 0.6,
        connection_us: 0.0,
    };
    assert_eq!(profile.costs(&proxy), Some(costs));
    assert_eq!(profile.costs(&ServerSpec::Apache), None);
    assert_eq!(profile.files_client.map(|it| it.request_us), Some(12.0));
    assert_eq!(profile.costs(&ServerSpec::Files), None);
    let connection = profile.nginx.map(|it| it.connection_us);
    assert_eq!(connection, Some(30.5));
    let written = profile.to_toml().expect("text");
    assert_eq!(parse(&written), Ok(profile));
}

#[test]
fn what_cannot_be_used_is_refused_with_its_place() {
    for (from, to, wanted) in [
        (
            "ns_per_byte = 0.25",
            "ns_per_byte = -1",
            "conf/servers.toml:5:15",
        ),
        (
            "ns_per_byte = 0.25",
            "ns_per_byte = 1e12",
            "5:15: `ns_per_byte` in [nginx]: must be at most 1000000 nanoseconds a byte",
        ),
        ("[nginx]", "[ngingx]", "unknown key"),
        ("request_us = 45.0\n", "", "request_us"),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let error = parse(&GOOD.replacen(from, to, 1)).expect_err(to);
        assert!(error.contains(wanted), "{error}");
    }
    let error = parse("source = \"nothing\"").expect_err("no server");
    assert!(error.contains("costs of no server"), "{error}");
}

#[test]
fn a_scenario_reads_the_profile_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("servers.toml"), GOOD).expect("a file");
    let path = folder.path().join("s.toml");
    let scenario = Scenario::parse("server_profile = \"servers.toml\"", &path).expect("a scenario");
    assert_eq!(
        scenario.server_profile,
        Some(parse(GOOD).expect("a profile"))
    );
    let missing = Scenario::parse("server_profile = \"other.toml\"", &path);
    let error = missing.expect_err("no such file").to_string();
    assert!(error.contains("s.toml:1:18: `server_profile`: "), "{error}");
}
