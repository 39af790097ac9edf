//! Which tables files are of, and what is no server.

use std::path::Path;
use std::time::Duration;

use hotset_probe::{DatabaseProbe, DatabaseProbeError, table_of};

#[test]
fn files_are_of_the_tables_that_they_are_named_after() {
    let named = |file: &str| {
        let table = table_of(Path::new(file))?;
        Some(format!("{}.{}", table.database, table.table))
    };
    for (file, table) in [
        ("/var/lib/mysql/shop/item.ibd", "shop.item"),
        ("./shop/item.ibd", "shop.item"),
        ("/srv/shop/item.MYD", "shop.item"),
        ("/srv/shop/item.MYI", "shop.item"),
        ("/srv/shop/item.MAD", "shop.item"),
        ("/srv/shop/orders#P#p2026.ibd", "shop.orders"),
        ("/srv/shop/orders#P#p1#SP#p1sp0.ibd", "shop.orders"),
        // The server knows which characters these are.
        ("/srv/my@002dshop/caf@0p.ibd", "my@002dshop.caf@0p"),
    ] {
        assert_eq!(named(file).as_deref(), Some(table), "{file}");
    }
    for other in ["/srv/shop/item.frm", "/srv/ibdata1", "item.ibd", "/", ""] {
        assert_eq!(named(other), None, "{other}");
    }
}

#[test]
fn what_is_no_socket_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for socket in [folder.path().to_owned(), folder.path().join("none.sock")] {
        let probe = DatabaseProbe {
            socket: socket.clone(),
            duration: Duration::ZERO,
        };
        let refused = probe.measure(&|_| true).expect_err("it is no socket");
        let is_named =
            matches!(&refused, DatabaseProbeError::NotASocket(named) if *named == socket);
        assert!(is_named, "{refused}");
    }
}
