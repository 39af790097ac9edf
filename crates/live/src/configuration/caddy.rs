//! Caddy 2: the `file` matcher picks requests for files that have a copy.

use super::hot_site::HotSite;

pub(super) fn lines(site: &HotSite) -> String {
    let (name, root, hot) = (site.name, site.root.display(), site.hot.display());
    format!(
        "# site {name}: into its block, in place of `root` and `file_server`\n\
         @hot file {{\n    \
             root \"{hot}\"\n    \
             try_files {{path}}\n\
         }}\n\
         handle @hot {{\n    \
             root * \"{hot}\"\n    \
             file_server\n\
         }}\n\
         handle {{\n    \
             root * \"{root}\"\n    \
             file_server\n\
         }}\n"
    )
}
