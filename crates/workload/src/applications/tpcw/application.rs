//! TPC-W as an application.

use super::mixes::mixes;
use super::shop::Tpcw;
use crate::applications::application::Application;
use crate::sessions::Mix;

impl Application for Tpcw {
    fn name(&self) -> &'static str {
        "tpcw"
    }

    fn mixes(&self) -> Vec<Mix> {
        mixes(self)
    }
}
