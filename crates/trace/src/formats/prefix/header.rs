//! Headers in front of a line, told by their grammar.

use crate::formats::address::is_address;
use crate::formats::clock::ClfClock;
use crate::formats::clock::iso8601_us;
use crate::formats::custom::strptime_prefix;
use crate::formats::field::leading_number;

/// A header of a known grammar. Those that begin like another and say more come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::VariantArray)]
pub(super) enum Header {
    /// `<190>1 2026-04-02T08:00:00Z web1 nginx 77 - - `: RFC 5424 §6.
    #[strum(to_string = "a syslog header")]
    Syslog5424,
    /// `Apr  2 08:00:00 web1 nginx[77]: `, `<190>` in front or not, or the time in ISO 8601: RFC 3164 §4.1, rsyslog's
    /// file format, journalctl's `short` and its kin.
    #[strum(to_string = "a syslog header")]
    Syslog,
    /// `2026-04-02T08:00:00.123456789Z stdout F `: the log format of the Kubernetes container runtime interface.
    #[strum(to_string = "a container runtime's time and stream")]
    Container,
    /// `web-1  | `: docker compose; foreman, whose names follow a time of day.
    #[strum(to_string = "a service's name")]
    Service,
    /// `[pod/web-7bf8/nginx] `: `kubectl logs --prefix`.
    #[strum(to_string = "a pod's name")]
    Pod,
    /// `access.log:`: grep, which names the file.
    #[strum(to_string = "a file's name")]
    File,
    /// `2026-04-02T08:00:00Z `: `kubectl logs --timestamps` and the like.
    #[strum(to_string = "a collector's time")]
    Time,
    /// `17:`, `    17\t`: the number that `grep -n` and `cat -n` put first.
    #[strum(to_string = "a line number")]
    Number,
    /// `{filename="/var/log/nginx/access.log"} `: the labels of Loki's logcli.
    #[strum(to_string = "a stream's labels")]
    Labels,
    /// `INFO:werkzeug:`, `2026-04-02 08:00:00,123 INFO aiohttp.access: `: Python's logging.
    #[strum(to_string = "a logger's name and level")]
    Logger,
    /// Quotes around the whole line, which the format string of LiteSpeed writes.
    #[strum(to_string = "a quote")]
    Quotes,
}

impl Header {
    /// What follows the header in `line`; none where it does not stand there, or nothing follows.
    pub fn cut(self, line: &[u8]) -> Option<&[u8]> {
        let rest = match self {
            Header::Syslog5424 => behind_syslog_5424(line),
            Header::Syslog => behind_syslog(line),
            Header::Container => behind_container(line),
            Header::Service => behind_service(line),
            Header::Pod => behind_pod(line),
            Header::File => behind_file(line),
            Header::Time => behind_iso_time(line),
            Header::Number => numbered(line).map(|(_, rest)| rest),
            Header::Labels => behind_labels(line),
            Header::Logger => behind_logger(line),
            Header::Quotes => inside_quotes(line),
        };
        rest.filter(|rest| !rest.is_empty())
    }

    /// Whether `lines` speak for the header together: numbers grow from line to line, and the first groups of IPv6
    /// addresses, which look like them, do not.
    pub fn is_likely(self, lines: &[Vec<u8>]) -> bool {
        const FEWEST: usize = 5;
        if self != Header::Number {
            return true;
        }
        let numbers = lines.iter().map(|line| numbered(line).map(|it| it.0));
        lines.len() >= FEWEST && numbers.is_sorted_by(|one, next| one.is_some() && one < next)
    }
}

/// The word at the start of `text`, and what follows the space behind it.
fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b' ', text)?;
    (end > 0).then(|| (&text[..end], &text[end + 1..]))
}

/// What follows an ISO 8601 time with its zone, and a space.
fn behind_iso_time(line: &[u8]) -> Option<&[u8]> {
    let (time, rest) = word(line)?;
    iso8601_us(time).map(|_| rest)
}

/// What follows a priority `<190>`.
fn behind_priority(line: &[u8]) -> Option<&[u8]> {
    let digits = line.strip_prefix(b"<")?;
    let end = memchr::memchr(b'>', &digits[..digits.len().min(4)])?;
    let is_number = end > 0 && digits[..end].iter().all(u8::is_ascii_digit);
    is_number.then(|| &digits[end + 1..])
}

fn behind_syslog_5424(line: &[u8]) -> Option<&[u8]> {
    let mut rest = behind_iso_time(behind_priority(line)?.strip_prefix(b"1 ")?)?;
    // Host, application, process and message.
    for _ in 0..4 {
        (_, rest) = word(rest)?;
    }
    let rest = behind_structured_data(rest)?.strip_prefix(b" ")?;
    Some(rest.strip_prefix("\u{feff}".as_bytes()).unwrap_or(rest))
}

