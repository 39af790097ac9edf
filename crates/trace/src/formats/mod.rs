//! Log formats: what one record of each says about one request.
//!
//! A [`Format`] turns one record (a line, or a fixed number of bytes) into a [`Record`], or says why it
//! cannot ([`Reject`]). Formats know nothing of files, compression, rules or object ids: a format borrows
//! from the record and from its own scratch space and never allocates per line.
//!
//! Each format is one file, which holds its parser and its [`FormatKind`]: its name and how it recognises
//! the head of a log. To add one, write that file, name it below and list its kind in [`FormatKind::ALL`].
//!
//! | deed | file |
//! | --- | --- |
//! | a format is parsed and recognised | its own, by `definition` |
//! | a format is chosen among those that recognise a log | `detect` |
//! | lines that begin or go on as the common log format does | `clf` |
//! | client and host among the words before the time | `words_before_time` |
//! | a format of JSON lines, by its keys | `json/` |
//! | a format string of Apache or nginx, or a pattern | `custom/` |
//! | hosts of absolute URLs | `url_hosts` |
//! | what a syslog or a container engine writes in front of lines | `prefix/` |
//! | a guess at an unknown format: columns of text, keys of JSON | `guess/` |

mod address;
mod alb;
mod answer_words;
mod azure_gateway;
mod behind_size;
mod caddy;
mod clf;
mod clock;
mod cloudflare;
mod cloudfront;
mod combined;
mod common;
mod csv;
pub mod custom;
mod days;
mod definition;
mod detect;
mod elb;
mod elb_entry;
mod encoding;
mod envoy;
mod envoy_json;
mod escapes;
mod evidence;
mod field;
mod format;
mod gcp_lb;
mod guess;
mod haproxy;
mod head;
pub mod json;
mod keys;
mod kind;
mod lighttpd;
mod line_evidence;
mod local_times;
mod ltsv;
mod nginx;
mod nginx_json;
mod oracle_general;
mod own_file;
mod prefix;
mod proxy_combined;
mod record;
mod request_line;
mod s3;
mod squid;
mod traefik;
mod twice_encoded;
mod url_hosts;
mod vhost_combined;
mod w3c;
mod words;
mod words_before_time;
mod worldcup98;

pub(crate) use detect::second_opinion;
pub use detect::{DetectError, Detection, RejectedLine, detect, detect_among};
pub(crate) use field::trim_line_end;
pub(crate) use format::BYTE_ORDER_MARK;
pub use format::{Format, Framing, Reject};
pub(crate) use guess::GuessedFormat;
pub use guess::{Guess, Missing};
pub use kind::{FormatKind, UnknownFormat};
pub(crate) use local_times::lack_zone;
pub use prefix::Prefix;
pub use record::{Record, RequestTarget};
pub(crate) use url_hosts::{UrlHosts, urls_name_hosts};

impl FormatKind {
    /// Every format. Others may count on a format's place: new ones come last.
    pub const ALL: &[FormatKind] = &[
        FormatKind::COMMON,
        FormatKind::COMBINED,
        FormatKind::VHOST_COMBINED,
        FormatKind::LIGHTTPD,
        FormatKind::PROXY_COMBINED,
        FormatKind::NGINX,
        FormatKind::W3C,
        FormatKind::SQUID,
        FormatKind::CADDY,
        FormatKind::TRAEFIK,
        FormatKind::WORLDCUP98,
        FormatKind::KEYS_U32LE,
        FormatKind::KEYS_U32BE,
        FormatKind::KEYS_U64LE,
        FormatKind::KEYS_U64BE,
        FormatKind::CSV,
        FormatKind::ORACLE_GENERAL,
        FormatKind::CLOUDFRONT,
        FormatKind::ALB,
        FormatKind::ELB,
        FormatKind::S3,
        FormatKind::HAPROXY,
        FormatKind::ENVOY,
        FormatKind::LTSV,
        FormatKind::NGINX_JSON,
        FormatKind::ENVOY_JSON,
        FormatKind::GCP_LB,
        FormatKind::CLOUDFLARE,
        FormatKind::AZURE_GATEWAY,
    ];
}
