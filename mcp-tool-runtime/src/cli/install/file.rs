//! Replaces the text of a configuration file in such a way that a client never reads half of it, and that no change by
//! another process is lost.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long another process may take to change the same file.
const PATIENCE: Duration = Duration::from_secs(5);

/// What became of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// There was none before.
    New,
    /// The old file was copied to this one.
    Over(PathBuf),
}

/// Changes the text of a file. A file that does not exist is an empty text. If there is a file, it is copied first.
///
/// Returns `None` if `edit` changes nothing.
///
/// # Errors
///
/// Returns why the file is as it was before.
pub(super) fn change(
    file: &Path,
    copy_suffix: &str,
    edit: &dyn Fn(&str) -> Result<Option<String>, String>,
) -> Result<Option<Written>, String> {
    let failed = |what: &str, error: &io::Error| format!("{what}: {error}");
    // Change the file that a link points to, not the link itself.
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let read = || match fs::read(&file) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8".to_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed("it cannot be read", &error)),
    };
    // If nothing changes, write nothing at all.
    if edit(read()?.as_deref().unwrap_or_default())?.is_none() {
        return Ok(None);
    }
    let folder = file.parent().ok_or("it is not a file")?;
    fs::create_dir_all(folder).map_err(|error| failed("its folder cannot be made", &error))?;
    // This new file is also the lock: only the process that creates it may change the old file, which it replaces by
    // renaming the new one.
    let new = beside(&file, ".mcp-tool-new");
    let mut written = Unfinished { file: open(&new)?, path: &new, is_done: false };
    let old = read()?;
    let Some(text) = edit(old.as_deref().unwrap_or_default())? else { return Ok(None) };
    let write = |written: &mut Unfinished<'_>| {
        if old.is_some() {
            written.file.set_permissions(fs::metadata(&file)?.permissions())?;
        }
        written.file.write_all(text.as_bytes())?;
        written.file.sync_all()
    };
    write(&mut written).map_err(|error| failed("it cannot be written", &error))?;
    let copy = old.is_some().then(|| beside(&file, copy_suffix));
    if let Some(copy) = &copy {
        fs::copy(&file, copy).map_err(|error| failed("it cannot be copied", &error))?;
    }
    // The client itself may have written to the file in the meantime.
    if read()? != old {
        return Err("it has just been changed by another program; try again".to_owned());
    }
    fs::rename(&new, &file).map_err(|error| failed("it cannot be replaced", &error))?;
    written.is_done = true;
    Ok(Some(copy.map_or(Written::New, Written::Over)))
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    file.with_file_name(name)
}

/// Creates a file that only its owner may read, since entries may contain secrets. Waits while the file exists.
fn open(path: &Path) -> Result<File, String> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let start = Instant::now();
    loop {
        match options.open(path) {
            Ok(file) => return Ok(file),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let path = path.display();
                return Err(format!("another process changes it; if none does, remove `{path}`, which one has left"));
            }
            Err(error) => return Err(format!("its folder cannot be written to: {error}")),
        }
    }
}

/// Removes the new file unless it has replaced the old one.
struct Unfinished<'p> {
    file: File,
    path: &'p Path,
    is_done: bool,
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = fs::remove_file(self.path);
        }
    }
}