/// What follows `-` or `[id name="value" …]…`, in whose values a backslash escapes quotes.
fn behind_structured_data(text: &[u8]) -> Option<&[u8]> {
    if let Some(rest) = text.strip_prefix(b"-") {
        return Some(rest);
    }
    let mut rest = text;
    while let Some(inside) = rest.strip_prefix(b"[") {
        let (mut is_quoted, mut is_escaped) = (false, false);
        let ends = |&byte: &u8| {
            let ends = byte == b']' && !is_quoted;
            is_quoted ^= byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            ends
        };
        let end = inside.iter().position(ends)?;
        rest = &inside[end + 1..];
    }
    (rest.len() < text.len()).then_some(rest)
}

/// Behind the time stand the machine and a tag that a colon ends.
fn behind_syslog(line: &[u8]) -> Option<&[u8]> {
    let line = behind_priority(line).unwrap_or(line);
    let rest = behind_month_time(line)
        .or_else(|| behind_iso_offset(line))
        .or_else(|| behind_journal_time(line))?;
    let (_, rest) = word(rest)?;
    let (tag, rest) = word(rest)?;
    let tag = tag.strip_suffix(b":")?;
    let in_tag = |byte: &u8| byte.is_ascii_graphic() && *byte != b'"';
    tag.iter().all(in_tag).then_some(rest)
}

/// What follows `Thu 2026-04-02 08:00:00 UTC `, `[ 1234.567890] ` or `1775116800.250000 `: journalctl's `short-full`,
/// `short-monotonic` and `short-unix`.
fn behind_journal_time(line: &[u8]) -> Option<&[u8]> {
    let is_number = |text: &[u8]| {
        let in_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        memchr::memchr(b'.', text).is_some() && text.iter().all(in_number)
    };
    if let Some(inside) = line.strip_prefix(b"[") {
        let end = memchr::memchr(b']', inside)?;
        let rest = inside[end + 1..].strip_prefix(b" ")?;
        return is_number(inside[..end].trim_ascii_start()).then_some(rest);
    }
    let (first, rest) = word(line)?;
    if is_number(first) {
        return Some(rest);
    }
    let (date, rest) = word(rest)?;
    let is_date = <&[u8; 10]>::try_from(date).is_ok_and(|date| date[4] == b'-' && date[7] == b'-');
    let (zone, rest) = word(behind_time_of_day(rest)?)?;
    let is_weekday = first.len() == 3 && first.iter().all(u8::is_ascii_alphabetic);
    (is_weekday && is_date && !zone.is_empty()).then_some(rest)
}

/// What follows `Apr  2 08:00:00 `.
fn behind_month_time(line: &[u8]) -> Option<&[u8]> {
    const MONTHS: [&[u8]; 12] = [
        b"Jan ", b"Feb ", b"Mar ", b"Apr ", b"May ", b"Jun ", b"Jul ", b"Aug ", b"Sep ", b"Oct ",
        b"Nov ", b"Dec ",
    ];
    let day = MONTHS.iter().find_map(|month| line.strip_prefix(*month))?;
    let (day, rest) = word(day.strip_prefix(b" ").unwrap_or(day))?;
    let is_day = day.len() <= 2 && day.iter().all(u8::is_ascii_digit);
    behind_time_of_day(rest).filter(|_| is_day)
}

/// What follows `08:00:00 `.
fn behind_time_of_day(text: &[u8]) -> Option<&[u8]> {
    let (time, rest) = word(text)?;
    let shape = |(at, byte): (usize, &u8)| match at {
        2 | 5 => *byte == b':',
        _ => byte.is_ascii_digit(),
    };
    (time.len() == 8 && time.iter().enumerate().all(shape)).then_some(rest)
}

/// What follows an ISO 8601 time, whose offset may be without a colon as journalctl writes it.
fn behind_iso_offset(line: &[u8]) -> Option<&[u8]> {
    let (time, rest) = word(line)?;
    let is_time = |text: &[u8]| iso8601_us(text).is_some();
    let with_colon = |time: &[u8]| {
        let (before, minutes) = time.split_at_checked(time.len().checked_sub(2)?)?;
        Some([before, b":", minutes].concat())
    };
    (is_time(time) || with_colon(time).is_some_and(|time| is_time(&time))).then_some(rest)
}

fn behind_container(line: &[u8]) -> Option<&[u8]> {
    let (stream, rest) = word(behind_iso_time(line)?)?;
    let (tag, rest) = word(rest)?;
    let is_stream = stream == b"stdout" || stream == b"stderr";
    (is_stream && (tag == b"F" || tag == b"P")).then_some(rest)
}

