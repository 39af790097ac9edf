//! Tables as lines of text.

use super::{Align, Column, Row, RowKind, Table};
use crate::{Style, Tone, display_width, shorten_middle};
use std::ops::Range;

const GAP: &str = "  ";
/// A flexible column is not made narrower than this, so that a path stays recognisable.
const NARROWEST: usize = 16;

/// What the columns are set to.
struct Layout {
    widths: Vec<usize>,
    /// The lines of each header.
    headers: Vec<Vec<String>>,
}

impl Table {
    /// The table as lines, each ended by a line feed; nothing where there is no row.
    ///
    /// Where it is wider than [`Style::line_width`], headers are set on several lines. If that is not enough, cells of
    /// flexible columns are shortened, unless nothing is. Columns that still find no room go below the others, beside the
    /// labels again.
    pub fn render(&self, style: Style) -> String {
        let columns = self.shown_columns();
        let shown = Shown {
            rows: self.shown().collect(),
            columns: columns.iter().map(|&it| &self.columns[it]).collect(),
            numbers: columns,
        };
        match shown.rows.is_empty() || shown.columns.is_empty() {
            true => String::new(),
            false => shown.render(style),
        }
    }
}

/// What people are shown of a table.
struct Shown<'t> {
    columns: Vec<&'t Column>,
    /// Of the columns in the table.
    numbers: Vec<usize>,
    rows: Vec<&'t Row>,
}

impl Shown<'_> {
    fn render(&self, style: Style) -> String {
        let available = style.line_width();
        let mut layout = self.layout(style);
        let whole = layout.widths.clone();
        let excess = layout.width().saturating_sub(available);
        self.shrink(&mut layout.widths, excess);
        let labels = self.labels(&layout.widths, available);
        let parts = layout.parts(labels, available);
        if style.width.is_none() {
            layout.widths = whole;
        }
        let parts: Vec<String> = parts
            .into_iter()
            .map(|columns| self.part(&layout, (0..labels).chain(columns), style))
            .collect();
        parts.join("\n")
    }

    fn text<'r>(&self, row: &'r Row, column: usize) -> &'r str {
        &row.cells[self.numbers[column]].text
    }

    /// How many columns say what a row is about: the first, and the words beside it unless they take more than half of the
    /// line.
    fn labels(&self, widths: &[usize], available: usize) -> usize {
        let words = |column: &&&Column| column.align == Align::Left;
        let labels = self.columns.iter().take_while(words).count();
        let width = widths[..labels].iter().sum::<usize>();
        match labels > 1 && labels < widths.len() && width <= available / 2 {
            true => labels,
            false => 1,
        }
    }

    fn part(&self, layout: &Layout, columns: impl Iterator<Item = usize>, style: Style) -> String {
        let columns: Vec<usize> = columns.collect();
        let mut text = String::new();
        let lines = layout.header_lines(&columns);
        for line in 0..lines {
            // Short headers stand on the last lines, next to their cells.
            let header = |&i: &usize| {
                let own = &layout.headers[i];
                let line = (line + own.len()).checked_sub(lines);
                line.map_or("", |line| own[line].as_str())
            };
            text += &style.paint(Tone::Faint, &self.aligned(&columns, layout, header));
            text.push('\n');
        }
        for row in &self.rows {
            let cells = self.aligned(&columns, layout, |&i| self.text(row, i));
            text += &match row.kind {
                RowKind::Strong => style.paint(Tone::Strong, &cells),
                _ => cells,
            };
            text.push('\n');
        }
        text
    }

    fn aligned<'a>(
        &self,
        columns: &[usize],
        layout: &Layout,
        text: impl Fn(&usize) -> &'a str,
    ) -> String {
        let set: Vec<String> = columns
            .iter()
            .map(|i| self.columns[*i].set(text(i), layout.widths[*i]))
            .collect();
        set.join(GAP).trim_end().to_owned()
    }

    fn layout(&self, style: Style) -> Layout {
        let columns = self.columns.iter().enumerate();
        let cells: Vec<usize> = columns.map(|(i, _)| self.cell_width(i)).collect();
        let on_one_line = self.headers(|_| usize::MAX);
        let layout = Layout::of(&cells, on_one_line);
        // What a long path alone makes too wide stays so where nothing is shortened.
        let spare = match style.width {
            Some(_) => 0,
            None => self.spare(&layout.widths),
        };
        if layout.width() <= style.line_width() + spare {
            return layout;
        }
        Layout::of(&cells, self.headers(|i| cells[i]))
    }

    /// Columns of the terminal that the flexible ones could do without.
    fn spare(&self, widths: &[usize]) -> usize {
        let columns = self.columns.iter().zip(widths);
        let flexible = columns.filter(|(column, _)| column.flexible);
        flexible
            .map(|(_, width)| width.saturating_sub(NARROWEST))
            .sum()
    }

    /// Takes `excess` columns of the terminal from the flexible ones, the widest first, as far as they have them.
    fn shrink(&self, widths: &mut [usize], mut excess: usize) {
        let flexible: Vec<usize> = (0..widths.len())
            .filter(|&i| self.columns[i].flexible)
            .collect();
        while excess > 0 {
            let widest = flexible.iter().copied().max_by_key(|&i| widths[i]);
            let Some(widest) = widest.filter(|&i| widths[i] > NARROWEST) else {
                return;
            };
            widths[widest] -= 1;
            excess -= 1;
        }
    }

    /// The headers, each broken at its spaces to `width` of its column or its longest word.
    fn headers(&self, width: impl Fn(usize) -> usize) -> Vec<Vec<String>> {
        let columns = self.columns.iter().enumerate();
        columns
            .map(|(i, column)| broken(&column.header, width(i)))
            .collect()
    }

    fn cell_width(&self, column: usize) -> usize {
        let width = |row: &&Row| display_width(self.text(row, column));
        self.rows.iter().map(width).max().unwrap_or(0)
    }
}

