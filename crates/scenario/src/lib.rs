//! What a run is about: sites, stores and nodes in one TOML file; store profiles and their cost
//! function; the placement a plan consists of.

mod bounds;
mod builtin;
mod copy_cost;
mod cost_line;
mod device;
mod placement;
mod placement_changes;
mod profile;
mod scenario;
mod scenario_file;
mod send_cost;
mod setting;
mod size;
mod specs;
mod target;
pub mod toml_file;

pub use builtin::{BUILTIN, ProfileError};
pub use copy_cost::CopyCost;
pub use cost_line::CostLine;
pub use device::{
    Device, DeviceKind, DriveDevice, DriveQueue, MeasuredDevice, Raid, RaidLevel, Scheduler,
    SsdDevice,
};
pub use placement::{FilePath, PlacedFile, PlacedGroup, Placement, PlacementError, Reason};
pub use placement_changes::PlacementChanges;
pub use profile::{FileSystemSpec, PageCacheKind, Profile, ReadAheadKind, Reading};
pub use scenario::{Node, Scenario, Site, StoreSpec};
pub use send_cost::{Handover, SendCost};
pub use setting::Setting;
pub use size::{MemorySize, SizeError, parse_bytes};
pub use specs::{DiskSpec, Link, ServerSpec, StoreKind};
pub use target::{Measure, Objective, Target, check_targets};
pub use toml_file::{FileError, Place, TomlFile};
