//! nginx's default format, which its documentation calls `combined` and which is Apache's combined format:
//! `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer"
//! "$http_user_agent"` (`ngx_http_log_module`).

use super::clf::Clf;
use super::{Format, Record, Reject};

/// Reads nginx's default log, byte for byte as [`Combined`](super::Combined) does.
#[derive(Debug, Default)]
pub struct Nginx(Clf);

impl Format for Nginx {
    fn name(&self) -> &'static str {
        "nginx"
    }

    #[inline]
    fn parse<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        self.0.parse(record)
    }
}
