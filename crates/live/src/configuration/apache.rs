//! Apache httpd 2.4: mod_rewrite sends requests for files that have a copy to the copy.

use super::HotSite;

pub(super) fn lines(site: &HotSite) -> String {
    let (name, hot) = (site.name, site.hot.display());
    format!(
        "# site {name}: into its `VirtualHost` block; needs mod_rewrite\n\
         RewriteEngine On\n\
         RewriteCond \"{hot}%{{REQUEST_URI}}\" -f\n\
         RewriteRule \"^\" \"{hot}%{{REQUEST_URI}}\" [END]\n\
         <Directory \"{hot}\">\n    \
             AllowOverride None\n    \
             Require all granted\n\
         </Directory>\n"
    )
}
