//! What reading takes of the devices of a store.

use hotset_scenario::{DeviceKind, DriveDevice, MeasuredDevice, Profile, SsdDevice};

use crate::block::raid::capacity_bytes;
use crate::calculate::demand::Visits;
use crate::calculate::network::Order;
use crate::costs::Costs;

/// What a file lacks in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Missing {
    /// Bytes of whole pages.
    pub bytes: u64,
    /// Contiguous stretches that they are.
    pub gaps: u32,
}

impl Missing {
    pub fn is_none(self) -> bool {
        self.bytes == 0
    }
}

/// A part of a device that has a queue of its own.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// As simulations call it.
    pub name: String,
    pub order: Order,
    /// Bytes that a visit is of at most.
    most_bytes: f64,
    /// What a visit takes, and a byte of it, seconds.
    visit_s: f64,
    variance: f64,
    byte_s: f64,
}

/// The devices of a store, all alike.
#[derive(Clone, Debug)]
pub(super) struct Devices {
    /// Parts of each of them, device by device.
    pub parts: Vec<Part>,
    members: f64,
    /// Until the first byte of a stretch comes, and from byte to byte, where nobody else reads.
    first_s: f64,
    byte_s: f64,
}

/// Square of 8/15, the mean of √d of the distance d between two random places, and the variance of √d: the mean of d is 1/3.
const ROOT_DISTANCE_VARIANCE: f64 = 1.0 / 3.0 - 64.0 / 225.0;

impl Devices {
    /// Those of `profile`, which have files of so many bytes. At the disk so many requests wait when it chooses one.
    pub fn of(profile: &Profile, file_bytes: u64, waiting: f64) -> Self {
        let costs = Costs::of(profile);
        let Some(device) = &profile.device else {
            return Self::of_lines(&costs);
        };
        let one = match &device.kind {
            DeviceKind::Drive(spec) => {
                let all_bytes = device.raid.map_or(spec.capacity_bytes, |it| {
                    capacity_bytes(it, spec.capacity_bytes)
                });
                let used = (file_bytes as f64 / all_bytes.max(1) as f64).min(1.0);
                Self::drive(spec, used, waiting)
            }
            DeviceKind::Measured(spec) => Self::measured(spec, costs.call() as f64 / 1e9),
            DeviceKind::Ssd(spec) => Self::flash(spec),
        };
        match device.raid {
            Some(raid) => one.times(raid.disks),
            None => one,
        }
    }

    /// As a profile's line has it: delays that overlap, and bytes that pass one after the other.
    fn of_lines(costs: &Costs) -> Self {
        let (first_s, byte_s) = (costs.device_ns / 1e9, costs.transfer_ns_per_byte / 1e9);
        let delays = Part {
            visit_s: first_s,
            order: Order::of_servers(costs.slots),
            ..Part::named("device, delays")
        };
        let transfer = Part {
            byte_s,
            ..Part::named("device, transfer")
        };
        Self::alone(vec![delays, transfer], first_s, byte_s)
    }

    /// A drive: a seek between random places of the share `used` of it, half a turn, and the bytes.
    ///
    /// Seeks are a + b√d, and their mean is given for places all over the drive; between those in a share of it they take the root of that
    /// share of b. An elevator that chooses among n finds the next one in a distance whose root falls as √(n + 3/4) rises:
    /// Γ(n+1)/Γ(n+3/2), for n places at random.
    fn drive(spec: &DriveDevice, used: f64, waiting: f64) -> Self {
        let among = (1.75 / (waiting.max(1.0) + 0.75)).sqrt();
        let (least_s, mean_s) = (spec.track_to_track_us / 1e6, spec.average_seek_us / 1e6);
        let turn_s = 60.0 / spec.revolutions_per_minute;
        let root = used.sqrt() * among;
        // Within a track there is no seek.
        let files_bytes = used * spec.capacity_bytes as f64;
        let near = (2.0 * spec.bytes_per_s * turn_s / files_bytes.max(1.0)).min(1.0);
        let seek_s = (least_s + (mean_s - least_s) * root) * (1.0 - near);
        let slope_s = (mean_s - least_s) * 15.0 / 8.0 * root;
        let variance = slope_s * slope_s * ROOT_DISTANCE_VARIANCE + turn_s * turn_s / 12.0;
        let way_s = spec.overhead_us / 2e6;
        let byte_s = 1.0 / spec.bytes_per_s
            + spec
                .interface_bytes_per_us
                .map_or(0.0, |rate| 1.0 / (rate * 1e6));
        let visit_s = seek_s + turn_s / 2.0 + way_s;
        let arm = Part {
            visit_s,
            variance,
            byte_s,
            ..Part::named("arm")
        };
        Self::alone(vec![arm], visit_s + way_s, byte_s)
    }

