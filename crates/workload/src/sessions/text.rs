//! A mix as TOML.

use std::fmt::Write as _;
use std::time::Duration;

use super::fields::{Field, Spelling, Value};
use super::file::{BACK, END};
use super::mix::{Mix, Next, PageType};
use super::times::SessionLength;

/// The text of a file that [`read`](super::read) reads as `mix`, with `remarks` as comments before it.
pub fn to_toml(mix: &Mix, remarks: &[&str]) -> String {
    let mut text: String = remarks.iter().map(|line| format!("# {line}\n")).collect();
    // Writing to a text does not fail.
    let _ = writeln!(text, "name = {}", quoted(&mix.name));
    let _ = writeln!(text, "shares_of = {}", number(mix.shares_of));
    let think = mix.think;
    let _ = write!(
        text,
        "\n[think]\nmean = {}\nmost = {}\n",
        duration(think.mean),
        duration(think.most)
    );
    text += &session(mix, &mix.session);
    for of in &mix.pages {
        text += &page(mix, of);
    }
    text
}

fn session(mix: &Mix, session: &SessionLength) -> String {
    let mut text = String::from("\n[session]\n");
    if let Some(time) = session.time {
        text += &format!(
            "mean = {}\nmost = {}\n",
            duration(time.mean),
            duration(time.most)
        );
    }
    if let Some(page) = session.ends_at {
        text += &format!("ends_at = {}\n", quoted(&mix.pages[page].name));
    }
    if let Some(most) = session.most_pages {
        text += &format!("most_pages = {most}\n");
    }
    text
}

fn page(mix: &Mix, page: &PageType) -> String {
    let mut text = format!(
        "\n[[page]]\nname = {}\npath = {}\n",
        quoted(&page.name),
        quoted(&page.path)
    );
    if !page.fields.is_empty() {
        let fields: String = page.fields.iter().map(field).collect();
        text += &format!("fields = [\n{fields}]\n");
    }
    text += "next = [\n";
    for transition in &page.next {
        let to = match transition.to {
            Next::Page(to) => mix.pages[to].name.as_str(),
            Next::Back => BACK,
            Next::End => END,
        };
        let share = number(transition.share);
        text += &format!("  {{ to = {}, share = {share} }},\n", quoted(to));
    }
    text + "]\n"
}

fn field(field: &Field) -> String {
    let spelt = |spelling: Spelling| match spelling {
        Spelling::Digits => String::new(),
        Spelling::Syllables(digits) => format!(", syllables = {digits}"),
    };
    let value = match &field.value {
        Value::Numbers(from, to, spelling) => {
            format!("numbers = [{from}, {to}]{}", spelt(*spelling))
        }
        Value::NuRand(of, spelling) => format!(
            "nurand = {{ a = {}, from = {}, to = {} }}{}",
            of.a,
            of.from,
            of.to,
            spelt(*spelling)
        ),
        Value::Letters(from, to) => format!("letters = [{from}, {to}]"),
        Value::OneOf(texts) => {
            let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
            format!("one_of = [{}]", texts.join(", "))
        }
        Value::SameAs(name) => format!("same_as = {}", quoted(name)),
    };
    let share = match field.share < 1.0 {
        true => format!(", share = {}", number(field.share)),
        false => String::new(),
    };
    format!("  {{ name = {}, {value}{share} }},\n", quoted(&field.name))
}

/// Whole numbers below this are written in digits; a TOML integer has no more than 64 bits.
const MOST_DIGITS: f64 = 1e15;

/// A number that reads back as the same one.
fn number(value: f64) -> String {
    match value.fract() == 0.0 {
        true if value.abs() < MOST_DIGITS => format!("{value:.0}"),
        true => format!("{value:e}"),
        false => format!("{value}"),
    }
}

fn duration(time: Duration) -> String {
    match (time.as_secs(), time.subsec_nanos()) {
        (seconds, 0) => format!("\"{seconds}s\""),
        (_, nanos) if nanos % 1_000_000 == 0 => format!("\"{}ms\"", time.as_millis()),
        (seconds, nanos) => format!("\"{seconds}s {nanos}ns\""),
    }
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|c| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c.is_control() => format!("\\u{:04x}", u32::from(c)),
            c => c.to_string(),
        })
        .collect();
    format!("\"{escaped}\"")
}
