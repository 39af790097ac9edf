//! An nginx that serves a test's files.

use hotset_test_support::{skip, together};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::hotset;
use super::site::{PATIENCE, within};

/// An nginx that serves `www`, with these lines in its `server` block.
pub struct Nginx {
    child: Child,
    pub port: u16,
}

impl Nginx {
    pub fn start(folder: &Path, lines: &str) -> Option<Self> {
        Self::start_by(&[], folder, lines)
    }

    /// With mounts of its own.
    pub fn start_apart(folder: &Path, lines: &str) -> Option<Self> {
        Self::start_by(&[hotset().to_str().unwrap(), "exec", "--"], folder, lines)
    }

    /// None where there is no nginx.
    pub fn start_by(before: &[&str], folder: &Path, lines: &str) -> Option<Self> {
        if !Path::new("/usr/sbin/nginx").exists() {
            skip("there is no nginx");
            return None;
        }
        together();
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let own = folder.join("nginx");
        fs::create_dir(&own).unwrap();
        // Its workers are another user's.
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .iter()
            .map(|kind| format!("{kind}_temp_path {}/{kind};", own.display()))
            .collect();
        let configuration = format!(
            "pid {0}/pid; error_log stderr crit; events {{}} http {{ {temporary} access_log off;\n\
             server {{ listen 127.0.0.1:{port};\n{lines}\n}} }}\n",
            own.display()
        );
        fs::write(own.join("conf"), configuration).unwrap();
        let conf = own.join("conf");
        let mut line = before.to_vec();
        line.extend([
            "/usr/sbin/nginx",
            "-c",
            conf.to_str().unwrap(),
            "-g",
            "daemon off;",
        ]);
        let child = Command::new(line[0])
            .args(&line[1..])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let nginx = Self { child, port };
        // It is written once nginx listens. Trying to connect before that may connect to nothing but itself.
        within(PATIENCE, || {
            fs::read_to_string(own.join("pid")).is_ok_and(|pid| !pid.is_empty())
        });
        Some(nginx)
    }

    /// Status and body.
    pub fn get(&self, path: &str) -> (u16, Vec<u8>) {
        self.answer(path).unwrap()
    }

    /// Status and body; none where nginx has hung up without a word, as it does when a file is cut short while it is sent.
    pub fn answer(&self, path: &str) -> Option<(u16, Vec<u8>)> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "GET {path} HTTP/1.0\r\nHost: shop\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let head = answer.windows(4).position(|end| end == b"\r\n\r\n")?;
        let text = String::from_utf8_lossy(&answer[..head]).into_owned();
        let status = text.split(' ').nth(1).unwrap().parse().unwrap();
        Some((status, answer.split_off(head + 4)))
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _asked = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        let _waited = self.child.wait();
    }
}
