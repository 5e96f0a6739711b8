//! `install` and `uninstall` where there is something already: an entry, a copy, a link.

use std::fs;
use std::process::ExitCode;

use serde_json::json;

use super::FAILURE;
use super::install::{Folder, cli};

#[tokio::test]
async fn an_entry_changes_between_a_url_and_a_program_without_what_only_the_other_may_have() {
    let folder = Folder::new();
    let codex = "[mcp_servers.my-weather]\nurl = \"https://x\"\nbearer_token_env_var = \"T\"\nscopes = [\"a\"]\n\
                 [mcp_servers.my-weather.http_headers]\na = \"b\"\n";
    folder.write(".codex/config.toml", codex);
    let others = json!({"mcpServers": {"my-weather": {"url": "https://x", "headers": {"a": "b"}, "timeout": 5}}});
    for name in [".cursor/mcp.json", ".gemini/settings.json"] {
        folder.write(name, &others.to_string());
    }
    folder.run(&cli(), "install codex cursor gemini-cli --write -- serve").await.answer();
    let text = folder.read(".codex/config.toml");
    assert!(["url", "bearer", "headers"].iter().all(|word| !text.contains(word)), "{text}");
    assert!(text.contains("scopes = [\"a\"]\n") && text.contains("command = "), "{text}");
    for name in [".cursor/mcp.json", ".gemini/settings.json"] {
        let entry = &folder.json(name)["mcpServers"]["my-weather"];
        assert!(entry["url"].is_null() && entry["headers"].is_null() && entry["timeout"] == 5, "{entry}");
    }

    let more = "cwd = \"/\"\nenv_vars = [\"A\"]\nscopes = [\"a\"]\nenv = { B = \"c\" }";
    folder.write(".codex/config.toml", &text.replace("scopes = [\"a\"]", more));
    folder.run(&cli(), "install codex --write --url https://y/mcp").await.answer();
    assert_eq!(
        folder.read(".codex/config.toml"),
        "[mcp_servers.my-weather]\nscopes = [\"a\"]\nurl = \"https://y/mcp\"\n"
    );
}

#[tokio::test]
async fn comments_in_an_old_entry_stay() {
    let folder = Folder::new();
    let program = std::env::current_exe().expect("a path");
    let name = program.file_name().expect("a name").to_string_lossy().into_owned();
    let before = format!(
        "# Mine.\n[mcp_servers.my-weather]\n# how\ncommand = '/old/{name}' # path\nargs = [] # words\n\n\
         # with what\n[mcp_servers.my-weather.env]\n# a key\nKEY = 'a' # old\nOTHER = 'b' # other\n"
    );
    folder.write(".codex/config.toml", &before);
    let json = format!(
        "{{\"mcpServers\": {{\"my-weather\": {{\"type\": \"stdio\", \"command\": \"/old/{name}\", \"args\": [\"serve\"], \"env\": \
         {{\n// a key\n\"KEY\": \"a\"}}}}}}}}"
    );
    folder.write(".cursor/mcp.json", &json);
    folder.run(&cli(), "install codex cursor --write --env KEY=v -- serve").await.answer();
    let program = program.display().to_string();
    let expected = before.replace(&format!("'/old/{name}'"), &format!("\"{program}\""));
    let expected = expected.replace("args = []", "args = [\"serve\"]").replace("KEY = 'a'", "KEY = \"v\"");
    assert_eq!(folder.read(".codex/config.toml"), expected);
    let expected = json.replace(&format!("/old/{name}"), &program).replace("\"a\"", "\"v\"");
    assert_eq!(folder.read(".cursor/mcp.json"), expected);
}

