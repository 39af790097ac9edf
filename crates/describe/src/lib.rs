//! Description of a trace: rates, popularity, sizes, miss-ratio curves.
