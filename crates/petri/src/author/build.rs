//! From an author's pages to a net.

use super::check;
use super::draft::Draft;
use super::page::Page;
use crate::error::NetError;
use crate::net::Net;

impl Net {
    /// Draws a net, and checks it.
    ///
    /// # Errors
    /// The first thing that cannot be meant, with its path.
    pub fn build(name: &str, author: impl FnOnce(&mut Page<'_>)) -> Result<Net, NetError> {
        let mut draft = Draft::new();
        author(&mut Page::top(&mut draft));
        check::flatten(name, draft)
    }
}
