//! What a node's processors do for its network: bytes are copied and summed up, packets are made and taken apart, and cards interrupt.
//! What of that a network card does by itself is its offload.

use std::fmt;
use std::ops::RangeInclusive;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

use crate::bounds::{Whole, cost, ns_per_byte, whole};

/// Bytes that a processor hands to a card that divides them into packets, or has of one that merges them (`GSO_LEGACY_MAX_SIZE`,
/// `include/linux/netdevice.h`).
const SEGMENT_BYTES: u64 = 64 << 10;

/// What a network card does of the work of TCP. Each does what those before it do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Offload {
    /// Nothing.
    None,
    /// It sums packets up.
    Checksum,
    /// It divides large segments into packets, and merges packets that come.
    #[default]
    Segmentation,
    /// All of TCP: processors hand it messages, and it interrupts once for each that comes.
    Full,
}

impl Offload {
    /// Whether the card divides large segments into packets.
    #[must_use]
    pub fn divides_segments(self) -> bool {
        self >= Self::Segmentation
    }

    fn of_name(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::None),
            "checksum" => Some(Self::Checksum),
            "segmentation" => Some(Self::Segmentation),
            "full" => Some(Self::Full),
            _ => None,
        }
    }
}

/// `true` and `false` are what usual cards do, and nothing.
impl<'de> Deserialize<'de> for Offload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OffloadVisitor)
    }
}

struct OffloadVisitor;

impl Visitor<'_> for OffloadVisitor {
    type Value = Offload;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false, \"none\", \"checksum\", \"segmentation\" or \"full\"")
    }

    fn visit_bool<E: Error>(self, is_on: bool) -> Result<Offload, E> {
        Ok(match is_on {
            true => Offload::Segmentation,
            false => Offload::None,
        })
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Offload, E> {
        let known = Offload::of_name(name);
        known.ok_or_else(|| {
            E::custom("must be true, false, \"none\", \"checksum\", \"segmentation\" or \"full\"")
        })
    }
}

/// Processor time of a network stack, of processors of speed 1.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub struct StackCosts {
    /// Copying a byte between buffers that are in the processor's cache, nanoseconds.
    #[serde(deserialize_with = "ns_per_byte")]
    pub copy_ns_per_byte: f64,
    /// Summing up a byte that is in the cache, nanoseconds.
    #[serde(deserialize_with = "ns_per_byte")]
    pub checksum_ns_per_byte: f64,
    /// What a byte takes more that is read and is not in the cache, nanoseconds. What a card has written to memory never is.
    #[serde(deserialize_with = "ns_per_byte")]
    pub read_miss_ns_per_byte: f64,
    /// What a byte takes more that is written and is not in the cache, nanoseconds.
    #[serde(deserialize_with = "ns_per_byte")]
    pub write_miss_ns_per_byte: f64,
    /// The share of buffers that are written to and are not in the cache: 0 where one program does nothing else.
    #[serde(deserialize_with = "share")]
    pub cold: f64,
    /// A packet that is sent or received, microseconds: its headers, its buffers, what acknowledges it.
    #[serde(deserialize_with = "packet_cost")]
    pub packet_us: f64,
    /// An interrupt of the card, and waking who waits for it, microseconds.
    #[serde(deserialize_with = "packet_cost")]
    pub interrupt_us: f64,
    /// Packets of a message that one interrupt tells of at most.
    #[serde(deserialize_with = "packets")]
    pub packets_per_interrupt: u32,
    /// With full offload, the share of a packet's work that is done in hardware, which takes no time.
    #[serde(deserialize_with = "share")]
    pub hardware: f64,
    /// With full offload, how fast the card's processor is that does the rest: 1 as fast as the node's.
    #[serde(deserialize_with = "speed")]
    pub firmware_speed: f64,
}

impl Default for StackCosts {
    /// Costs nothing.
    fn default() -> Self {
        Self {
            copy_ns_per_byte: 0.0,
            checksum_ns_per_byte: 0.0,
            read_miss_ns_per_byte: 0.0,
            write_miss_ns_per_byte: 0.0,
            cold: 0.0,
            packet_us: 0.0,
            interrupt_us: 0.0,
            packets_per_interrupt: 1,
            hardware: 1.0,
            firmware_speed: 1.0,
        }
    }
}

impl StackCosts {
    /// A processor of a Pentium III at 700 MHz with Linux 2.4.18 on Myrinet, of cluster 3 of the document B ("Characterization of
    /// multi-tier data-centers"). Nothing is taken from its table 5, which these costs are laid beside.
    ///
    /// - A copy: `ramfs` reads 775 MB/s (table 1; the text does not say on which cluster).
    /// - A sum: `adcl` of a word from memory takes P6 processors two cycles (`csum_partial`, `arch/i386/lib/checksum.S` of Linux 2.4), which is
    ///   half a cycle a byte.
    /// - Packets and interrupts: 4 bytes take 27 µs at 2.4 GHz, 45 µs at 1 GHz and 59 µs at 700 MHz (§6.1). The line through these is 14 µs
    ///   and 31.3 µs of a processor of 1 GHz. A packet at both ends and an interrupt share that evenly, as nothing tells them apart.
    /// - Bytes that a card has written: the receiver passes 914 Mbit/s at most (§6.1). Of that time, sums and packets of 9000 bytes take
    ///   their part, and misses the rest. Interrupts take nothing then, as the next packet has come before one ends.
    /// - Bytes that are written to memory: a line of 32 bytes is read and written back, over a bus of 100 MHz that is 8 bytes wide.
    /// - The card's processor has 132 MHz (§6.3.2).
    pub const PENTIUM_III_700: Self = {
        let packet_us = 31.3 / 3.0 / 0.7;
        let checksum_ns_per_byte = 0.5 / 0.7;
        let packet_ns_per_byte = packet_us * 1e3 / 8948.0;
        Self {
            copy_ns_per_byte: 1e3 / 775.0,
            checksum_ns_per_byte,
            read_miss_ns_per_byte: 8e3 / 914.0 - checksum_ns_per_byte - packet_ns_per_byte,
            write_miss_ns_per_byte: 2.0 * 1e3 / 800.0,
            cold: 1.0,
            packet_us,
            interrupt_us: packet_us,
            packets_per_interrupt: 8,
            hardware: 1.0,
            firmware_speed: 132.0 / 700.0,
        }
    };

