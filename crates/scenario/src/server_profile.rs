//! What a request, a byte and a connection cost a server's processors, as it was measured.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::bounds::{cost_us, ns_per_byte};
use crate::specs::ServerSpec;
use crate::toml_file::{FileError, TomlFile};

/// What servers cost the processors that they run on. One that was not measured is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
pub struct ServerProfile {
    /// Where the figures are from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// nginx that sends files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nginx: Option<ServerCosts>,
    /// nginx in front of other nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nginx_proxy: Option<ServerCosts>,
    /// Apache that sends files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apache: Option<ServerCosts>,
    /// A file server: a request is a call, and bytes are those of files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<ServerCosts>,
    /// The kernel of a node that asks one, of the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files_client: Option<ServerCosts>,
}

/// Processor time of a server, of its processes and of what the kernel does for them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct ServerCosts {
    /// A request and its answer, beside the answer's bytes, microseconds.
    #[serde(deserialize_with = "cost_us")]
    pub request_us: f64,
    /// A byte of an answer, nanoseconds.
    #[serde(deserialize_with = "ns_per_byte")]
    pub ns_per_byte: f64,
    /// A connection that is opened and closed, microseconds; 0 where that was not measured.
    #[serde(default, deserialize_with = "cost_us")]
    pub connection_us: f64,
}

impl ServerProfile {
    /// The profile in the TOML file at `path`. It has a table for each server that was measured, called as `server` of a node. The table
    /// has `request_us`, `ns_per_byte` and if known `connection_us`.
    ///
    /// # Errors
    /// A file that cannot be read or used, with line and column; one without any server.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        Self::from_file(&TomlFile::read(path)?)
    }

    /// As [`ServerProfile::load`], from the `text` of the file at `path`.
    ///
    /// # Errors
    /// As there.
    pub fn parse(text: &str, path: &Path) -> Result<Self, FileError> {
        Self::from_file(&TomlFile::from_text(text, path))
    }

    fn from_file(file: &TomlFile) -> Result<Self, FileError> {
        let profile: Self = file.parse()?;
        match profile.is_empty() {
            true => Err(file.error(
                0..0,
                "there are costs of no server; add a table [nginx], [nginx-proxy], [apache], [files] or [files-client]",
            )),
            false => Ok(profile),
        }
    }

    /// Whether nothing is known of any server.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let servers = [self.nginx, self.nginx_proxy, self.apache];
        let of_files = [self.files, self.files_client];
        servers.iter().chain(&of_files).all(Option::is_none)
    }

    /// The profile as a TOML file has it; [`ServerProfile::parse`] reads it.
    ///
    /// # Errors
    /// A figure that is not finite.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// What a server costs, where it was measured.
    #[must_use]
    pub fn costs(&self, server: &ServerSpec) -> Option<ServerCosts> {
        match server {
            ServerSpec::Nginx => self.nginx,
            ServerSpec::NginxProxy { .. } => self.nginx_proxy,
            ServerSpec::Apache => self.apache,
            ServerSpec::Files => self.files,
            ServerSpec::None => None,
        }
    }
}
