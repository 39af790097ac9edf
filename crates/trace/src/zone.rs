//! The time zone in which people read and write times. Traces keep their times in UTC.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A time zone and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "schemas",
    derive(schemars::JsonSchema),
    schemars(with = "String")
)]
pub struct Zone {
    rules: TimeZone,
    name: Cow<'static, str>,
}

impl Zone {
    /// Universal time.
    pub const UTC: Zone = Zone {
        rules: TimeZone::UTC,
        name: Cow::Borrowed("UTC"),
    };

    /// The zone whose clocks are so many hours ahead of UTC, at most 24.
    pub(crate) fn hours_ahead(hours: i8) -> Zone {
        Zone {
            rules: TimeZone::fixed(Offset::constant(hours)),
            name: format!("UTC{hours:+03}:00").into(),
        }
    }

    /// When its clocks are how far ahead.
    pub fn rules(&self) -> TimeZone {
        self.rules.clone()
    }

    /// Microseconds that its clocks are ahead of UTC at `time_us`, microseconds since 1970-01-01 UTC.
    pub fn ahead_us(&self, time_us: i64) -> i64 {
        let offset = |time| i64::from(self.rules.to_offset(time).seconds()) * 1_000_000;
        Timestamp::from_microsecond(time_us).map_or(0, offset)
    }

    /// The moment at which its clocks show `time`: the first of two, and the same time after the change
    /// where clocks are put forward.
    ///
    /// # Errors
    /// A year that no timestamp reaches.
    pub fn moment(&self, time: DateTime) -> Result<Timestamp, String> {
        let moment = self.rules.to_timestamp(time);
        moment.map_err(|_| "write a time in the years -9999 to 9999".into())
    }

    /// [`Self::moment`] of the time that is `clock_us` microseconds after its clocks showed 1970-01-01 00:00, in
    /// microseconds since 1970-01-01 UTC. `None`: a year that no timestamp reaches.
    pub(crate) fn moment_us(&self, clock_us: i64) -> Option<i64> {
        if self.rules == TimeZone::UTC {
            return Some(clock_us);
        }
        let shown = Timestamp::from_microsecond(clock_us).ok()?;
        let moment = self.moment(shown.to_zoned(TimeZone::UTC).datetime());
        moment.ok().map(|moment| moment.as_microsecond())
    }

    /// `time` on its clocks, in a `strftime` format.
    pub fn text(&self, time: Timestamp, format: &str) -> String {
        let local = time.to_zoned(self.rules.clone());
        local.strftime(format).to_string()
    }
}

impl Default for Zone {
    fn default() -> Zone {
        Zone::UTC
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Serialize for Zone {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.name)
    }
}

/// Reads what serialises.
impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Zone, D::Error> {
        let name = String::deserialize(from)?;
        let offset = name.strip_prefix("UTC").filter(|rest| !rest.is_empty());
        offset.unwrap_or(&name).parse().map_err(D::Error::custom)
    }
}

impl FromStr for Zone {
    type Err = String;

    /// Reads a name of the IANA time zone database, an offset from UTC such as `+02:00`, or `local`.
    fn from_str(text: &str) -> Result<Zone, String> {
        if text.eq_ignore_ascii_case("local") {
            return local();
        }
        if let Some(offset) = offset(text) {
            return Ok(Zone {
                name: match offset.is_zero() {
                    true => "UTC".into(),
                    false => format!("UTC{text}").into(),
                },
                rules: TimeZone::fixed(offset),
            });
        }
        let rules = TimeZone::get(text).map_err(
            |_| "write a zone such as Europe/Berlin, an offset such as +02:00, or local",
        )?;
        let name = rules.iana_name().unwrap_or(text).to_owned();
        Ok(Zone {
            rules,
            name: name.into(),
        })
    }
}

/// This machine's zone.
fn local() -> Result<Zone, String> {
    let rules = TimeZone::try_system().map_err(
        |_| "this machine does not say its zone: write one such as Europe/Berlin, or an offset",
    )?;
    let name = rules.iana_name().unwrap_or("local time").to_owned();
    Ok(Zone {
        rules,
        name: name.into(),
    })
}

/// An offset with its sign, hours and minutes: `+02:00`.
fn offset(text: &str) -> Option<Offset> {
    let (sign, clock) = match text.as_bytes() {
        [b'+', ..] => (1, &text[1..]),
        [b'-', ..] => (-1, &text[1..]),
        _ => return None,
    };
    let number = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true if text.len() == 2 => text.parse::<i32>().ok(),
        _ => None,
    };
    let (hours, minutes) = clock.split_once(':')?;
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    let in_range = hours < 24 && minutes < 60;
    let offset = Offset::from_seconds(sign * (hours * 60 + minutes) * 60).ok()?;
    in_range.then_some(offset)
}
