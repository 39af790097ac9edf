//! What a view is made of: blocks, in the order of the terminal, each in a section of the page.

use crate::plot::Plot;
use crate::{Bars, Style, Table, Tone};

/// What is shown of a result.
///
/// Blocks are said once. Where each appears follows from what it is: a table in the terminal if it has a heading, on the page
/// if it has a caption, among the tables for spreadsheets if it has a name. Sentences are in the terminal and on the page,
/// plots on the page alone. [`Document::in_terminal`] and [`Document::on_page`] take what is for one of them.
pub struct Document<'a> {
    pub(crate) title: &'static str,
    pub(crate) refresh_seconds: Option<u32>,
    pub(crate) headline: String,
    pub(crate) tone: Tone,
    pub(crate) figures: Vec<KeyFigure>,
    pub(crate) sections: Vec<Section>,
    pub(crate) blocks: Vec<Block<'a>>,
    pub(crate) tables: Vec<TableBlock<'a>>,
    /// The section that blocks are added to.
    section: usize,
    shown: Shown,
}

/// A figure worth seeing first.
pub(crate) struct KeyFigure {
    pub label: String,
    pub value: String,
    /// What makes the value understandable: of what, compared with what.
    pub remark: String,
}

/// A part of the page that can be linked to.
pub(crate) struct Section {
    /// The anchor; letters and hyphens.
    pub id: &'static str,
    pub heading: &'static str,
}

/// Where people are shown a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    Everywhere,
    InTerminal,
    OnPage,
}

/// A block, and where it stands.
pub(crate) struct Block<'a> {
    pub section: usize,
    pub shown: Shown,
    pub content: Content<'a>,
}

pub(crate) enum Content<'a> {
    Text(Text, String),
    /// What was left out, and examples of it.
    Warning(String, Vec<String>),
    /// Sentences under a heading.
    Lines(String, Vec<String>),
    /// The table of this number.
    Table(usize),
    Plots(Box<dyn Fn() -> Vec<Plot> + 'a>),
    Bars(Box<dyn Fn() -> Bars + 'a>),
}

/// What a text is to its document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    /// Goes on where the block before ends.
    Sentence,
    /// Stands by itself.
    Paragraph,
    /// Stands by itself, and may be passed over.
    Remark,
    /// A fact to be known beside the figures: an item of a list.
    Note,
    /// Leads what follows.
    Lead,
    /// Lines to be left as they are.
    Lines,
}

/// How a table stands below what is before it in the terminal.
pub(crate) enum Heading {
    Words(String),
    None,
    BlankLine,
}

/// A table that is made where it is shown, and what it is called there.
pub struct TableBlock<'a> {
    make: Box<dyn Fn(usize) -> Table + 'a>,
    pub(crate) heading: Option<Heading>,
    pub(crate) caption: Option<String>,
    pub(crate) is_list: bool,
    sheet: Option<&'static str>,
    rows_in_terminal: usize,
    rows_on_page: usize,
    hidden: Option<Hidden<'a>>,
    /// Lines below it in the terminal.
    pub(crate) below: Vec<(Tone, String)>,
}

/// Rows that a reader does not see, and where they are.
struct Hidden<'a> {
    count: Box<dyn Fn(usize) -> u64 + 'a>,
    /// Where they are, as the terminal and as the page say it.
    places: [&'static str; 2],
}

impl Default for Document<'_> {
    fn default() -> Self {
        Self::new("", Tone::Plain)
    }
}

impl<'a> Document<'a> {
    /// One that begins with the sentence that would do if nothing else were read.
    pub fn new(headline: impl Into<String>, tone: Tone) -> Self {
        Self {
            title: "hotset",
            refresh_seconds: None,
            headline: headline.into(),
            tone,
            figures: Vec::new(),
            sections: Vec::new(),
            blocks: Vec::new(),
            tables: Vec::new(),
            section: 0,
            shown: Shown::Everywhere,
        }
    }

    /// The title of the page.
    pub fn titled(mut self, title: &'static str) -> Self {
        self.title = title;
        self
    }

    /// Has a browser load the page anew after so many seconds.
    pub fn renewed_every(mut self, seconds: u32) -> Self {
        self.refresh_seconds = Some(seconds);
        self
    }

