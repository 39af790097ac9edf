//! What a browser fills into forms.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::nurand::{NuRand, syllables};

/// A field of a form and what is filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The share of the requests that have it.
    pub share: f64,
    /// What is filled in.
    pub value: Value,
}

/// What is filled in.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number from the first to the second, each as likely.
    Numbers(u64, u64, Spelling),
    /// A whole number that is chosen unevenly.
    NuRand(NuRand, Spelling),
    /// So many lower-case letters, from the first to the second number, each as likely.
    Letters(usize, usize),
    /// One of these texts, each as likely.
    OneOf(Vec<String>),
    /// What the field of this name has, which stands before this one.
    SameAs(String),
}

/// How a number is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// In digits.
    #[default]
    Digits,
    /// In a syllable for each digit, at least so many ([`syllables`]).
    Syllables(u8),
}

impl Spelling {
    fn written(self, number: u64) -> String {
        match self {
            Spelling::Digits => number.to_string(),
            Spelling::Syllables(digits) => syllables(number, digits.into()),
        }
    }
}

/// Fills in all fields of a request.
pub fn filled(fields: &[Field], random: &mut Pcg64Mcg) -> Vec<(String, String)> {
    let mut values: Vec<(String, String)> = Vec::with_capacity(fields.len());
    for field in fields {
        if field.share < 1.0 && random.random::<f64>() >= field.share {
            continue;
        }
        let value = match &field.value {
            Value::SameAs(other) => value_of(&values, other).unwrap_or_default(),
            value => drawn(value, random),
        };
        values.push((field.name.clone(), value));
    }
    values
}

fn value_of(values: &[(String, String)], name: &str) -> Option<String> {
    let value = values.iter().find(|(of, _)| of == name);
    value.map(|(_, value)| value.clone())
}

fn drawn(value: &Value, random: &mut Pcg64Mcg) -> String {
    match value {
        Value::Numbers(from, to, spelling) => {
            spelling.written(random.random_range(*from..=(*to).max(*from)))
        }
        Value::NuRand(numbers, spelling) => spelling.written(numbers.draw(random)),
        Value::Letters(from, to) => {
            let count = random.random_range(*from..=(*to).max(*from));
            let letter = |_| char::from(random.random_range(b'a'..=b'z'));
            (0..count).map(letter).collect()
        }
        Value::OneOf(texts) if texts.is_empty() => String::new(),
        Value::OneOf(texts) => texts[random.random_range(0..texts.len())].clone(),
        // Known to whoever fills in all fields.
        Value::SameAs(_) => String::new(),
    }
}