impl Layout {
    /// Columns as wide as their cells, of which `cells` are the widths, and their headers.
    fn of(cells: &[usize], headers: Vec<Vec<String>>) -> Layout {
        let width = |(cells, lines): (&usize, &Vec<String>)| {
            let lines = lines.iter().map(|line| display_width(line));
            lines.chain([*cells]).max().unwrap_or(0)
        };
        Layout {
            widths: cells.iter().zip(&headers).map(width).collect(),
            headers,
        }
    }

    fn width(&self) -> usize {
        let gaps = GAP.len() * self.widths.len().saturating_sub(1);
        self.widths.iter().sum::<usize>() + gaps
    }

    /// The columns after the first `labels`, cut where they find no room beside those any more.
    fn parts(&self, labels: usize, available: usize) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let label_width = self.widths[..labels].iter().sum::<usize>() + GAP.len() * (labels - 1);
        let (mut begin, mut used) = (labels, label_width);
        for column in labels..self.widths.len() {
            let wider = used + GAP.len() + self.widths[column];
            if wider > available && column > begin {
                parts.push(begin..column);
                (begin, used) = (column, label_width + GAP.len() + self.widths[column]);
            } else {
                used = wider;
            }
        }
        parts.push(begin..self.widths.len());
        parts
    }

    /// Lines that the headers of `columns` take; none where all of them are empty.
    fn header_lines(&self, columns: &[usize]) -> usize {
        let lines = columns.iter().map(|&i| self.headers[i].len());
        match columns.iter().all(|&i| self.headers[i].concat().is_empty()) {
            true => 0,
            false => lines.max().unwrap_or(0),
        }
    }
}

/// `text` broken at spaces into lines of at most `width`, or of one word.
fn broken(text: &str, width: usize) -> Vec<String> {
    let longest = text.split(' ').map(display_width).max().unwrap_or(0);
    let width = width.max(longest);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        let line = &mut lines[last];
        if line.is_empty() {
            line.push_str(word);
        } else if display_width(line) + 1 + display_width(word) <= width {
            *line += &format!(" {word}");
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

impl Column {
    fn set(&self, cell: &str, width: usize) -> String {
        let cell = match self.flexible {
            true => shorten_middle(cell, width),
            false => cell.into(),
        };
        let padding = " ".repeat(width.saturating_sub(display_width(&cell)));
        match self.align {
            Align::Left => format!("{cell}{padding}"),
            Align::Right => format!("{padding}{cell}"),
        }
    }
}
