//! A server of an experiment as scenarios describe it.

use hotset_scenario::{Database, Engine, FlushMethod, Place};
use hotset_workload::applications;

/// A server of this name on a node, whose data is on the first store.
pub(super) fn described(
    (name, node): (&str, &str),
    engine: applications::Engine,
    pool_bytes: u64,
    flush_method: &str,
) -> Database {
    let method = flush_method.to_ascii_uppercase();
    Database {
        name: name.to_owned(),
        node: node.to_owned(),
        store: 0,
        engine: match engine {
            applications::Engine::Innodb => Engine::InnoDb,
            applications::Engine::Myisam => Engine::MyIsam,
            applications::Engine::Aria => Engine::Aria,
        },
        said_pool_bytes: Some(pool_bytes),
        said_flush_method: Some(match method.starts_with("O_DIRECT") {
            true => FlushMethod::Direct,
            false => FlushMethod::Fsync,
        }),
        probes: Vec::new(),
        sites: Vec::new(),
        socket: None,
        configuration: None,
        at: Place { line: 1, column: 1 },
    }
}
