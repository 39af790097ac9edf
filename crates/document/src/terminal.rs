//! A document as lines of text: the most important one first, then tables.

use crate::document::{Block, Content, Heading, Shown, TableBlock, Text};
use crate::{Document, Style, Tone, printable};

impl Document<'_> {
    /// The document as lines, none wider than the style allows.
    pub fn terminal(&self, style: Style) -> String {
        let mut text = String::new();
        if !self.headline.is_empty() {
            text += &style.paragraph(self.tone, &self.headline);
        }
        for block in &self.blocks {
            if block.shown != Shown::OnPage {
                text += &self.block_in_terminal(block, style);
            }
        }
        match self.headline.is_empty() {
            true => text.trim_start_matches('\n').to_owned(),
            false => text,
        }
    }

    fn block_in_terminal(&self, block: &Block, style: Style) -> String {
        match &block.content {
            Content::Text(kind, text) => text_in_terminal(*kind, text, style),
            Content::Warning(warning, examples) => {
                let examples = examples
                    .iter()
                    .map(|example| format!("  {}\n", style.fitted(&printable(example), 2)));
                style.paragraph(Tone::Warning, warning) + &examples.collect::<String>()
            }
            Content::Lines(heading, lines) => {
                let lines = lines.iter().map(|line| style.paragraph(Tone::Plain, line));
                section(heading, &lines.collect::<String>(), style)
            }
            Content::Table(number) => table_in_terminal(&self.tables[*number], style),
            Content::Plots(_) | Content::Bars(_) => String::new(),
        }
    }
}

fn text_in_terminal(kind: Text, text: &str, style: Style) -> String {
    let apart = |tone| format!("\n{}", style.paragraph(tone, text));
    match kind {
        Text::Sentence => style.paragraph(Tone::Plain, text),
        Text::Paragraph => apart(Tone::Plain),
        Text::Remark => apart(Tone::Faint),
        Text::Note => style.paragraph(Tone::Faint, text),
        Text::Lead => apart(Tone::Strong),
        Text::Lines => text.to_owned(),
    }
}

fn table_in_terminal(table: &TableBlock, style: Style) -> String {
    let Some(heading) = &table.heading else {
        return String::new();
    };
    let mut body = table.in_terminal(style);
    if let Some(rest) = table.rest_in_terminal() {
        body += &format!("{}\n", style.paint(Tone::Faint, &rest));
    }
    for (tone, sentence) in &table.below {
        body += &style.paragraph(*tone, sentence);
    }
    match heading {
        Heading::Words(heading) => section(heading, &body, style),
        Heading::BlankLine if !body.is_empty() => format!("\n{body}"),
        Heading::None | Heading::BlankLine => body,
    }
}

/// Lines under a heading; nothing where there are none.
fn section(heading: &str, body: &str, style: Style) -> String {
    match body.is_empty() {
        true => String::new(),
        false => format!("\n{}{body}", style.paragraph(Tone::Strong, heading)),
    }
}
