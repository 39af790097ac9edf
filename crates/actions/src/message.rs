//! What people are told of options, whatever an option is called where they gave it.

use std::fmt::{self, Display, Formatter};

use strum::{EnumIter, EnumString, IntoStaticStr};

/// A field of the options of a job, which messages are about. The command and the Python package each have their own
/// spelling of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[expect(missing_docs, reason = "each is called as the field is")]
pub enum Field {
    Application,
    Backing,
    By,
    Clients,
    ConnectionsMax,
    ExitCode,
    FailIf,
    Files,
    Format,
    From,
    Groups,
    Guess,
    Host,
    Insecure,
    KeepClients,
    Log,
    LogFormat,
    LogTimeZone,
    MaxMarkings,
    Memory,
    Minimise,
    Node,
    Objective,
    Order,
    Output,
    Policy,
    Previous,
    Query,
    Ramp,
    Replications,
    ResponseTimeout,
    Root,
    Rule,
    Sampled,
    Scale,
    Scenario,
    ServerMemory,
    Sessions,
    Set,
    SortWindow,
    State,
    StrictKeys,
    Target,
    Threads,
    To,
    Until,
    Vary,
    WarmUp,
}

impl Field {
    /// Its name, with hyphens between words.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Stands before and behind the name of a field in a message.
const MARK: char = '\u{1}';

/// As it stands in a message, which has its own spelling of it.
impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{MARK}{}{MARK}", self.name())
    }
}

/// A sentence in which options stand as [`Field`]s.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message(pub(crate) String);

impl Message {
    /// The text, with options as `spell` writes them.
    pub fn spelt(&self, spell: impl Fn(Field) -> String) -> String {
        let pieces: Vec<&str> = self.0.split(MARK).collect();
        let last = pieces.len() - 1;
        let spelt = |(number, piece): (usize, &&str)| match piece.parse() {
            Ok(field) if (1..last).contains(&number) => spell(field),
            _ => (*piece).to_owned(),
        };
        pieces.iter().enumerate().map(spelt).collect()
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelt(|field| format!("`{}`", field.name())))
    }
}

impl<T: Into<String>> From<T> for Message {
    fn from(text: T) -> Message {
        Message(text.into())
    }
}
