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

impl SiteFolder {
    /// The folder of a rule, which is of `site` where it names none.
    pub fn of(rule: &RootRule, site: &str) -> Self {
        Self {
            site: rule.site.as_deref().unwrap_or(site).to_owned(),
            prefix: rule.prefix.clone(),
            folder: rule.directory.clone(),
        }
    }
}
