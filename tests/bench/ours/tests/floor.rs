//! The floor and the library write the same bytes, so that their costs can be compared.

use bench_ours::{floor, library};
use bench_workloads::{Level, Tool, Workload};
use serde_json::Value;

/// The calls that both do.
fn calls() -> impl Iterator<Item = Workload> {
    let is_call = |workload: &Workload| matches!(workload, Workload::Call(..) | Workload::Add30 | Workload::Add1000);
    floor::workloads().into_iter().filter(is_call)
}

/// Returns the result in an answer, which is a message or the result itself.
fn result(answer: &[u8]) -> Value {
    let mut answer: Value = serde_json::from_slice(answer).expect("JSON");
    match answer.get_mut("result") {
        Some(result) => result.take(),
        None => answer,
    }
}

#[test]
fn floor_and_library_write_the_same_bytes() {
    for workload in calls() {
        let [floor, library] = [floor::prepare, library::prepare].map(|prepare| prepare(workload, true).answer());
        let [floor, library] = [floor, library].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        assert_eq!(floor, library, "{}", workload.name());
        assert_eq!(result(floor.as_bytes())["isError"], false, "{}", workload.name());
    }
}

#[test]
fn only_the_id_and_the_duration_differ_with_a_real_clock() {
    for workload in calls() {
        let masked = [floor::prepare, library::prepare].map(|prepare| {
            let mut result = result(&prepare(workload, false).answer());
            let meta = result["_meta"].as_object_mut().expect("an object");
            let id = meta.insert("rs.mcp-tool/call_id".to_owned(), Value::Null);
            assert_eq!(id.as_ref().and_then(Value::as_str).map(str::len), Some(36), "{}", workload.name());
            let duration = meta.insert("rs.mcp-tool/duration".to_owned(), Value::Null);
            assert!(duration.is_some_and(|duration| duration.as_f64() > Some(0.0)), "{}", workload.name());
            result.to_string()
        });
        assert_eq!(masked[0], masked[1], "{}", workload.name());
    }
}

#[test]
fn each_workload_lists_its_number_of_tools() {
    for workload in [Workload::Call(Level::Params, Tool::Add), Workload::List30, Workload::List1000] {
        let list: Value =
            serde_json::from_slice(library::dispatcher(workload, true).list_json(library::version(workload)))
                .expect("JSON");
        assert_eq!(list["tools"].as_array().map(Vec::len), Some(workload.tools()));
    }
}
