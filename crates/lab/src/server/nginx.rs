//! nginx that serves files.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;

use super::{ServerKind, VirtualHost};

/// Worker processes of an nginx.
pub const WORKERS: usize = 4;

/// Requests as JSON, with the server's time for each. All clients of the lab have one address, which stands for many: they are named
/// only where a proxy names them.
const LOG_FORMAT: &str = "  log_format requests escape=json '{\"msec\":$msec,\"host\":\"$host\",\
    \"http_x_forwarded_for\":\"$http_x_forwarded_for\",\"request\":\"$request\",\"status\":$status,\
    \"body_bytes_sent\":$body_bytes_sent,\"request_time\":$request_time}';\n";

/// nginx with `sendfile`, reading from the disk in threads, so that a request that waits for the disk does not hold up
/// others on the same worker.
#[derive(Clone, Debug)]
pub struct Nginx {
    /// Its sites.
    pub hosts: Vec<VirtualHost>,
    /// Its worker processes.
    pub workers: usize,
}

impl ServerKind for Nginx {
    fn configuration(&self, address: SocketAddr, folder: &Path) -> String {
        let mut text = preamble(self.workers, folder);
        text.push_str("  sendfile on;\n  aio threads;\n");
        if self.hosts.iter().any(|host| host.access_log.is_some()) {
            text.push_str(LOG_FORMAT);
        }
        for host in &self.hosts {
            server(&mut text, address, host);
        }
        text.push_str("}\n");
        text
    }

    fn command(&self, path: &Path) -> (&'static str, Vec<String>) {
        command(path)
    }
}

pub(super) fn command(path: &Path) -> (&'static str, Vec<String>) {
    let arguments = ["-c", &path.display().to_string(), "-g", "daemon off;"];
    ("nginx", arguments.map(str::to_owned).to_vec())
}

/// What every nginx of the lab has, up to the inside of `http`.
pub(super) fn preamble(workers: usize, folder: &Path) -> String {
    let folder = folder.display();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|kind| format!("  {kind}_temp_path {folder}/{kind};\n"))
        .collect();
    format!(
        "user root;\nworker_processes {workers};\npid {folder}/pid;\nerror_log stderr warn;\n\
         worker_rlimit_nofile 65536;\nevents {{ worker_connections 4096; }}\nhttp {{\n\
         {temporary}  access_log off;\n  default_type application/octet-stream;\n  \
         keepalive_requests 1000000000;\n  keepalive_timeout 1h;\n  tcp_nodelay on;\n"
    )
}

fn server(text: &mut String, address: SocketAddr, host: &VirtualHost) {
    let (name, root) = (&host.name, host.root.display());
    let log = host.access_log.as_ref().map_or_else(String::new, |log| {
        let log = log.display();
        format!(" access_log {log} requests buffer=64k flush=200ms;")
    });
    let nopush = match host.header_waits {
        true => " tcp_nopush on;",
        false => "",
    };
    // Writing to a String cannot fail.
    let _written = match &host.hot_root {
        None => writeln!(
            text,
            "  server {{ listen {address}; server_name {name};{nopush}{log} root {root}; }}"
        ),
        Some(hot) => writeln!(
            text,
            "  server {{ listen {address}; server_name {name};{nopush}{log}\n    \
             location / {{ root {}; try_files $uri @backing; }}\n    \
             location @backing {{ root {root}; }} }}",
            hot.display()
        ),
    };
}
