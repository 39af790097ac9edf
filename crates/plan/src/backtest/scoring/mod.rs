//! Ways of using the memory on the accesses held out.
//!
//! | deed | place |
//! | --- | --- |
//! | the arms, and a value of each | `arm` |
//! | what is done for an arm | `arms` |
//! | the page cache alone; the plan renewed as time goes on | `page_cache_alone`; `renewal`, `holder` |
//! | what an arm's accesses cost, and what that gains | `score`, `spread` |
//! | arms whose order depends on the model of the page cache | `reversals` |

pub(super) mod arm;
pub(super) mod arms;
mod holder;
pub(super) mod page_cache_alone;
pub(super) mod renewal;
pub(super) mod reversals;
pub(super) mod score;
mod spread;
