//! The images, the audio and the files of an answer.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// How many bytes of a name are kept. A file system has at most 255, with a number and the extension.
const MAX_STEM: usize = 200;
const MAX_EXTENSION: usize = 16;

/// A content block that is a file.
pub(super) struct File<'a> {
    /// `image`, `audio`, or the name that the resource has.
    stem: Cow<'a, str>,
    extension: String,
    pub(super) mime_type: &'a str,
    pub(super) bytes: Vec<u8>,
}

impl<'a> File<'a> {
    /// Returns the file in a block, or `None` if the block is a text or a link.
    pub(super) fn of(block: &'a Value) -> Option<Self> {
        let kind = block["type"].as_str()?;
        let (data, mime_type, uri) = match kind {
            "image" | "audio" => (&block["data"], &block["mimeType"], ""),
            "resource" => {
                let resource = &block["resource"];
                (&resource["blob"], &resource["mimeType"], resource["uri"].as_str().unwrap_or_default())
            }
            _ => return None,
        };
        let bytes = STANDARD.decode(data.as_str()?).ok()?;
        let mime_type = mime_type.as_str().unwrap_or("application/octet-stream");
        // Only the last segment: the URI must not choose another directory.
        let name = uri.rsplit(['/', '\\', ':']).next().unwrap_or_default().trim_start_matches('.');
        let is_plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_. ".contains(c));
        let (stem, extension) = match name.rsplit_once('.').filter(|_| is_plain) {
            Some((stem, extension)) if !stem.is_empty() && extension.len() <= MAX_EXTENSION => {
                (stem, extension.to_owned())
            }
            _ => (if is_plain { name } else { kind }, extension(mime_type)),
        };
        let end = (0..=stem.len().min(MAX_STEM)).rfind(|end| stem.is_char_boundary(*end));
        let stem = &stem[..end.unwrap_or_default()];
        // A program that gets the name as an argument would read a flag.
        let stem = if stem.starts_with('-') { Cow::Owned(format!("{kind}{stem}")) } else { Cow::Borrowed(stem) };
        Some(Self { stem, extension, mime_type, bytes })
    }
}

/// Where the files of an answer are saved.
pub(super) struct Folder<'a> {
    /// The value of `--save`.
    pub(super) directory: Option<&'a Path>,
    /// The last number of each name, so that a file does not try the numbers of the files before it again.
    numbers: HashMap<(String, String), u64>,
    /// Why files could not be saved.
    pub(super) unsaved: Vec<String>,
}

impl<'a> Folder<'a> {
    pub(super) fn new(directory: Option<&'a Path>) -> Self {
        Self { directory, numbers: HashMap::new(), unsaved: Vec::new() }
    }

    /// Writes the file into the directory, if there is one, under a new name: `image-1.png`, or `image-2.png` if that exists.
    pub(super) fn save(&mut self, file: &File<'_>) -> Option<PathBuf> {
        let written = self.write(self.directory?, file);
        written.map_err(|problem| self.unsaved.push(problem)).ok()
    }

    fn write(&mut self, directory: &Path, file: &File<'_>) -> Result<PathBuf, String> {
        std::fs::create_dir_all(directory)
            .map_err(|error| format!("`{}` cannot be made: {error}", directory.display()))?;
        let last = self.numbers.entry((file.stem.to_string(), file.extension.clone())).or_default();
        loop {
            *last += 1;
            let path = directory.join(format!("{}-{last}.{}", file.stem, file.extension));
            let opened = OpenOptions::new().write(true).create_new(true).open(&path);
            match opened.and_then(|mut opened| opened.write_all(&file.bytes)) {
                Ok(()) => return Ok(path),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(format!("`{}` cannot be written: {error}", path.display())),
            }
        }
    }
}

/// Returns the usual extension of files with this media type.
fn extension(mime_type: &str) -> String {
    let subtype = mime_type.split(';').next().unwrap_or_default().trim().rsplit('/').next().unwrap_or_default();
    match subtype.trim_start_matches("x-") {
        "jpeg" => "jpg",
        "svg+xml" => "svg",
        "mpeg" if mime_type.starts_with("audio/") => "mp3",
        "wave" => "wav",
        "plain" => "txt",
        "markdown" => "md",
        "octet-stream" | "" => "bin",
        subtype if subtype.chars().all(|c| c.is_ascii_alphanumeric()) => subtype,
        _ => "bin",
    }
    .to_owned()
}

/// Describes a link to a resource.
pub(super) fn link(block: &Value) -> String {
    let text = |name: &str| block[name].as_str();
    let title = text("title").or_else(|| text("name")).unwrap_or_default();
    let uri = text("uri").unwrap_or_default();
    match text("description") {
        Some(description) => format!("{title} <{uri}>: {description}"),
        None => format!("{title} <{uri}>"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn saved(folder: &mut Folder<'_>, block: &Value) -> String {
        let path = folder.save(&File::of(block).expect("a file")).expect("a writable directory");
        path.file_name().expect("a name").to_string_lossy().into_owned()
    }

    #[test]
    fn a_file_gets_the_number_after_the_last_one_of_its_name() {
        let directory = std::env::temp_dir().join(format!("mcp-tool-numbers-{}", std::process::id()));
        let mut folder = Folder::new(Some(&directory));
        let image = json!({"type": "image", "data": "aGk=", "mimeType": "image/png"});
        let audio = json!({"type": "audio", "data": "aGk=", "mimeType": "audio/wav"});
        let names = [&image, &image, &audio].map(|block| saved(&mut folder, block));
        assert_eq!(names, ["image-1.png", "image-2.png", "audio-1.wav"]);
        // The first number is free again, but nothing looks there: a thousand files would otherwise look at half a million names.
        std::fs::remove_file(directory.join("image-1.png")).expect("a file");
        assert_eq!(saved(&mut folder, &image), "image-3.png");
        std::fs::remove_dir_all(directory).expect("a directory");
    }

    #[test]
    fn a_long_name_is_cut() {
        let directory = std::env::temp_dir().join(format!("mcp-tool-long-{}", std::process::id()));
        let mut folder = Folder::new(Some(&directory));
        for (name, start, end) in [("x".repeat(300) + ".txt", "x", "x-1.txt"), ("é".repeat(300), "é", "é-1.bin")] {
            let block = json!({"type": "resource", "resource": {"uri": name, "blob": "aGk="}});
            let name = saved(&mut folder, &block);
            assert!(name.starts_with(start) && name.ends_with(end) && name.len() < 255, "{name}");
        }
        let block = json!({"type": "resource", "resource": {"uri": format!("a.{}", "x".repeat(300)), "blob": "aGk="}});
        assert!(saved(&mut folder, &block).starts_with("a.xxx"));
        std::fs::remove_dir_all(directory).expect("a directory");
    }

    #[test]
    fn the_name_of_a_file_is_no_flag() {
        for (uri, stem) in [("x/-rf", "resource-rf"), ("x/.-rf.txt", "resource-rf"), ("x/a-b", "a-b")] {
            let block = json!({"type": "resource", "resource": {"uri": uri, "blob": "aGk="}});
            assert_eq!(File::of(&block).expect("a file").stem, stem, "{uri}");
        }
    }
}
