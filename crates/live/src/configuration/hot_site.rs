//! What a server is told of a site.

use crate::SiteFolder;
use std::path::{Path, PathBuf};

/// A site and its hot root.
pub(super) struct HotSite<'a> {
    pub name: &'a str,
    /// Its own files.
    pub folders: Vec<&'a SiteFolder>,
    /// Copies of the hot ones.
    pub hot: PathBuf,
}

impl<'a> HotSite<'a> {
    /// The folder of all paths that no alias has.
    pub fn root(&self) -> Option<&'a Path> {
        let root = self.folders.iter().find(|folder| folder.prefix == "/");
        root.map(|root| root.folder.as_path())
    }

    /// Folders of paths with a beginning of their own.
    pub fn aliases(&self) -> impl Iterator<Item = &'a SiteFolder> {
        let folders = self.folders.iter().copied();
        folders.filter(|folder| folder.prefix != "/")
    }
}