    /// Sections of the page (anchor, heading) in their order, of which those are shown that anything stands in.
    pub fn with_sections(
        mut self,
        sections: impl IntoIterator<Item = (&'static str, &'static str)>,
    ) -> Self {
        let sections = sections.into_iter();
        self.sections
            .extend(sections.map(|(id, heading)| Section { id, heading }));
        self
    }

    /// Goes on in the section of this anchor; one that is new stands last and is headed by its anchor.
    pub fn section(&mut self, id: &'static str) -> &mut Self {
        let known = self.sections.iter().position(|section| section.id == id);
        self.section = known.unwrap_or_else(|| {
            self.sections.push(Section { id, heading: id });
            self.sections.len() - 1
        });
        self
    }

    /// Adds blocks that the terminal alone shows.
    pub fn in_terminal(&mut self, add: impl FnOnce(&mut Self)) -> &mut Self {
        self.only(Shown::InTerminal, add)
    }

    /// Adds blocks that the page alone shows.
    pub fn on_page(&mut self, add: impl FnOnce(&mut Self)) -> &mut Self {
        self.only(Shown::OnPage, add)
    }

    fn only(&mut self, shown: Shown, add: impl FnOnce(&mut Self)) -> &mut Self {
        let before = self.shown;
        if before != Shown::Everywhere && before != shown {
            return self;
        }
        self.shown = shown;
        add(self);
        self.shown = before;
        self
    }

    fn push(&mut self, content: Content<'a>) -> &mut Self {
        self.blocks.push(Block {
            section: self.section,
            shown: self.shown,
            content,
        });
        self
    }

    fn text(&mut self, kind: Text, text: impl Into<Option<String>>) -> &mut Self {
        match text.into().filter(|text| !text.is_empty()) {
            Some(text) => self.push(Content::Text(kind, text)),
            None => self,
        }
    }

    /// A figure worth seeing first on the page, and what makes it understandable.
    pub fn figure(&mut self, label: &str, value: String, remark: impl Into<String>) -> &mut Self {
        self.figures.push(KeyFigure {
            label: label.to_owned(),
            value,
            remark: remark.into(),
        });
        self
    }

    /// A sentence that goes on where the block before ends. Nothing where there is none, as with all texts.
    pub fn sentence(&mut self, sentence: impl Into<Option<String>>) -> &mut Self {
        self.text(Text::Sentence, sentence)
    }

    /// Sentences that stand by themselves.
    pub fn paragraph(&mut self, sentences: impl Into<Option<String>>) -> &mut Self {
        self.text(Text::Paragraph, sentences)
    }

    /// Sentences that stand by themselves, and may be passed over.
    pub fn remark(&mut self, sentences: impl Into<Option<String>>) -> &mut Self {
        self.text(Text::Remark, sentences)
    }

    /// A sentence that leads what follows.
    pub fn lead(&mut self, sentence: impl Into<Option<String>>) -> &mut Self {
        self.text(Text::Lead, sentence)
    }

    /// Facts to be known beside the figures.
    pub fn notes(&mut self, notes: impl IntoIterator<Item = String>) -> &mut Self {
        for note in notes {
            self.text(Text::Note, note);
        }
        self
    }

    /// What keeps the figures from being what they seem.
    pub fn warning(&mut self, warning: impl Into<Option<String>>) -> &mut Self {
        self.warning_with(warning, Vec::new())
    }

    /// The same with examples.
    pub fn warning_with(
        &mut self,
        warning: impl Into<Option<String>>,
        examples: Vec<String>,
    ) -> &mut Self {
        match warning.into() {
            Some(warning) => self.push(Content::Warning(warning, examples)),
            None => self,
        }
    }

    /// Sentences under a heading; nothing where there are none.
    pub fn lines(&mut self, heading: &str, lines: &[String]) -> &mut Self {
        match lines {
            [] => self,
            lines => self.push(Content::Lines(heading.to_owned(), lines.to_vec())),
        }
    }

    /// Lines that are left as they are, each ended by a line feed: commands, names of files.
    pub fn preformatted(&mut self, text: impl Into<Option<String>>) -> &mut Self {
        self.text(Text::Lines, text)
    }

    /// Plots side by side where there is room.
    pub fn plots(&mut self, plots: impl Fn() -> Vec<Plot> + 'a) -> &mut Self {
        self.push(Content::Plots(Box::new(plots)))
    }

    /// A list whose rows have bars.
    pub fn bars(&mut self, bars: impl Fn() -> Bars + 'a) -> &mut Self {
        self.push(Content::Bars(Box::new(bars)))
    }

