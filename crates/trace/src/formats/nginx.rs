//! nginx's default format, which its documentation calls `combined` and which is Apache's combined format:
//! `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer"
//! "$http_user_agent"` (`ngx_http_log_module`).

use super::FormatKind;
use super::clf::{CommonLayout, Family};

impl FormatKind {
    /// nginx's default format, which is Apache's combined format and is detected as such.
    pub const NGINX: FormatKind =
        FormatKind::of::<Family<CommonLayout>>("nginx", 9).known_by(|_, _| None);
}
