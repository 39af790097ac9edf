//! From what was learnt of files to those that are held next. It knows no logs, no clock and no file system: a simulation chooses by it too.

use super::churn::Churn;
use super::spec::RunSite;
use super::targets::{MissedTargets, TargetTurn, Targets};
use crate::LiveError;
use hotset_cache::PAGE_BYTES;
use hotset_plan::{
    Budget, Catalogue, HeldSet, ProfileCosts, Ranking, SiteTerms, Values, reserved_pages, select,
    select_moving,
};
use hotset_scenario::Profile;

/// What a choice is made from.
pub(super) struct Choosing<'c> {
    /// The sites: those that are followed, then those of which something was learnt once.
    pub sites: &'c [RunSite],
    pub followed: usize,
    /// What reading held files costs.
    pub memory: &'c Profile,
    /// Bytes of each known file.
    pub sizes: &'c [u64],
    /// The site of each.
    pub site_of: &'c [u16],
    pub targets: &'c mut Targets,
    pub churn: &'c mut Churn,
    /// Bytes that may be held.
    pub memory_bytes: u64,
    /// What was chosen last.
    pub held: &'c [u32],
}

/// What a choice came to.
pub(super) struct Chosen {
    pub values: Values,
    pub ranking: Ranking,
    pub before: HeldSet,
    pub next: HeldSet,
    /// Bytes of files that were not held before.
    pub moved_bytes: u64,
    /// Targets that are missed now, or met again.
    pub turns: Vec<TargetTurn>,
}

impl Choosing<'_> {
    /// Chooses, where `renew` says what is worth holding now. Sites that miss a target come first.
    ///
    /// # Errors
    /// Weights out of range, costs that are negative or not finite.
    pub fn choose(
        mut self,
        renew: impl FnOnce(&Values, Budget<'_>) -> Option<Ranking>,
    ) -> Result<Option<Chosen>, LiveError> {
        let values = self.values()?;
        let reserved = reserved_pages(&self.terms());
        let budget = Budget {
            pages: self.memory_bytes / PAGE_BYTES,
            reserved_pages: &reserved,
        };
        let Some(ranking) = renew(&values, budget) else {
            return Ok(None);
        };
        let (values, ranking, turns) = match self.targets.is_empty() {
            true => (values, ranking, Vec::new()),
            false => self.heed_targets(values, ranking, budget)?,
        };
        let before = HeldSet::of(&values, self.held);
        let (sizes, churn) = (self.sizes, self.churn);
        let mut moved_bytes = 0;
        let next = select_moving(&before, &values, &ranking, budget, |id| {
            let size = sizes[id as usize];
            let may_move = churn.take(size);
            moved_bytes += u64::from(may_move) * size;
            may_move
        });
        Ok(Some(Chosen {
            values,
            ranking,
            before,
            next,
            moved_bytes,
            turns,
        }))
    }

    /// Puts sites that miss a target first, as far as that helps, and no further than they need.
    fn heed_targets(
        &mut self,
        mut values: Values,
        mut ranking: Ranking,
        budget: Budget<'_>,
    ) -> Result<(Values, Ranking, Vec<TargetTurn>), LiveError> {
        let heat: Vec<(u32, f64)> = ranking.heat(&values).collect();
        let mut missed = self.modelled(&values, &ranking, &heat, budget);
        let mut is_first = true;
        while self.targets.raise(&missed, is_first) {
            (values, ranking) = self.ranked(&heat)?;
            missed = self.modelled(&values, &ranking, &heat, budget);
            is_first = false;
        }
        let met = |site: &usize| missed[*site].iter().all(|missed| !missed);
        let met: Vec<usize> = (0..self.followed).filter(met).collect();
        for site in met {
            let mut urgency = self.targets.urgency(site);
            while self.targets.lower(site) {
                let (lower_values, lower_ranking) = self.ranked(&heat)?;
                let lower = self.modelled(&lower_values, &lower_ranking, &heat, budget);
                if lower != missed {
                    self.targets.undo_lower(site, urgency);
                    break;
                }
                (values, ranking) = (lower_values, lower_ranking);
                urgency = self.targets.urgency(site);
            }
        }
        let turns = self.targets.turns(&missed);
        Ok((values, ranking, turns))
    }

    /// The files by what they are worth now.
    fn ranked(&self, heat: &[(u32, f64)]) -> Result<(Values, Ranking), LiveError> {
        let values = self.values()?;
        let ranking = Ranking::new(&values, heat.iter().copied());
        Ok((values, ranking))
    }

    fn modelled(
        &self,
        values: &Values,
        ranking: &Ranking,
        heat: &[(u32, f64)],
        budget: Budget<'_>,
    ) -> MissedTargets {
        let set = select(values, ranking, budget);
        self.targets.modelled(values, heat, &set, self.site_of)
    }

    fn values(&self) -> Result<Values, LiveError> {
        let names: Vec<String> = self.sites.iter().map(|site| site.name.clone()).collect();
        let stores: Vec<Profile> = self.sites.iter().map(|site| site.store.clone()).collect();
        let files = Catalogue {
            sizes: self.sizes,
            site_of_object: self.site_of,
            sites: &names,
        };
        let costs = ProfileCosts {
            memory: self.memory,
            backing: &stores,
            files,
        };
        Ok(Values::new(&files, &costs, &self.terms())?)
    }

    /// What sites are owed, those that miss their targets more.
    fn terms(&self) -> Vec<SiteTerms> {
        let terms = |(number, site): (usize, &RunSite)| SiteTerms {
            weight: site.terms.weight * self.targets.urgency(number),
            ..site.terms
        };
        self.sites.iter().enumerate().map(terms).collect()
    }
}
