//! Names by which tables refer to each other.

/// Names less alike than this were hardly mistaken for each other (Jaro–Winkler, 1 being the same).
const ALIKE: f64 = 0.7;

/// What is said after a `name` that nothing has: the names there are, and which of them was probably meant.
#[must_use]
pub fn there_are(name: &str, names: &[&str]) -> String {
    if names.is_empty() {
        return "there are: none".to_owned();
    }
    let likeness = |known: &&str| strsim::jaro_winkler(name, known);
    let alike = names.iter().filter(|known| likeness(known) >= ALIKE);
    let nearest = alike.max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    let hint = nearest.map_or_else(String::new, |it| format!("; did you mean `{it}`?"));
    format!("there are: {}{hint}", names.join(", "))
}
