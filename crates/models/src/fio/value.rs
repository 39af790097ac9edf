//! Values of options, as fio writes them.

/// A number of bytes: `4096`, `4k`, `1m`. A `k` is 1024 (`kb_base`, fio's default).
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" => 10,
        "m" | "mb" => 20,
        "g" | "gb" => 30,
        "t" | "tb" => 40,
        "p" | "pb" => 50,
        "ki" | "kib" | "mi" | "mib" | "gi" | "gib" | "ti" | "tib" | "pi" | "pib" => {
            return Err(
                "fio takes this for a power of 1000; write 4k, 1m or 1g, which are powers of 1024"
                    .into(),
            );
        }
        _ => return Err("write bytes, such as 4096, 4k, 1m or 1g".into()),
    };
    let number: u64 = number
        .parse()
        .map_err(|_| "write bytes, such as 4096, 4k, 1m or 1g")?;
    let bytes = number
        .checked_shl(shift)
        .filter(|bytes| bytes >> shift == number);
    bytes
        .filter(|&bytes| bytes <= MOST_BYTES)
        .ok_or_else(|| "is more than 16 TiB, which is more than can be followed".to_owned())
}

/// Most bytes of a file: 16 TiB, those of ext4 (`Documentation/filesystems/ext4`).
const MOST_BYTES: u64 = 16 << 40;

/// A number of bytes above 0.
pub(super) fn some_bytes(text: &str) -> Result<u64, String> {
    match bytes(text)? {
        0 => Err("must be above 0".into()),
        bytes => Ok(bytes),
    }
}

/// Most bytes of a read: what a call of Linux returns (`MAX_RW_COUNT`, `include/linux/fs.h`).
pub(super) const MOST_READ_BYTES: u64 = (1 << 31) - 4096;

/// Bytes of a read.
pub(super) fn block(text: &str) -> Result<u64, String> {
    match some_bytes(text)? {
        bytes if bytes > MOST_READ_BYTES => {
            Err("is more than the 2147479552 bytes that a call reads".into())
        }
        bytes => Ok(bytes),
    }
}

/// Microseconds, from a number without a unit in `unit_us`.
pub(super) fn microseconds(text: &str, unit_us: f64) -> Result<f64, String> {
    let (number, unit) = split(text);
    let unit_us = match unit {
        "" => unit_us,
        "us" | "usec" => 1.0,
        "ms" | "msec" => 1e3,
        "s" | "sec" => 1e6,
        "m" => 60e6,
        "h" => 3600e6,
        "d" => 86400e6,
        _ => return Err("write a time, such as 10s, 500ms or 20us".into()),
    };
    let number: u64 = number
        .parse()
        .map_err(|_| "write a time, such as 10s, 500ms or 20us")?;
    match number as f64 * unit_us {
        us if us <= LONGEST_US => Ok(us),
        _ => Err("must be at most 30 days".into()),
    }
}

/// Longest time of a job, microseconds.
const LONGEST_US: f64 = 30.0 * 86400e6;

/// A whole number from 1 to `most`.
pub(super) fn count(text: &str, most: u32) -> Result<u32, String> {
    match text.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!("write a whole number from 1 to {most}")),
    }
}

/// Yes or no.
pub(super) fn flag(text: &str) -> Result<bool, String> {
    match text {
        "1" => Ok(true),
        "0" => Ok(false),
        _ => Err("write 1 or 0".into()),
    }
}

/// A number and its unit.
fn split(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    (number, unit.trim())
}
