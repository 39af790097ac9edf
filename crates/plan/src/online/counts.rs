//! What a way of counting knows of files.

/// Accesses of files by one way of counting.
#[derive(Clone, Copy)]
pub(super) struct Counts<'e> {
    scaled: Scaled<'e>,
    /// Accesses as of now that one of the counts is.
    now: f64,
}

/// Counts that only accesses change.
#[derive(Clone, Copy)]
enum Scaled<'e> {
    /// Of each file.
    Fading(&'e [f64]),
    /// Accesses of each file so far, and those before the count began; none of files beyond its end.
    Since { total: &'e [u32], before: &'e [u32] },
}

impl<'e> Counts<'e> {
    /// Counts that fade: one is as much as `now` accesses.
    pub fn fading(scaled: &'e [f64], now: f64) -> Self {
        Self {
            scaled: Scaled::Fading(scaled),
            now,
        }
    }

    /// What came after `before` of `total`.
    pub fn since(total: &'e [u32], before: &'e [u32]) -> Self {
        Self {
            scaled: Scaled::Since { total, before },
            now: 1.0,
        }
    }

    /// Accesses as of now that a count is.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// The count of the file with this number: it stays as it is until the next access.
    #[inline]
    pub fn scaled(&self, file: usize) -> f64 {
        match self.scaled {
            Scaled::Fading(scaled) => scaled[file],
            Scaled::Since { total, before } => {
                let before = before.get(file).copied().unwrap_or(0);
                f64::from(total[file].saturating_sub(before))
            }
        }
    }

    /// The heat of the file with this number, in accesses as of now.
    #[inline]
    pub fn heat(&self, file: usize) -> f64 {
        self.scaled(file) * self.now
    }

    /// Every `step`-th file and its heat, those that have any.
    pub fn all(self, step: usize) -> impl Iterator<Item = (u32, f64)> {
        let files = match self.scaled {
            Scaled::Fading(scaled) => scaled.len(),
            Scaled::Since { total, .. } => total.len(),
        };
        (0..files)
            .step_by(step)
            .map(move |file| (file as u32, self.heat(file)))
            .filter(|(_, heat)| *heat > 0.0)
    }
}
