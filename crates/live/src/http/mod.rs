//! Questions of administrators and their programs, answered over HTTP: on a Unix socket that tells who asks, or on a port of this
//! machine with a token, because everybody on a machine reaches its ports.

mod exchange;
mod listen;
mod token;

pub use exchange::Answer;
pub use listen::{Door, answer_at};
pub use token::Token;
