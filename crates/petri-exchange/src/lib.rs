//! Petri nets as people and other tools read them: text, pictures, CPN Tools with expressions in Standard ML, and the Petri Net Markup
//! Language, which is read as well.
//!
//! CPN Tools runs a net, too, if it is written in what it understands: structures declared by [`colour!`], and expressions in
//! [`expr!`] for [`Transition::join_expr`], [`Transition::when_expr`] and [`Transition::fire_expr`]. They are Rust and run at full
//! speed; a file has them in Standard ML. Closures are refused here, with the transition's path, and so are expressions that
//! Standard ML has no word for.
//!
//! ```
//! use hotset_petri::{Net, colour, expr};
//! use hotset_petri_exchange::export::{CpnTools, Exporter};
//!
//! colour! {
//!     #[derive(Clone, Debug)]
//!     struct Job { pages: u32, urgent: bool }
//! }
//!
//! let net = Net::build("printer", |page| {
//!     let jobs = page.bag("jobs", [Job { pages: 3, urgent: true }]);
//!     let printed = page.sink("printed");
//!     page.transition("print")
//!         .take(&jobs)
//!         .when_expr(expr!(|job| job.urgent || job.pages < 10))
//!         .put(&printed)
//!         .fire_expr(expr!(|job, _| job.pages + 1));
//! })?;
//! let file = CpnTools.export(&net)?;
//! assert!(file.contains("[#urgent job orelse #pages job &lt; 10]"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | deed | place |
//! | --- | --- |
//! | a picture of a net; page by page where it is large | `export/svg.rs`; `export/sheets_of_pages.rs` |
//! | where nodes stand, in drawings | `export/layout.rs` |
//! | where places and transitions stand in files of CPN Tools; what stands there | `export/cpn_tools/mod.rs`; `cpn_tools/pages.rs` |
//! | what is on each page | `export/hierarchy.rs` |
//! | a Rust expression in Standard ML | `standard_ml.rs` |
//! | read a net from a file | `import/NAME.rs` |
//!
//! [`colour!`]: hotset_petri::colour
//! [`expr!`]: hotset_petri::expr
//! [`Transition::join_expr`]: hotset_petri::Transition::join_expr
//! [`Transition::when_expr`]: hotset_petri::Transition::when_expr
//! [`Transition::fire_expr`]: hotset_petri::Transition::fire_expr

pub mod export;
pub mod import;
mod pnml;
mod standard_ml;
