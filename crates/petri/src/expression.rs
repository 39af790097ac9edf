//! Expressions that are Rust and, for other tools, text.
//!
//! The language is the part of Rust that both have: variables, fields of tuples and structures, numbers, texts, `+ - * / %`,
//! comparisons, `&& || !`, `if`, tuples, structures, `let`, and of a firing its time and its chances. What a firing records is passed over:
//! it is for the monitors of this engine.

use crate::colour::Constant;

/// The text of an expression, and the values that it names besides its variables.
#[derive(Clone, Debug)]
pub struct ExprText {
    /// The closure as it was written.
    pub text: &'static str,
    /// Names with their values.
    pub values: Vec<(&'static str, Constant)>,
}

/// A closure that other tools understand: an arc expression, a guard or code that [`Transition::join_expr`],
/// [`Transition::when_expr`] and [`Transition::fire_expr`] take. It is written as any closure, in a part of Rust. Values from
/// around it are named behind a semicolon.
///
/// ```
/// use hotset_petri::{Net, expr};
///
/// let seats = 5;
/// let net = Net::build("table", |page| {
///     let free = page.bag("free", 0..seats);
///     let taken = page.bag("taken", []);
///     page.transition("sit down")
///         .take(&free)
///         .when_expr(expr!(|seat| seat % 2 == 0))
///         .put(&taken)
///         .fire_expr(expr!(move |seat, _| (seat + 1) % seats; seats));
///     page.transition("get up").take(&taken).put(&free).fire_expr(expr!(|seat, _| seat));
/// })?;
/// # Ok::<(), hotset_petri::NetError>(())
/// ```
///
/// What the language has no word for is refused when the net is written for another tool: write it as a closure for
/// [`Transition::when`], [`Transition::join`] or [`Transition::fire`] then.
///
/// [`Transition::join_expr`]: crate::Transition::join_expr
/// [`Transition::when_expr`]: crate::Transition::when_expr
/// [`Transition::fire_expr`]: crate::Transition::fire_expr
/// [`Transition::join`]: crate::Transition::join
/// [`Transition::when`]: crate::Transition::when
/// [`Transition::fire`]: crate::Transition::fire
#[macro_export]
macro_rules! expr {
    ($closure:expr $(; $($name:ident),+)?) => {
        (
            $closure,
            $crate::ExprText {
                text: stringify!($closure),
                values: vec![$($((stringify!($name), $crate::Colour::constant(&$name))),+)?],
            },
        )
    };
}
