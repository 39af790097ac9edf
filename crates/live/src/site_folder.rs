//! Folders of sites.

use hotset_trace::read::RootRule;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A folder of a site, and the part of its URLs that it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteFolder {
    /// Name of the site.
    pub site: String,
    /// The beginning of the paths that lie in it, with its final slash.
    pub prefix: String,
    /// The folder.
    pub folder: PathBuf,
}

impl From<RootRule> for SiteFolder {
    fn from(rule: RootRule) -> Self {
        Self {
            site: rule.site,
            prefix: rule.prefix,
            folder: rule.directory,
        }
    }
}
