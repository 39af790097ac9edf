//! The plan in force, and whether it can be that of this traffic.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use hotset_scenario::{PlacedFile, Placement};

use super::setting::Setting;
use crate::error::{refuse, refused};
use crate::{Field, Input, JobError};

/// The plan in the file at `path`, for the nodes of `setting`. The file of a single node may call it by another name.
///
/// # Errors
/// A file that is no plan, or that holds files of none of these nodes, or of none of these `sites`.
pub(super) fn read(
    path: &Path,
    setting: &Setting,
    sites: &[String],
) -> Result<Placement, JobError> {
    let name = path.display();
    let json = fs::read(path).map_err(|error| {
        refused(format!(
            "cannot read {name}; name the plan in force, or leave {} out if there is none: \
             {error}",
            Field::Previous
        ))
    })?;
    let mut plan = Placement::from_json(&json).map_err(|error| JobError::at(name, error))?;
    let nodes: Vec<&str> = setting.node_names().collect();
    call_only_node(&mut plan, &nodes);
    let of_nodes = names(&plan, |file| &file.node);
    if !of_nodes.is_empty() && !nodes.iter().any(|node| of_nodes.contains(node)) {
        refuse!(
            "{}: is a plan for {}, and this one is for {}; name the plan in force on these nodes",
            path.display(),
            listed(&of_nodes),
            nodes.join(", ")
        );
    }
    let of_sites = names(&plan, |file| &file.site);
    if !of_sites.is_empty() && !sites.iter().any(|site| of_sites.contains(site.as_str())) {
        refuse!(
            "{}: holds files of {}, and the sites here are {}; name the plan in force for these sites",
            path.display(),
            listed(&of_sites),
            sites.join(", ")
        );
    }
    Ok(plan)
}

/// Has a plan for one node call it as it is called among `nodes`, where it is the only one.
pub(crate) fn call_only_node(plan: &mut Placement, nodes: &[&str]) {
    let known = names(plan, |file| &file.node).len();
    if let (&[node], 0 | 1) = (nodes, known) {
        let files = plan.files.iter_mut();
        files.for_each(|file| node.clone_into(&mut file.node));
        let groups = plan.groups.iter_mut();
        groups.for_each(|group| node.clone_into(&mut group.node));
    }
}

fn names(plan: &Placement, name: fn(&PlacedFile) -> &String) -> BTreeSet<&str> {
    plan.files.iter().map(|file| name(file).as_str()).collect()
}

fn listed(names: &BTreeSet<&str>) -> String {
    names.iter().copied().collect::<Vec<_>>().join(", ")
}

/// Object ids of the files that `plan` holds on `node`.
pub(crate) fn held_on(plan: Option<&Placement>, node: &str, input: &Input) -> Vec<u32> {
    let files = plan.iter().flat_map(|plan| &plan.files);
    let held: HashSet<(&str, &[u8])> = files
        .filter(|file| file.node == node)
        .map(|file| (file.site.as_str(), file.path.0.as_slice()))
        .collect();
    let objects = &input.trace.objects;
    let is_held = |&object: &u32| {
        let site = &input.trace.sites[usize::from(objects.site[object as usize])];
        held.contains(&(site.as_str(), objects.path.get(object as usize)))
    };
    (0..objects.len() as u32).filter(is_held).collect()
}
