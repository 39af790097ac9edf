//! Tests of experiments, through the public surface.

mod cost_lines;
