//! Keys of a profile set aside from its file.

use std::path::Path;

use hotset_scenario::{Profile, ProfileSetting};

fn set(profile: &Profile, settings: &[&str]) -> Result<Profile, String> {
    let settings: Vec<ProfileSetting> = settings.iter().map(|it| it.parse().unwrap()).collect();
    profile.with(&settings).map_err(|error| error.to_string())
}

fn ssd() -> Profile {
    Profile::builtin("ssd").unwrap()
}

#[test]
fn keys_of_all_tables_are_set_and_the_name_says_so() {
    let profile = set(
        &ssd(),
        &[
            "open_us=3",
            "uncached.bytes_per_us=500",
            "reading.parallel=8",
            "reading.read_ahead_bytes=1MiB",
        ],
    )
    .unwrap();
    assert_eq!(
        (profile.open_us, profile.uncached.bytes_per_us),
        (3.0, 500.0)
    );
    let reading = profile.reading.unwrap();
    assert_eq!((reading.parallel, reading.read_ahead_bytes), (8.0, 1 << 20));
    assert_eq!(reading.processors, 1, "what is not set has its default");
    assert_eq!(profile.cached, ssd().cached);
    let none = set(&ssd(), &["reading.read_ahead_bytes=0"]).unwrap();
    assert_eq!(none.reading.unwrap().read_ahead_bytes, 0);
    assert_eq!(
        profile.name,
        "ssd with open_us=3, uncached.bytes_per_us=500, reading.parallel=8, reading.read_ahead_bytes=1MiB"
    );
}

#[test]
fn a_key_of_a_file_system_that_is_not_named_says_all_that_is_to_be_set_at_once() {
    let plain = Profile {
        file_system: None,
        ..ssd()
    };
    let refusal = set(&plain, &["file_system.journal=data"]).unwrap_err();
    let says = "file_system.journal: ssd names no file system; set file_system.kind=ext4 and file_system.block_bytes=4096 as well";
    assert!(refusal.contains(says), "{refusal}");
    let half = ["file_system.journal=data", "file_system.kind=ext3"];
    let refusal = set(&plain, &half).unwrap_err();
    let says = "set file_system.block_bytes=4096 as well";
    assert!(refusal.contains(says), "{refusal}");
    let all = [half[0], half[1], "file_system.block_bytes=4096"];
    let profile = set(&plain, &all).unwrap();
    assert_eq!(profile.file_system.unwrap().kind, "ext3");
    let slip = set(&plain, &["file_system.jurnal=data"]).unwrap_err();
    assert!(!slip.contains("names no file system"), "{slip}");
}

#[test]
fn a_device_is_made_of_its_keys() {
    let keys = [
        "device.kind=measured",
        "device.delay_us=80",
        "device.bytes_per_us=1000",
        "device.slots=16",
        "device.total_bytes_per_us=2000",
        "device.max_request_bytes=1280KiB",
        "device.scheduler=bfq",
    ];
    let profile = set(&ssd(), &keys).unwrap();
    assert!(profile.device.is_some());
    let again = set(&profile, &["device.slots=4"]).unwrap();
    assert_ne!(again.device, profile.device);
    let reversed: Vec<&str> = keys.iter().rev().copied().collect();
    assert_eq!(
        set(&ssd(), &reversed).unwrap().device,
        profile.device,
        "the kind comes first wherever it stands"
    );
    let more = set(&ssd(), &["device.kind=ssd", "device.channels=16"]).unwrap();
    assert!(
        more.device.is_some(),
        "a device of the same kind keeps its keys"
    );
    let missing = set(&ssd(), &keys[..3]).unwrap_err();
    assert!(missing.contains("`slots` is missing"), "{missing}");
}

#[test]
fn each_refusal_names_the_key_and_what_mends_it() {
    for (setting, says) in [
        ("reading.paralel=8", "did you mean `parallel`?"),
        (
            "parallel=8",
            "`parallel`: unknown key; did you mean `reading.parallel`?",
        ),
        (
            "read_ahead=1MiB",
            "`read_ahead`: unknown key; did you mean `reading.read_ahead_bytes`?",
        ),
        (
            "processors=8",
            "`processors`: unknown key; did you mean `reading.processors`?",
        ),
        ("qqq=8", "unknown key"),
        ("reading.parallel=0", "must be from 1 to 65536"),
        ("reading.parallel=many", "must be"),
        ("reading.read_ahead_bytes=-1", "reading"),
        ("uncached.bytes_per_us=0", "must be positive"),
        ("uncached=5", "must be a table"),
        ("open_us.x=5", "open_us.x: is no table on the way"),
        ("open_us=nan", "must be a finite number"),
        ("open_us=1\nname=\"x\"", "open_us"),
    ] {
        let message = set(&ssd(), &[setting]).expect_err(setting);
        assert!(
            message.starts_with("cannot set this of profile `ssd`: "),
            "{message}"
        );
        assert!(message.contains(says), "{setting}: {message}");
    }
    for text in ["", "=", "a", "a=", "=a", ".a=1", "a..b=1"] {
        let message = text.parse::<ProfileSetting>().unwrap_err();
        assert!(message.contains("write NAME=VALUE"), "{text}: {message}");
    }
}

#[test]
fn every_built_in_profile_can_be_written_and_set() {
    for name in hotset_scenario::BUILTIN {
        let profile = Profile::builtin(name).unwrap();
        let text = profile.to_toml().unwrap();
        assert_eq!(Profile::parse(&text, Path::new(name)).unwrap(), profile);
        let set = set(&profile, &["reading.processors=4"]).unwrap();
        assert_eq!(set.reading.unwrap().processors, 4, "{name}");
    }
}
