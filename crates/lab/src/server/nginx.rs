//! nginx that serves files.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;

use super::{ServerKind, VirtualHost};

/// Worker processes of an nginx.
pub const WORKERS: usize = 4;

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
    // Writing to a String cannot fail.
    let _written = match &host.hot_root {
        None => writeln!(
            text,
            "  server {{ listen {address}; server_name {name}; root {root}; }}"
        ),
        Some(hot) => writeln!(
            text,
            "  server {{ listen {address}; server_name {name};\n    \
             location / {{ root {}; try_files $uri @backing; }}\n    \
             location @backing {{ root {root}; }} }}",
            hot.display()
        ),
    };
}
