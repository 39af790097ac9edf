//! The lines that make a server look into a hot root before its own files: a file for each server.

mod apache;
mod caddy;
mod hot_site;
mod nginx;

use crate::{Server, SiteFolder, StateFolder, site_folder};
use hot_site::HotSite;
use std::fs;
use std::path::{Path, PathBuf};

/// A server whose configuration is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerKind {
    /// nginx.
    Nginx,
    /// Apache httpd 2.4.
    Apache,
    /// Caddy 2.
    Caddy,
}

impl ServerKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Nginx, Self::Apache, Self::Caddy];

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nginx => "nginx",
            Self::Apache => "apache",
            Self::Caddy => "caddy",
        }
    }

    /// That of a server that runs; none where it is another program.
    #[must_use]
    pub fn of(server: &Server) -> Option<Self> {
        match server.program()?.to_str()? {
            "nginx" => Some(Self::Nginx),
            "apache2" | "httpd" => Some(Self::Apache),
            "caddy" => Some(Self::Caddy),
            _ => None,
        }
    }
}

/// Why a site cannot be served from a hot root.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigurationError {
    /// Apache looks for these files in the folder that it serves from, and copies have none.
    #[error(
        "site `{site}` depends on {}: rules there would not hold for copies; move them into the configuration, or use --placer pin",
        file.display()
    )]
    DependsOnHtaccess {
        /// The site.
        site: String,
        /// The file.
        file: PathBuf,
    },
    /// A path that a configuration would take for something else.
    #[error("{}: a configuration cannot hold such a path: rename it", path.display())]
    Path {
        /// The path.
        path: PathBuf,
    },
}

/// The lines for all sites.
///
/// # Errors
/// A site that cannot be served from a hot root.
pub fn configuration(
    server: ServerKind,
    folders: &[SiteFolder],
    state: &StateFolder,
) -> Result<String, ConfigurationError> {
    let mut text = String::new();
    for site in sites(folders, state) {
        check(&site.hot)?;
        check(Path::new(site.name))?;
        for folder in &site.folders {
            check(Path::new(&folder.prefix))?;
            check(&folder.folder)?;
        }
        text += &match server {
            ServerKind::Nginx => nginx::lines(&site),
            ServerKind::Apache => {
                for folder in &site.folders {
                    refuse_htaccess(site.name, &folder.folder)?;
                }
                apache::lines(&site)
            }
            ServerKind::Caddy => caddy::lines(&site),
        };
    }
    Ok(text)
}

/// Each site with its folders, in the order in which they are named.
fn sites<'f>(folders: &'f [SiteFolder], state: &StateFolder) -> Vec<HotSite<'f>> {
    let mut sites: Vec<HotSite<'f>> = Vec::new();
    for folder in folders {
        match sites.iter_mut().find(|site| site.name == folder.site) {
            Some(site) => site.folders.push(folder),
            None => sites.push(HotSite {
                name: &folder.site,
                folders: vec![folder],
                hot: site_folder(state, &folder.site),
            }),
        }
    }
    sites
}

/// Paths are quoted; what ends a quotation, or is a variable, cannot be in them.
fn check(path: &Path) -> Result<(), ConfigurationError> {
    let refused = |character: char| "\"\\${}%".contains(character) || character.is_control();
    match path.to_str() {
        Some(text) if !text.contains(refused) => Ok(()),
        _ => Err(ConfigurationError::Path {
            path: path.to_owned(),
        }),
    }
}

fn refuse_htaccess(site: &str, folder: &Path) -> Result<(), ConfigurationError> {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_name() == ".htaccess" {
            return Err(ConfigurationError::DependsOnHtaccess {
                site: site.to_owned(),
                file: path,
            });
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            refuse_htaccess(site, &path)?;
        }
    }
    Ok(())
}
