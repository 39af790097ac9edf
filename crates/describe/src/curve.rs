//! The exact miss-ratio curve of a site.