    /// What each segment of memory takes is left out.
    fn measured(spec: &MeasuredDevice, call_s: f64) -> Self {
        let delay_s = (spec.delay_us / 1e6 - call_s).max(0.0);
        let byte_s = 1.0 / (spec.bytes_per_us * 1e6);
        let small_bytes = MeasuredDevice::SMALL_BYTES as f64;
        let alone_us = spec.in_flight_us.as_ref().and_then(|it| it.first());
        let best = spec.in_flight_us.iter().flatten();
        let best = best.filter_map(|(requests, us)| Some(us / alone_us?.1 / *requests as f64));
        let best = best.reduce(f64::min);
        let total_s = 1.0 / (spec.total_bytes_per_us * 1e6);
        // What small requests take is known as a whole.
        let interval_s = best.map_or(0.0, |share| share * (delay_s + small_bytes * byte_s));
        let counted = if best.is_some() { small_bytes } else { 0.0 };
        let slots = Part {
            order: Order::of_servers(best.map_or(spec.slots, |_| 128)),
            most_bytes: spec.max_request_bytes as f64,
            visit_s: delay_s,
            byte_s,
            ..Part::named("device, slots")
        };
        let transfer = Part {
            most_bytes: spec.max_request_bytes as f64,
            visit_s: (interval_s - counted * total_s).max(0.0),
            byte_s: total_s,
            ..Part::named("device, transfer")
        };
        Self::alone(vec![slots, transfer], delay_s, byte_s.max(total_s))
    }

    fn flash(spec: &SsdDevice) -> Self {
        let page_bytes = spec.page_bytes as f64;
        let bus_s = 1.0 / (spec.bus_bytes_per_us * 1e6);
        let interface_s = 1.0 / (spec.interface_bytes_per_us * 1e6);
        let page_s = spec.read_us / 1e6 + page_bytes * bus_s;
        let channels = Part {
            order: Order::of_servers(spec.channels),
            most_bytes: page_bytes,
            visit_s: spec.read_us / 1e6,
            byte_s: bus_s,
            ..Part::named("channels")
        };
        let interface = Part {
            byte_s: interface_s,
            ..Part::named("interface")
        };
        let byte_s = interface_s.max(page_s / page_bytes / spec.channels.max(1) as f64);
        Self::alone(
            vec![channels, interface],
            spec.command_us / 1e6 + page_s,
            byte_s,
        )
    }

    fn alone(parts: Vec<Part>, first_s: f64, byte_s: f64) -> Self {
        Self {
            parts,
            members: 1.0,
            first_s,
            byte_s,
        }
    }

    /// As many alike, over which reads are spread.
    fn times(self, members: usize) -> Self {
        let of_member = |number: usize| {
            self.parts.iter().map(move |part| Part {
                name: format!("disk {}, {}", number + 1, part.name),
                ..part.clone()
            })
        };
        Self {
            parts: (0..members).flat_map(of_member).collect(),
            members: members as f64,
            ..self
        }
    }

    /// Visits to each part that bring what is missing.
    pub fn visits(&self, missing: Missing) -> impl Iterator<Item = Visits> {
        let (bytes, gaps) = (missing.bytes as f64, f64::from(missing.gaps.max(1)));
        self.parts.iter().map(move |part| {
            let number = (bytes / part.most_bytes).ceil().max(gaps);
            let seconds = part.visit_s + part.byte_s * bytes / number;
            Visits {
                number: number / self.members,
                seconds,
                variance: part.variance,
                square: seconds * seconds,
            }
        })
    }

    /// How long it takes, where nobody else reads, until the share `part` of what is missing is there, seconds.
    pub fn ready_s(&self, missing: Missing, part: f64) -> f64 {
        if missing.is_none() {
            return 0.0;
        }
        let more_s = f64::from(missing.gaps.max(1) - 1) * self.first_s;
        self.first_s + part * (more_s + missing.bytes as f64 * self.byte_s)
    }
}

impl Part {
    fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            order: Order::InOrder,
            most_bytes: f64::INFINITY,
            visit_s: 0.0,
            variance: 0.0,
            byte_s: 0.0,
        }
    }
}
