//! A database for each test.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use mcp_tool_runtime::tasks::{TaskEngine, TaskEngineError};
use mcp_tool_tasks::{PostgresEngine, RedisEngine, SqliteEngine};

/// A short lease, so that tests do not wait long for dead workers.
pub(crate) const LEASE: Duration = Duration::from_secs(3);

pub(crate) type AnyEngine = Arc<dyn TaskEngine>;

pub(crate) async fn open(url: &str) -> Result<AnyEngine, TaskEngineError> {
    open_queue(url, "mcp-tool").await
}

pub(crate) async fn open_queue(url: &str, queue: &str) -> Result<AnyEngine, TaskEngineError> {
    Ok(match Kind::of(url) {
        Kind::Sqlite(file) => Arc::new(SqliteEngine::open(file).await?.queue(queue).lease(LEASE)),
        Kind::Postgres => Arc::new(PostgresEngine::connect(url).await?.queue(queue).lease(LEASE)),
        Kind::Redis => Arc::new(RedisEngine::connect(url).await?.queue(queue).lease(LEASE)),
    })
}

pub(crate) enum Kind<'a> {
    Sqlite(&'a str),
    Postgres,
    Redis,
}

impl<'a> Kind<'a> {
    pub(crate) fn of(url: &'a str) -> Self {
        match url.strip_prefix("sqlite:") {
            Some(file) => Self::Sqlite(file),
            None if url.starts_with("postgres:") => Self::Postgres,
            None => Self::Redis,
        }
    }
}

/// Tasks in a new file, or in a new server. Dropped with all its data.
pub(crate) struct Database {
    pub(crate) url: String,
    folder: PathBuf,
    server: Option<Child>,
    /// Stops a file: a process that has locked it.
    lock: Option<Child>,
    is_mounted: bool,
}

impl Database {
    pub(crate) fn sqlite() -> Self {
        let folder = new_folder();
        Self {
            url: format!("sqlite:{}", folder.join("tasks.db").display()),
            folder,
            server: None,
            lock: None,
            is_mounted: false,
        }
    }

    /// Tasks in a file on a disk of 4 MB. Returns `None` for a user who may not mount one.
    pub(crate) fn sqlite_on_small_disk() -> Option<Self> {
        let mut database = Self::sqlite();
        database.is_mounted = database.mount("size=4m");
        database.is_mounted.then_some(database)
    }

    pub(crate) fn mount(&self, options: &str) -> bool {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tasks"]).arg(&self.folder);
        mount.status().is_ok_and(|status| status.success())
    }

    /// Fills the disk, or makes room again.
    pub(crate) fn set_full(&self, is_full: bool) {
        let file = self.folder.join("full");
        if is_full {
            // Returns an error when the disk is full.
            let _ = std::fs::write(file, vec![0; 5 << 20]);
        } else {
            std::fs::remove_file(file).unwrap();
        }
    }

    /// Returns `None` on a machine without Postgres.
    pub(crate) fn postgres() -> Option<Self> {
        let template = template()?;
        let folder = new_folder();
        let copied = Command::new("cp").args(["-a", &format!("{}/.", template.display())]).arg(&folder).status();
        assert!(copied.unwrap().success());
        let url = format!("postgres://tasks@{}/postgres", folder.display().to_string().replace('/', "%2F"));
        let mut database = Self { url, folder, server: None, lock: None, is_mounted: false };
        database.start();
        Some(database)
    }

    /// Returns `None` on a machine without Redis.
    pub(crate) fn redis() -> Option<Self> {
        if Command::new("redis-server").arg("--version").stdout(Stdio::null()).status().is_err() {
            eprintln!("skipped: Redis is not installed");
            return None;
        }
        let folder = new_folder();
        let url = format!("redis+unix://{}", folder.join("socket").display());
        let mut database = Self { url, folder, server: None, lock: None, is_mounted: false };
        database.start();
        Some(database)
    }

