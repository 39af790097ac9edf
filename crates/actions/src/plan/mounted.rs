//! What stores of file servers cost the nodes that mount them, by the calls that simulations make.

use std::path::Path;

use hotset_scenario::{Profile, Scenario, StoreKind};
use hotset_trace::Trace;

use crate::JobError;

/// Whether sites of these names live on a store of NFS. Sites that the scenario does not name live on its first store.
fn live_on_nfs(scenario: &Scenario, sites: &[String]) -> bool {
    sites.iter().any(|name| {
        let site = scenario.sites.iter().find(|site| site.name == *name);
        let store = scenario.stores.get(site.map_or(0, |site| site.store));
        let kind = store.and_then(|store| store.kind);
        kind.is_some_and(StoreKind::is_nfs)
    })
}

/// The costs of each store of the scenario in `file` that is on a file server of NFS. Stores that no site of the traffic lives on have none.
///
/// # Errors
/// Nodes that are not simulated.
#[cfg(feature = "scenarios")]
pub fn profiles(
    scenario: &Scenario,
    file: &Path,
    trace: &Trace,
) -> Result<Vec<Option<Profile>>, JobError> {
    use hotset_models::calculate::mount_prices;
    use hotset_scenario::Node;
    use hotset_topology::{Content, Held, Nodes, Servers, Stores, TopologyError};

    let mut profiles = vec![None; scenario.stores.len()];
    if !live_on_nfs(scenario, &trace.sites) {
        return Ok(profiles);
    }
    let in_file = |error: TopologyError| JobError::at(file.display(), error);
    let stores = Stores::of(scenario, trace).map_err(in_file)?;
    let nodes = Nodes::of(scenario).map_err(in_file)?;
    let held = |_: &Node| Held::default();
    let content = Content {
        stores: &stores,
        held: &held,
        files_bytes: trace.objects.size.iter().sum(),
        servers: &Servers::of(scenario),
    };
    let tiers = nodes.tiers(content).map_err(in_file)?;
    let mut bytes = vec![0u64; stores.stores.len()];
    for (&site, size) in trace.objects.site.iter().zip(&trace.objects.size) {
        let of_store = &mut bytes[stores.of_site[usize::from(site)]];
        *of_store = of_store.saturating_add(*size);
    }
    let prices = mount_prices(&tiers, &bytes);
    for (store, price) in stores.stores.iter().zip(prices) {
        let place = scenario.stores.iter().position(|it| it.name == store.name);
        if let (Some(place), Some(price)) = (place, price) {
            profiles[place] = Some(priced::profile(&scenario.stores[place], price));
        }
    }
    Ok(profiles)
}

/// Without simulations, nothing tells what calls cost.
///
/// # Errors
/// A site that lives on such a store.
#[cfg(not(feature = "scenarios"))]
pub fn profiles(
    scenario: &Scenario,
    file: &Path,
    trace: &Trace,
) -> Result<Vec<Option<Profile>>, JobError> {
    if live_on_nfs(scenario, &trace.sites) {
        crate::error::refuse!(
            "{}: sites live on a store of NFS, of which this build does not know the price; have them live on another kind",
            file.display()
        );
    }
    Ok(vec![None; scenario.stores.len()])
}

#[cfg(feature = "scenarios")]
mod priced {
    use hotset_models::calculate::MountPrice;
    use hotset_scenario::{CostLine, Profile, StoreSpec};

    /// The profile of a store by its price: what is in the node's memory costs what the store's own profile says. Names that a node knows are not
    /// forgotten, so that no read is colder than others.
    pub fn profile(store: &StoreSpec, price: MountPrice) -> Profile {
        let cached = store.profile.cached;
        Profile {
            name: store.name.clone(),
            open_us: price.open_us,
            uncached: CostLine {
                fixed_us: cached.fixed_us + price.read_us,
                bytes_per_us: 1.0 / (1.0 / cached.bytes_per_us + price.byte_us),
            },
            cold: None,
            device: None,
            source: "calls to the scenario's file server, calculated".to_owned(),
            ..store.profile.clone()
        }
    }
}
