//! A small static server: it looks a file up in memory first, and otherwise reads it past the page cache. It answers nothing but
//! GET for the files of its sites (RFC 9112).

use crate::direct::{Buffer, open_direct};
use hotset_machine::{MachineError, OnFile};
use percent_encoding::percent_decode;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Bytes of the longest head that is read, and its most headers.
const MOST_HEAD: usize = 8 << 10;
const MOST_HEADERS: usize = 32;

/// A site: which files answer the requests that name it as their host.
pub struct Site {
    /// Its name.
    pub name: String,
    /// Looked up first; need not be there.
    pub hot: PathBuf,
    /// Its own files.
    pub files: PathBuf,
}

/// Answers from each place since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// From the folder that is looked into first.
    pub from_memory: u64,
    /// From the site's own files.
    pub from_disk: u64,
}

/// A site and how often it was answered from where.
struct SiteCounters {
    site: Site,
    from_memory: AtomicU64,
    from_disk: AtomicU64,
}

/// A server on a port of this machine. It goes on until the process ends.
pub struct Server {
    address: SocketAddr,
    sites: Arc<Vec<SiteCounters>>,
}

impl Server {
    /// Serves these sites.
    ///
    /// # Errors
    /// When there is no free port.
    pub fn start(sites: Vec<Site>) -> Result<Self, MachineError> {
        let place = "127.0.0.1";
        let listener = TcpListener::bind((place, 0)).on("listen on", place)?;
        let served = |site| SiteCounters {
            site,
            from_memory: AtomicU64::new(0),
            from_disk: AtomicU64::new(0),
        };
        let server = Self {
            address: listener.local_addr().on("listen on", place)?,
            sites: Arc::new(sites.into_iter().map(served).collect()),
        };
        let sites = Arc::clone(&server.sites);
        thread::spawn(move || listen(&listener, &sites));
        Ok(server)
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What each site has answered since the start.
    #[must_use]
    pub fn answers(&self) -> Vec<Answers> {
        let sites = self.sites.iter().map(|served| Answers {
            from_memory: served.from_memory.load(Ordering::Relaxed),
            from_disk: served.from_disk.load(Ordering::Relaxed),
        });
        sites.collect()
    }
}

fn listen(listener: &TcpListener, sites: &Arc<Vec<SiteCounters>>) {
    for stream in listener.incoming().flatten() {
        let sites = Arc::clone(sites);
        // Whoever went away needs no answer.
        thread::spawn(move || serve(stream, &sites));
    }
}

/// Answers one request after the other.
fn serve(mut stream: TcpStream, sites: &[SiteCounters]) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (mut head, mut buffer) = (Vec::new(), Buffer::new());
    while let Some(request) = read_request(&mut stream, &mut head)? {
        match find(&request, sites) {
            Some(found) => send(&mut stream, found?, &mut buffer)?,
            None => stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")?,
        }
    }
    Ok(())
}

/// Whom and what a request is for.
struct Request {
    host: String,
    path: String,
}

/// The next request; none behind the last one. `head` has what was read beyond it.
fn read_request(stream: &mut TcpStream, head: &mut Vec<u8>) -> io::Result<Option<Request>> {
    let mut more = [0; 1024];
    loop {
        if let Some((request, length)) = parsed(head)? {
            head.drain(..length);
            return Ok(Some(request));
        }
        let read = stream.read(&mut more)?;
        if read == 0 || head.len() > MOST_HEAD {
            return Ok(None);
        }
        head.extend_from_slice(&more[..read]);
    }
}

/// The request at the beginning of `head` and its length, where it is whole.
fn parsed(head: &[u8]) -> io::Result<Option<(Request, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let length = match request.parse(head) {
        Ok(httparse::Status::Partial) => return Ok(None),
        Ok(httparse::Status::Complete(length)) if request.method == Some("GET") => length,
        _ => return Err(ErrorKind::Unsupported.into()),
    };
    let is_host = |header: &&httparse::Header| header.name.eq_ignore_ascii_case("host");
    let host = request.headers.iter().find(is_host);
    let path = request.path.unwrap_or_default();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let found = Request {
        host: text(host.map_or(&[][..], |header| header.value)),
        path: text(&Cow::from(percent_decode(path.as_bytes()))),
    };
    Ok(Some((found, length)))
}

/// The file that is asked for, open, or why it cannot be; none where the sites have no such path.
fn find(request: &Request, sites: &[SiteCounters]) -> Option<io::Result<File>> {
    let served = sites
        .iter()
        .find(|served| served.site.name == request.host)?;
    let path = Path::new(request.path.strip_prefix('/')?);
    let is_below = |part: Component| matches!(part, Component::Normal(_));
    if !path.components().all(is_below) {
        return None;
    }
    match File::open(served.site.hot.join(path)) {
        Ok(file) => {
            served.from_memory.fetch_add(1, Ordering::Relaxed);
            Some(Ok(file))
        }
        Err(_) => {
            served.from_disk.fetch_add(1, Ordering::Relaxed);
            Some(open_direct(&served.site.files.join(path)))
        }
    }
}

/// Sends a whole file.
fn send(stream: &mut TcpStream, mut file: File, buffer: &mut Buffer) -> io::Result<()> {
    let mut left = file.metadata()?.len();
    write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {left}\r\n\r\n")?;
    // A direct read that begins behind the end of a file is refused by some file systems.
    while left > 0 {
        let part = buffer.as_mut();
        let read = file.read(part)?;
        if read == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        stream.write_all(&part[..read])?;
        left = left.saturating_sub(read as u64);
    }
    Ok(())
}
