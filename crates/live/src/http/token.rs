//! A secret that lets in whoever knows it.

use crate::LiveError;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use hotset_machine::OnFile as _;
use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Characters that a token has at least: 16 of base 64 are 96 bits.
const LEAST: usize = 16;

/// To read and to write a file, of those who are neither its owner nor in its group.
const OF_OTHERS: u32 = 0o006;

/// A secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    /// The token in a file: its first line.
    ///
    /// # Errors
    /// When the file cannot be read, every user of the machine can read it or write to it, or its first line is too short to be
    /// a secret.
    pub fn in_file(path: &Path) -> Result<Self, LiveError> {
        let mut file = File::open(path).on("read", path)?;
        let mode = file.metadata().on("look up", path)?.mode() & 0o7777;
        if mode & OF_OTHERS != 0 {
            return Err(LiveError::Guardian(format!(
                "{0}: every user of this machine can read this token or change it (mode {mode:03o}): `chmod 600 {0}`, and write \
                 another token into it",
                path.display()
            )));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).on("read", path)?;
        let token = text.lines().next().unwrap_or_default().trim();
        match token.len() >= LEAST {
            true => Ok(Self(token.to_owned())),
            false => Err(LiveError::Guardian(format!(
                "{}: a token has at least {LEAST} characters: `openssl rand -base64 24` makes one",
                path.display()
            ))),
        }
    }

    /// Whether a header `Authorization` knows it: as a bearer token (RFC 6750), or as the password of any name (RFC 7617), which is
    /// what browsers send.
    pub(super) fn is_known_to(&self, authorization: &str) -> bool {
        let Some((scheme, credentials)) = authorization.split_once(' ') else {
            return false;
        };
        let credentials = credentials.trim();
        match scheme.to_ascii_lowercase().as_str() {
            "bearer" => self.is(credentials.as_bytes()),
            "basic" => {
                let decoded = BASE64_STANDARD.decode(credentials).unwrap_or_default();
                let colon = decoded.iter().position(|&byte| byte == b':');
                colon.is_some_and(|colon| self.is(&decoded[colon + 1..]))
            }
            _ => false,
        }
    }

    /// Takes as long for a guess that is nearly right as for another.
    fn is(&self, guess: &[u8]) -> bool {
        let own = self.0.as_bytes();
        let pairs = own.iter().zip(guess);
        own.len() == guess.len() && pairs.fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}
