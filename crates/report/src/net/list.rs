//! `hotset net list`.

use hotset_petri::nets::{Entry, Parameter};
use serde::Serialize;

use crate::terminal::section;
use crate::{Column, Style, Table, View, json};

/// The nets that there are.
pub struct NetsView<'a> {
    /// The libraries' nets.
    pub nets: &'a [&'static Entry],
}

/// What `hotset net list --json` prints.
#[derive(Serialize)]
struct Nets<'a> {
    nets: Vec<ListedNet<'a>>,
}

#[derive(Serialize)]
struct ListedNet<'a> {
    name: &'a str,
    about: &'a str,
    parameters: Vec<ListedParameter<'a>>,
}

#[derive(Serialize)]
struct ListedParameter<'a> {
    name: &'a str,
    default: f64,
    about: &'a str,
}

impl View for NetsView<'_> {
    crate::by_hand!();
    /// A line for each net, then one for each parameter.
    fn terminal(&self, style: Style) -> String {
        let mut nets = Table::new([Column::text("net"), Column::text("what it is")]);
        let mut parameters = Table::new([
            Column::text("net"),
            Column::text("parameter"),
            Column::text("default"),
            Column::text("what it is"),
        ]);
        for net in self.nets {
            nets.row([net.name, net.about]);
            for it in net.parameters {
                let default = it.default.to_string();
                parameters.row([net.name, it.name, &default, it.about]);
            }
        }
        [
            nets.render(style),
            section(style, "Parameters", &parameters.render(style)),
        ]
        .concat()
    }

    fn json(&self) -> serde_json::Result<String> {
        let nets = self.nets.iter().map(|net| ListedNet {
            name: net.name,
            about: net.about,
            parameters: net.parameters.iter().map(listed).collect(),
        });
        json::text(&Nets {
            nets: nets.collect(),
        })
    }
}

fn listed(parameter: &Parameter) -> ListedParameter<'_> {
    ListedParameter {
        name: parameter.name,
        default: parameter.default,
        about: parameter.about,
    }
}
