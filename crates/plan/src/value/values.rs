//! What holding each file of a catalogue takes and saves.

use hotset_cache::PAGE_BYTES;

use super::catalogue::Catalogue;
use super::cost::ProfileCosts;
use super::response::{Responses, Served};
use super::terms::{SiteTerms, check_terms, terms_of_sites};
use crate::PlanError;

/// Pages, site and costs of each file of a [`Catalogue`], by its ids.
#[derive(Clone, Debug)]
pub struct Values {
    /// Whole pages of each object.
    pages: Vec<u64>,
    responses: Vec<Responses>,
    site_of_object: Vec<u16>,
    /// Weight of each site.
    weights: Vec<f64>,
}

impl Values {
    /// The files at the costs of serving them; `terms` in the order of [`Catalogue::sites`], or none where all sites have
    /// the default.
    ///
    /// # Errors
    /// Columns that do not fit together, weights out of range, costs that are negative or not finite.
    pub fn new(
        files: &Catalogue,
        costs: &ProfileCosts,
        terms: &[SiteTerms],
    ) -> Result<Self, PlanError> {
        files.check()?;
        let terms = terms_of_sites(files, terms);
        check_terms(files, &terms)?;
        let pages = |&size: &u64| size.div_ceil(PAGE_BYTES).max(1);
        Ok(Self {
            pages: files.sizes.iter().map(pages).collect(),
            responses: (0..files.sizes.len() as u32)
                .map(|object| Responses::of(costs, object))
                .collect::<Result<_, _>>()?,
            site_of_object: files.site_of_object.to_vec(),
            weights: terms.iter().map(|terms| terms.weight).collect(),
        })
    }

    /// Number of objects.
    pub fn objects(&self) -> usize {
        self.pages.len()
    }

    /// Whole pages of each object.
    pub(crate) fn all_pages(&self) -> &[u64] {
        &self.pages
    }

    #[inline]
    pub(crate) fn pages(&self, object: u32) -> u64 {
        self.pages[object as usize]
    }

    #[inline]
    pub(crate) fn site(&self, object: u32) -> usize {
        usize::from(self.site_of_object[object as usize])
    }

    #[inline]
    pub(crate) fn weight(&self, object: u32) -> f64 {
        self.weights[self.site(object)]
    }

    /// Whether all sites have the same weight.
    pub(crate) fn weighs_alike(&self) -> bool {
        self.weights.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Weighted microseconds that an access saves when `object` is held instead of read from its store; none for an object
    /// that has no value.
    pub(crate) fn saved_us(&self, object: u32) -> f64 {
        let responses = self.responses.get(object as usize);
        responses.map_or(0.0, |responses| responses.saved_us() * self.weight(object))
    }

    /// Microseconds to serve `object` as it was found.
    #[inline]
    pub(crate) fn response_us(&self, object: u32, served: Served) -> f64 {
        self.responses[object as usize].us(served, self.pages(object))
    }

    /// Whether reading the directory and inode of any file costs anything.
    pub(crate) fn has_metadata(&self) -> bool {
        self.responses.iter().any(Responses::has_metadata)
    }
}
