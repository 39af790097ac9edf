//! Decimal numbers as they are written, without a float in between: nanoseconds since 1970 have more digits than a
//! float keeps.

/// `digits` times ten to the power of `exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    digits: u64,
    exponent: i32,
    is_negative: bool,
}

/// Digits that always fit 64 bits; further ones are cut off.
const MAX_DIGITS: u32 = 19;

impl Decimal {
    /// The number at the start of `text` (as JSON writes it; leading zeros do no harm), and its length.
    #[inline]
    pub fn leading(text: &[u8]) -> Option<(Decimal, usize)> {
        let mut number = Decimal {
            digits: 0,
            exponent: 0,
            is_negative: text.first() == Some(&b'-'),
        };
        let mut at = usize::from(number.is_negative);
        let whole = number.push_digits(&text[at..], 0);
        at += whole;
        if text.get(at) == Some(&b'.') {
            let fraction = number.push_digits(&text[at + 1..], -1);
            if fraction == 0 {
                return None;
            }
            at += 1 + fraction;
        }
        if whole == 0 {
            return None;
        }
        at += number.take_exponent(&text[at..])?;
        Some((number, at))
    }

    /// The number that all of `text` is.
    #[inline]
    pub fn whole(text: &[u8]) -> Option<Decimal> {
        let (number, used) = Decimal::leading(text)?;
        (used == text.len()).then_some(number)
    }

    /// Appends the digits at the start of `text`, each of which moves the point by `shift`; how many there are.
    #[inline]
    fn push_digits(&mut self, text: &[u8], shift: i32) -> usize {
        const MOST: u64 = 10u64.pow(MAX_DIGITS - 1);
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
        let mut count = 0;
        for &digit in digits {
            count += 1;
            if self.digits < MOST {
                self.digits = self.digits * 10 + u64::from(digit - b'0');
                self.exponent += shift;
            } else {
                self.exponent = self.exponent.saturating_add(1 + shift);
            }
        }
        count
    }

    /// Takes `e+9` at the start of `text`; its length. None where no digit follows the `e`.
    fn take_exponent(&mut self, text: &[u8]) -> Option<usize> {
        let [b'e' | b'E', rest @ ..] = text else {
            return Some(0);
        };
        let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit());
        let count = digits.clone().count();
        let power = digits.fold(0i32, |power, digit| {
            power
                .saturating_mul(10)
                .saturating_add(i32::from(digit - b'0'))
        });
        let signed = if rest.first() == Some(&b'-') {
            -power
        } else {
            power
        };
        self.exponent = self.exponent.saturating_add(signed);
        (count > 0).then_some(1 + sign + count)
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.is_negative && self.digits > 0
    }

    /// Its size, the sign left out, times ten to the power of `power`, rounded half up; none past 64 bits.
    #[inline]
    pub fn scaled(&self, power: i32) -> Option<u64> {
        let exponent = self.exponent.saturating_add(power);
        if self.digits == 0 {
            return Some(0);
        }
        let Ok(up) = u32::try_from(exponent) else {
            return Some(self.divided(exponent.unsigned_abs()));
        };
        self.digits.checked_mul(10u64.checked_pow(up)?)
    }

    fn divided(&self, down: u32) -> u64 {
        let Some(divisor) = 10u64.checked_pow(down) else {
            return 0;
        };
        let (quotient, rest) = (self.digits / divisor, self.digits % divisor);
        quotient + u64::from(rest >= divisor - rest)
    }

    /// The whole number that it is; none where it has a fraction, is below zero or past 64 bits.
    #[inline]
    pub fn integer(&self) -> Option<u64> {
        let value = self.scaled(0)?;
        let below_point = 10u64.checked_pow(self.exponent.min(0).unsigned_abs());
        let is_whole =
            self.digits == 0 || below_point.is_some_and(|unit| self.digits.is_multiple_of(unit));
        (is_whole && !self.is_negative()).then_some(value)
    }
}
