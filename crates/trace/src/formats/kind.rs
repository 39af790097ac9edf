//! The formats by name.

use super::keys::{KeyLayout, Keys};
use super::{
    Caddy, Combined, Common, Csv, Format, Nginx, OracleGeneral, Squid, Traefik, VhostCombined, W3c,
    WorldCup98,
};
use std::fmt;
use std::str::FromStr;

/// A format that `--format NAME` can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FormatKind {
    /// Apache's common log format.
    Common,
    /// Apache's combined log format.
    Combined,
    /// The combined format behind a virtual host.
    VhostCombined,
    /// nginx's default format, which is Apache's combined format.
    Nginx,
    /// W3C extended: IIS, CloudFront.
    W3c,
    /// Squid's native access log.
    Squid,
    /// Caddy's JSON access log.
    Caddy,
    /// Traefik's JSON access log.
    Traefik,
    /// World Cup 1998, 20-byte records.
    WorldCup98,
    /// Keys of 4 bytes, little endian.
    KeysU32Le,
    /// Keys of 4 bytes, big endian.
    KeysU32Be,
    /// Keys of 8 bytes, little endian.
    KeysU64Le,
    /// Keys of 8 bytes, big endian.
    KeysU64Be,
    /// Keys, perhaps with times and sizes, as comma-separated text.
    Csv,
    /// libCacheSim's oracleGeneral, 24-byte records.
    OracleGeneral,
}

impl FormatKind {
    /// Every format, in the order of the documentation.
    pub const ALL: [FormatKind; 15] = [
        FormatKind::Common,
        FormatKind::Combined,
        FormatKind::VhostCombined,
        FormatKind::Nginx,
        FormatKind::W3c,
        FormatKind::Squid,
        FormatKind::Caddy,
        FormatKind::Traefik,
        FormatKind::WorldCup98,
        FormatKind::KeysU32Le,
        FormatKind::KeysU32Be,
        FormatKind::KeysU64Le,
        FormatKind::KeysU64Be,
        FormatKind::Csv,
        FormatKind::OracleGeneral,
    ];

    /// A parser in its initial state; each log needs one of its own.
    pub fn build(self) -> Box<dyn Format> {
        match self {
            FormatKind::Common => Box::new(Common::default()),
            FormatKind::Combined => Box::new(Combined::default()),
            FormatKind::VhostCombined => Box::new(VhostCombined::default()),
            FormatKind::Nginx => Box::new(Nginx::default()),
            FormatKind::W3c => Box::new(W3c::default()),
            FormatKind::Squid => Box::new(Squid),
            FormatKind::Caddy => Box::new(Caddy::default()),
            FormatKind::Traefik => Box::new(Traefik::default()),
            FormatKind::WorldCup98 => Box::new(WorldCup98::default()),
            FormatKind::KeysU32Le => Box::new(Keys(KeyLayout::U32Le)),
            FormatKind::KeysU32Be => Box::new(Keys(KeyLayout::U32Be)),
            FormatKind::KeysU64Le => Box::new(Keys(KeyLayout::U64Le)),
            FormatKind::KeysU64Be => Box::new(Keys(KeyLayout::U64Be)),
            FormatKind::Csv => Box::new(Csv::default()),
            FormatKind::OracleGeneral => Box::new(OracleGeneral),
        }
    }

    /// The name that `--format` takes.
    pub fn name(self) -> &'static str {
        match self {
            FormatKind::Common => "common",
            FormatKind::Combined => "combined",
            FormatKind::VhostCombined => "vhost-combined",
            FormatKind::Nginx => "nginx",
            FormatKind::W3c => "w3c",
            FormatKind::Squid => "squid",
            FormatKind::Caddy => "caddy",
            FormatKind::Traefik => "traefik",
            FormatKind::WorldCup98 => "worldcup98",
            FormatKind::KeysU32Le => "keys-u32le",
            FormatKind::KeysU32Be => "keys-u32be",
            FormatKind::KeysU64Le => "keys-u64le",
            FormatKind::KeysU64Be => "keys-u64be",
            FormatKind::Csv => "csv",
            FormatKind::OracleGeneral => "oracle-general",
        }
    }
}

impl FormatKind {
    /// Whether records hold keys and nothing of HTTP: no method, no status.
    pub fn is_key_only(self) -> bool {
        matches!(
            self,
            FormatKind::KeysU32Le
                | FormatKind::KeysU32Be
                | FormatKind::KeysU64Le
                | FormatKind::KeysU64Be
                | FormatKind::Csv
                | FormatKind::OracleGeneral
        )
    }
}

impl fmt::Display for FormatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A format name that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no log format '{name}'; known are {}, or give an nginx log_format or Apache LogFormat string",
    names()
)]
pub struct UnknownFormat {
    /// The name as given.
    pub name: String,
}

fn names() -> String {
    FormatKind::ALL.map(FormatKind::name).join(", ")
}

impl FromStr for FormatKind {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = FormatKind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownFormat {
            name: name.to_owned(),
        })
    }
}
