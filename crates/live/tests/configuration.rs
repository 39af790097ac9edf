//! The lines that make a server look into a hot root first, and the sites that cannot be served so.

use hotset_live::{ConfigurationError, ServerKind, SiteFolder, StateFolder, configuration};
use std::fs;
use std::path::Path;

const ALL: [ServerKind; 3] = [ServerKind::Nginx, ServerKind::Apache, ServerKind::Caddy];

fn folder(site: &str, prefix: &str, folder: &Path) -> SiteFolder {
    SiteFolder {
        site: site.to_owned(),
        prefix: prefix.to_owned(),
        folder: folder.to_owned(),
    }
}

fn state() -> StateFolder {
    StateFolder::at(Path::new("/var/lib/hotset/state")).unwrap()
}

#[test]
fn every_server_is_told_where_the_copies_of_each_site_are() {
    let folders = [
        folder("shop.example", "/", Path::new("/srv/shop")),
        folder("shop.example", "/docs/", Path::new("/srv/docs")),
        folder("../up", "/", Path::new("/srv/up")),
    ];
    for server in ALL {
        let lines = configuration(server, &folders, &state()).unwrap();
        assert!(
            lines.contains("\"/var/lib/hotset/state/copies/shop.example"),
            "{lines}"
        );
        assert!(
            lines.contains("\"/var/lib/hotset/state/copies/_2e._2fup"),
            "{lines}"
        );
        // Apache maps an alias itself, behind the rule that looks for a copy.
        let names_alias = lines.contains("/docs/") && lines.contains("\"/srv/docs");
        assert_eq!(names_alias, server != ServerKind::Apache, "{lines}");
    }
}

#[test]
fn a_site_that_depends_on_htaccess_is_refused_by_name_for_apache_only() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("a/b")).unwrap();
    fs::write(root.path().join("a/b/.htaccess"), "Require all denied").unwrap();
    let folders = [folder("shop", "/", root.path())];
    let refused = configuration(ServerKind::Apache, &folders, &state()).unwrap_err();
    let expected = ConfigurationError::DependsOnHtaccess {
        site: "shop".to_owned(),
        file: root.path().join("a/b/.htaccess"),
    };
    assert_eq!(refused, expected);
    assert!(configuration(ServerKind::Nginx, &folders, &state()).is_ok());
}

#[test]
fn paths_that_would_be_more_than_paths_are_refused() {
    for path in [
        "/srv/a\"; evil",
        "/srv/$host",
        "/srv/{x}",
        "/srv/%1",
        "/srv/a\nb",
        "/srv/a\\b",
    ] {
        for server in ALL {
            let folders = [folder("shop", "/", Path::new(path))];
            let refused = configuration(server, &folders, &state()).unwrap_err();
            assert_eq!(refused, ConfigurationError::Path { path: path.into() });
        }
    }
    let folders = [folder("a\nload_module x", "/", Path::new("/srv/a"))];
    assert!(configuration(ServerKind::Nginx, &folders, &state()).is_err());
}
