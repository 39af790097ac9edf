//! Which blocks are drawn how often (`random_distribution`), as fio 3.33 has it.

mod draw;
mod normal;
mod pareto;
mod uniform;
mod zipf;
mod zones;

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use rand_pcg::Pcg64Mcg;

pub(super) use draw::Draw;
pub use zones::Zone;

/// How blocks are drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// All alike.
    Uniform,
    /// The block of rank k as often as k to the power of minus `theta`.
    Zipf {
        /// The exponent.
        theta: f64,
        /// Where the first rank is, as a share of the file; anywhere where it is not given.
        center: Option<f64>,
    },
    /// A share `h` of the reads goes to the other share of the blocks.
    Pareto {
        /// The share.
        h: f64,
        /// As with [`Distribution::Zipf`].
        center: Option<f64>,
    },
    /// Normal, over blocks in an order of their own.
    Normal {
        /// Percent of the blocks by which reads are spread further.
        deviation: f64,
        /// Where the middle is, as a share of the file.
        center: Option<f64>,
    },
    /// Parts of the file, in percent of it, with shares of the reads.
    Zoned(Vec<Zone>),
    /// Parts of the file, in bytes, with shares of the reads.
    ZonedBytes(Vec<Zone>),
}

impl Distribution {
    /// Draws from so many blocks, of so many bytes each.
    pub(super) fn over(
        &self,
        blocks: u64,
        block_bytes: u64,
        random: &mut Pcg64Mcg,
    ) -> Box<dyn Draw> {
        match *self {
            Self::Uniform => Box::new(uniform::Uniform(blocks)),
            Self::Zipf { theta, center } => {
                Box::new(zipf::Zipf::new(blocks, theta, center, random))
            }
            Self::Pareto { h, center } => Box::new(pareto::Pareto::new(blocks, h, center, random)),
            Self::Normal { deviation, center } => {
                Box::new(normal::Normal::new(blocks, deviation, center))
            }
            Self::Zoned(ref zones) => Box::new(zones::Zones::of_percent(zones, blocks)),
            Self::ZonedBytes(ref zones) => Box::new(zones::Zones::of_bytes(zones, block_bytes)),
        }
    }

    /// Bytes from the start that it draws from, where it says so itself.
    pub(super) fn zoned_bytes(&self) -> Option<u64> {
        match self {
            Self::ZonedBytes(zones) => Some(zones.iter().map(|it| it.size).sum()),
            _ => None,
        }
    }
}

/// Exponents that are taken; fio takes any, and those far from one make every read the same.
const THETA: RangeInclusive<f64> = 0.001..=10.0;
/// fio's own (`FIO_DEF_ZIPF`, `FIO_DEF_PARETO`, `fio.h`).
const DEFAULT_THETA: f64 = 1.1;
const DEFAULT_H: f64 = 0.2;

impl FromStr for Distribution {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        match name {
            "random" if rest.is_none() => Ok(Self::Uniform),
            "zipf" => {
                let (theta, center) = numbers(rest, DEFAULT_THETA)?;
                match THETA.contains(&theta) && theta != 1.0 {
                    true => Ok(Self::Zipf { theta, center }),
                    false => Err("the exponent must be from 0.001 to 10, and not 1".into()),
                }
            }
            "pareto" => match numbers(rest, DEFAULT_H)? {
                (h, center) if h > 0.0 && h < 1.0 => Ok(Self::Pareto { h, center }),
                _ => Err("the share must be above 0 and below 1".into()),
            },
            "normal" => match numbers(rest, 0.0)? {
                (deviation, center) if (0.0..100.0).contains(&deviation) => {
                    Ok(Self::Normal { deviation, center })
                }
                _ => Err("the deviation must be from 0 to below 100".into()),
            },
            "zoned" => zones::in_percent(rest.unwrap_or("")).map(Self::Zoned),
            "zoned_abs" => zones::in_bytes(rest.unwrap_or("")).map(Self::ZonedBytes),
            _ => Err("write random, zipf:1.1, pareto:0.2, normal:10, zoned:60/10:40/90 or zoned_abs:60/1g:40/9g".into()),
        }
    }
}

/// A number and, if there is one, the centre.
fn numbers(text: Option<&str>, default: f64) -> Result<(f64, Option<f64>), String> {
    let Some(text) = text else {
        return Ok((default, None));
    };
    let (value, center) = match text.split_once(':') {
        Some((value, center)) => (value, Some(number(center)?)),
        None => (text, None),
    };
    match center.is_none_or(|it| (0.0..=1.0).contains(&it)) {
        true => Ok((number(value)?, center)),
        false => Err("the centre must be from 0 to 1".into()),
    }
}

fn number(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim().parse().ok();
    let number = number.filter(|it| it.is_finite());
    number.ok_or_else(|| "write a number, such as zipf:1.1 or, with a centre, zipf:1.1:0.5".into())
}

impl fmt::Display for Distribution {
    /// As fio reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, value, center) = match self {
            Self::Uniform => return f.write_str("random"),
            Self::Zipf { theta, center } => ("zipf", theta, center),
            Self::Pareto { h, center } => ("pareto", h, center),
            Self::Normal { deviation, center } => ("normal", deviation, center),
            Self::Zoned(zones) => return zones::write(f, "zoned", zones),
            Self::ZonedBytes(zones) => return zones::write(f, "zoned_abs", zones),
        };
        write!(f, "{name}:{value}")?;
        center.map_or(Ok(()), |center| write!(f, ":{center}"))
    }
}
