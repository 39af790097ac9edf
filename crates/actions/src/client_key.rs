//! The key of the pseudonyms that stand for clients.

/// Key of the pseudonyms that stand for clients.
pub type ClientKey = [u8; 16];

/// A key as 32 hexadecimal digits.
///
/// # Errors
/// What to write instead.
pub fn client_key(hex: &str) -> Result<ClientKey, &'static str> {
    match u128::from_str_radix(hex, 16) {
        Ok(key) if hex.len() == 32 && !hex.starts_with('+') => Ok(key.to_be_bytes()),
        _ => Err("write 32 hexadecimal digits"),
    }
}
