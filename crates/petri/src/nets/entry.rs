//! What a net of a library is: its name, its parameters, and how it is drawn.

use crate::error::{Flaw, NetError};
use crate::net::Net;

/// A net of the library.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// What may be set.
    pub parameters: &'static [Parameter],
    /// Draws it with checked values.
    pub build: fn(&Values<'_>) -> Result<Net, NetError>,
}

/// A number that may be set.
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value unless set.
    pub default: f64,
    /// What it is.
    pub about: &'static str,
    /// The least value it may have.
    pub least: f64,
    /// It must be below this.
    pub below: f64,
    /// Whether it must be a whole number.
    pub whole: bool,
    /// The rule in words.
    pub rule: &'static str,
}

/// The values of a net's parameters, checked.
pub struct Values<'a>(&'a [(&'static str, f64)]);

impl Values<'_> {
    /// The value of a parameter.
    ///
    /// # Panics
    /// Where the net has no parameter of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> f64 {
        let value = self.0.iter().find(|value| value.0 == name);
        value.expect("a net asks for its own parameters").1
    }

    pub(super) fn count(&self, name: &str) -> u32 {
        self.get(name) as u32
    }
}

impl Entry {
    /// The net, with some parameters set.
    ///
    /// # Errors
    /// A parameter that makes no sense; a name that is not one of [`Entry::parameters`] is ignored.
    pub fn build(&self, set: &[(&str, f64)]) -> Result<Net, NetError> {
        let values = self.parameters.iter().map(|parameter| {
            let given = set.iter().rfind(|(name, _)| *name == parameter.name);
            let value = given.map_or(parameter.default, |&(_, value)| value);
            parameter.check(self.name, value)
        });
        let values: Vec<_> = values.collect::<Result<_, _>>()?;
        (self.build)(&Values(&values))
    }
}

impl Parameter {
    fn check(&self, net: &str, value: f64) -> Result<(&'static str, f64), NetError> {
        let fits = value >= self.least && value < self.below;
        if fits && (!self.whole || value.fract() == 0.0) {
            return Ok((self.name, value));
        }
        let (name, rule) = (self.name, self.rule);
        Err(Flaw::BadParameter { name, value, rule }.at(net))
    }
}

/// The load of a single server, as a parameter.
pub(super) const RHO: Parameter = Parameter {
    name: "rho",
    default: 0.8,
    about: "the server's load: arrivals in a mean service time",
    least: 0.001,
    below: 1.0,
    whole: false,
    rule: "at least 0.001 and below 1",
};

/// A number of things, as a parameter.
pub(super) const fn count(name: &'static str, default: f64, about: &'static str) -> Parameter {
    Parameter {
        name,
        default,
        about,
        least: 1.0,
        below: 1_000_001.0,
        whole: true,
        rule: "a whole number from 1 to 1000000",
    }
}
