//! Terminal tables, one self-contained HTML page, JSON with schemas.
