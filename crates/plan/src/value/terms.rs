//! What sites are owed.

use hotset_cache::PAGE_BYTES;
use hotset_scenario::Site;

use super::catalogue::{Catalogue, check_length};
use crate::PlanError;

/// What a site is owed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SiteTerms {
    /// How much a microsecond of its responses counts against other sites'; within [`Site::WEIGHTS`].
    pub weight: f64,
    /// Bytes of memory that other sites' held files cannot take.
    pub reservation_bytes: u64,
}

impl Default for SiteTerms {
    fn default() -> Self {
        Self {
            weight: 1.0,
            reservation_bytes: 0,
        }
    }
}

/// Whole pages that each site reserves.
pub fn reserved_pages(terms: &[SiteTerms]) -> Vec<u64> {
    terms
        .iter()
        .map(|terms| terms.reservation_bytes / PAGE_BYTES)
        .collect()
}

/// Terms of each site of `files`; empty `terms` are the default for all.
pub(crate) fn terms_of_sites(files: &Catalogue, terms: &[SiteTerms]) -> Vec<SiteTerms> {
    if terms.is_empty() {
        vec![SiteTerms::default(); files.sites.len()]
    } else {
        terms.to_vec()
    }
}

/// Whether each site of `files` has terms that it can be given.
pub(crate) fn check_terms(files: &Catalogue, terms: &[SiteTerms]) -> Result<(), PlanError> {
    check_length("terms", terms.len(), files.sites.len(), "site")?;
    let bad = |terms: &SiteTerms| !Site::WEIGHTS.contains(&terms.weight);
    match terms.iter().position(bad) {
        Some(site) => Err(PlanError::Weight {
            site: files.sites[site].clone(),
            weight: terms[site].weight,
        }),
        None => Ok(()),
    }
}
