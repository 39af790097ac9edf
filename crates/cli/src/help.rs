//! The help of `hotset` itself, which lists its commands by what people come for.

use clap::builder::StyledStr;
use clap::builder::styling::Styles;
use clap::{Command, Subcommand};

/// Text is no wider than this, as in every help.
pub const WIDTH: usize = 100;

/// Commands under a heading.
pub struct Group {
    heading: &'static str,
    /// Each command, and what it does.
    commands: Vec<(String, String)>,
}

impl Group {
    /// Those that `S` declares and shows.
    pub fn of<S: Subcommand>(heading: &'static str) -> Group {
        let declared = S::augment_subcommands(Command::new(heading));
        let shown = declared.get_subcommands().filter(|job| !job.is_hide_set());
        let of = |job: &Command| {
            let about = job.get_about().map(ToString::to_string);
            (job.get_name().to_owned(), about.unwrap_or_default())
        };
        Group {
            heading,
            commands: shown.map(of).collect(),
        }
    }
}

/// A template of clap's for a command whose subcommands are those of `groups`.
pub fn of_groups(groups: &[Group]) -> StyledStr {
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let names = groups.iter().flat_map(|group| &group.commands);
    let indent = names.map(|(name, _)| name.len()).max().unwrap_or(0) + 4;
    let width = terminal_size::terminal_size().map_or(WIDTH, |(width, _)| width.0.into());
    let mut text = "{before-help}{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for group in groups {
        text += &format!("{header}{}:{header:#}\n", group.heading);
        for (name, about) in &group.commands {
            let padding = " ".repeat(indent - 2 - name.len());
            let about = wrapped(about, indent, width.min(WIDTH));
            text += &format!("  {literal}{name}{literal:#}{padding}{about}\n");
        }
        text.push('\n');
    }
    text += &format!("{header}Options:{header:#}\n{{options}}{{after-help}}");
    text.into()
}

/// Words in lines that begin after `indent` and end before `width`.
pub fn wrapped(text: &str, indent: usize, width: usize) -> String {
    let mut wrapped = String::new();
    let mut at = indent;
    for word in text.split(' ') {
        let length = word.chars().count();
        if at > indent && at + 1 + length > width {
            wrapped += &format!("\n{}", " ".repeat(indent));
            at = indent;
        } else if at > indent {
            wrapped.push(' ');
            at += 1;
        }
        wrapped += word;
        at += length;
    }
    wrapped
}
