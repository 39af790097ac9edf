//! A mix from a TOML file.

use std::path::Path;
use std::time::Duration;

use hotset_scenario::{FileError, TomlFile, parse_duration};
use serde::Deserialize;
use toml::Spanned;

use super::fields::{Field, Spelling, Value};
use super::mix::{Mix, Next, PageType, Transition};
use super::nurand::NuRand;
use super::times::{SessionLength, ThinkTime};

/// Names of `to` that are no pages.
pub(super) const BACK: &str = "back";
pub(super) const END: &str = "end";
/// Longest text that a browser makes up.
const MOST_LETTERS: u64 = 10_000;

/// Reads the sessions of a mix.
///
/// # Errors
/// A file that is not such a file, or that contradicts itself; with line and column.
pub fn read(path: &Path) -> Result<Mix, FileError> {
    let file = TomlFile::read(path)?;
    mix(&file, file.parse()?)
}

/// The same of the text of a file at `path`.
///
/// # Errors
/// As [`read`].
pub fn parse(text: &str, path: &Path) -> Result<Mix, FileError> {
    let file = TomlFile::from_text(text, path);
    mix(&file, file.parse()?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct MixTable {
    name: String,
    #[serde(default = "one")]
    shares_of: Spanned<f64>,
    think: Option<TimeTable>,
    #[serde(default)]
    session: SessionTable,
    page: Spanned<Vec<PageTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct TimeTable {
    mean: Spanned<String>,
    most: Spanned<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct SessionTable {
    mean: Option<Spanned<String>>,
    most: Option<Spanned<String>>,
    ends_at: Option<Spanned<String>>,
    most_pages: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct PageTable {
    name: Spanned<String>,
    path: Spanned<String>,
    #[serde(default)]
    fields: Vec<FieldTable>,
    next: Vec<TransitionTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct TransitionTable {
    to: Spanned<String>,
    share: Spanned<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct FieldTable {
    name: Spanned<String>,
    share: Option<Spanned<f64>>,
    numbers: Option<Spanned<[u64; 2]>>,
    nurand: Option<Spanned<NuRandTable>>,
    letters: Option<Spanned<[u64; 2]>>,
    one_of: Option<Vec<String>>,
    same_as: Option<String>,
    syllables: Option<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct NuRandTable {
    a: u64,
    from: u64,
    to: u64,
}

fn one() -> Spanned<f64> {
    Spanned::new(0..0, 1.0)
}

fn mix(file: &TomlFile, table: MixTable) -> Result<Mix, FileError> {
    let pages = table.page.get_ref();
    if pages.is_empty() {
        return Err(file.error(
            table.page.span(),
            "`page`: there are none; write a [[page]]",
        ));
    }
    if *table.shares_of.get_ref() <= 0.0 {
        let span = table.shares_of.span();
        return Err(file.error(span, "`shares_of`: must be more than 0, such as 1"));
    }
    let names = Names::of(file, pages)?;
    let think = table.think.as_ref();
    Ok(Mix {
        name: table.name,
        think: think.map_or(Ok(ThinkTime::NONE), |it| time(file, &it.mean, &it.most))?,
        session: session(&names, &table.session)?,
        shares_of: *table.shares_of.get_ref(),
        pages: pages
            .iter()
            .map(|it| page(&names, it))
            .collect::<Result<_, _>>()?,
    })
}

/// Names of pages, by which tables refer to each other.
struct Names<'a> {
    file: &'a TomlFile,
    names: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn of(file: &'a TomlFile, pages: &'a [PageTable]) -> Result<Names<'a>, FileError> {
        let mut names: Vec<&str> = Vec::with_capacity(pages.len());
        for page in pages {
            let name = page.name.get_ref().as_str();
            if names.contains(&name) || [BACK, END].contains(&name) {
                let message = format!(
                    "`name` in [[page]]: `{name}` is taken; give each page a name of its own"
                );
                return Err(file.error(page.name.span(), message));
            }
            names.push(name);
        }
        Ok(Names { file, names })
    }

    fn page(&self, name: &Spanned<String>) -> Result<usize, FileError> {
        let found = self.names.iter().position(|known| known == name.get_ref());
        found.ok_or_else(|| {
            let message = format!(
                "there is no page `{}`; there are: {}",
                name.get_ref(),
                self.names.join(", ")
            );
            self.file.error(name.span(), message)
        })
    }
}

fn session(names: &Names<'_>, table: &SessionTable) -> Result<SessionLength, FileError> {
    let time = match (&table.mean, &table.most) {
        (Some(mean), Some(most)) => Some(time(names.file, mean, most)?),
        (None, None) => None,
        (Some(alone), None) | (None, Some(alone)) => {
            let message = "[session]: `mean` and `most` go together; give both or neither";
            return Err(names.file.error(alone.span(), message));
        }
    };
    let ends_at = table.ends_at.as_ref();
    Ok(SessionLength {
        time,
        ends_at: ends_at.map(|name| names.page(name)).transpose()?,
        most_pages: table.most_pages,
    })
}

fn time(
    file: &TomlFile,
    mean: &Spanned<String>,
    most: &Spanned<String>,
) -> Result<ThinkTime, FileError> {
    Ok(ThinkTime {
        mean: duration(file, mean)?,
        most: duration(file, most)?,
    })
}

fn duration(file: &TomlFile, text: &Spanned<String>) -> Result<Duration, FileError> {
    parse_duration(text.get_ref()).map_err(|_| {
        let message = format!(
            "`{}`: write a duration with its unit, such as 7s or 15m",
            text.get_ref()
        );
        file.error(text.span(), message)
    })
}

fn page(names: &Names<'_>, table: &PageTable) -> Result<PageType, FileError> {
    let path = table.path.get_ref();
    if !path.starts_with('/') || !path.bytes().all(|byte| byte.is_ascii_graphic()) {
        let message = "`path` in [[page]]: write a percent-encoded path that begins with /";
        return Err(names.file.error(table.path.span(), message));
    }
    let fields = table.fields.iter().map(|it| field(names.file, it));
    let next = table.next.iter().map(|it| transition(names, it));
    Ok(PageType {
        name: table.name.get_ref().clone(),
        path: path.clone(),
        fields: fields.collect::<Result<_, _>>()?,
        next: next.collect::<Result<_, _>>()?,
    })
}

fn transition(names: &Names<'_>, table: &TransitionTable) -> Result<Transition, FileError> {
    if *table.share.get_ref() < 0.0 {
        let message = "`share`: must not be below 0";
        return Err(names.file.error(table.share.span(), message));
    }
    Ok(Transition {
        to: match table.to.get_ref().as_str() {
            BACK => Next::Back,
            END => Next::End,
            _ => Next::Page(names.page(&table.to)?),
        },
        share: *table.share.get_ref(),
    })
}

fn field(file: &TomlFile, table: &FieldTable) -> Result<Field, FileError> {
    let share = table.share.as_ref();
    if let Some(share) = share.filter(|share| !(0.0..=1.0).contains(share.get_ref())) {
        return Err(file.error(share.span(), "`share`: must be from 0 to 1"));
    }
    Ok(Field {
        name: table.name.get_ref().clone(),
        share: share.map_or(1.0, |share| *share.get_ref()),
        value: value(file, table)?,
    })
}

fn value(file: &TomlFile, table: &FieldTable) -> Result<Value, FileError> {
    let spelling = table
        .syllables
        .map_or(Spelling::Digits, Spelling::Syllables);
    let range = |range: &Spanned<[u64; 2]>, most: u64| {
        let [from, to] = *range.get_ref();
        let message = format!("write the smaller number first, up to {most}");
        let fits = from <= to && to <= most;
        fits.then_some((from, to))
            .ok_or_else(|| file.error(range.span(), message))
    };
    let mut given = Vec::new();
    if let Some(numbers) = &table.numbers {
        let (from, to) = range(numbers, u64::MAX - 1)?;
        given.push(Value::Numbers(from, to, spelling));
    }
    if let Some(numbers) = &table.nurand {
        given.push(Value::NuRand(nurand(file, numbers)?, spelling));
    }
    if let Some(letters) = &table.letters {
        let (from, to) = range(letters, MOST_LETTERS)?;
        given.push(Value::Letters(from as usize, to as usize));
    }
    given.extend(table.one_of.clone().map(Value::OneOf));
    given.extend(table.same_as.clone().map(Value::SameAs));
    match <[Value; 1]>::try_from(given) {
        Ok([value]) => Ok(value),
        Err(_) => Err(file.error(
            table.name.span(),
            "a field has one of `numbers`, `nurand`, `letters`, `one_of` and `same_as`",
        )),
    }
}

/// The largest number of `nurand`: sums of two stay whole.
const MOST_NURAND: u64 = u64::MAX / 2;

fn nurand(file: &TomlFile, table: &Spanned<NuRandTable>) -> Result<NuRand, FileError> {
    let NuRandTable { a, from, to } = *table.get_ref();
    if from > to {
        return Err(file.error(table.span(), "`nurand`: `from` must not be above `to`"));
    }
    if to > MOST_NURAND || a > MOST_NURAND {
        let message = format!("`nurand`: `a` and `to` must be at most {MOST_NURAND}");
        return Err(file.error(table.span(), message));
    }
    Ok(NuRand { a, from, to })
}