    /// What sending a byte takes beside its packet, nanoseconds. It is copied, and summed up on the way where the card does not do that. The
    /// sum takes no time while the copy waits for memory.
    #[must_use]
    pub fn sent_ns_per_byte(&self, offload: Offload) -> f64 {
        let summing = match offload {
            Offload::None => self.checksum_ns_per_byte,
            _ => 0.0,
        };
        self.copy_ns_per_byte + summing.max(self.cold_ns_per_byte())
    }

    /// What summing up a byte takes that has come, nanoseconds: it is not in the cache.
    #[must_use]
    pub fn received_sum_ns_per_byte(&self, offload: Offload) -> f64 {
        match offload {
            Offload::None => self.checksum_ns_per_byte + self.read_miss_ns_per_byte,
            _ => 0.0,
        }
    }

    /// What copying a byte takes that has come, nanoseconds. It is in the cache where it was summed up.
    #[must_use]
    pub fn received_copy_ns_per_byte(&self, offload: Offload) -> f64 {
        let waiting = match offload {
            Offload::None => self.cold_ns_per_byte(),
            _ => self.read_miss_ns_per_byte.max(self.cold_ns_per_byte()),
        };
        match self.copy_ns_per_byte > 0.0 {
            true => self.copy_ns_per_byte + waiting,
            // Who copies nothing writes nothing.
            false => 0.0,
        }
    }

    /// What a message takes who sends it, nanoseconds: so many bytes, in so many packets.
    #[must_use]
    pub fn sent_ns(&self, (bytes, packets): (u64, u64), offload: Offload) -> f64 {
        let own = handled(bytes, packets, offload) as f64;
        bytes as f64 * self.sent_ns_per_byte(offload) + own * self.packet_us * 1e3
    }

    /// What it takes who receives it, nanoseconds.
    #[must_use]
    pub fn received_ns(&self, (bytes, packets): (u64, u64), offload: Offload) -> f64 {
        let byte_ns =
            self.received_sum_ns_per_byte(offload) + self.received_copy_ns_per_byte(offload);
        let own = handled(bytes, packets, offload) as f64;
        let interrupts = match offload {
            Offload::Full => packets.min(1),
            _ => packets.div_ceil(u64::from(self.packets_per_interrupt.max(1))),
        };
        let interrupts_ns = interrupts as f64 * self.interrupt_us * 1e3;
        bytes as f64 * byte_ns + own * self.packet_us * 1e3 + interrupts_ns
    }

    /// What a packet takes the card's own processor, nanoseconds.
    #[must_use]
    pub fn card_ns(&self, offload: Offload) -> f64 {
        match offload {
            Offload::Full => self.packet_us * 1e3 * (1.0 - self.hardware) / self.firmware_speed,
            _ => 0.0,
        }
    }

    /// What a byte that is written takes more, of buffers of which some are in the cache.
    fn cold_ns_per_byte(&self) -> f64 {
        self.cold * self.write_miss_ns_per_byte
    }
}

/// Packets of a message that processors handle by themselves, or segments of many.
fn handled(bytes: u64, packets: u64, offload: Offload) -> u64 {
    match offload {
        Offload::None | Offload::Checksum => packets,
        Offload::Segmentation => bytes.div_ceil(SEGMENT_BYTES).max(1).min(packets),
        Offload::Full => 0,
    }
}

/// What a packet may take, microseconds: a second. Large files have millions of packets.
const MOST_PACKET_US: f64 = 1e6;
/// Packets that an interrupt may tell of. More are taken for a typing error.
const PACKETS: RangeInclusive<u64> = 1..=65536;

fn packet_cost<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let too_long = "must be at most 1000000 microseconds, a second";
    cost(deserializer, MOST_PACKET_US, too_long)
}

fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(deserializer)?;
    match (0.0..=1.0).contains(&number) {
        true => Ok(number),
        false => Err(D::Error::custom("must be from 0 to 1")),
    }
}

/// Slower than this, a card is taken for a typing error.
const SLOWEST: f64 = 1e-3;

fn speed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(deserializer)?;
    match (SLOWEST..=1.0 / SLOWEST).contains(&number) {
        true => Ok(number),
        false => Err(D::Error::custom(
            "must be from 0.001 to 1000 times the processors' speed",
        )),
    }
}

fn packets<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    whole(&Whole::deserialize(deserializer)?, &PACKETS).map_err(D::Error::custom)
}
