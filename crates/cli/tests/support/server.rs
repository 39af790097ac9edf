//! Web servers that behave as they are told, on a port of their own.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What a server does with a request.
#[derive(Clone, Copy)]
pub enum Answer {
    /// 200 with so many bytes.
    Bytes(usize),
    /// The same, later.
    Slow(usize, Duration),
    /// A redirect.
    Redirect,
    /// 404.
    Missing,
    /// The connection is closed with a reset.
    Reset,
    /// Nothing.
    Never,
    /// The head of 200 and half of the body, then the end of the connection.
    Half(usize),
}

/// A server; its threads end with the process.
pub struct Server {
    pub url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub fn start(answer: Answer) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = requests.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let seen = seen.clone();
                thread::spawn(move || serve(stream, answer, &seen));
            }
        });
        Server { url, requests }
    }

    /// Heads of the requests so far.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no server panicked").clone()
    }
}

/// A port that nothing listens on.
pub fn closed_url() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    format!("http://{}", listener.local_addr().expect("an address"))
}

fn serve(mut stream: TcpStream, answer: Answer, seen: &Mutex<Vec<String>>) {
    while let Some(head) = read_head(&mut stream) {
        seen.lock().expect("no server panicked").push(head);
        if respond(&mut stream, answer).is_err() {
            return;
        }
    }
}

fn read_head(stream: &mut TcpStream) -> Option<String> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    String::from_utf8(head).ok()
}

fn respond(stream: &mut TcpStream, answer: Answer) -> std::io::Result<()> {
    let end = || Err(std::io::ErrorKind::ConnectionAborted.into());
    match answer {
        Answer::Bytes(bytes) => write(stream, "200 OK", "", &vec![b'x'; bytes], bytes),
        Answer::Slow(bytes, delay) => {
            thread::sleep(delay);
            respond(stream, Answer::Bytes(bytes))
        }
        Answer::Redirect => write(
            stream,
            "301 Moved Permanently",
            "Location: /other\r\n",
            b"",
            0,
        ),
        Answer::Missing => write(stream, "404 Not Found", "", b"", 0),
        Answer::Reset => {
            // Closing with unread data pending makes the kernel reset; lingering for no time does always.
            let _ = rustix::net::sockopt::set_socket_linger(&*stream, Some(Duration::ZERO));
            end()
        }
        Answer::Never => {
            thread::sleep(Duration::from_secs(3600));
            end()
        }
        Answer::Half(bytes) => {
            write(stream, "200 OK", "", &vec![b'x'; bytes / 2], bytes)?;
            end()
        }
    }
}

fn write(
    stream: &mut TcpStream,
    status: &str,
    headers: &str,
    body: &[u8],
    length: usize,
) -> std::io::Result<()> {
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n");
    stream.write_all(&[head.as_bytes(), body].concat())
}