/// A name, spaces, a bar and a space, with colours or not.
fn behind_service(line: &[u8]) -> Option<&[u8]> {
    let text = behind_colours(line);
    let text = behind_time_of_day(text).unwrap_or(text);
    let bar = memchr::memchr(b'|', text)?;
    let name = text[..bar].strip_suffix(b" ")?.trim_ascii_end();
    let in_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./".contains(byte);
    let is_name = name.first().is_some_and(u8::is_ascii_alphabetic) && name.iter().all(in_name);
    let rest = behind_colours(&text[bar + 1..]).strip_prefix(b" ")?;
    is_name.then(|| behind_colours(rest))
}

/// What follows escape sequences that set a terminal's colours (ECMA-48 §8.3.117).
fn behind_colours(mut text: &[u8]) -> &[u8] {
    while let Some(rest) = text.strip_prefix(b"\x1b[") {
        let in_sequence = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
        let length = rest.iter().take_while(in_sequence).count();
        match rest[length..].strip_prefix(b"m") {
            Some(rest) => text = rest,
            None => break,
        }
    }
    text
}

fn behind_pod(line: &[u8]) -> Option<&[u8]> {
    let inside = line.strip_prefix(b"[pod/")?;
    let end = memchr::memchr(b']', inside)?;
    let is_name = memchr::memchr(b' ', &inside[..end]).is_none();
    inside[end + 1..].strip_prefix(b" ").filter(|_| is_name)
}

/// The name of a log, a colon, and an address or a host that begins the line.
fn behind_file(line: &[u8]) -> Option<&[u8]> {
    let (first, _) = word(line)?;
    let colon = memchr::memchr(b':', first)?;
    let (name, begins) = (&first[..colon], &first[colon + 1..]);
    let is_log = memchr::memmem::find(name, b"log").is_some();
    (is_log && is_address(begins)).then(|| &line[colon + 1..])
}

/// The number of a line, of at most nine digits so that it is no time, and what follows it.
fn numbered(line: &[u8]) -> Option<(u64, &[u8])> {
    const MOST_DIGITS: usize = 9;
    let start = line.iter().position(|&byte| byte != b' ')?;
    let (number, used) = leading_number(&line[start..])?;
    let (mark, rest) = line[start + used..].split_first()?;
    let is_whole = *mark == b'\t' || *mark == b':' && start == 0;
    (used <= MOST_DIGITS && is_whole).then_some((number, rest))
}

/// `{name="value", …} `
fn behind_labels(line: &[u8]) -> Option<&[u8]> {
    let inside = line.strip_prefix(b"{")?;
    let in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let name = inside.iter().take_while(in_name).count();
    let end = memchr::memmem::find(inside, b"\"} ")?;
    (name > 0 && inside[name..].starts_with(b"=\"")).then(|| &inside[end + 3..])
}

/// `LEVEL:name:`, or a time, a level, a name and a colon: the forms that Python's logging documents.
fn behind_logger(line: &[u8]) -> Option<&[u8]> {
    let in_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let is_name = |name: &[u8]| !name.is_empty() && name.iter().all(in_name);
    let bare = || {
        let (level, rest) = line.split_at_checked(memchr::memchr(b':', line)?)?;
        let (name, rest) = rest[1..].split_at_checked(memchr::memchr(b':', &rest[1..])?)?;
        (is_level(level) && is_name(name)).then(|| &rest[1..])
    };
    bare().or_else(|| {
        let (date, rest) = word(line)?;
        let (time, rest) = word(rest)?;
        let is_time = strptime_prefix(
            "%Y-%m-%d %H:%M:%S,%f",
            &line[..date.len() + 1 + time.len()],
            &mut ClfClock::default(),
        );
        let (level, rest) = word(rest)?;
        let (name, rest) = word(rest)?;
        let is_name = is_name(name.strip_suffix(b":")?);
        (is_time.is_some() && is_level(level) && is_name).then_some(rest)
    })
}

fn is_level(word: &[u8]) -> bool {
    const LEVELS: [&[u8]; 5] = [b"DEBUG", b"INFO", b"WARNING", b"ERROR", b"CRITICAL"];
    LEVELS.contains(&word)
}

/// Quotes around the line that close no field of it: no other stands before its bracketed time.
fn inside_quotes(line: &[u8]) -> Option<&[u8]> {
    let inside = line.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let time = memchr::memchr(b'[', inside)?;
    memchr::memchr(b'"', &inside[..time])
        .is_none()
        .then_some(inside)
}
