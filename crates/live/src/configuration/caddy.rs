//! Caddy 2: the `file` matcher picks requests for files that have a copy.

use super::hot_site::HotSite;
use std::path::Path;

pub(super) fn lines(site: &HotSite) -> String {
    let (name, hot) = (site.name, site.hot.display());
    let mut lines = format!(
        "# site {name}: into its block, in place of `root` and `file_server`\n\
         @hot file {{\n    \
             root \"{hot}\"\n    \
             try_files {{path}}\n\
         }}\n"
    );
    // Caddy sorts them: the longest path comes first.
    for alias in site.aliases() {
        let prefix = &alias.prefix;
        let stripped = prefix.trim_end_matches('/');
        lines += &handle(
            &format!("\"{prefix}*\" "),
            &format!(
                "{}{}",
                handle("@hot ", &files(&site.hot)),
                handle(
                    "",
                    &format!("uri strip_prefix \"{stripped}\"\n{}", files(&alias.folder))
                )
            ),
        );
    }
    if let Some(root) = site.root() {
        lines += &handle("@hot ", &files(&site.hot));
        lines += &handle("", &files(root));
    }
    lines
}

fn files(folder: &Path) -> String {
    format!("root * \"{}\"\nfile_server\n", folder.display())
}

fn handle(matcher: &str, inside: &str) -> String {
    let inside: String = inside.lines().map(|line| format!("    {line}\n")).collect();
    format!("handle {matcher}{{\n{inside}}}\n")
}
