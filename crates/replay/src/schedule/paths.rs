//! What is asked for, and how much is expected.

use hotset_trace::{SCRIPT_QUERY, Trace, encoded_path, encoded_query};

use super::ScheduleOptions;
use super::columns::{Schedule, UNKNOWN_BYTES};
use super::lengths::Lengths;
use super::operations::Operation;

/// Where POSTs go. The documents name no path.
const POST_TARGET: &str = "/post";

/// Fills the columns that say what is asked for; sites and targets that no row names are left out.
pub(super) fn fill(
    trace: &Trace,
    rows: &[u32],
    options: &ScheduleOptions,
    schedule: &mut Schedule,
) {
    let (requests, objects) = (&trace.requests, &trace.objects);
    let site_of = |row: &u32| u32::from(requests.site[*row as usize]);
    let files = objects.len() as u32;
    let operation = |row: &u32| Operation::of(trace, *row, options.specweb99);
    let (site, sites) = dense(rows.iter().map(site_of), trace.sites.len());
    let numbers = rows.iter().map(|row| operation(row).number(files));
    let (target, targets) = dense(numbers, 2 * objects.len() + 1);
    let path = |object: u32| encoded(objects.path.get(object as usize), options.queries);
    let asked = |number: &u32| match Operation::of_number(*number, files) {
        Operation::Static(object) => path(object),
        Operation::Dynamic(object) => [&*path(object), SCRIPT_QUERY.as_bytes()].concat().into(),
        Operation::Post => POST_TARGET.as_bytes().into(),
    };
    schedule.site = site.into_iter().map(|site| site as u16).collect();
    schedule.sites = sites
        .iter()
        .map(|site| trace.sites[*site as usize].clone())
        .collect();
    schedule.target = target;
    schedule.posts_to = (targets.iter())
        .position(|number| Operation::of_number(*number, files) == Operation::Post)
        .map(|target| target as u32);
    schedule.targets = targets.iter().map(asked).collect();
    let lengths = Lengths::of(trace, options.counting);
    schedule.expected_bytes = rows
        .iter()
        .map(|row| match operation(row) {
            Operation::Static(_) => lengths.expected(trace, *row as usize),
            // What a script answers is its own business.
            Operation::Dynamic(_) | Operation::Post => UNKNOWN_BYTES,
        })
        .collect();
}

/// Ids renumbered in the order of their numbers, without those that do not occur; and what each was.
fn dense(ids: impl Iterator<Item = u32> + Clone, count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut numbers = vec![u32::MAX; count];
    ids.clone().for_each(|id| numbers[id as usize] = 0);
    let mut used = Vec::new();
    for (id, number) in numbers
        .iter_mut()
        .enumerate()
        .filter(|(_, number)| **number == 0)
    {
        *number = used.len() as u32;
        used.push(id as u32);
    }
    (ids.map(|id| numbers[id as usize]).collect(), used)
}

/// A path as it stands in a request line. Keys of a key-only trace have no leading slash.
fn encoded(path: &[u8], queries: bool) -> Box<[u8]> {
    let (path, query) = match path
        .iter()
        .position(|byte| *byte == b'?')
        .filter(|_| queries)
    {
        Some(place) => (&path[..place], Some(&path[place + 1..])),
        None => (path, None),
    };
    let mut target = String::with_capacity(path.len() + 1);
    if path.first() != Some(&b'/') {
        target.push('/');
    }
    target.extend(encoded_path(path));
    if let Some(query) = query {
        target.push('?');
        target.extend(encoded_query(query));
    }
    target.into_bytes().into()
}
