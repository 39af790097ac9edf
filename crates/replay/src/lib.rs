//! Replays traces as HTTP requests and measures what clients see.
