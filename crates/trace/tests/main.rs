//! Tests of reading logs and traces, through the public surface.

mod corpus;
mod file_names;
mod folder;
mod follow;
mod formats_balancers;
mod formats_custom;
mod formats_detect;
mod formats_documented;
mod formats_guess;
mod formats_lines;
mod formats_properties;
mod formats_real_logs;
mod formats_w3c;
mod formats_words_before_time;
mod json_formats;
mod json_scan;
mod read;
mod sessions;
mod url_encoding;
mod zone;
