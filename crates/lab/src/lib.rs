//! A data-centre on one machine, for measuring.
