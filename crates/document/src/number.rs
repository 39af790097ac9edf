//! Numbers with their units, as people read them.

use std::collections::BTreeSet;

/// What stands where a number is not known or not finite.
pub const NONE: &str = "–";

/// Bytes in binary units, three significant digits: `812 B`, `41.2 MiB`, `1.50 GiB`, `64 MiB`.
pub fn bytes(bytes: u64) -> String {
    let (value, unit) = in_binary_unit(bytes);
    format!("{} {unit}", three_digits(value))
}

/// The same for each of `values`, with as many more digits as tell those apart that differ: `470.2 MiB`, `469.8 MiB`.
pub fn bytes_apart(values: &[u64]) -> Vec<String> {
    /// More do not fit into a number of 64 bits.
    const MOST_DIGITS: i32 = 17;
    let short: Vec<String> = values.iter().map(|&value| bytes(value)).collect();
    let apart = |(&value, text): (&u64, &String)| {
        let alike = values
            .iter()
            .zip(&short)
            .filter(|(_, other)| *other == text);
        let alike: BTreeSet<u64> = alike.map(|(&value, _)| value).collect();
        let tells_apart = |digits: &i32| {
            let texts = alike.iter().map(|&value| bytes_with(value, *digits));
            texts.collect::<BTreeSet<_>>().len() == alike.len()
        };
        match alike.len() {
            1 => text.clone(),
            _ => bytes_with(
                value,
                (4..MOST_DIGITS).find(tells_apart).unwrap_or(MOST_DIGITS),
            ),
        }
    };
    values.iter().zip(&short).map(apart).collect()
}

/// Bytes in binary units with so many significant digits.
fn bytes_with(bytes: u64, digits: i32) -> String {
    let (value, unit) = in_binary_unit(bytes);
    format!("{value:.*} {unit}", decimals(value, digits))
}

/// Bytes in the unit that suits them, and its name.
fn in_binary_unit(bytes: u64) -> (f64, &'static str) {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    // Rounding to three digits may reach the next unit (1023.99 KiB), so the step is taken before.
    let step_up = 1023.5;
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= step_up && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    (value, UNITS[unit])
}

/// Microseconds in the unit that suits them: `812 µs`, `9.14 ms`, `1.20 s`.
pub fn duration(us: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1e6, "s"), (1e3, "ms"), (1.0, "µs")];
    if !us.is_finite() {
        return NONE.to_owned();
    }
    let (size, unit) = *UNITS
        .iter()
        .find(|(size, _)| us.abs() >= 0.9995 * size)
        .unwrap_or(&UNITS[2]);
    format!("{} {unit}", three_digits(us / size))
}

/// Microseconds and the interval they lie in, in one unit: `5.95 ms (5.81–6.1)`.
pub fn duration_with_interval(us: f64, low: f64, high: f64) -> String {
    let text = duration(us);
    let Some((_, unit)) = text.split_once(' ') else {
        return text;
    };
    let size = match unit {
        "s" => 1e6,
        "ms" => 1e3,
        _ => 1.0,
    };
    format!("{text} ({}–{})", plain(low / size), plain(high / size))
}

/// A ratio and the interval it lies in, three significant digits: `0.832 (0.815–0.85)`.
pub fn ratio_with_interval(ratio: f64, low: f64, high: f64) -> String {
    format!("{} ({}–{})", plain(ratio), plain(low), plain(high))
}

/// Microseconds that may be hours, in the two largest units: `3 h 12 min`, `4 d 1 h`; [`duration`] below two
/// minutes.
pub fn long_duration(us: f64) -> String {
    const UNITS: [(u64, &str, u64, &str); 3] = [
        (86_400, "d", 3_600, "h"),
        (3_600, "h", 60, "min"),
        (60, "min", 1, "s"),
    ];
    if !us.is_finite() || us.abs() < 120e6 {
        return duration(us);
    }
    let seconds = (us / 1e6).abs().round() as u64;
    let sign = if us < 0.0 { "-" } else { "" };
    let (large, large_name, small, small_name) = *UNITS
        .iter()
        .find(|(large, ..)| seconds >= *large)
        .unwrap_or(&UNITS[2]);
    let (whole, rest) = (seconds / large, seconds % large / small);
    format!("{sign}{} {large_name} {rest} {small_name}", count(whole))
}

