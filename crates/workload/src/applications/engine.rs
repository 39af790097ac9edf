//! Storage engines of MariaDB.

use hotset_trace::not_one_of;
use strum::{EnumString, IntoStaticStr, VariantNames};

/// A storage engine of MariaDB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = not_an_engine)]
pub enum Engine {
    /// Tables that are read through a buffer pool.
    #[default]
    Innodb,
    /// Tables that are read through the page cache.
    Myisam,
    /// MyISAM's successor, with a page cache of its own.
    Aria,
}

fn not_an_engine(text: &str) -> String {
    not_one_of::<Engine>(text, "an engine")
}

impl Engine {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Its name in SQL.
    pub fn in_sql(self) -> &'static str {
        match self {
            Engine::Innodb => "InnoDB",
            Engine::Myisam => "MyISAM",
            Engine::Aria => "Aria",
        }
    }
}