    fn kind(&self) -> Kind<'_> {
        Kind::of(&self.url)
    }

    pub(crate) fn start(&mut self) {
        match self.kind() {
            Kind::Sqlite(_) => {
                if let Some(mut lock) = self.lock.take() {
                    drop(lock.stdin.take());
                    lock.wait().unwrap();
                }
            }
            Kind::Postgres => self.start_postgres(),
            Kind::Redis => self.start_redis(),
        }
    }

    // The sockets of a server are the only way in, so that tests side by side need no ports.

    fn start_postgres(&mut self) {
        let mut server = as_server(&self.folder, "postgres");
        server.arg("-D").arg(self.folder.join("data")).arg("-k").arg(&self.folder);
        server.args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=16MB"]);
        self.server = Some(server.spawn().unwrap());
        let socket = self.folder.join(".s.PGSQL.5432");
        wait_until("Postgres accepts connections", || {
            // The socket is there before the server is ready.
            let ready = as_server(&self.folder, "pg_isready").arg("-h").arg(&self.folder).status();
            socket.exists() && ready.unwrap().success()
        });
    }

    fn start_redis(&mut self) {
        let mut server = Command::new("redis-server");
        server.current_dir(&self.folder).stdout(Stdio::null());
        server.args([
            "--port",
            "0",
            "--unixsocket",
            "socket",
            "--appendonly",
            "yes",
            "--appendfsync",
            "always",
            "--save",
            "",
        ]);
        self.server = Some(server.spawn().unwrap());
        let client = redis::Client::open(self.url.as_str()).unwrap();
        wait_until("Redis answers", || {
            // It accepts connections before it has loaded its data.
            client.get_connection().and_then(|mut connection| redis::cmd("PING").exec(&mut connection)).is_ok()
        });
    }

    /// Returns how many tasks, jobs and workers are stored.
    pub(crate) async fn counts(&self) -> [i64; 3] {
        let (tasks, jobs, workers) = match self.kind() {
            Kind::Sqlite(file) => {
                let counts = "SELECT (SELECT count(*) FROM mcp_tool_tasks), (SELECT count(*) FROM Jobs), (SELECT count(*) FROM Workers)";
                sqlx::query_as(counts).fetch_one(&sqlx::SqlitePool::connect(file).await.unwrap()).await.unwrap()
            }
            Kind::Postgres => {
                let counts = "SELECT (SELECT count(*) FROM mcp_tool_tasks), (SELECT count(*) FROM apalis.jobs), \
                              (SELECT count(*) FROM apalis.workers)";
                sqlx::query_as(counts).fetch_one(&sqlx::PgPool::connect(&self.url).await.unwrap()).await.unwrap()
            }
            Kind::Redis => {
                let counts = "local function keys(name) return #redis.call('KEYS', 'mcp-tool:{mcp-tool}:' .. name) end \
                              return { keys('task:*'), keys('held:*') + redis.call('LLEN', 'mcp-tool:{mcp-tool}:waiting'), \
                                       redis.call('HLEN', 'mcp-tool:{mcp-tool}:workers') }";
                self.command(redis::cmd("EVAL").arg(counts).arg(0))
            }
        };
        [tasks, jobs, workers]
    }

    /// Moves the times of all workers, as if the clock of the database had been set. Redis stores no times of workers.
    pub(crate) async fn move_workers(&self, seconds: i64) {
        match self.kind() {
            Kind::Sqlite(file) => {
                let pool = sqlx::SqlitePool::connect(file).await.unwrap();
                let statement = "UPDATE Workers SET last_seen = last_seen + $1";
                sqlx::query(statement).bind(seconds).execute(&pool).await.unwrap();
            }
            Kind::Postgres => {
                let pool = sqlx::PgPool::connect(&self.url).await.unwrap();
                let statement = "UPDATE apalis.workers SET last_seen = last_seen + $1 * interval '1 second'";
                sqlx::query(statement).bind(seconds).execute(&pool).await.unwrap();
            }
            Kind::Redis => {}
        }
    }

    /// Makes the calls of all tasks unreadable.
    pub(crate) async fn damage_calls(&self) {
        let statement = "UPDATE mcp_tool_tasks SET call = replace(call, 'call_id', 'x')";
        match self.kind() {
            Kind::Sqlite(file) => {
                let pool = sqlx::SqlitePool::connect(file).await.unwrap();
                sqlx::query(statement).execute(&pool).await.unwrap();
            }
            Kind::Postgres => {
                sqlx::query(statement).execute(&sqlx::PgPool::connect(&self.url).await.unwrap()).await.unwrap();
            }
            Kind::Redis => {
                let script = "for _, task in ipairs(redis.call('KEYS', 'mcp-tool:{mcp-tool}:task:*')) do redis.call('HSET', task, 'call', '{}') end";
                self.command::<()>(redis::cmd("EVAL").arg(script).arg(0));
            }
        }
    }

    /// Runs a command of Redis.
    pub(crate) fn command<T: redis::FromRedisValue>(&self, command: &redis::Cmd) -> T {
        let client = redis::Client::open(self.url.as_str()).unwrap();
        command.query(&mut client.get_connection().unwrap()).unwrap()
    }

    /// Stops the server, or locks the file for everybody.
    pub(crate) fn stop(&mut self) {
        if let Kind::Sqlite(file) = self.kind() {
            let script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None); \
                          c.execute('BEGIN EXCLUSIVE'); print(flush=True); sys.stdin.read()";
            let mut lock = Command::new("python3")
                .args(["-c", script, file])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            std::io::Read::read_exact(lock.stdout.as_mut().unwrap(), &mut [0]).unwrap();
            self.lock = Some(lock);
        } else if let Some(mut server) = self.server.take() {
            signal(&server, "INT");
            server.wait().unwrap();
        }
    }

    /// Suspends the server, or lets it continue.
    pub(crate) fn signal(&self, name: &str) {
        signal(self.server.as_ref().unwrap(), name);
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(mut lock) = self.lock.take() {
            let _ = lock.kill();
            let _ = lock.wait();
        }
        let server = self.server.take();
        if let Some(mut server) = server {
            match self.kind() {
                // It may be suspended.
                Kind::Redis => _ = server.kill(),
                _ => signal(&server, "QUIT"),
            }
            let _ = server.wait();
        }
        if self.is_mounted {
            let _ = Command::new("umount").arg("-l").arg(&self.folder).status();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Another address of a Redis. It leads to one after the other, as a host name does.
pub(crate) struct Proxy {
    pub(crate) url: String,
    target: Arc<Mutex<PathBuf>>,
}

impl Proxy {
    pub(crate) fn start(first: &Database) -> Self {
        let socket = first.folder.join("proxy");
        let listener = tokio::net::UnixListener::bind(&socket).unwrap();
        let target = Arc::new(Mutex::new(first.folder.join("socket")));
        let current = Arc::clone(&target);
        tokio::spawn(async move {
            loop {
                let (mut client, _) = listener.accept().await.unwrap();
                let target = current.lock().unwrap().clone();
                tokio::spawn(async move {
                    let mut server = tokio::net::UnixStream::connect(target).await?;
                    tokio::io::copy_bidirectional(&mut client, &mut server).await
                });
            }
        });
        Self { url: format!("redis+unix://{}", socket.display()), target }
    }

    /// Leads new connections elsewhere.
    pub(crate) fn lead_to(&self, other: &Database) {
        *self.target.lock().unwrap() = other.folder.join("socket");
    }
}

pub(crate) fn signal(process: &Child, name: &str) {
    let sent = Command::new("kill").arg(format!("-{name}")).arg(process.id().to_string()).status();
    assert!(sent.unwrap().success());
}

pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..600 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{what}: not so after 30 s");
}

fn new_folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("mcp-tool-tasks-{}", ulid::Ulid::generate()));
    std::fs::create_dir(&folder).unwrap();
    folder
}

