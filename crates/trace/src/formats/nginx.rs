//! nginx's default format, which its documentation calls `combined` and which is Apache's combined format:
//! `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer"
//! "$http_user_agent"` (`ngx_http_log_module`).

use super::clf::Clf;
use super::{Format, FormatKind, Record, Reject};
use crate::Zone;

impl FormatKind {
    /// nginx's default format, which is Apache's combined format and is detected as such.
    pub const NGINX: FormatKind = FormatKind {
        name: "nginx",
        fields: 9,
        is_key_only: false,
        parser: || Box::<Nginx>::default(),
        evidence: |_, _| None,
    };
}

/// Reads nginx's default log, byte for byte as [`FormatKind::COMBINED`] does.
#[derive(Debug, Default)]
struct Nginx(Clf);

impl Format for Nginx {
    fn carries_state(&self) -> bool {
        self.0.carries_state()
    }

    fn set_zone(&mut self, zone: &Zone) {
        self.0.set_zone(zone);
    }

    #[inline]
    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        self.0.parse_from(line, b"")
    }
}
