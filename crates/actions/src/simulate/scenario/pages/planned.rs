//! What a plan gives the database: its buffer pool, tables that are pinned, and what files are held beside it.

use std::fs;

use hotset_cache::PAGE_BYTES;
use hotset_scenario::{Database, Engine, PlacedDatabase, Placement, Scenario};

use super::super::options::Options;
use crate::JobError;
use crate::error::{refuse, refused};

/// A plan in force.
#[derive(Default)]
pub(super) struct Planned {
    /// Tables that are pinned, without their databases.
    pub pinned: Vec<String>,
    /// What of the plan is not followed.
    pub not_modelled: Vec<String>,
}

/// Gives the database of `scenario` the pool of the plan that the options name, where they name one. What the plan holds of files is taken
/// from the memory of the database's node.
///
/// # Errors
/// A file that is no plan, one that says nothing of the database, and pins that the database reads past.
pub(super) fn put_in_force(
    options: &Options,
    scenario: &mut Scenario,
) -> Result<Planned, JobError> {
    let Some(path) = &options.plan else {
        return Ok(Planned::default());
    };
    let name = path.display().to_string();
    let json = fs::read(path).map_err(|error| {
        refused(format!(
            "cannot read {name} (`hotset plan -o {name} …` makes a plan): {error}"
        ))
    })?;
    let plan = Placement::from_json(&json).map_err(|error| JobError::at(&name, error))?;
    // Without one, and with several, the scenario is refused for that.
    let [database] = &mut scenario.databases[..] else {
        return Ok(Planned::default());
    };
    let placed = placed(&name, &plan, database)?;
    database.said_pool_bytes = placed.pool_bytes.or(database.said_pool_bytes);
    let node = database.node.clone();
    let has_logs = !options.logs.paths.is_empty() || !scenario.logs.is_empty();
    let held_bytes = held_bytes(&plan);
    if let Some(node) = scenario.nodes.iter_mut().find(|it| it.name == node) {
        let server_bytes = node.server_memory_bytes.unwrap_or(0);
        node.server_memory_bytes = Some(server_bytes.saturating_add(held_bytes));
    }
    Ok(Planned {
        pinned: placed.pinned.iter().map(|it| table(it)).collect(),
        not_modelled: not_modelled(&plan, has_logs),
    })
}

/// What the plan says of the database.
fn placed<'p>(
    name: &str,
    plan: &'p Placement,
    database: &Database,
) -> Result<&'p PlacedDatabase, JobError> {
    let mut of_plan = plan.databases.iter();
    let Some(placed) = of_plan.find(|it| it.database == database.name) else {
        let known = plan.databases.iter().map(|it| it.database.as_str());
        let known: Vec<&str> = known.collect();
        let has = match known.is_empty() {
            true => "it has none".to_owned(),
            false => format!("it has {}", known.join(", ")),
        };
        refuse!(
            "{name}: is a plan without database `{}` ({has}); plan with a [[database]] of that name",
            database.name
        );
    };
    let is_past_cache = database.engine == Engine::InnoDb && !database.reads_through_page_cache();
    if is_past_cache && !placed.pinned.is_empty() {
        refuse!(
            "{name}: pins tables of database `{}`, which reads past the page cache here; write flush_method = \"fsync\" in its \
             [[database]], or plan without pins",
            database.name
        );
    }
    Ok(placed)
}

/// A table without its database.
fn table(shown: &str) -> String {
    let (_, table) = shown.split_once('.').unwrap_or(("", shown));
    table.to_owned()
}

/// Whole pages of the files that the plan holds, bytes.
fn held_bytes(plan: &Placement) -> u64 {
    let files = plan.files.iter();
    let pages = files.map(|file| file.size_bytes.div_ceil(PAGE_BYTES));
    let pages = pages.fold(0, u64::saturating_add);
    pages.saturating_mul(PAGE_BYTES)
}

/// Requests for held files are sent from the page cache as others are, and groups of sites divide nothing.
fn not_modelled(plan: &Placement, has_logs: bool) -> Vec<String> {
    let files = (has_logs && !plan.files.is_empty()).then_some("plan.files");
    let groups = (!plan.groups.is_empty()).then_some("plan.groups");
    let keys = files.into_iter().chain(groups);
    keys.map(str::to_owned).collect()
}
