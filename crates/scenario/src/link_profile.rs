//! Networks by name: what a link of a node to its switch is like, and what its messages cost processors.
//!
//! A way from node to node has two such links, so each has half of the delay that was measured between nodes.

use serde::Deserialize;

use crate::network_stack::{Offload, StackCosts};

/// A network by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LinkProfileName {
    /// Ethernet of 100 Mbit/s.
    #[serde(rename = "ethernet-100m")]
    Ethernet100M,
    /// Ethernet of 1 Gbit/s.
    #[serde(rename = "ethernet-1g")]
    Ethernet1G,
    /// Ethernet of 10 Gbit/s.
    #[serde(rename = "ethernet-10g")]
    Ethernet10G,
    /// Ethernet of 25 Gbit/s.
    #[serde(rename = "ethernet-25g")]
    Ethernet25G,
    /// Myrinet 2000.
    Myrinet,
    /// IP over InfiniBand.
    Ipoib,
    /// Messages over InfiniBand, which adapters move by themselves.
    Rdma,
}

/// What a link is like where its table does not say so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinkProfile {
    pub bits_per_s: u64,
    pub delay_ns: u64,
    pub mtu_bytes: u64,
    pub offload: Offload,
    pub stack: StackCosts,
    /// Virtual lanes, where messages are moved by adapters.
    pub lanes: Option<u32>,
}

const MBIT: u64 = 1_000_000;
/// Cable, card and half of a switch. Assumed.
const ETHERNET_DELAY_NS: u64 = 1_000;
/// Largest packet of IP over Ethernet (RFC 894), and jumbo frames as is usual.
const ETHERNET_MTU: u64 = 1500;
const JUMBO_MTU: u64 = 9000;

/// A processor of 3.4 GHz with Linux.
///
/// - Bytes: one core receives 42 Gbit/s from one connection with all that spares work (Q. Cai et al., Understanding Host Network Stack
///   Overheads, SIGCOMM 2021), in segments of 64 KiB, of which each is a packet of the next line.
/// - A packet, and an interrupt: assumed. A sum: assumed, 8 bytes a cycle, in a third of a nanosecond.
/// - Packets of an interrupt: `NAPI_POLL_WEIGHT`, `include/linux/netdevice.h`.
const XEON_3400: StackCosts = StackCosts {
    copy_ns_per_byte: 8.0 / 42.0 - 1e3 / 65536.0,
    checksum_ns_per_byte: 0.3 / 8.0,
    read_miss_ns_per_byte: 0.0,
    write_miss_ns_per_byte: 0.0,
    cold: 0.0,
    packet_us: 1.0,
    interrupt_us: 2.0,
    packets_per_interrupt: 64,
    hardware: 1.0,
    firmware_speed: 1.0,
};

/// A Xeon at 2.4 GHz with Linux 2.4 on InfiniBand 4X, of the document A ("Workload-driven analysis of file systems in shared multi-tier
/// data-centers"). A copy, a sum and a packet as of [`StackCosts::PENTIUM_III_700`], a packet at this speed. Misses are what is left of the
/// 200 MB/s that IP over InfiniBand receives (§4.2). Its bus has 400 MHz and is 8 bytes wide.
const XEON_2400: StackCosts = {
    let packet_us = 31.3 / 3.0 / 2.4;
    let checksum_ns_per_byte = 0.5 / 2.4;
    StackCosts {
        copy_ns_per_byte: 1e3 / 775.0,
        checksum_ns_per_byte,
        read_miss_ns_per_byte: 1e3 / 200.0 - checksum_ns_per_byte - packet_us * 1e3 / 1992.0,
        write_miss_ns_per_byte: 2.0 * 1e3 / 3200.0,
        cold: 1.0,
        packet_us,
        interrupt_us: packet_us,
        packets_per_interrupt: 8,
        hardware: 1.0,
        firmware_speed: 1.0,
    }
};

/// Adapters move messages: nothing is copied, and who receives one finds it done. That takes 1 µs, which is assumed.
const ADAPTER: StackCosts = StackCosts {
    copy_ns_per_byte: 0.0,
    checksum_ns_per_byte: 0.0,
    read_miss_ns_per_byte: 0.0,
    write_miss_ns_per_byte: 0.0,
    cold: 0.0,
    packet_us: 0.0,
    interrupt_us: 1.0,
    packets_per_interrupt: 1,
    hardware: 1.0,
    firmware_speed: 1.0,
};

impl LinkProfileName {
    /// What its links are like.
    pub fn profile(self) -> LinkProfile {
        let ethernet = |mbit: u64, mtu_bytes: u64| LinkProfile {
            bits_per_s: mbit * MBIT,
            delay_ns: ETHERNET_DELAY_NS,
            mtu_bytes,
            offload: Offload::Segmentation,
            stack: XEON_3400,
            lanes: None,
        };
        match self {
            Self::Ethernet100M => ethernet(100, ETHERNET_MTU),
            Self::Ethernet1G => ethernet(1_000, ETHERNET_MTU),
            Self::Ethernet10G => ethernet(10_000, JUMBO_MTU),
            Self::Ethernet25G => ethernet(25_000, JUMBO_MTU),
            // 2 Gbit/s each way, and 9000 bytes of IP in a packet of GM. Of a short message cards and cables take 14 µs (document B, §6.1), as
            // `StackCosts::PENTIUM_III_700` has it.
            Self::Myrinet => LinkProfile {
                bits_per_s: 2_000 * MBIT,
                delay_ns: 7_000,
                mtu_bytes: JUMBO_MTU,
                offload: Offload::None,
                stack: StackCosts::PENTIUM_III_700,
                lanes: None,
            },
            // 4X InfiniBand signals 10 Gbit/s, of which 8 are data. Packets of IP have 2044 bytes (RFC 4391, section 7). The delay is that of
            // messages.
            Self::Ipoib => LinkProfile {
                bits_per_s: 8_000 * MBIT,
                delay_ns: 3_000,
                mtu_bytes: 2044,
                offload: Offload::None,
                stack: XEON_2400,
                lanes: None,
            },
            // 871 MB/s and 6.8 µs for a short message, of which the processors have 1 µs here (J. Liu, J. Wu, D. K. Panda et al., High
            // Performance RDMA-Based MPI Implementation over InfiniBand, ICS 2003). Packets have 4 KB beside their headers.
            Self::Rdma => LinkProfile {
                bits_per_s: 6_968 * MBIT,
                delay_ns: 2_900,
                mtu_bytes: 4096 + RDMA_HEADER_BYTES,
                offload: Offload::Full,
                stack: ADAPTER,
                lanes: Some(1),
            },
        }
    }
}

/// Headers of a packet of InfiniBand: local route 8, base transport 12, both sums 6 (InfiniBand Architecture Specification, volume 1, chapter
/// 5). That of a message's first packet has 16 more, which are left out.
pub const RDMA_HEADER_BYTES: u64 = 8 + 12 + 6;
