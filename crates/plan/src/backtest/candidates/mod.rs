//! What a node's memory could be used for, and which of that is chosen, by validation inside the training part.
//!
//! | deed | place |
//! | --- | --- |
//! | how much to hold beside one page cache | `split_search` |
//! | whose files rather, where targets are missed | `files` |
//! | memory groups of sites: curves, split, caches | `groups` |
//! | uses of the memory side by side, laid out for an arm | `candidate`, `layout` |
//! | clients that wait for answers, and for each other | `queueing_clients` |
//! | candidates that would starve a site whose clients wait | `starvation` |
//! | the candidate that a node gets | `choice` |

pub(super) mod candidate;
pub(super) mod choice;
pub(super) mod files;
pub(super) mod groups;
pub(super) mod layout;
pub(super) mod memory_use;
pub(super) mod queueing_clients;
pub(super) mod split_search;
pub(super) mod starvation;
