//! A key of a scenario that is set aside from its file.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use toml::{Table, Value};

use crate::kind_setting::{set_disk_kind, set_kind};
use crate::names::there_are;
use crate::profile_setting::written_value;
use crate::{FileError, Scenario, TomlFile};

/// The table of which a scenario has one, so that its keys follow at once.
const NETWORK: &str = "network";

/// Tables of which a scenario may have several, and the key that tells one from the others.
const LISTS: [(&str, &str); 8] = [
    ("node", "name"),
    ("store", "name"),
    ("site", "name"),
    ("client", "name"),
    ("link", "node"),
    ("writer", "name"),
    ("database", "name"),
    (NETWORK, ""),
];

/// A key by its way and its value: `node.web1.memory=256MiB`, `link.web1.rate=1Gbit`, `store.disk.disk.rate=39MB`. A link goes by its
/// node, `web1`, or by its two nodes, `web1-file1`. The network goes by itself: `network.topology=mesh`.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioSetting {
    /// As it was written.
    text: String,
    /// One of [`LISTS`], by number.
    list: usize,
    /// The name and the key, with dots; of the network the key alone.
    rest: String,
    value: Value,
}

/// Why a scenario cannot be had with what is set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScenarioSettingError {
    /// The file by itself cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// What is set cannot be.
    #[error("{setting}: {message}")]
    Setting {
        /// What was to be set.
        setting: String,
        /// What is wrong and how to put it right.
        message: String,
    },
}

impl FromStr for ScenarioSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const FORM: &str = "write PATH=VALUE, such as node.web1.memory=256MiB, link.web1.rate=1Gbit or client.crowd.clients=64";
        let (path, value) = text.split_once('=').ok_or(FORM)?;
        let (list, rest) = path.trim().split_once('.').ok_or(FORM)?;
        let known: Vec<&str> = LISTS.iter().map(|(name, _)| *name).collect();
        let unknown = || {
            format!(
                "`{list}` is no list of a scenario; {}",
                there_are(list, &known)
            )
        };
        let list = known
            .iter()
            .position(|name| *name == list)
            .ok_or_else(unknown)?;
        let value = value.trim();
        let is_named = LISTS[list].0 == NETWORK || rest.contains('.');
        if value.is_empty() || rest.split('.').any(str::is_empty) || !is_named {
            return Err(FORM.to_owned());
        }
        Ok(Self {
            text: text.to_owned(),
            list,
            rest: rest.to_owned(),
            value: written_value(value),
        })
    }
}

impl fmt::Display for ScenarioSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl ScenarioSetting {
    /// The way to its key, as it was written.
    #[must_use]
    pub fn path(&self) -> &str {
        self.text
            .split_once('=')
            .map_or("", |(path, _)| path.trim())
    }

    /// Sets it in the tables of a scenario.
    fn set(&self, tables: &mut Table) -> Result<(), String> {
        let (list, key) = LISTS[self.list];
        if list == NETWORK {
            return put(tables, &format!("{NETWORK}.{}", self.rest), &self.value);
        }
        let items = tables.get_mut(list).and_then(Value::as_array_mut);
        let items = items.into_iter().flatten();
        let mut named: Vec<(Vec<String>, &mut Table)> = items
            .filter_map(Value::as_table_mut)
            .filter_map(|item| Some((names(item, key)?, item)))
            .collect();
        // A name may have dots, and begin like another: the longest is meant.
        let way = |name: &str| self.rest.strip_prefix(name)?.strip_prefix('.');
        let found = named
            .iter_mut()
            .filter_map(|(names, item)| Some((names.iter().find_map(|name| way(name))?, item)));
        let found = found.min_by_key(|(way, _)| way.len());
        match found {
            Some(("kind", item)) if list == "store" => {
                set_kind(item, &self.value);
                Ok(())
            }
            Some(("disk.kind", item)) if list == "store" => {
                set_disk_kind(item, &self.value);
                Ok(())
            }
            Some((way, item)) => put(item, way, &self.value),
            None => {
                let names = named.iter().filter_map(|(names, _)| names.first());
                let names: Vec<&str> = names.map(String::as_str).collect();
                let asked = self.rest.split('.').next().unwrap_or_default();
                let known = there_are(asked, &names);
                Err(format!("there is no such [[{list}]]; {known}"))
            }
        }
    }
}

/// What tells an item of a list from the others; two nodes, of a link between them, in either order.
fn names(item: &Table, key: &str) -> Option<Vec<String>> {
    if let Some(name) = item.get(key) {
        return Some(vec![name.as_str()?.to_owned()]);
    }
    let nodes = item.get("between")?.as_array()?;
    let mut nodes: Vec<&str> = nodes.iter().map(Value::as_str).collect::<Option<_>>()?;
    let in_order = nodes.join("-");
    nodes.reverse();
    Some(vec![in_order, nodes.join("-")])
}

/// Follows a way from table to table to a key, and makes tables that are missing.
fn put(table: &mut Table, way: &str, value: &Value) -> Result<(), String> {
    match way.split_once('.') {
        None => {
            table.insert(way.to_owned(), value.clone());
            Ok(())
        }
        Some((name, rest)) => {
            let inner = table
                .entry(name)
                .or_insert_with(|| Table::new().into())
                .as_table_mut()
                .ok_or_else(|| format!("`{name}` is no table"))?;
            put(inner, rest, value)
        }
    }
}

impl Scenario {
    /// As [`Scenario::load`], with some keys set: any key of a table that has a name, and of the network.
    ///
    /// # Errors
    /// As there, a table that the file does not have, a key that no such table has, and values that are refused in a file as well.
    pub fn load_with(
        path: &Path,
        settings: &[ScenarioSetting],
    ) -> Result<Self, ScenarioSettingError> {
        Self::of_file(&TomlFile::read(path)?, settings)
    }

    /// As [`Scenario::load_with`], of a file that was read before.
    ///
    /// # Errors
    /// As there.
    pub fn of_file(
        file: &TomlFile,
        settings: &[ScenarioSetting],
    ) -> Result<Self, ScenarioSettingError> {
        let path = file.path();
        let scenario = Self::parse(file.text(), path)?;
        if settings.is_empty() {
            return Ok(scenario);
        }
        let refused = |settings: &[ScenarioSetting], message: String| {
            let settings: Vec<&str> = settings.iter().map(|it| it.text.as_str()).collect();
            ScenarioSettingError::Setting {
                setting: settings.join(" "),
                message,
            }
        };
        let mut tables: Table = file.text().parse().unwrap_or_default();
        for setting in settings {
            let one = std::slice::from_ref(setting);
            setting.set(&mut tables).map_err(|why| refused(one, why))?;
        }
        let text = toml::to_string(&tables).map_err(|why| refused(settings, why.to_string()))?;
        // Places in this text are not those of the file.
        let parsed = Self::parse(&text, path);
        parsed.map_err(|why| refused(settings, why.message().to_owned()))
    }
}
