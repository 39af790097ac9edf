//! Options in messages, by the names that they have in Python.
//!
//! Actions name an option as a [`Field`]. Libraries below them name it as the command does, `--client-key`, which this looks for, so
//! that no error needs two texts.

use hotset_actions::{Field, Message};

/// Options of Python's functions, each by the command's name.
const OPTIONS: [(&str, &str); 32] = [
    ("backing", "backing"),
    ("candidate", "candidates"),
    ("client-key", "client_key"),
    ("for-gain", "for_gain"),
    ("format", "format"),
    ("from", "start"),
    ("groups", "groups"),
    ("guess", "guess"),
    ("json-keys", "json_keys"),
    ("keep-clients", "keep_clients"),
    ("log-format", "log_format"),
    ("log-time-zone", "log_time_zone"),
    ("max-rejected", "max_rejected"),
    ("memory", "memory"),
    ("node", "node"),
    ("objective", "objective"),
    ("order", "order"),
    ("page-cache", "page_cache"),
    ("policy", "policy"),
    ("previous", "previous"),
    ("query", "query"),
    ("root", "roots"),
    ("rule", "rule"),
    ("sampled", "sampled"),
    ("scenario", "scenario"),
    ("server-memory", "server_memory"),
    ("site", "sites"),
    ("strict", "strict"),
    ("target", "targets"),
    ("threads", "threads"),
    ("time-format", "time_format"),
    ("to", "end"),
];

/// `message` with its options by their names in Python.
pub fn said(message: &Message) -> String {
    in_python(&message.spelt(keyword))
}

fn keyword(field: Field) -> String {
    let known = OPTIONS.iter().find(|(option, _)| *option == field.name());
    known.map_or_else(
        || field.name().replace('-', "_"),
        |(_, python)| (*python).to_owned(),
    )
}

/// `message` of a library with its options by their names in Python.
pub fn in_python(message: &str) -> String {
    let mut said = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find("--") {
        let (before, option) = rest.split_at(at);
        said.push_str(before);
        let name = &option[2..];
        let end = name.find(|c: char| !c.is_ascii_lowercase() && c != '-');
        let (name, behind) = name.split_at(end.unwrap_or(name.len()));
        let begins_word = !said.ends_with(|c: char| c.is_alphanumeric() || "-_./".contains(c));
        let known = OPTIONS.iter().find(|(option, _)| *option == name);
        match known.filter(|_| begins_word) {
            Some((_, python)) => said.push_str(python),
            None => {
                said.push_str("--");
                said.push_str(name);
            }
        }
        rest = behind;
    }
    said.push_str(rest);
    said
}
