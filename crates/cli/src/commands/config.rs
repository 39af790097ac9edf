//! `hotset config`: the lines that make a server look into a hot root first.

use anyhow::Result;
use hotset_actions::config;
use hotset_live::ServerKind;

use crate::output;
use crate::sites::SitesArgs;
use crate::state::StateArgs;

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

impl Args {
    fn options(&self) -> config::Options {
        config::Options {
            server: match self.server {
                Server::Nginx => ServerKind::Nginx,
                Server::Apache => ServerKind::Apache,
                Server::Caddy => ServerKind::Caddy,
            },
            sites: self.sites.sites(),
            state: self.state.path.clone(),
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    output::print(&config::run(&args.options())?)
}
