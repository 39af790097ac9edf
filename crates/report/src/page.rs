//! The frame of a page: head, headline, key figures, sections with anchors, how it came about.

use crate::plot::{Mark, Plot, svg};
use crate::{Provenance, printable};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

const STYLE: &str = include_str!("../../document/src/style.css");
/// Sorts and searches the lists.
const LIST_SCRIPT: &str = include_str!("../../document/src/list.js");
/// Begins every table that the script is for. Text from logs is escaped, so nothing else does.
const LIST: &str = "<table class=\"list\">";
/// Nothing may be fetched and no script may run, whatever a log smuggles in; [`policy`] makes one exception.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// What the browser is to allow. The script of lists is named by its hash (Content Security Policy Level 3, section 8.4).
fn policy(has_list: bool) -> String {
    match has_list {
        true => {
            let hash = BASE64_STANDARD.encode(Sha256::digest(LIST_SCRIPT));
            format!("{POLICY}; script-src 'sha256-{hash}'")
        }
        false => POLICY.to_owned(),
    }
}

/// A figure worth seeing first.
pub(crate) struct KeyFigure {
    pub label: String,
    pub value: String,
    /// What makes the value understandable: of what, compared with what.
    pub remark: String,
}

impl KeyFigure {
    pub fn new(label: &str, value: String, remark: String) -> KeyFigure {
        KeyFigure {
            label: label.to_owned(),
            value,
            remark,
        }
    }
}

/// A part of the page that can be linked to.
pub(crate) struct Section {
    /// The anchor; letters and hyphens.
    pub id: &'static str,
    pub heading: &'static str,
    pub body: Markup,
}

impl Section {
    pub fn new(id: &'static str, heading: &'static str, body: Markup) -> Section {
        Section { id, heading, body }
    }
}

/// A whole page.
pub(crate) struct Document<'a> {
    pub title: &'static str,
    /// One sentence that would do if nothing else were read.
    pub headline: String,
    pub figures: Vec<KeyFigure>,
    pub sections: Vec<Section>,
    /// Version, seed, options.
    pub provenance: &'a Provenance,
}

impl Document<'_> {
    /// The page as HTML that needs nothing but itself.
    pub fn render(self) -> String {
        self.render_anew_every(None)
    }

    /// The same, where a browser loads it anew after so many seconds.
    pub fn render_anew_every(self, seconds: Option<u32>) -> String {
        let has_list = self
            .sections
            .iter()
            .any(|section| section.body.0.contains(LIST));
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy(has_list));
                    @if let Some(seconds) = seconds { meta http-equiv="refresh" content=(seconds); }
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        p.kicker { (self.title) }
                        h1 { (self.headline) }
                        (key_figures(&self.figures))
                        (navigation(&self.sections))
                    }
                    main {
                        @for section in &self.sections {
                            section id=(section.id) aria-labelledby={ (section.id) "-heading" } {
                                h2 id={ (section.id) "-heading" } { (section.heading) }
                                (section.body)
                            }
                        }
                    }
                    footer { (provenance(self.provenance)) }
                    @if has_list { script { (PreEscaped(LIST_SCRIPT)) } }
                }
            }
        };
        page.into_string()
    }
}

fn provenance(provenance: &Provenance) -> Markup {
    html! {
        div.scroll { table {
            caption { span { "Run hotset again with these settings to get the same figures." } }
            tbody { @for (what, value) in provenance {
                tr { th scope="row" { (what) } td { code { (printable(value)) } } }
            } }
        } }
    }
}

fn key_figures(figures: &[KeyFigure]) -> Markup {
    html! {
        @if !figures.is_empty() {
            dl.figures {
                @for (i, figure) in figures.iter().enumerate() {
                    div.lead[i == 0] {
                        dt { (figure.label) }
                        dd { (figure.value) small { (figure.remark) } }
                    }
                }
            }
        }
    }
}

fn navigation(sections: &[Section]) -> Markup {
    html! {
        nav aria-label="Sections" {
            ul {
                @for section in sections {
                    li { a href={ "#" (section.id) } { (section.heading) } }
                }
            }
        }
    }
}

/// Plots side by side where there is room.
pub(crate) fn plots(plots: &[Plot]) -> Markup {
    html! { div.plots { @for plot in plots { (figure(plot)) } } }
}

fn figure(plot: &Plot) -> Markup {
    html! {
        figure {
            figcaption { (plot.title) small { (plot.description) } }
            @if plot.series.len() > 1 { (legend(plot)) }
            @match svg(plot) {
                Ok(picture) => (PreEscaped(picture)),
                Err(error) => p.warning { (error) },
            }
        }
    }
}

fn legend(plot: &Plot) -> Markup {
    html! {
        ul.legend aria-label="Legend" {
            // A line across the plot has its name beside it.
            @for series in plot.series.iter().filter(|series| !matches!(series.mark, Mark::At(_))) {
                li { i style={ "background:" (series.ink.hex()) } {} (series.name) }
            }
        }
    }
}
