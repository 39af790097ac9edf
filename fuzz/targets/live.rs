//! What a state folder holds and how a server is named: read or refused in words.
#![no_main]

use hotset_live::{Request, ServerName, State};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    match text.parse::<ServerName>() {
        Ok(name) => assert_eq!(name.to_string().parse(), Ok(name)),
        Err(error) => assert!(!error.is_empty()),
    }
    if let Ok(state) = serde_json::from_str::<State>(text) {
        let written = serde_json::to_string(&state).expect("a state is JSON");
        assert_eq!(
            serde_json::from_str::<State>(&written).expect("what was written is read"),
            state
        );
        let _bytes = state.held_bytes();
    }
    if let Ok(request) = serde_json::from_str::<Request>(text) {
        let written = serde_json::to_string(&request).expect("a request is JSON");
        assert_eq!(
            serde_json::from_str::<Request>(&written).expect("what was written is read"),
            request
        );
    }
});
