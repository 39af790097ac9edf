//! What a server is told of a site.

use std::path::{Path, PathBuf};

/// A site and its hot root.
pub(super) struct HotSite<'a> {
    pub name: &'a str,
    /// Its own files.
    pub root: &'a Path,
    /// Copies of the hot ones.
    pub hot: PathBuf,
}
