//! Replaces the text of a configuration file, so that a client never reads half of it and no change of another process
//! is lost.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long another process may take to change the same file.
const PATIENCE: Duration = Duration::from_secs(5);

/// A changed file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// The file as it was before, unless there was none.
    pub(super) copy: Option<PathBuf>,
}

/// Changes the text of a file. A file that does not exist counts as empty. If there is a file, it is copied first.
///
/// Returns `None` if `edit` changes nothing.
///
/// # Errors
///
/// Returns why the file was left as it was.
pub(super) fn change(
    file: &Path,
    copy_suffix: &str,
    edit: &dyn Fn(&str) -> Result<Option<String>, String>,
) -> io::Result<Option<Written>> {
    // Change the file that a link points to, not the link itself.
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let read = || match fs::read_to_string(&file) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    };
    let edit = |old: &Option<String>| edit(old.as_deref().unwrap_or_default()).map_err(io::Error::other);
    // If nothing changes, write nothing at all.
    if edit(&read()?)?.is_none() {
        return Ok(None);
    }
    file.parent().map_or(Ok(()), fs::create_dir_all)?;
    // This new file is also the lock: only the process that creates it may change the old file, which it replaces by
    // renaming the new one.
    let new = beside(&file, ".mcp-tool-new");
    let mut written = Unfinished { file: open(&new)?, path: &new, is_done: false };
    let old = read()?;
    let Some(text) = edit(&old)? else { return Ok(None) };
    let copy = old.is_some().then(|| beside(&file, copy_suffix));
    if let Some(copy) = &copy {
        written.file.set_permissions(fs::metadata(&file)?.permissions())?;
        fs::copy(&file, copy)?;
    }
    written.file.write_all(text.as_bytes())?;
    written.file.sync_all()?;
    // The client itself may have written to the file in the meantime.
    if read()? != old {
        return Err(io::Error::other("it has just been changed by another program; try again"));
    }
    fs::rename(&new, &file)?;
    written.is_done = true;
    Ok(Some(Written { copy }))
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    file.with_file_name(name)
}

/// Creates a file that only its owner can read, because entries may contain secrets. Waits while such a file exists.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let start = Instant::now();
    loop {
        match options.open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if start.elapsed() > PATIENCE {
                    let help =
                        format!("if no other process changes it, remove `{}`, which one has left", path.display());
                    return Err(io::Error::other(help));
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            opened => return opened,
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
