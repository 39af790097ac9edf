//! `hotset net list`.

use hotset_petri::nets::{Entry, Parameter};
use serde::Serialize;

use crate::{Document, Json, Table, View};

/// The nets that there are.
pub struct NetsView<'a> {
    /// The libraries' nets.
    pub nets: &'a [&'static Entry],
}

/// What `hotset net list --json` prints.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Nets<'a> {
    /// Nets by name.
    nets: Vec<ListedNet<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct ListedNet<'a> {
    /// Name of the net.
    name: &'a str,
    /// What it is.
    about: &'a str,
    /// What may be set.
    parameters: Vec<ListedParameter<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct ListedParameter<'a> {
    /// Name for --set.
    name: &'a str,
    /// Its value unless set.
    default: f64,
    /// What it is.
    about: &'a str,
}

impl View for NetsView<'_> {
    /// A line for each net, then one for each parameter.
    fn document(&self) -> Document<'_> {
        let mut to = Document::default();
        to.table(move |_| {
            Table::of(self.nets)
                .text("net", |it| it.name)
                .text("what it is", |it| it.about)
        })
        .bare();
        to.table(move |_| {
            let nets = self.nets.iter();
            Table::of(nets.flat_map(|net| net.parameters.iter().map(move |it| (net.name, it))))
                .text("net", |it| it.0)
                .text("parameter", |it| it.1.name)
                .text("default", |it| it.1.default.to_string())
                .text("what it is", |it| it.1.about)
        })
        .heading("Parameters");
        to
    }

    fn value(&self) -> impl Json {
        let nets = self.nets.iter().map(|net| ListedNet {
            name: net.name,
            about: net.about,
            parameters: net.parameters.iter().map(listed).collect(),
        });
        Nets {
            nets: nets.collect(),
        }
    }
}

fn listed(parameter: &Parameter) -> ListedParameter<'_> {
    ListedParameter {
        name: parameter.name,
        default: parameter.default,
        about: parameter.about,
    }
}
