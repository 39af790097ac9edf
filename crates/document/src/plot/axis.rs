//! Axes: scale, unit, ticks.

use crate::number;
use jiff::tz::TimeZone;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps are equal differences.
    Linear,
    /// Equal steps are equal ratios; values must be positive.
    Log,
}

/// What an axis counts, which decides its ticks and their text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes, ticks at powers of two.
    Bytes,
    /// A share of one, shown as per cent.
    Share,
    /// Microseconds.
    Duration,
    /// A plain number.
    Plain,
    /// Microseconds since 1970-01-01 UTC, shown as date and time.
    Time,
    /// Hours since midnight, ticks at quarters of a day.
    HourOfDay,
    /// Places beside each other that mean nothing by themselves: no ticks.
    Place,
}

impl Unit {
    /// `value` in this unit, as text, without zeros at its end: ticks are round numbers.
    pub fn text(self, value: f64) -> String {
        if self == Unit::Time {
            return moment_text(value, &TimeZone::UTC);
        }
        let text = self.exact_text(value);
        let (number, unit) = text.split_once(' ').unwrap_or((&text, ""));
        if !number.contains('.') {
            return text;
        }
        let number = number.trim_end_matches('0').trim_end_matches('.');
        format!("{number} {unit}").trim_end().to_owned()
    }

    fn exact_text(self, value: f64) -> String {
        match self {
            Unit::Bytes => number::bytes(value.round().max(0.0) as u64),
            Unit::Share => number::percent(value),
            Unit::Duration => number::duration(value),
            Unit::HourOfDay => format!("{value:02.0}:00"),
            Unit::Plain | Unit::Time | Unit::Place => number::plain(value),
        }
    }
}

/// One axis of a plot.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What it shows, without the unit (ticks carry it).
    pub label: String,
    /// Its unit.
    pub unit: Unit,
    /// Its scale.
    pub scale: Scale,
    /// The zone of times.
    pub zone: TimeZone,
}

/// More than any count of bytes or microseconds; beyond it arithmetic on pixels would overflow.
const LARGEST: f64 = 1e20;

impl Axis {
    /// A linear axis.
    pub fn linear(label: &str, unit: Unit) -> Axis {
        Axis {
            label: label.to_owned(),
            unit,
            scale: Scale::Linear,
            zone: TimeZone::UTC,
        }
    }

    /// An axis of times on the clocks of a zone of this name.
    pub fn time(zone: TimeZone, name: &str) -> Axis {
        Axis {
            zone,
            ..Axis::linear(&format!("time ({name})"), Unit::Time)
        }
    }

    /// A logarithmic axis.
    pub fn log(label: &str, unit: Unit) -> Axis {
        Axis {
            label: label.to_owned(),
            unit,
            scale: Scale::Log,
            zone: TimeZone::UTC,
        }
    }

    /// `value` as text.
    pub(super) fn text(&self, value: f64) -> String {
        match self.unit {
            Unit::Time => moment_text(value, &self.zone),
            unit => unit.text(value),
        }
    }

    /// Whether `value` has a place on the axis.
    pub(super) fn shows(&self, value: f64) -> bool {
        match self.scale {
            Scale::Linear => value.abs() <= LARGEST,
            Scale::Log => (1.0 / LARGEST..=LARGEST).contains(&value),
        }
    }

    /// Where `value` lies, on a linear measure.
    fn position(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Log => value.log2(),
        }
    }
}

/// An axis with the range it shows and where its ticks are.
#[derive(Clone)]
pub(super) struct Scaled {
    axis: Axis,
    pub low: f64,
    pub high: f64,
    /// Values, ascending.
    pub ticks: Vec<f64>,
}

/// About as many ticks as fit without crowding.
const TICKS: f64 = 5.0;