/// A data directory as `initdb` makes it. It stays for the next run.
fn template() -> Option<&'static Path> {
    static TEMPLATE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let template = TEMPLATE.get_or_init(|| {
        let programs = programs()?;
        let version = programs.parent()?.file_name()?.to_str()?;
        let template = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("postgres-{version}"));
        if !template.exists() {
            // The user of the server may not be able to reach the folder of this project.
            let folder = new_folder();
            if let Some(user) = server_user() {
                std::os::unix::fs::chown(&folder, Some(user), None).unwrap();
            }
            let mut initdb = as_server(&folder, "initdb");
            initdb.arg("-D").arg(folder.join("data")).args(["-U", "tasks", "-A", "trust", "--no-sync"]);
            assert!(initdb.status().unwrap().success());
            let half = template.with_extension("half");
            let _ = std::fs::remove_dir_all(&half);
            assert!(Command::new("cp").arg("-a").args([&folder, &half]).status().unwrap().success());
            std::fs::rename(half, &template).unwrap();
            std::fs::remove_dir_all(folder).unwrap();
        }
        Some(template)
    });
    if template.is_none() {
        eprintln!("skipped: Postgres is not installed");
    }
    template.as_deref()
}

/// A program of Postgres, under a user who may run it: the server refuses root.
fn as_server(folder: &Path, program: &str) -> Command {
    let mut command = Command::new(programs().unwrap().join(program));
    command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(user) = server_user() {
        std::os::unix::process::CommandExt::uid(&mut command, user);
    }
    command
}

fn programs() -> Option<PathBuf> {
    let installed = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    installed.flatten().map(|version| version.path().join("bin")).find(|folder| folder.join("initdb").exists())
}

/// The number of the user `postgres`, if this user is root.
fn server_user() -> Option<u32> {
    let is_root = std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").ok()?) == 0;
    let users = std::fs::read_to_string("/etc/passwd").ok()?;
    let postgres = users.lines().find_map(|line| line.strip_prefix("postgres:"))?;
    postgres.split(':').nth(1)?.parse().ok().filter(|_| is_root)
}