/// A share of one as per cent with one decimal, and a comma between thousands: `12.3 %`, `1,234.5 %`.
pub fn percent(share: f64) -> String {
    if share.is_finite() {
        format!("{} %", hundredths(share))
    } else {
        NONE.to_owned()
    }
}

/// A share of one in hundredths.
fn hundredths(share: f64) -> String {
    let text = without_minus_zero(100.0 * share, 1);
    if !share.is_finite() {
        return text;
    }
    let (minus, figure) = match text.strip_prefix('-') {
        Some(figure) => ("-", figure),
        None => ("", text.as_str()),
    };
    let (whole, decimals) = figure.split_once('.').unwrap_or((figure, "0"));
    format!("{minus}{}.{decimals}", by_thousands(whole))
}

/// A difference as per cent of something, with its sign: `+12.3 %`, `-0.4 %`, `0.0 %`.
pub fn signed_percent(share: f64) -> String {
    let text = percent(share);
    match share > 0.0 && text.contains(|c: char| matches!(c, '1'..='9')) {
        true => format!("+{text}"),
        false => text,
    }
}

/// The least share whose figure says something: ten times worse is ten times worse, whatever the resampling came to.
const LEAST_SHARE: f64 = -10.0;

/// A share and the interval it lies in: `12.3 % (8.1–15.0 %)`, `0.4 % (-1.0 to 2.1 %)`, `80.0 % (below -1,000 to 96.7 %)`.
pub fn percent_with_interval(share: f64, low: f64, high: f64) -> String {
    let low_text = match low < LEAST_SHARE {
        true => format!("below -{}", count((-100.0 * LEAST_SHARE) as u64)),
        false => hundredths(low),
    };
    let to = if low_text.contains('-') {
        " to "
    } else {
        "–"
    };
    format!("{} ({low_text}{to}{} %)", percent(share), hundredths(high))
}

/// A whole number with a comma between thousands: `12,345`.
pub fn count(value: u64) -> String {
    by_thousands(&value.to_string())
}

/// Digits with a comma between thousands.
fn by_thousands(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `count` of a thing, in the singular where it is one: `1 file`, `312 files`.
pub fn counted(value: u64, singular: &str, plural: &str) -> String {
    format!(
        "{} {}",
        count(value),
        if value == 1 { singular } else { plural }
    )
}

/// A number without a unit, three significant digits: `0.00412`, `3.21`, `1,250`.
pub fn plain(value: f64) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    if value.abs() >= 1000.0 {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", count(value.abs().round() as u64));
    }
    three_digits(value)
}

/// Events a second: `3.21/s`.
pub fn per_second(rate: f64) -> String {
    if rate.is_finite() {
        format!("{}/s", plain(rate))
    } else {
        NONE.to_owned()
    }
}

/// Three significant digits; whole numbers below a thousand without decimals.
fn three_digits(value: f64) -> String {
    if value.fract() == 0.0 {
        return format!("{value:.0}");
    }
    without_minus_zero(value, decimals(value, 3))
}

/// Decimals that give `value` so many significant digits.
fn decimals(value: f64, digits: i32) -> usize {
    let most = digits - 1;
    // Rounding can reach the next power of ten (0.9999), which then needs one decimal less.
    let rounded = format!("{value:.*e}", most as usize)
        .parse()
        .unwrap_or(value);
    let magnitude = f64::abs(rounded).log10().floor() as i32;
    (most - magnitude).clamp(0, most + 7) as usize
}

fn without_minus_zero(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| c == '0' || c == '.') => digits.to_owned(),
        _ => text,
    }
}
