//! nginx: `try_files` (ngx_http_core_module) opens the copy where there is one.

use super::hot_site::HotSite;

pub(super) fn lines(site: &HotSite) -> String {
    let (name, root, hot) = (site.name, site.root.display(), site.hot.display());
    format!(
        "# site {name}: into its `server` block, in place of `location /`\n\
         location / {{\n    \
             root \"{hot}\";\n    \
             try_files $uri @backing;\n\
         }}\n\
         location @backing {{\n    \
             root \"{root}\";\n\
         }}\n"
    )
}
