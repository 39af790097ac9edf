//! The arms of a plan: the ways of using the memory that it is laid beside.

use serde::{Serialize, Serializer};
use strum::{EnumCount, IntoStaticStr, VariantArray};

/// A way of using the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, EnumCount, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Arm {
    /// Nothing held: all memory is page cache.
    PageCache,
    /// Nothing held, and the page cache evicts the least recently used file.
    Lru,
    /// Files below 2^20 bytes that the training part has seen are held, the most valuable first, until memory is full;
    /// what is left is page cache.
    SizeThreshold,
    /// Only what sites reserve is held; absent where none reserves.
    Reservations,
    /// A page cache for each site in a memory group of its own; absent where there may be no groups.
    Groups,
    /// Groups in which files are held; absent where there may be no groups.
    GroupsAndFiles,
    /// The plan.
    Plan,
    /// The plan renewed as time goes on.
    Adaptive,
    /// The best set among objects that the training part has seen, chosen knowing the held-out part.
    Clairvoyant,
}

impl Arm {
    /// All of them, in the order of reports.
    pub const ALL: &[Arm] = Arm::VARIANTS;

    /// Those whose outcomes are laid beside others.
    pub(crate) const OF_OUTCOMES: [Arm; 3] = [Arm::PageCache, Arm::Plan, Arm::Clairvoyant];

    /// Whether there are plans that are not laid beside it.
    #[cfg(feature = "schemas")]
    fn may_be_absent(self) -> bool {
        matches!(
            self,
            Self::Reservations | Self::Groups | Self::GroupsAndFiles
        )
    }

    /// Its key in JSON.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A value of each arm, or of those that have one. JSON has it by [`Arm::name`].
#[derive(Clone, Debug, PartialEq)]
pub struct ByArm<T>([Option<T>; Arm::COUNT]);

impl<T> ByArm<T> {
    /// What `of` gives each arm.
    pub fn of(of: impl FnMut(Arm) -> Option<T>) -> Self {
        Arm::ALL.iter().copied().map(of).collect()
    }

    /// That of `arm`.
    pub fn get(&self, arm: Arm) -> Option<&T> {
        self.0[arm as usize].as_ref()
    }

    /// The place of that of `arm`.
    pub fn entry(&mut self, arm: Arm) -> &mut Option<T> {
        &mut self.0[arm as usize]
    }

    /// Those that there are, in the order of [`Arm::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Arm, &T)> {
        Arm::ALL
            .iter()
            .filter_map(|&arm| Some((arm, self.get(arm)?)))
    }

    /// Those that both have, joined.
    pub(crate) fn join(mut self, mut other: Self, join: impl Fn(T, T) -> T) -> Self {
        Self::of(|arm| {
            let pair = self.entry(arm).take().zip(other.entry(arm).take());
            pair.map(|(one, other)| join(one, other))
        })
    }
}

/// Of the values of all arms in the order of [`Arm::ALL`].
impl<T> FromIterator<Option<T>> for ByArm<T> {
    fn from_iter<I: IntoIterator<Item = Option<T>>>(values: I) -> Self {
        let mut values = values.into_iter();
        Self(std::array::from_fn(|_| values.next().flatten()))
    }
}

impl<T: Serialize> Serialize for ByArm<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(arm, value)| (arm.name(), value)))
    }
}

/// A key for each arm, which means what the comment of the arm says.
#[cfg(feature = "schemas")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for ByArm<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("{}ByArm", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let arms = Arm::json_schema(generator);
        let meanings = arms.get("oneOf").and_then(|arms| arms.as_array());
        let meaning = |arm: Arm| meanings?.get(arm as usize)?.get("description");
        let properties = Arm::ALL.iter().map(|&arm| {
            let mut schema = generator.subschema_for::<T>();
            schema.insert("description".to_owned(), meaning(arm).cloned().into());
            (arm.name(), schema)
        });
        let properties: std::collections::BTreeMap<_, schemars::Schema> = properties.collect();
        let always = Arm::ALL.iter().filter(|arm| !arm.may_be_absent());
        let required: Vec<&str> = always.map(|arm| arm.name()).collect();
        schemars::json_schema!({"type": "object", "properties": properties, "required": required})
    }
}
