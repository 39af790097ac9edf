//! The points of a sweep: every combination of the values of its keys.

use hotset_scenario::{ScenarioSetting, Variation};

use super::options::Options;
use crate::error::{misuse, refuse};
use crate::{Field, JobError};

/// More points than this are taken for a slip of the pen: at ten milliseconds each they take a quarter of an hour.
const MOST_POINTS: usize = 100_000;

/// Keys of a site that say how logs are read, which a sweep does once.
const READ_ONCE: [&str; 3] = ["match", "root", "name"];

/// The points, numbered so that the values of the last key change fastest.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// The keys and their values.
    pub vary: Vec<Variation>,
    /// Which of the keys is to be least.
    pub minimised: usize,
    /// How many points there are.
    pub points: usize,
}

impl Grid {
    /// That of `options`.
    ///
    /// # Errors
    /// No key, one that is varied twice or cannot be varied, too many points, and a key to minimise that is not varied.
    pub fn of(options: &Options) -> Result<Self, JobError> {
        let vary = options.vary.clone();
        if vary.is_empty() {
            misuse!(
                "nothing is varied; name a key and its values with {}, as in node.web1.memory=256MiB..4GiB:x2",
                Field::Vary
            );
        }
        check_keys(&vary)?;
        let counts = vary.iter().map(|it| it.values().len());
        let points = counts.fold(1usize, usize::saturating_mul);
        if points > MOST_POINTS {
            refuse!(
                "there are {points} points, and at most {MOST_POINTS} are simulated; give fewer values with {}",
                Field::Vary
            );
        }
        Ok(Self {
            minimised: minimised(&vary, options.minimise.as_deref())?,
            vary,
            points,
        })
    }

    /// Which value each key has at a point.
    pub fn places(&self, point: usize) -> Vec<usize> {
        let mut rest = point;
        let mut places: Vec<usize> = (self.vary.iter().rev())
            .map(|it| {
                let place = rest % it.values().len();
                rest /= it.values().len();
                place
            })
            .collect();
        places.reverse();
        places
    }

    /// Says that an error is about a point.
    pub fn in_point(&self, point: usize, error: JobError) -> JobError {
        let settings = self.settings(point);
        let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
        JobError::at(settings.join(" "), error)
    }

    /// What is set at a point.
    pub fn settings(&self, point: usize) -> Vec<ScenarioSetting> {
        let keys = self.vary.iter().zip(self.places(point));
        keys.map(|(key, place)| key.values()[place].setting.clone())
            .collect()
    }
}

fn check_keys(vary: &[Variation]) -> Result<(), JobError> {
    for (at, key) in vary.iter().enumerate() {
        let path = key.path();
        if vary[..at].iter().any(|it| it.path() == path) {
            misuse!("{} {path}=… stands twice; leave one out", Field::Vary);
        }
        let (list, name) = path.split_once('.').unwrap_or_default();
        let (_, last) = name.rsplit_once('.').unwrap_or_default();
        if list == "site" && READ_ONCE.contains(&last) {
            misuse!(
                "{} {key}: `{last}` of a site says how logs are read, and a sweep reads them once; vary another key",
                Field::Vary
            );
        }
    }
    Ok(())
}

/// The place of the key that is to be least.
fn minimised(vary: &[Variation], named: Option<&str>) -> Result<usize, JobError> {
    let Some(named) = named else { return Ok(0) };
    match vary.iter().position(|it| it.path() == named) {
        Some(place) => Ok(place),
        None => {
            let paths: Vec<&str> = vary.iter().map(Variation::path).collect();
            misuse!(
                "{} {named}: is not varied; name one of {}",
                Field::Minimise,
                paths.join(", ")
            );
        }
    }
}
