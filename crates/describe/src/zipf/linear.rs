//! Vectors and symmetric matrices of the two parameters.

use std::ops::{Add, AddAssign, Mul, Sub};

/// A value for each parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Vector {
    pub(crate) alpha: f64,
    pub(crate) edge: f64,
}

/// A symmetric matrix over the parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Matrix {
    pub(crate) alpha_alpha: f64,
    pub(crate) alpha_edge: f64,
    pub(crate) edge_edge: f64,
}

impl Vector {
    pub(crate) fn new(alpha: f64, edge: f64) -> Self {
        Self { alpha, edge }
    }

    /// The product with itself.
    pub(crate) fn squared(self) -> Matrix {
        Matrix {
            alpha_alpha: self.alpha * self.alpha,
            alpha_edge: self.alpha * self.edge,
            edge_edge: self.edge * self.edge,
        }
    }

    pub(crate) fn dot(self, other: Self) -> f64 {
        self.alpha * other.alpha + self.edge * other.edge
    }
}

impl Matrix {
    /// The diagonal raised by the share `damping` of itself; a parameter that nothing depends on gets 1.
    pub(crate) fn damped(self, damping: f64) -> Self {
        let raise = |diagonal: f64| {
            if diagonal > 0.0 {
                diagonal * (1.0 + damping)
            } else {
                1.0
            }
        };
        Self {
            alpha_alpha: raise(self.alpha_alpha),
            edge_edge: raise(self.edge_edge),
            ..self
        }
    }

    /// The inverse times `vector`; not finite for a singular matrix.
    pub(crate) fn solve(self, vector: Vector) -> Vector {
        let determinant = self.alpha_alpha * self.edge_edge - self.alpha_edge * self.alpha_edge;
        Vector {
            alpha: (self.edge_edge * vector.alpha - self.alpha_edge * vector.edge) / determinant,
            edge: (self.alpha_alpha * vector.edge - self.alpha_edge * vector.alpha) / determinant,
        }
    }

    /// `vector` times this times `vector`.
    pub(crate) fn form(self, vector: Vector) -> f64 {
        let turned = Vector {
            alpha: self.alpha_alpha * vector.alpha + self.alpha_edge * vector.edge,
            edge: self.alpha_edge * vector.alpha + self.edge_edge * vector.edge,
        };
        turned.dot(vector)
    }
}

impl Add for Vector {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.alpha + other.alpha, self.edge + other.edge)
    }
}

impl AddAssign for Vector {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<f64> for Vector {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self::new(self.alpha * factor, self.edge * factor)
    }
}

impl Add for Matrix {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            alpha_alpha: self.alpha_alpha + other.alpha_alpha,
            alpha_edge: self.alpha_edge + other.alpha_edge,
            edge_edge: self.edge_edge + other.edge_edge,
        }
    }
}

impl AddAssign for Matrix {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<f64> for Matrix {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self {
            alpha_alpha: self.alpha_alpha * factor,
            alpha_edge: self.alpha_edge * factor,
            edge_edge: self.edge_edge * factor,
        }
    }
}

impl Sub for Matrix {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + other * -1.0
    }
}
