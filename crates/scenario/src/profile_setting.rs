//! A key of a profile that is set aside from its file.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use toml::{Table, Value};

use crate::{Profile, ProfileError};

/// A key, as a path with dots, and its value: `reading.parallel=8`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileSetting {
    key: String,
    value: Value,
}

impl ProfileSetting {
    /// The key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Whether simulated reads do not look at this key of `profile`: its device says the same.
    #[must_use]
    pub fn gives_way_to_device_of(&self, profile: &Profile) -> bool {
        let is_of_lines = self.key.starts_with("uncached.") || self.key == "reading.parallel";
        profile.device.is_some() && is_of_lines
    }

    /// The value as it would stand alone: without the quotes of a text.
    #[must_use]
    pub fn value(&self) -> String {
        match &self.value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        }
    }
}

impl FromStr for ProfileSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const FORM: &str = "write NAME=VALUE, such as reading.parallel=8";
        let (key, value) = text.split_once('=').ok_or(FORM)?;
        let (key, value) = (key.trim(), value.trim());
        if value.is_empty() || key.split('.').any(str::is_empty) {
            return Err(FORM.to_owned());
        }
        Ok(Self {
            key: key.to_owned(),
            value: written_value(value),
        })
    }
}

/// What TOML has `text` for, else a text.
pub(crate) fn written_value(text: &str) -> Value {
    let parsed = format!("value = {text}").parse::<Table>().ok();
    // More than a value may stand on several lines.
    let parsed = parsed.filter(|table| table.len() == 1);
    let parsed = parsed.and_then(|mut table| table.remove("value"));
    parsed.unwrap_or_else(|| Value::String(text.to_owned()))
}

impl fmt::Display for ProfileSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value())
    }
}

impl Profile {
    /// The profile with some keys set: any key that its file may have. Its name says so.
    ///
    /// # Errors
    /// A key that profiles do not have, and values that are refused in a file as well.
    pub fn with(&self, settings: &[ProfileSetting]) -> Result<Self, ProfileError> {
        if settings.is_empty() {
            return Ok(self.clone());
        }
        let refused = |message: String| ProfileError::Setting {
            profile: self.name.clone(),
            message,
        };
        let text = self.to_toml().map_err(|error| refused(error.to_string()))?;
        let mut table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| refused(error.message().to_owned()))?;
        let is_kind = |it: &&ProfileSetting| it.key == DEVICE_KIND;
        let kinds = settings.iter().filter(is_kind);
        for setting in kinds.chain(settings.iter().filter(|it| !is_kind(it))) {
            set(&mut table, setting).map_err(|what| refused(format!("{}: {what}", setting.key)))?;
        }
        let text = toml::to_string(&table)
            .map_err(|error| refused(format!("cannot be written: {error}")))?;
        let mut profile = Self::parse(&text, Path::new(&self.name)).map_err(|error| {
            let is_missing = error.message().contains("is missing");
            let lacks = || lacks_file_system(self, &table, settings).filter(|_| is_missing);
            let message = unknown(self, settings).or_else(lacks);
            refused(message.unwrap_or_else(|| error.message().to_owned()))
        })?;
        let list: Vec<String> = settings.iter().map(ProfileSetting::to_string).collect();
        profile.name = format!("{} with {}", profile.name, list.join(", "));
        Ok(profile)
    }
}

/// Which keys a device has depends on its kind.
const DEVICE_KIND: &str = "device.kind";

/// The key of a flush of one time, which rows would otherwise be taken before.
const FLUSH: &str = "flush_us";

/// Follows the path from table to table, and makes those that are missing. A device of another kind begins without keys, and a flush that is set
/// is the same after any bytes.
fn set(table: &mut Table, setting: &ProfileSetting) -> Result<(), &'static str> {
    if setting.key == FLUSH {
        table.remove("flush");
    }
    if setting.key == DEVICE_KIND {
        let device = table.get("device").and_then(|it| it.get("kind"));
        if device != Some(&setting.value) {
            table.remove("device");
        }
    }
    let (tables, key) = match setting.key.rsplit_once('.') {
        Some((tables, key)) => (tables.split('.').collect(), key),
        None => (Vec::new(), setting.key.as_str()),
    };
    let mut inner = table;
    for name in tables {
        let next = inner.entry(name).or_insert_with(|| Table::new().into());
        inner = next.as_table_mut().ok_or("is no table on the way")?;
    }
    inner.insert(key.to_owned(), setting.value.clone());
    Ok(())
}

/// Keys that every file system of a profile has, each with what most have.
const FILE_SYSTEM_KEYS: [(&str, &str); 2] = [("kind", "ext4"), ("block_bytes", "4096")];

/// What is said of a key of a file system that `profile` does not name: all that is to be set beside it, at once.
fn lacks_file_system(
    profile: &Profile,
    table: &Table,
    settings: &[ProfileSetting],
) -> Option<String> {
    let own = settings
        .iter()
        .find(|it| it.key.starts_with("file_system."))?;
    let known = table.get("file_system")?.as_table()?;
    let lacking = FILE_SYSTEM_KEYS
        .iter()
        .filter(|(key, _)| !known.contains_key(*key));
    let lacking: Vec<String> = lacking
        .map(|(key, usual)| format!("file_system.{key}={usual}"))
        .collect();
    (!lacking.is_empty()).then(|| {
        format!(
            "{}: {} names no file system; set {} as well",
            own.key,
            profile.name,
            lacking.join(" and ")
        )
    })
}

/// How alike a name and a key are, from 0 to 1, for one to be taken for the other.
const ALIKE: f64 = 0.75;

/// What is said of the first name that stands alone, is no key, and is like one in a table.
fn unknown(profile: &Profile, settings: &[ProfileSetting]) -> Option<String> {
    let complete = Profile {
        reading: Some(profile.reading.unwrap_or_default()),
        writing: Some(profile.writing.unwrap_or_default()),
        ..profile.clone()
    };
    let table: Table = complete.to_toml().ok()?.parse().ok()?;
    let alone =
        |setting: &&ProfileSetting| !setting.key.contains('.') && !table.contains_key(&setting.key);
    let name = &settings.iter().find(alone)?.key;
    let mut keys = Vec::new();
    for (outer, value) in &table {
        let inner = value.as_table().into_iter().flatten();
        keys.extend(
            inner.map(|(key, _)| (strsim::jaro_winkler(name, key), format!("{outer}.{key}"))),
        );
    }
    let nearest = keys.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let (_, key) = nearest.filter(|&(likeness, _)| likeness >= ALIKE)?;
    Some(format!("`{name}`: unknown key; did you mean `{key}`?"))
}
