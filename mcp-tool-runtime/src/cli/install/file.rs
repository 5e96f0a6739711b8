//! Replaces the text of a configuration file, so that a client never reads half of it and no change of another process
//! is lost.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The maximum time to wait for another process that changes the same file.
const PATIENCE: Duration = Duration::from_secs(5);

/// The result of a change that was written to a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// The path of a copy of the file as it was before. `None` if there was no file, or if there is already a copy of
    /// an earlier state.
    pub(super) copy: Option<PathBuf>,
}

/// Changes the text of a file. A file that does not exist counts as empty. If there is a file, it is copied first, but
/// never over an earlier copy.
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
    // If nothing would change, create neither the folder nor the lock file.
    if edit(&read()?)?.is_none() {
        return Ok(None);
    }
    if file.is_symlink() {
        return Err(io::Error::other("it is a link to a file that does not exist"));
    }
    // The rename below would replace even a read-only file.
    if fs::metadata(&file).is_ok_and(|it| it.permissions().readonly()) {
        return Err(io::Error::other("it is read-only"));
    }
    file.parent().map_or(Ok(()), fs::create_dir_all)?;
    // The new file is also a lock: only the process that has created it is allowed to change the old file. That process
    // then renames the new file over the old one.
    let new = beside(&file, ".mcp-tool-new");
    let mut written = Unfinished { file: open(&new)?, path: &new, is_done: false };
    let old = read()?;
    let Some(text) = edit(&old)? else { return Ok(None) };
    let copy = beside(&file, copy_suffix);
    if old.is_some() {
        written.file.set_permissions(fs::metadata(&file)?.permissions())?;
    }
    let copy = (old.is_some() && !copy.exists()).then_some(copy);
    if let Some(copy) = &copy {
        fs::copy(&file, copy)?;
    }
    written.file.write_all(text.as_bytes())?;
    written.file.sync_all()?;
    // Clients do not know the lock, so one of them may have written to the file in the meantime.
    if read()? != old {
        return Err(io::Error::other("it has just been changed by another program; try again"));
    }
    fs::rename(&new, &file)?;
    written.is_done = true;
    Ok(Some(Written { copy }))
}

/// Removes the copy that [`change`] has made, because the copy may contain secrets. Returns the path of the copy if the
/// copy is still there.
pub(super) fn remove_copy(file: &Path, copy_suffix: &str) -> Option<PathBuf> {
    let copy = beside(&fs::canonicalize(file).unwrap_or_else(|_| file.to_owned()), copy_suffix);
    let _ = fs::remove_file(&copy);
    copy.exists().then_some(copy)
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    file.with_file_name(name)
}

/// Creates a file that only its owner can read, because entries may contain secrets. If the file exists, waits up to
/// [`PATIENCE`] until it is gone.
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

/// A new file, which is removed on drop unless it has replaced the old one.
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
