//! A list whose rows have bars, for people who look for the longest.

use maud::{Markup, html};

use crate::{number, printable};

/// Rows with bars, under headers.
pub struct Bars {
    /// What they show.
    pub caption: &'static str,
    /// What the names, their groups, the sizes, the bars and their values are called.
    pub headers: [&'static str; 5],
    /// The rows.
    pub rows: Vec<Bar>,
}

/// A row.
pub struct Bar {
    /// What it is of.
    pub name: String,
    /// What that belongs to.
    pub group: String,
    /// How large that is.
    pub bytes: u64,
    /// How long the bar is.
    pub value: f64,
    /// Whether the bar is full, or an outline.
    pub is_full: bool,
}

impl Bars {
    /// The rows as HTML, bars beside the longest. On a narrow page the group stands below the name.
    pub(crate) fn html(&self) -> Markup {
        let most = self.rows.iter().map(|row| row.value).fold(0.0, f64::max);
        let percent = |row: &Bar| 100.0 * row.value / most.max(f64::MIN_POSITIVE);
        let [name, group, size, bar, value] = self.headers;
        html! {
            div.scroll { table.heat {
                caption { span { (self.caption) } }
                thead { tr {
                    th.flexible { (name) } th.side { (group) } th.number.side { (size) } th.bar { (bar) } th.number { (value) }
                } }
                tbody { @for row in &self.rows { tr {
                    th.flexible scope="row" { (printable(&row.name)) small.where { (printable(&row.group)) } }
                    td.side { (printable(&row.group)) }
                    td.number.side { (number::bytes(row.bytes)) }
                    td.bar { i.held[row.is_full] style={ "width:" (format!("{:.1}%", percent(row))) } {} }
                    td.number { (number::count(row.value.round() as u64)) }
                } } }
            } }
        }
    }
}
