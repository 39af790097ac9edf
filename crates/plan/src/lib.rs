//! Which objects to hold in memory, and what that buys on accesses the planner has not seen.
