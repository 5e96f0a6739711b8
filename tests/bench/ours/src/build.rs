//! The floor of `build`: generates the schemas of the tools and compiles validators from them.

use std::hint::black_box;

use bench_workloads::orders::{self, Order};
use bench_workloads::searches::{Hits, Query};
use bench_workloads::serve::Ready;
use bench_workloads::{Conversion, Summands, TOOLS, Words, Workload, prefixes};
use jsonschema::Validator;
use mcp_tool_runtime::mcp::Tool;
use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use crate::library::dispatcher;

/// The parts of a tool.
struct Parts {
    _schemas: [Schema; 2],
    _validators: Vec<Validator>,
}

struct Making {
    tools: Vec<Tool>,
    made: Vec<Vec<Parts>>,
}

impl Making {
    fn make(&self) -> Vec<Parts> {
        let names = prefixes(self.tools.len()).flat_map(|_| TOOLS);
        names.zip(&self.tools).map(|(name, tool)| parts_of(name, tool)).collect()
    }
}

fn parts_of(name: &str, tool: &Tool) -> Parts {
    let schemas = match name {
        "order" => [read::<orders::Arguments>(), written::<Order>()],
        "search" => [read::<Query>(), written::<Hits>()],
        "text" => [read::<Words>(), written::<String>()],
        "convert" => [read::<Conversion>(), written::<f64>()],
        _ => [read::<Summands>(), written::<i64>()],
    };
    // The validators are compiled from the published schemas, which are the generated schemas after normalisation.
    let published = [Some(&tool.input_schema), tool.output_schema.as_ref()];
    let compiled = |schema: &Value| {
        let options = jsonschema::options().should_validate_formats(true).offline();
        options.build(black_box(schema)).expect("a valid schema")
    };
    Parts { _schemas: schemas, _validators: published.into_iter().flatten().map(compiled).collect() }
}

fn read<T: JsonSchema>() -> Schema {
    generated::<T>(Contract::Deserialize)
}

fn written<T: JsonSchema>() -> Schema {
    generated::<T>(Contract::Serialize)
}

fn generated<T: JsonSchema>(contract: Contract) -> Schema {
    let mut settings = SchemaSettings::draft2020_12();
    settings.contract = contract;
    settings.into_generator().into_root_schema_for::<T>()
}

impl Ready for Making {
    fn run(&mut self, calls: u64) {
        for _ in 0..calls {
            let made = self.make();
            self.made.push(made);
        }
    }

    fn tidy(&mut self) {
        self.made.clear();
    }

    fn answer(&mut self) -> Vec<u8> {
        self.make().len().to_string().into_bytes()
    }
}

/// Returns the floor of `build` for a workload.
#[must_use]
pub fn parts(workload: Workload) -> Box<dyn Ready> {
    Box::new(Making { tools: dispatcher(workload, true).list().to_vec(), made: Vec::new() })
}
