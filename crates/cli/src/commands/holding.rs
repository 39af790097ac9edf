//! How files are held, and for which server.

use anyhow::Result;
use hotset_live::{PlacerChoice, PlacerKind, ServerName, SiteFolder};

use crate::commands::state::StateArgs;
use crate::option_values::one_of;

/// What every command that holds files takes.
#[derive(clap::Args)]
pub struct HoldingArgs {
    /// How to hold files: pin locks them in the page cache where they are; bind mounts copies in memory over them, for a
    /// server with mounts of its own; hot-root keeps copies that the server looks up first, as `hotset config` says; auto
    /// pins on local file systems, and otherwise binds where the server has mounts of its own, else keeps a hot root
    #[arg(long, value_name = "PLACER", default_value = "auto",
        value_parser = one_of::<PlacerChoice, _>(PlacerChoice::NAMES))]
    placer: PlacerChoice,
    #[command(flatten)]
    pub state: StateArgs,
    /// The server whose memory group pays for what is held: unit:NAME, pid:FILE or cgroup:PATH
    #[arg(long, value_name = "SERVER")]
    server: Option<ServerName>,
    /// Also hold files of this user, by number; those of each root's owner are held anyway. May be repeated
    #[arg(long = "owner", value_name = "UID")]
    pub owners: Vec<u32>,
}

impl HoldingArgs {
    /// The server by a whole path: a guardian runs elsewhere.
    pub fn server(&self) -> Result<Option<ServerName>> {
        Ok(self.server.clone().map(ServerName::absolute).transpose()?)
    }

    /// The way to hold the files of these folders for that server.
    pub fn placer(
        &self,
        folders: &[SiteFolder],
        server: Option<&ServerName>,
    ) -> Result<PlacerKind> {
        match self.placer {
            PlacerChoice::One(placer) => Ok(placer),
            PlacerChoice::Auto => {
                let server = server.map(ServerName::find).transpose()?;
                Ok(hotset_live::suitable(folders, server.as_ref())?)
            }
        }
    }
}
