//! Dates and times as ISO 8601 writes them, in logs whose lines repeat the date.

use super::clock::{SECOND_US, iso8601_us, midnight_us, time_of_day_us};
use super::field::two_digits;

const DATE_LEN: usize = b"2015-05-17".len();

/// The last date read, beside its midnight.
#[derive(Clone, Debug, Default)]
pub(super) struct Days {
    text: [u8; DATE_LEN],
    midnight_us: Option<i64>,
}

impl Days {
    /// Makes `text`, `2015-05-17`, the current date; one that is no date leaves none.
    pub fn set(&mut self, text: &[u8]) {
        match <[u8; DATE_LEN]>::try_from(text) {
            Ok(text) if text == self.text => {}
            Ok(text) => (self.text, self.midnight_us) = (text, date_us(&text)),
            Err(_) => *self = Days::default(),
        }
    }

    /// Midnight UTC of the current date, where there is one.
    pub fn midnight_us(&self) -> Option<i64> {
        self.midnight_us
    }

    /// An instant, `2015-05-17T10:05:03.25Z` or with another offset.
    pub fn instant_us(&mut self, text: &[u8]) -> Option<i64> {
        let (date, time) = text.split_at_checked(DATE_LEN)?;
        let (time, offset_us) = match time {
            [b'T', time @ .., b'Z'] => (time, 0),
            [b'T', time @ .., sign @ (b'+' | b'-'), _, _, b':', _, _] => {
                let offset = &text[text.len() - b"02:00".len()..];
                (time, offset_us(*sign, offset)?)
            }
            _ => return iso8601_us(text),
        };
        self.set(date);
        Some(self.midnight_us? + time_of_day_us(time)? - offset_us)
    }
}

/// `02:00`, east of Greenwich with the sign `+`.
fn offset_us(sign: u8, text: &[u8]) -> Option<i64> {
    let (hours, minutes) = (two_digits(text, 0)?, two_digits(text, 3)?);
    let us = i64::from(hours * 60 + minutes) * 60 * SECOND_US;
    let is_offset = hours < 24 && minutes < 60;
    is_offset.then_some(if sign == b'-' { -us } else { us })
}

fn date_us(text: &[u8; DATE_LEN]) -> Option<i64> {
    if text[4] != b'-' || text[7] != b'-' {
        return None;
    }
    let year = two_digits(text, 0)? * 100 + two_digits(text, 2)?;
    midnight_us(
        year as i16,
        two_digits(text, 5)? as i8,
        two_digits(text, 8)? as i8,
    )
}
