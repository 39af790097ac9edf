//! nginx: `try_files` (ngx_http_core_module) opens the copy where there is one. A copy that goes between being found and being
//! opened would be a 404; the file itself is served instead. `try_files` does not go with `alias`, so there a test for
//! the copy (ngx_http_rewrite_module) takes its place.

use super::hot_site::HotSite;
use crate::SiteFolder;
use std::path::Path;

pub(super) fn lines(site: &HotSite) -> String {
    let root = site.root().map(|root| of_root(site, root));
    let aliases = site.aliases().map(|alias| of_alias(site, alias));
    root.into_iter().chain(aliases).collect()
}

fn of_root(site: &HotSite, root: &Path) -> String {
    let (name, root, hot) = (site.name, root.display(), site.hot.display());
    format!(
        "# site {name}: into its `server` block, in place of `location /`\n\
         location / {{\n    \
             root \"{hot}\";\n    \
             try_files $uri @backing;\n    \
             error_page 404 = @backing;\n\
         }}\n\
         location @backing {{\n    \
             root \"{root}\";\n\
         }}\n"
    )
}

fn of_alias(site: &HotSite, alias: &SiteFolder) -> String {
    let (name, hot) = (site.name, site.hot.display());
    let (prefix, folder) = (&alias.prefix, alias.folder.display());
    format!(
        "# site {name}: into its `server` block, in place of `location {prefix}`\n\
         location \"{prefix}\" {{\n    \
             alias \"{folder}/\";\n    \
             if (-f \"{hot}$uri\") {{\n        \
                 root \"{hot}\";\n    \
             }}\n\
         }}\n"
    )
}
