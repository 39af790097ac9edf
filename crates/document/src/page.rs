//! A document as a page: head, headline, key figures, sections with anchors, how it came about.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use crate::document::{Block, Content, KeyFigure, Section, Shown, TableBlock, Text};
use crate::plot::{Mark, Plot, svg};
use crate::{Document, Provenance, printable, shorten_middle};

const STYLE: &str = include_str!("style.css");
/// Sorts and searches the lists.
const LIST_SCRIPT: &str = include_str!("list.js");
/// Begins every table that the script is for. Text from logs is escaped, so nothing else does.
const LIST: &str = "<table class=\"list\">";
/// Nothing may be fetched and no script may run, whatever a log smuggles in; [`policy`] makes one exception.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";
/// Columns of an example.
const EXAMPLE_WIDTH: usize = 160;

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

impl Document<'_> {
    /// The page as HTML that needs nothing but itself.
    pub fn page(&self, provenance: &Provenance) -> String {
        let bodies = (0..self.sections.len()).map(|section| self.section_body(section));
        let sections: Vec<(&Section, Markup)> = self.sections.iter().zip(bodies).collect();
        let shown = || sections.iter().filter(|(_, body)| !body.0.is_empty());
        let has_list = shown().any(|(_, body)| body.0.contains(LIST));
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy(has_list));
                    @if let Some(seconds) = self.refresh_seconds { meta http-equiv="refresh" content=(seconds); }
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        p.kicker { (self.title) }
                        h1 { (printable(&self.headline)) }
                        (key_figures(&self.figures))
                        nav aria-label="Sections" {
                            ul { @for (section, _) in shown() {
                                li { a href={ "#" (section.id) } { (section.heading) } }
                            } }
                        }
                    }
                    main {
                        @for (section, body) in shown() {
                            section id=(section.id) aria-labelledby={ (section.id) "-heading" } {
                                h2 id={ (section.id) "-heading" } { (section.heading) }
                                (body)
                            }
                        }
                    }
                    footer { (came_about(provenance)) }
                    @if has_list { script { (PreEscaped(LIST_SCRIPT)) } }
                }
            }
        };
        page.into_string()
    }

    fn section_body(&self, section: usize) -> Markup {
        let blocks = self.blocks.iter();
        let blocks: Vec<&Block> = blocks
            .filter(|block| block.section == section && block.shown != Shown::InTerminal)
            .collect();
        let groups = blocks.chunk_by(|one, next| is_note(one) && is_note(next));
        html! {
            @for group in groups {
                @if is_note(group[0]) { ul { @for block in group { (self.block_on_page(block)) } } }
                @else { (self.block_on_page(group[0])) }
            }
        }
    }

    fn block_on_page(&self, block: &Block) -> Markup {
        match &block.content {
            Content::Text(Text::Note, text) => html! { li { (printable(text)) } },
            Content::Text(Text::Lines, text) => html! { pre { (printable(text)) } },
            Content::Text(_, text) => html! { p { (with_code(text)) } },
            Content::Warning(warning, examples) => html! { div.warning {
                (printable(warning))
                @if !examples.is_empty() {
                    pre { @for example in examples { (shorten_middle(&printable(example), EXAMPLE_WIDTH)) "\n" } }
                }
            } },
            Content::Lines(heading, lines) => html! {
                h3 { (heading) }
                @for line in lines { p { (printable(line)) } }
            },
            Content::Table(number) => table_on_page(&self.tables[*number]),
            Content::Plots(plots) => {
                html! { div.plots { @for plot in &plots() { (figure(plot)) } } }
            }
            Content::Bars(bars) => bars().html(),
        }
    }
}

fn is_note(block: &Block) -> bool {
    matches!(block.content, Content::Text(Text::Note, _))
}

/// A sentence in which what stands between backticks is code.
fn with_code(text: &str) -> Markup {
    let text = printable(text);
    html! {
        @for (number, part) in text.split('`').enumerate() {
            @if number % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn table_on_page(table: &TableBlock) -> Markup {
    let Some(caption) = &table.caption else {
        return Markup::default();
    };
    html! {
        (table.on_page().markup(&printable(caption), table.is_list))
        @if let Some(rest) = table.rest_on_page() { p { (rest) } }
    }
}

fn came_about(provenance: &Provenance) -> Markup {
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
                        dt { (printable(&figure.label)) }
                        dd { (figure.value) small { (printable(&figure.remark)) } }
                    }
                }
            }
        }
    }
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