#[tokio::test]
async fn an_entry_of_another_program_stays_unless_the_user_insists() {
    let folder = Folder::new();
    let before = json!({"mcpServers": {"my-weather": {"command": "npx", "args": ["other"], "env": {"TOKEN": "x"}}}});
    folder.write(".cursor/mcp.json", &before.to_string());
    for words in ["install cursor --write", "uninstall cursor"] {
        let error = folder.run(&cli(), words).await.error(FAILURE);
        assert!(error.contains("stays as it is: `my-weather` starts another program, `npx`"), "{error}");
        assert_eq!(folder.json(".cursor/mcp.json"), before);
    }
    folder.run(&cli(), "install cursor --write --force").await.answer();
    let entry = &folder.json(".cursor/mcp.json")["mcpServers"]["my-weather"];
    assert!(entry["env"].is_null() && entry["command"] != "npx", "{entry}");
    folder.write(".cursor/mcp.json", &before.to_string());
    folder.run(&cli(), "uninstall cursor --force").await.answer();
    assert_eq!(folder.json(".cursor/mcp.json"), json!({"mcpServers": {}}));
}

#[tokio::test]
async fn the_first_copy_stays_until_the_server_is_taken_out() {
    let folder = Folder::new();
    folder.write(".cursor/mcp.json", "{}");
    for words in ["install cursor --write --env KEY=1", "install cursor --write --env KEY=2"] {
        folder.run(&cli(), words).await.answer();
        assert_eq!(folder.read(".cursor/mcp.json.before-my-weather"), "{}");
    }
    folder.run(&cli(), "uninstall cursor").await.answer();
    let files: Vec<_> = fs::read_dir(folder.0.join(".cursor")).expect("a folder").collect();
    assert_eq!(files.len(), 1, "{files:?}");
}

#[tokio::test]
async fn a_file_that_is_read_only_stays() {
    let folder = Folder::new();
    folder.write(".cursor/mcp.json", "{}");
    let file = folder.0.join(".cursor/mcp.json");
    let set = |is_read_only| {
        let mut permissions = fs::metadata(&file).expect("a file").permissions();
        permissions.set_readonly(is_read_only);
        fs::set_permissions(&file, permissions).expect("a file");
    };
    set(true);
    let error = folder.run(&cli(), "install cursor --write").await.error(FAILURE);
    assert!(error.contains("mcp.json stays as it is: it is read-only"), "{error}");
    set(false);
    folder.run(&cli(), "install cursor --write").await.answer();
    set(true);
    let error = folder.run(&cli(), "uninstall cursor").await.error(FAILURE);
    assert!(error.contains("mcp.json stays as it is: it is read-only"), "{error}");
    set(false);
}

#[cfg(unix)]
#[tokio::test]
async fn copies_are_as_private_as_the_file_and_a_link_to_nothing_is_an_error() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = Folder::new();
    folder.write(".cursor/mcp.json", "{}");
    let mode = |name: &str| fs::metadata(folder.0.join(name)).expect("a file").permissions().mode() & 0o777;
    fs::set_permissions(folder.0.join(".cursor/mcp.json"), fs::Permissions::from_mode(0o600)).expect("a file");
    folder.run(&cli(), "install cursor --write").await.answer();
    assert_eq!((mode(".cursor/mcp.json"), mode(".cursor/mcp.json.before-my-weather")), (0o600, 0o600));

    let (link, target) = (folder.0.join(".claude.json"), folder.0.join("gone.json"));
    symlink(&target, &link).expect("a link");
    let error = folder.run(&cli(), "install claude-code --write").await.error(FAILURE);
    assert!(error.contains("it is a link to a file that does not exist"), "{error}");
    assert!(link.is_symlink() && !target.exists());
}

#[cfg(unix)]
#[tokio::test]
async fn an_entry_has_the_link_in_the_path_that_leads_to_the_program() {
    let folder = Folder::new();
    let program = std::env::current_exe().expect("a path");
    let link = folder.0.join("bin").join(program.file_name().expect("a name"));
    folder.write("bin/x", "");
    std::os::unix::fs::symlink(&program, &link).expect("a link");
    let path = folder.0.join("bin").display().to_string();
    let home = folder.0.display().to_string();
    let io = mcp_tool_runtime::cli::Io::captured("").with_variables([("HOME", home), ("PATH", path)]);
    let ran = super::run_on(&cli(), "install cursor --write", io).await;
    assert_eq!(ran.code, ExitCode::SUCCESS, "{}", ran.errors);
    let entry = &folder.json(".cursor/mcp.json")["mcpServers"]["my-weather"];
    assert_eq!(entry["command"], link.display().to_string());
}