impl Scaled {
    /// The axis over `values`. A linear axis starts at zero, other than for times.
    pub fn over(axis: &Axis, values: impl Iterator<Item = f64>) -> Scaled {
        let (mut low, mut high) = values
            .filter(|v| axis.shows(*v))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
                (low.min(v), high.max(v))
            });
        if low > high {
            (low, high) = (1.0, 2.0);
        }
        if axis.scale == Scale::Linear && axis.unit != Unit::Time {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if low == high {
            high = if low == 0.0 { 1.0 } else { low + low.abs() };
        }
        let mut scaled = Scaled {
            axis: axis.clone(),
            low,
            high,
            ticks: Vec::new(),
        };
        scaled.place_ticks();
        scaled
    }

    fn place_ticks(&mut self) {
        self.ticks = match self.axis.scale {
            _ if self.axis.unit == Unit::Place => Vec::new(),
            Scale::Log => self.log_ticks(),
            Scale::Linear => self.linear_ticks(),
        };
    }

    /// Powers of ten, or of two for bytes, thinned to what fits.
    fn log_ticks(&self) -> Vec<f64> {
        let base: f64 = if self.axis.unit == Unit::Bytes {
            2.0
        } else {
            10.0
        };
        let first = (self.low.log2() / base.log2() - 1e-9).ceil() as i32;
        let last = (self.high.log2() / base.log2() + 1e-9).floor() as i32;
        let stride = (f64::from(last - first + 1) / (TICKS + 1.0))
            .ceil()
            .max(1.0) as i32;
        // Strides that are powers of two keep the ticks on round numbers: 1 KiB, 16 KiB, 256 KiB.
        let stride = if base == 2.0 {
            (stride as u32).next_power_of_two() as i32
        } else {
            stride
        };
        (first..=last)
            .filter(|e| e % stride == 0)
            .map(|e| base.powi(e))
            .collect()
    }

    fn linear_ticks(&mut self) -> Vec<f64> {
        let step = self.step();
        if self.axis.unit == Unit::Time {
            return self.time_ticks(step);
        }
        // Room up to the next tick, so that no curve runs along the frame.
        self.high = (self.high / step - 1e-9).ceil() * step;
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }

    /// Where clocks show round times.
    fn time_ticks(&self, step: f64) -> Vec<f64> {
        let ahead = |us: f64| ahead_us(us, &self.axis.zone);
        let (low, high) = (self.low + ahead(self.low), self.high + ahead(self.high));
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        let ticks = (first..=last).map(|i| i as f64 * step);
        // Clocks that are put forward or back between here and Greenwich's same reading are read an hour off; a
        // tick then stands beside its round time and says the time where it stands.
        ticks
            .map(|on_clocks| on_clocks - ahead(on_clocks - ahead(on_clocks)))
            .filter(|tick| (self.low..=self.high).contains(tick))
            .collect()
    }

    /// A round step that gives about [`TICKS`] ticks.
    fn step(&self) -> f64 {
        let rough = (self.high - self.low) / TICKS;
        match self.axis.unit {
            Unit::Time => time_step(rough),
            Unit::Bytes => 2f64.powf(rough.max(1.0).log2().ceil()),
            Unit::HourOfDay => (rough / QUARTER_DAY_HOURS).ceil() * QUARTER_DAY_HOURS,
            Unit::Share | Unit::Duration | Unit::Plain | Unit::Place => decimal_step(rough),
        }
    }

    fn time_format(&self) -> &'static str {
        let day = 86_400e6;
        match (self.high - self.low) / day {
            _ if !self.ticks.iter().all(|tick| is_whole_minute(*tick)) => "%H:%M:%S",
            span if span <= 1.5 => "%H:%M",
            span if span <= 6.0 => "%b %-d %Hh",
            _ => "%b %-d",
        }
    }
}

impl Ranged for Scaled {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let (low, high) = (self.axis.position(self.low), self.axis.position(self.high));
        let share = ((self.axis.position(*value) - low) / (high - low)).clamp(0.0, 1.0);
        limit.0 + (share * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            Vec::new()
        } else {
            self.ticks.clone()
        }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Scaled {
    fn format(tick: &f64) -> String {
        number::plain(*tick)
    }

    fn format_ext(&self, tick: &f64) -> String {
        match self.axis.unit {
            Unit::Time => time_text(*tick, self.time_format(), &self.axis.zone),
            unit => unit.text(*tick),
        }
    }
}

const QUARTER_DAY_HOURS: f64 = 6.0;

/// The first of 1, 2, 5 times a power of ten that is about `rough`.
fn decimal_step(rough: f64) -> f64 {
    let magnitude = 10f64.powf(rough.log10().floor());
    let digit = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|d| d * magnitude >= rough * 0.999);
    digit.unwrap_or(10.0) * magnitude
}

/// The first of the usual steps of a clock and calendar that is at least `rough` microseconds.
fn time_step(rough: f64) -> f64 {
    const SECONDS: [u32; 19] = [
        1, 5, 15, 30, 60, 300, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800,
        604_800, 1_209_600, 2_419_200, 7_257_600,
    ];
    let step = SECONDS
        .into_iter()
        .map(|s| f64::from(s) * 1e6)
        .find(|s| *s >= rough);
    step.unwrap_or_else(|| (rough / 604_800e6).ceil() * 604_800e6)
}

/// Date and time of day, with seconds where the minute is not a whole one.
fn moment_text(us: f64, zone: &TimeZone) -> String {
    let format = match is_whole_minute(us) {
        true => "%Y-%m-%d %H:%M",
        false => "%Y-%m-%d %H:%M:%S",
    };
    time_text(us, format, zone)
}

fn is_whole_minute(us: f64) -> bool {
    us % 60e6 == 0.0
}

fn time_text(us: f64, format: &str, zone: &TimeZone) -> String {
    match jiff::Timestamp::from_microsecond(us as i64) {
        Ok(time) => time.to_zoned(zone.clone()).strftime(format).to_string(),
        Err(_) => number::NONE.to_owned(),
    }
}

/// Microseconds that the zone's clocks are ahead of UTC then.
fn ahead_us(us: f64, zone: &TimeZone) -> f64 {
    let time = jiff::Timestamp::from_microsecond(us as i64);
    let ahead = time.map(|time| zone.to_offset(time).seconds());
    ahead.map_or(0.0, |seconds| f64::from(seconds) * 1e6)
}
