//! Apache that serves files.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;

use super::{ServerKind, VirtualHost};

/// Where Debian keeps Apache's modules.
const MODULES: &str = "/usr/lib/apache2/modules";

/// Apache with the event module.
#[derive(Clone, Debug)]
pub struct Apache {
    /// Its sites.
    pub hosts: Vec<VirtualHost>,
}

impl ServerKind for Apache {
    fn configuration(&self, address: SocketAddr, folder: &Path) -> String {
        let folder = folder.display();
        let modules: String = ["mpm_event", "authz_core", "dir", "rewrite"]
            .iter()
            .map(|name| format!("LoadModule {name}_module {MODULES}/mod_{name}.so\n"))
            .collect();
        let mut text = format!(
            "{modules}ServerName lab\nServerRoot {folder}\nDefaultRuntimeDir {folder}\n\
             PidFile {folder}/pid\nErrorLog /dev/stderr\nListen {address}\nEnableSendfile On\n\
             MaxKeepAliveRequests 0\nKeepAliveTimeout 3600\n<Directory />\n  Require all granted\n\
             </Directory>\n"
        );
        for host in &self.hosts {
            virtual_host(&mut text, address, host);
        }
        text
    }

    fn command(&self, path: &Path) -> (&'static str, Vec<String>) {
        let arguments = ["-f", &path.display().to_string(), "-DFOREGROUND"];
        ("apache2", arguments.map(str::to_owned).to_vec())
    }
}

fn virtual_host(text: &mut String, address: SocketAddr, host: &VirtualHost) {
    let (name, root) = (&host.name, host.root.display());
    let hot = host.hot_root.as_ref().map_or_else(String::new, |hot| {
        let hot = hot.display();
        format!(
            "  RewriteEngine On\n  RewriteCond {hot}%{{REQUEST_URI}} -f\n  RewriteRule ^ {hot}%{{REQUEST_URI}} [END]\n"
        )
    });
    let log = host.access_log.as_ref().map_or_else(String::new, |log| {
        let log = log.display();
        format!("  CustomLog {log} \"%v:%p %h %l %u %t \\\"%r\\\" %>s %B \\\"-\\\" \\\"-\\\"\"\n")
    });
    // Writing to a String cannot fail.
    let _written = write!(
        text,
        "<VirtualHost {address}>\n  ServerName {name}\n  DocumentRoot {root}\n{log}{hot}</VirtualHost>\n"
    );
}
