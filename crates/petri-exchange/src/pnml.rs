//! The names that exporter and importer of the Petri Net Markup Language share.

/// The namespace of the grammar of 2009.
pub const NAMESPACE: &str = "http://www.pnml.org/version-2009/grammar/pnml";
/// The type of place/transition nets.
pub const PLACE_TRANSITION_NET: &str = "http://www.pnml.org/version-2009/grammar/ptnet";
/// Whose `toolspecific` elements are read.
pub const TOOL: &str = "hotset";
/// The version of what stands in them.
pub const VERSION: &str = "1";
