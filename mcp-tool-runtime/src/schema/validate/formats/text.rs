//! Small formats: JSON Pointers and UUIDs.

pub(super) fn is_json_pointer(text: &str) -> bool {
    (text.is_empty() || text.starts_with('/')) && text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']))
}

pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36 && uuid::Uuid::try_parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_and_uuids() {
        for (accepts, valid, invalid) in [
            (
                is_json_pointer as fn(&str) -> bool,
                &["", "/", "/a~1b/~0", "//", "/\u{7f}"][..],
                &["a", "/~", "/~2", "#/a"][..],
            ),
            (
                is_uuid,
                &["2EB8AA08-aa98-11ea-b4aa-73b441d16380"],
                &[
                    "2eb8aa08aa9811eab4aa73b441d16380",
                    "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
                    "2eb8aa08-aa98-11eab-4aa-73b441d16380",
                    "ééééééééé",
                ],
            ),
        ] {
            assert_eq!(valid.iter().find(|text| !accepts(text)), None);
            assert_eq!(invalid.iter().find(|text| accepts(text)), None);
        }
    }
}
