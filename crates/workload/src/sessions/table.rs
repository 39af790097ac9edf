//! Transition tables as they are kept in this crate: a line a page.
//!
//! `browse: browse_categories 0.7, browse_regions 0.29` says what follows the page `browse`. `back` and `end` are no pages.
//! A path is `/PAGE.php`.

use super::mix::{Next, PageType, Transition};

/// The pages of a table, in its order. A name that no line has is no page and is left out; tests look for such.
pub fn pages_of(table: &str) -> Vec<PageType> {
    let lines: Vec<(&str, &str)> = table
        .lines()
        .filter_map(|line| line.split_once(':'))
        .collect();
    let number = |name: &str| match name {
        "back" => Some(Next::Back),
        "end" => Some(Next::End),
        name => {
            let place = lines.iter().position(|(page, _)| *page == name);
            place.map(Next::Page)
        }
    };
    let transition = |text: &str| {
        let (name, share) = text.trim().rsplit_once(' ')?;
        Some(Transition {
            to: number(name)?,
            share: share.parse().ok()?,
        })
    };
    let page = |(name, next): &(&str, &str)| PageType {
        name: (*name).to_owned(),
        path: format!("/{name}.php"),
        fields: Vec::new(),
        next: next.split(',').filter_map(transition).collect(),
    };
    lines.iter().map(page).collect()
}
