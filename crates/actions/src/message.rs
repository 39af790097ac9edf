//! What people are told of options, whatever an option is called where they gave it.

use std::fmt::{self, Display, Formatter};

/// A field of the options of a job, which messages are about. The command and the Python package each have their own
/// spelling of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumIter, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[expect(missing_docs, reason = "each is called as the field is")]
pub enum Field {
    Backing,
    Clients,
    ConnectionsMax,
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
    Node,
    Objective,
    Order,
    Output,
    Policy,
    Previous,
    Query,
    Ramp,
    ResponseTimeout,
    Root,
    Rule,
    Sampled,
    Scale,
    Scenario,
    ServerMemory,
    Set,
    SortWindow,
    State,
    Target,
    Threads,
    To,
    Until,
    WarmUp,
}

impl Field {
    /// Its name, with hyphens between words.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A sentence in which options stand as [`Field`]s.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Option(Field),
}

impl Message {
    /// A message of nothing.
    pub fn new() -> Message {
        Message::default()
    }

    /// The message, and then `more`.
    #[must_use]
    pub fn and(mut self, more: impl Into<Message>) -> Message {
        self.0.extend(more.into().0);
        self
    }

    /// The text, with options as `spell` writes them.
    pub fn spelt(&self, spell: impl Fn(Field) -> String) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Option(field) => spell(*field),
        });
        pieces.collect()
    }
}

impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelt(|field| format!("`{}`", field.name())))
    }
}

impl From<Field> for Message {
    fn from(field: Field) -> Message {
        Message(vec![Piece::Option(field)])
    }
}

impl From<String> for Message {
    fn from(text: String) -> Message {
        Message(vec![Piece::Text(text)])
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Message {
        text.to_owned().into()
    }
}

/// A [`Message`] of texts and [`Field`]s, one after the other.
macro_rules! message {
    ($($piece:expr),+ $(,)?) => {
        $crate::Message::new()$(.and($piece))+
    };
}

pub(crate) use message;
