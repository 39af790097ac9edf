//! Nets as text, pictures and files of other tools.

mod cpn_tools;
mod drawings;
mod pnml;
mod support;
