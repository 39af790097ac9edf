//! What a run is about: sites, stores and nodes in one TOML file; store profiles and their cost
//! function; the placement a plan consists of.
//!
//! | deed | place |
//! | --- | --- |
//! | a key of the scenario, and its checks | `scenario_file`; kinds of servers, stores and disks: `specs`; what a web server takes of its node: `node_needs`; links: `link`, networks by name: `link_profile`, switches: `network`; stores on file servers: `remote`, `parallel`, `cluster`, `option_keys`; journals of stores: `store_journal` |
//! | what happens to a node, a link or a store at a time | `event` |
//! | programs that write beside a node's server | `writer` |
//! | database servers, and what was measured of them | `database`, `probed_database` |
//! | read any TOML file with good messages | `toml_file` |
//! | what a read costs | `profile` (the lines), `copy_cost` (copying), `device` (the device) |
//! | what a request costs a server; what messages cost a node's network stack | `server_profile`; `network_stack` |
//! | what a page of an application asks of its servers | `application_profile` |
//! | what files are laid out by; journals | `file_system` |
//! | what other calls on files take; what is known of a mount | `file_calls`; `measured_mount` |
//! | when dirty pages are written, and what writing costs; emptying a device's cache | `writing`; `flush_cost` |
//! | the line through measured costs | `CostLine::fit` in `cost_line` |
//! | a key of a profile or a scenario set aside from its file (`--set`) | `profile_setting`, `scenario_setting`; the kind of a store: `kind_setting` |
//! | a key and the values that it takes in turn (`--vary`); figures with units | `variation`; `figure` |
//! | conditions and durations as people write them; a target of a site | `condition`, `duration`; `target` |
//! | a placement, and what changes between two | `placement`, `placement_changes` |

mod application_profile;
mod bounds;
mod builtin;
mod cluster;
mod condition;
mod copy_cost;
mod cost_line;
mod database;
mod device;
mod duration;
mod event;
mod figure;
mod file_calls;
mod file_system;
mod flush_cost;
mod kind_setting;
mod link;
mod link_profile;
mod measured_mount;
mod names;
mod network;
mod network_stack;
mod node_needs;
mod option_keys;
mod parallel;
mod placement;
mod placement_changes;
mod probed_database;
mod profile;
mod profile_setting;
mod remote;
mod scenario;
mod scenario_file;
mod scenario_setting;
mod send_cost;
mod server_profile;
mod size;
mod specs;
mod store_journal;
mod target;
pub mod toml_file;
mod variation;
mod writer;
mod writing;

pub use application_profile::{ApplicationProfile, ImageProfile, PageProfile, TableProfile};
pub use builtin::{BUILTIN, ProfileError};
pub use cluster::ClusterOptions;
pub use condition::{Comparison, WrittenCondition};
pub use copy_cost::CopyCost;
pub use cost_line::CostLine;
pub use database::{Database, Engine, FlushMethod};
pub use device::{
    Device, DeviceKind, DriveDevice, DriveQueue, MeasuredDevice, MeasuredWrites, Raid, RaidLevel,
    Scheduler, SsdDevice,
};
pub use duration::parse_duration;
pub use event::{Change, Event};
pub use figure::FigureUnit;
pub use file_calls::{FileCalls, SyncCost};
pub use file_system::{FileSystemSpec, Journal};
pub use flush_cost::FlushCost;
pub use link::{Link, LinkEnds};
pub use link_profile::RDMA_HEADER_BYTES;
pub use measured_mount::{MeasuredMount, PageKeeping};
pub use names::there_are;
pub use network::{NetworkSpec, NetworkTopology};
pub use network_stack::{Offload, StackCosts};
pub use node_needs::{KeepAlive, NodeNeeds};
pub use parallel::ParallelOptions;
pub use placement::{
    FilePath, PlacedDatabase, PlacedFile, PlacedGroup, PlacedNode, Placement, PlacementError,
    Reason, SiteRoot,
};
pub use placement_changes::PlacementChanges;
pub use probed_database::{ProbedDatabase, ProbedDatabaseError, ProbedTable, UnknownTable};
pub use profile::{PageCacheKind, Profile, ReadAheadKind, Reading};
pub use profile_setting::ProfileSetting;
pub use remote::{MountOptions, RemoteSpec};
pub use scenario::{Client, Node, Scenario, Site, StoreSpec};
pub use scenario_setting::{ScenarioSetting, ScenarioSettingError};
pub use send_cost::{Handover, SendCost};
pub use server_profile::{ServerCosts, ServerProfile};
pub use size::{MemorySize, SizeError, parse_bytes};
pub use specs::{Balance, DiskSpec, ServerSpec, StoreKind};
pub use store_journal::JournalSpec;
pub use target::{Measure, Objective, Target, check_targets};
pub use toml_file::{FileError, Place, TomlFile};
pub use variation::{Variation, VariedValue};
pub use writer::Writer;
pub use writing::{WriteCost, Writing};
