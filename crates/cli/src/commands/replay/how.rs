//! How it is sent.

use std::time::Duration;

use hotset_replay::{Header, HostHeader, WarmUp};
use hotset_scenario::parse_duration;

/// How it is sent.
#[derive(clap::Args)]
#[command(next_help_heading = "How to send it")]
pub struct HowArgs {
    /// Host header: a name, or `site` for each request's site
    ///
    /// [default: the URL's host]
    #[arg(long, value_name = "NAME", value_parser = host)]
    pub host: Option<HostHeader>,
    /// A header of every request, as in 'Accept-Encoding: gzip'
    ///
    /// May be repeated. It replaces the usual User-Agent or Accept if it is called so.
    #[arg(short = 'H', long = "header", value_name = "NAME: VALUE")]
    pub headers: Vec<Header>,
    /// Most connections open at a time; others wait until one closes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub connections_max: Option<u32>,
    /// Send the first requests unrecorded: a duration or a number
    ///
    /// Such as 30s, or 1000.
    #[arg(long, value_name = "DURATION|N", value_parser = warm_up)]
    pub warm_up: Option<WarmUp>,
    /// Give up on connecting after this long
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = timeout)]
    pub connect_timeout: Duration,
    /// Give up on a response after this long
    ///
    /// When it is not complete by then.
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = timeout)]
    pub response_timeout: Duration,
    /// Accept any TLS certificate
    #[arg(long)]
    pub insecure: bool,
    /// Threads that send
    ///
    /// One is enough for tens of thousands of requests a second.
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
}

/// A name that can stand in a header as it is.
fn host(text: &str) -> Result<HostHeader, String> {
    match text {
        "site" => Ok(HostHeader::Site),
        name if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic()) => {
            Ok(HostHeader::Fixed(name.to_owned()))
        }
        _ => Err("write a host name such as www.example.com".to_owned()),
    }
}

/// What is sent without being recorded.
fn warm_up(text: &str) -> Result<WarmUp, String> {
    match text.parse() {
        Ok(requests) => Ok(WarmUp::Requests(requests)),
        Err(_) => parse_duration(text)
            .map(WarmUp::Duration)
            .map_err(|error| format!("{error}, or a number of requests")),
    }
}

/// A time to wait.
fn timeout(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        Duration::ZERO => Err("a timeout of nothing leaves no time for an answer".into()),
        timeout => Ok(timeout),
    }
}
