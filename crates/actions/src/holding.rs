//! How files are held, and for which server.

use std::path::PathBuf;
use std::time::Duration;

use hotset_live::{PlacerChoice, PlacerKind, ServerName, SiteFolder, StateFolder};

use crate::JobError;

/// For how long an answer may be older than the file on disk, where it is not said.
pub const STALENESS: Duration = Duration::from_secs(1);

/// How files are held, and for which server.
#[derive(Clone, Debug)]
pub struct Holding {
    /// How to hold files.
    pub placer: PlacerChoice,
    /// The folder in which is written down what is held.
    pub state: PathBuf,
    /// The server whose memory group pays for what is held.
    pub server: Option<ServerName>,
    /// Users whose files are held too, beside the owners of roots.
    pub owners: Vec<u32>,
    /// For how long an answer may be older than the file on disk because of a copy.
    pub staleness: Duration,
}

impl Default for Holding {
    fn default() -> Holding {
        Holding {
            placer: PlacerChoice::Auto,
            state: StateFolder::DEFAULT.into(),
            server: None,
            owners: Vec::new(),
            staleness: STALENESS,
        }
    }
}

impl Holding {
    /// The state folder, which need not be there.
    pub(crate) fn folder(&self) -> Result<StateFolder, JobError> {
        Ok(StateFolder::at(&self.state)?)
    }

    /// The server by a whole path: a guardian runs elsewhere.
    pub(crate) fn server(&self) -> Result<Option<ServerName>, JobError> {
        Ok(self.server.clone().map(ServerName::absolute).transpose()?)
    }

    /// The way to hold the files of these folders for that server.
    pub(crate) fn placer(
        &self,
        folders: &[SiteFolder],
        server: Option<&ServerName>,
    ) -> Result<PlacerKind, JobError> {
        match self.placer {
            PlacerChoice::One(placer) => Ok(placer),
            PlacerChoice::Auto => {
                let server = server.map(ServerName::find).transpose()?;
                Ok(hotset_live::suitable(folders, server.as_ref())?)
            }
        }
    }
}
