//! A log format as it is named.

use hotset_trace::formats::FormatKind;
use hotset_trace::formats::custom::Pattern;
use hotset_trace::formats::json::JsonKeys;
use hotset_trace::read::FormatChoice;

/// What is said of the format of logs; nothing where it is to be detected.
#[derive(Clone, Debug, Default)]
pub struct FormatNames {
    /// One of the known formats.
    pub known: Option<FormatKind>,
    /// An nginx `log_format` or Apache `LogFormat` string.
    pub pattern: Option<String>,
    /// How the string writes times, where that is not its server's default (strftime).
    pub time_format: Option<String>,
    /// Keys of JSON that hold a request's fields.
    pub json_keys: Option<JsonKeys>,
}

impl FormatNames {
    /// The format; of several that are named the first counts.
    ///
    /// # Errors
    /// A string that describes no format; the message does not say which option it is from.
    pub fn choice(&self) -> Result<Option<FormatChoice>, String> {
        if let Some(kind) = self.known {
            return Ok(Some(FormatChoice::Known(kind)));
        }
        if let Some(keys) = &self.json_keys {
            return Ok(Some(FormatChoice::Json(keys.clone())));
        }
        let Some(pattern) = &self.pattern else {
            return Ok(None);
        };
        let custom = Pattern::compile(pattern, self.time_format.as_deref());
        let custom = custom.map_err(|error| error.to_string())?;
        Ok(Some(FormatChoice::Custom(custom)))
    }

    /// The pattern, where it is the name of a known format: it was meant as one.
    pub fn misplaced_name(&self) -> Option<&str> {
        let pattern = self.pattern.as_deref();
        pattern.filter(|pattern| pattern.parse::<FormatKind>().is_ok())
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.known.is_none() && self.pattern.is_none() && self.json_keys.is_none()
    }
}
