//! Apache httpd 2.4: mod_rewrite sends requests for files that have a copy to the copy.

use super::hot_site::HotSite;

pub(super) fn lines(site: &HotSite) -> String {
    let (name, hot) = (site.name, site.hot.display());
    format!(
        "# site {name}: into its `VirtualHost` block; needs mod_rewrite. Rules of `Directory` blocks do not hold for\n\
         # copies: write those that restrict access as `Location` blocks\n\
         RewriteEngine On\n\
         RewriteCond \"{hot}%{{REQUEST_URI}}\" -f\n\
         RewriteRule \"^\" \"{hot}%{{REQUEST_URI}}\" [END]\n\
         <Directory \"{hot}\">\n    \
             AllowOverride None\n    \
             Require all granted\n\
         </Directory>\n"
    )
}
