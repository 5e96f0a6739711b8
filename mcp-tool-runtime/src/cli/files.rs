//! The images, the audio and the files of an answer.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// A content block that is a file.
pub(super) struct File<'a> {
    /// `image`, `audio`, or the name that the resource has.
    stem: &'a str,
    extension: String,
    mime_type: &'a str,
    bytes: Vec<u8>,
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
            Some((stem, extension)) if !stem.is_empty() => (stem, extension.to_owned()),
            _ => (if is_plain { name } else { kind }, extension(mime_type)),
        };
        Some(Self { stem, extension, mime_type, bytes })
    }

    /// Describes the file in a text.
    pub(super) fn description(&self) -> String {
        format!("{}, {} bytes", self.mime_type, self.bytes.len())
    }

    /// Writes the file into the directory under a new name: `image-1.png`, or `image-2.png` if that exists.
    pub(super) fn save(&self, directory: &Path) -> Result<PathBuf, String> {
        std::fs::create_dir_all(directory)
            .map_err(|error| format!("`{}` cannot be made: {error}", directory.display()))?;
        for number in 1_u32.. {
            let path = directory.join(format!("{}-{number}.{}", self.stem, self.extension));
            let opened = OpenOptions::new().write(true).create_new(true).open(&path);
            match opened.and_then(|mut file| file.write_all(&self.bytes)) {
                Ok(()) => return Ok(path),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(format!("`{}` cannot be written: {error}", path.display())),
            }
        }
        Err(format!("`{}` is full of such files", directory.display()))
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
