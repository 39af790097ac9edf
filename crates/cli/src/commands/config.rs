//! `hotset config`: the lines that make a server look into a hot root first.

use anyhow::Result;
use hotset_live::{ServerKind, configuration};

use crate::commands::sites::SitesArgs;
use crate::commands::state::StateArgs;
use crate::output;

/// What `hotset config` takes.
#[derive(clap::Args)]
pub struct Args {
    /// The server
    #[arg(value_name = "SERVER")]
    server: Server,
    #[command(flatten)]
    sites: SitesArgs,
    #[command(flatten)]
    state: StateArgs,
}

/// A server.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Server {
    /// nginx
    Nginx,
    /// Apache httpd 2.4
    Apache,
    /// Caddy 2
    Caddy,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let server = match args.server {
        Server::Nginx => ServerKind::Nginx,
        Server::Apache => ServerKind::Apache,
        Server::Caddy => ServerKind::Caddy,
    };
    let lines = configuration(server, &args.sites.folders(None)?, &args.state.folder()?)?;
    output::print(&lines)
}
