//! The store of the sites, and what its reads cost.

use hotset_cache::PAGE_BYTES;
use hotset_models::disk::DriveModel;
use hotset_models::read_ahead::LARGEST_REQUEST_BYTES;
use hotset_scenario::{
    Device, DeviceKind, DiskSpec, FileSystemSpec, Profile, Scenario, StoreKind, StoreSpec,
};

use crate::JobError;
use crate::error::{refuse, refused};

/// Size of the lab's stores where the scenario gives none.
const USUAL_BYTES: u64 = 1 << 30;

/// The store that these sites live on: that of the scenario's site of the name, else its first.
///
/// # Errors
/// No store, several, and one over the network.
pub(super) fn store_of<'s>(
    scenario: &'s Scenario,
    sites: &[String],
) -> Result<&'s StoreSpec, JobError> {
    let of_site = |name: &String| {
        let site = scenario.sites.iter().find(|site| site.name == *name);
        site.map_or(0, |site| site.store)
    };
    let mut stores: Vec<usize> = sites.iter().map(of_site).collect();
    stores.sort_unstable();
    stores.dedup();
    let named = |&place: &usize| scenario.stores.get(place);
    let stores: Option<Vec<&StoreSpec>> = stores.iter().map(named).collect();
    let stores = stores.ok_or_else(|| {
        refused("no [[store]] says where the sites' files are; add one with a `profile`")
    })?;
    let [store] = stores[..] else {
        let names: Vec<&str> = stores.iter().map(|store| store.name.as_str()).collect();
        refuse!(
            "the sites live on the stores {}; simulations have one store so far, so put all sites on one",
            names.join(", ")
        );
    };
    match store.kind {
        Some(kind @ (StoreKind::GlusterFs | StoreKind::MooseFs)) => refuse!(
            "store `{}` is of kind {}; only local stores are simulated so far, such as ext4 or xfs",
            store.name,
            kind.name()
        ),
        _ => Ok(store),
    }
}

/// Its profile, with the disk underneath where the scenario has a seeking one, and the file system that the scenario makes of it. Files
/// have these sizes.
///
/// # Errors
/// Files that are larger than any disk.
pub(super) fn profile_of(store: &StoreSpec, sizes: &[u64]) -> Result<Profile, JobError> {
    let mut profile = store.profile.clone();
    if let Some(kind) = store.kind {
        profile.file_system = Some(FileSystemSpec {
            kind: kind.name().to_owned(),
            block_bytes: PAGE_BYTES,
        });
    }
    if let Some(bytes_per_s) = store.disk.drive_bytes_per_s() {
        let size_bytes = store.size_bytes.unwrap_or(USUAL_BYTES);
        let capacity_bytes = size_bytes.max(needed_bytes(sizes)?);
        profile.device = Some(drive(store.disk, bytes_per_s, capacity_bytes));
    }
    Ok(profile)
}

/// Room for files of these sizes, and a tenth for what maps them.
fn needed_bytes(sizes: &[u64]) -> Result<u64, JobError> {
    let pages = sizes.iter().map(|it| it.div_ceil(PAGE_BYTES));
    let pages = pages.fold(0u64, u64::saturating_add);
    let bytes = pages
        .checked_mul(PAGE_BYTES)
        .and_then(|it| it.checked_add(it / 10));
    bytes.ok_or_else(|| refused("the files are larger than any disk"))
}

/// The drive that the lab plays.
fn drive(disk: DiskSpec, bytes_per_s: u64, capacity_bytes: u64) -> Device {
    let model = DriveModel {
        bytes_per_s: bytes_per_s as f64,
        ..DriveModel::default()
    };
    Device {
        kind: DeviceKind::Drive(model.device(capacity_bytes, LARGEST_REQUEST_BYTES)),
        scheduler: None,
        raid: disk.raid(),
    }
}
