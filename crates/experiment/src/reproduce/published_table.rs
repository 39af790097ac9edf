//! Published figures, as CSV files have them that are embedded: lines of remarks, which begin with `#`, then headers, then rows. No value has a
//! comma.

/// A published table.
#[derive(Clone, Debug)]
pub(crate) struct PublishedTable {
    headers: Vec<&'static str>,
    rows: Vec<Vec<&'static str>>,
}

/// A row of a published table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PublishedRow<'t> {
    headers: &'t [&'static str],
    values: &'t [&'static str],
}

impl PublishedTable {
    /// The table that this text is.
    pub fn of(text: &'static str) -> Self {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let values = |line: &'static str| -> Vec<&'static str> { line.split(',').collect() };
        Self {
            headers: lines.next().map(values).unwrap_or_default(),
            rows: lines.map(values).collect(),
        }
    }

    /// Its rows.
    pub fn rows(&self) -> impl Iterator<Item = PublishedRow<'_>> {
        self.rows.iter().map(|values| PublishedRow {
            headers: &self.headers,
            values,
        })
    }

    /// A figure, by the first value of its row and the header of its column.
    pub fn figure(&self, row: &str, column: &str) -> Option<f64> {
        let mut rows = self.rows();
        rows.find(|of| of.name() == row)?.figure(column)
    }
}

impl PublishedRow<'_> {
    /// Its first value.
    pub fn name(&self) -> &'static str {
        self.values.first().copied().unwrap_or_default()
    }

    /// A value in words; empty where there is none.
    pub fn text(&self, column: &str) -> &'static str {
        let mut pairs = self.headers.iter().zip(self.values);
        let found = pairs.find(|(header, _)| **header == column);
        found.map_or("", |(_, value)| *value)
    }

    /// A figure; nothing where there is none.
    pub fn figure(&self, column: &str) -> Option<f64> {
        self.text(column).parse().ok()
    }

    /// Its columns from the number `first` on that have figures: header and figure.
    pub fn figures(&self, first: usize) -> impl Iterator<Item = (&'static str, f64)> {
        let pairs = self.headers.iter().zip(self.values).skip(first);
        pairs.filter_map(|(header, value)| Some((*header, value.parse().ok()?)))
    }
}

/// A published table by its name.
macro_rules! published_table {
    ($name:literal) => {
        ($name, include_str!(concat!("published/", $name, ".csv")))
    };
}

/// All published tables, by their names.
const ALL: [(&str, &str); 16] = [
    published_table!("tr65-table1"),
    published_table!("tr65-table2"),
    published_table!("tr65-table3"),
    published_table!("tr65-table4"),
    published_table!("tr65-table5"),
    published_table!("tr65-table6"),
    published_table!("char-table1"),
    published_table!("char-table3"),
    published_table!("char-table5"),
    published_table!("char-tcp"),
    published_table!("diskless-table1"),
    published_table!("diskless-table2"),
    published_table!("diskless-specweb99"),
    published_table!("cpn-table2"),
    published_table!("cpn-table4"),
    published_table!("cpn-validation"),
];

/// Names of the published tables, such as `tr65-table4`.
pub fn published_names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(name, _)| *name)
}

/// A published table as text, by its name; empty where there is none.
#[must_use]
pub fn published(name: &str) -> &'static str {
    let found = ALL.iter().find(|(known, _)| *known == name);
    found.map_or("", |(_, text)| *text)
}
