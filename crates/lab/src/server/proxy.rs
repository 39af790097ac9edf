//! nginx in front of web nodes.

use std::net::SocketAddr;
use std::path::Path;

use hotset_scenario::Balance;

use super::{ServerKind, nginx};

/// nginx as a proxy, with keep-alive connections to the nodes behind it.
#[derive(Clone, Debug)]
pub struct Proxy {
    /// The web nodes.
    pub upstream: Vec<SocketAddr>,
    /// Which of them is asked next.
    pub balance: Balance,
    /// How many bytes of responses it keeps, in its node's memory; none without.
    pub cache_bytes: Option<u64>,
    /// Its worker processes.
    pub workers: usize,
}

/// Share of a caching proxy's memory that its kept responses may take; the rest is its processes' and the kernel's.
pub const KEPT_SHARE: u64 = 2;
/// Megabytes for the keys of kept responses.
const KEYS_MEGABYTES: usize = 10;
/// How many responses are kept at most: nginx says of `proxy_cache_path` that a megabyte of keys is some 8000.
pub const KEPT_RESPONSES: usize = KEYS_MEGABYTES * 8000;

/// Idle connections that each worker keeps to the nodes.
const IDLE_CONNECTIONS: usize = 64;
/// The lines of nginx that have nodes asked so; none where they are asked in turn. Workers count requests together in a zone.
fn method(balance: Balance) -> &'static str {
    match balance {
        Balance::RoundRobin => "",
        Balance::LeastConnections => " zone web 256k; least_conn;",
        Balance::Hash => " hash $host$request_uri;",
    }
}

impl ServerKind for Proxy {
    fn configuration(&self, address: SocketAddr, folder: &Path) -> String {
        let servers: String = self
            .upstream
            .iter()
            .map(|node| format!(" server {node};"))
            .collect();
        let folder_name = folder.display();
        let (cache, kept) = match self.cache_bytes {
            None => ("", String::new()),
            Some(bytes) => (
                "      proxy_cache kept; proxy_cache_valid 200 1d;\n",
                format!(
                    "  proxy_cache_path {folder_name}/cache keys_zone=kept:{KEYS_MEGABYTES}m max_size={bytes};\n"
                ),
            ),
        };
        format!(
            "{}{kept}  upstream web {{{}{servers} keepalive {IDLE_CONNECTIONS}; }}\n  \
             server {{ listen {address};\n    location / {{\n{cache}      \
             proxy_pass http://web; proxy_http_version 1.1; proxy_set_header Connection \"\";\n      \
             proxy_set_header Host $host; proxy_max_temp_file_size 0; }} }}\n}}\n",
            nginx::preamble(self.workers, folder),
            method(self.balance)
        )
    }

    fn command(&self, path: &Path) -> (&'static str, Vec<String>) {
        nginx::command(path)
    }
}
