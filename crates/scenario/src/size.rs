//! Sizes as people write them: `512MiB`, `2G`, `1.5GB`, `4096`, `10%`.

use std::fmt;
use std::str::FromStr;

/// What a size may look like, for messages.
const ACCEPTED: &str = "write bytes (`67108864`), K/M/G/T or KiB/MiB/GiB/TiB (powers of 1024), KB/MB/GB/TB (powers of 1000), `1.5GiB`";

/// Unit names and their bytes; the spelling is exact because `b` would mean bits. A letter alone is a power of 1024, in
/// either case, as in nginx ("Measurement units") and systemd ("MemoryMax=").
const UNITS: [(&str, u64); 17] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("K", 1 << 10),
    ("k", 1 << 10),
    ("M", 1 << 20),
    ("m", 1 << 20),
    ("G", 1 << 30),
    ("g", 1 << 30),
    ("T", 1 << 40),
    ("t", 1 << 40),
];

/// A size that cannot be used, with the fix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("size `{text}`: {problem}")]
pub struct SizeError {
    /// What was written.
    pub text: String,
    /// What is wrong with it and what to write instead.
    pub problem: String,
}

impl SizeError {
    fn new(text: &str, problem: impl Into<String>) -> Self {
        Self {
            text: text.to_owned(),
            problem: problem.into(),
        }
    }
}

/// Bytes from `text`: a positive number, with a unit or in plain bytes. A fraction of a byte is cut.
///
/// # Errors
/// Anything else, zero, and more than `u64` holds.
pub fn parse_bytes(text: &str) -> Result<u64, SizeError> {
    let trimmed = text.trim();
    let end = trimmed
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(end);
    let unit_bytes = unit_bytes(text, number, unit.trim_start())?;
    let number = Decimal::parse(text, number)?;
    if unit.is_empty() && number.scale > 1 {
        return Err(SizeError::new(text, format!("bytes are whole; {ACCEPTED}")));
    }
    match number.times(unit_bytes) {
        Some(0) => Err(SizeError::new(
            text,
            format!("must be at least one byte; {ACCEPTED}"),
        )),
        Some(bytes) => Ok(bytes),
        None => Err(SizeError::new(
            text,
            "is more than 16 EiB, the largest size there is",
        )),
    }
}

/// Bytes of `unit`, where nothing means bytes.
fn unit_bytes(text: &str, number: &str, unit: &str) -> Result<u64, SizeError> {
    if unit.is_empty() {
        return Ok(1);
    }
    UNITS
        .iter()
        .find(|(name, _)| *name == unit)
        .map(|&(_, bytes)| bytes)
        .ok_or_else(|| unknown_unit(text, number, unit))
}

fn unknown_unit(text: &str, number: &str, unit: &str) -> SizeError {
    let lower = unit.to_ascii_lowercase();
    let meant = UNITS
        .iter()
        .find(|(name, _)| name.to_ascii_lowercase() == lower);
    let problem = match meant {
        _ if number.is_empty() => format!("is not a positive number; {ACCEPTED}"),
        Some((name, _)) if unit.len() == 2 && unit.ends_with('b') => {
            let binary = format!("{}iB", &name[..1]);
            format!(
                "`{unit}` would be bits; write `{number}{name}` (powers of 1000) or `{number}{binary}` (powers of 1024)"
            )
        }
        Some((name, _)) => format!("unknown unit `{unit}`, write `{number}{name}`; {ACCEPTED}"),
        None => format!("unknown unit `{unit}`; {ACCEPTED}"),
    };
    SizeError::new(text, problem)
}

/// `digits / scale`, exact.
struct Decimal {
    digits: u128,
    scale: u128,
}

impl Decimal {
    /// More digits than this cannot matter for a size in `u64` and could overflow.
    const MAX_DIGITS: usize = 20;

    fn parse(text: &str, number: &str) -> Result<Self, SizeError> {
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        let not_a_number = || SizeError::new(text, format!("is not a positive number; {ACCEPTED}"));
        if whole.is_empty() || fraction.is_empty() || fraction.contains('.') {
            return Err(not_a_number());
        }
        if whole.len().max(fraction.len()) > Self::MAX_DIGITS {
            return Err(SizeError::new(
                text,
                "has more digits than any size needs; write fewer",
            ));
        }
        let fraction = fraction.trim_end_matches('0');
        let digits = format!("{whole}{fraction}").parse();
        Ok(Self {
            digits: digits.map_err(|_| not_a_number())?,
            scale: 10u128.pow(fraction.len() as u32),
        })
    }

    /// The product with `unit`, rounded down; nothing when it does not fit.
    fn times(&self, unit: u64) -> Option<u64> {
        u64::try_from(self.digits.checked_mul(u128::from(unit))? / self.scale).ok()
    }
}

/// An amount of memory: bytes, or a share of the bytes of all objects in the trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MemorySize {
    /// So many bytes.
    Bytes(u64),
    /// So many percent of the bytes of all objects.
    PercentOfObjects(f64),
}

impl MemorySize {
    /// Bytes, given the bytes of all objects; a fraction of a byte is cut.
    pub fn bytes(self, object_bytes: u64) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::PercentOfObjects(percent) => (percent / 100.0 * object_bytes as f64) as u64,
        }
    }
}

impl FromStr for MemorySize {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let Some(number) = text.trim().strip_suffix('%') else {
            return parse_bytes(text).map(Self::Bytes).map_err(mention_percent);
        };
        let plain = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        match number.parse::<f64>() {
            Ok(percent) if plain && percent > 0.0 && percent.is_finite() => {
                Ok(Self::PercentOfObjects(percent))
            }
            _ => Err(SizeError::new(
                text,
                "must be a positive number before `%`, such as `10%` of the bytes of all objects",
            )),
        }
    }
}

fn mention_percent(mut error: SizeError) -> SizeError {
    if error.problem.ends_with(ACCEPTED) {
        error
            .problem
            .push_str(", or `10%` of the bytes of all objects");
    }
    error
}

impl fmt::Display for MemorySize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(f, "{bytes}"),
            Self::PercentOfObjects(percent) => write!(f, "{percent}%"),
        }
    }
}