    /// A table, which is made where it is shown. It is asked for as many rows as are shown there, and may have more.
    pub fn table<T: Into<Table>>(&mut self, make: impl Fn(usize) -> T + 'a) -> &mut TableBlock<'a> {
        let block = TableBlock {
            make: Box::new(move |most| make(most).into()),
            heading: None,
            caption: None,
            is_list: false,
            sheet: None,
            rows_in_terminal: usize::MAX,
            rows_on_page: usize::MAX,
            hidden: None,
            below: Vec::new(),
        };
        let number = self.tables.len();
        self.tables.push(block);
        self.push(Content::Table(number));
        &mut self.tables[number]
    }

    /// The same with no more rows of each table on its page than in the terminal, and without what sorts and searches them: a page
    /// to be looked at beside others.
    #[must_use]
    pub fn in_short(mut self) -> Self {
        for table in &mut self.tables {
            table.rows_on_page = table.rows_on_page.min(table.rows_in_terminal);
            table.is_list = false;
        }
        self
    }

    /// Every table that has a name, under it.
    pub(crate) fn sheets(&self) -> Vec<(&'static str, Table)> {
        let blocks = self.blocks.iter();
        let blocks = blocks.filter(|block| block.shown == Shown::Everywhere);
        let tables = blocks.filter_map(|block| match block.content {
            Content::Table(number) => Some(&self.tables[number]),
            _ => None,
        });
        tables
            .filter_map(|table| Some((table.sheet?, (table.make)(usize::MAX))))
            .collect()
    }
}

impl<'a> TableBlock<'a> {
    /// Has the terminal show it under this heading.
    pub fn heading(&mut self, heading: impl Into<String>) -> &mut Self {
        self.heading = Some(Heading::Words(heading.into()));
        self
    }

    /// Has the terminal show it right below the block before.
    pub fn bare(&mut self) -> &mut Self {
        self.heading = Some(Heading::None);
        self
    }

    /// Has the terminal show it by itself, without a heading.
    pub fn apart(&mut self) -> &mut Self {
        self.heading = Some(Heading::BlankLine);
        self
    }

    /// Has the page show it, with a sentence that says what it shows.
    pub fn caption(&mut self, caption: impl Into<String>) -> &mut Self {
        self.caption = Some(caption.into());
        self
    }

    /// Has readers of the page sort and search it.
    pub fn list(&mut self) -> &mut Self {
        self.is_list = true;
        self
    }

    /// Has spreadsheets get it, as a file of this name.
    pub fn sheet(&mut self, name: &'static str) -> &mut Self {
        self.sheet = Some(name);
        self
    }

    /// Asks for so many rows only.
    pub fn first(&mut self, in_terminal: usize, on_page: usize) -> &mut Self {
        (self.rows_in_terminal, self.rows_on_page) = (in_terminal, on_page);
        self
    }

    /// Says how many rows are not shown if so many are asked for, and where they are: in the terminal, whose reader knows the
    /// command's options, and on the page.
    pub fn rest(
        &mut self,
        places: [&'static str; 2],
        count: impl Fn(usize) -> u64 + 'a,
    ) -> &mut Self {
        let count = Box::new(count);
        self.hidden = Some(Hidden { count, places });
        self
    }

    /// Has the terminal say this right below it.
    pub fn below(&mut self, tone: Tone, sentence: impl Into<Option<String>>) -> &mut Self {
        self.below
            .extend(sentence.into().map(|sentence| (tone, sentence)));
        self
    }

    pub(crate) fn in_terminal(&self, style: Style) -> String {
        (self.make)(self.rows_in_terminal).render(style)
    }

    pub(crate) fn on_page(&self) -> Table {
        (self.make)(self.rows_on_page)
    }

    /// How many more rows there are, and where.
    pub(crate) fn rest_in_terminal(&self) -> Option<String> {
        self.rest_beyond(self.rows_in_terminal, 0)
    }

    pub(crate) fn rest_on_page(&self) -> Option<String> {
        self.rest_beyond(self.rows_on_page, 1)
    }

    fn rest_beyond(&self, most: usize, place: usize) -> Option<String> {
        let hidden = self.hidden.as_ref()?;
        let count = (hidden.count)(most);
        let more = || {
            format!(
                "… and {} more; {}",
                crate::number::count(count),
                hidden.places[place]
            )
        };
        (count > 0).then(more)
    }
}
