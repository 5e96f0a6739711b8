//! The floor under `build`: the schemas of the tools are generated, and validators are compiled from them.

/// The sum of the parts.
#[must_use]
#[cfg(not(feature = "validate"))]
pub fn parts(_: bench_workloads::Workload) -> Box<dyn bench_workloads::serve::Ready> {
    unreachable!("without validators there is nothing to compare with")
}

#[cfg(feature = "validate")]
pub use checked::parts;

#[cfg(feature = "validate")]
mod checked {
    use std::hint::black_box;

    use bench_workloads::orders::{self, Order};
    use bench_workloads::searches::{Hits, Query};
    use bench_workloads::serve::Ready;
    use bench_workloads::{Conversion, Summands, TOOLS, Words, Workload, prefixes};
    use mcp_tool_runtime::mcp::Tool;
    use schemars::generate::{Contract, SchemaSettings};
    use schemars::{JsonSchema, Schema};

    use crate::library::dispatcher;

    struct Parts(Vec<Tool>);

    impl Parts {
        fn make(&self) -> usize {
            let mut made = 0;
            let mut validators = Vec::with_capacity(2 * self.0.len());
            let copies = prefixes(self.0.len()).flat_map(|_| TOOLS);
            for (name, tool) in copies.zip(&self.0) {
                let schemas = match name {
                    "order" => [read::<orders::Arguments>(), written::<Order>()],
                    "search" => [read::<Query>(), written::<Hits>()],
                    "text" => [read::<Words>(), written::<String>()],
                    "convert" => [read::<Conversion>(), written::<f64>()],
                    _ => [read::<Summands>(), written::<i64>()],
                };
                made += black_box(schemas).len();
                // What is compiled is what is published: the generated schemas in the shape that clients take.
                let published = [Some(&tool.input_schema), tool.output_schema.as_ref()];
                for schema in published.into_iter().flatten() {
                    let options = jsonschema::options().should_validate_formats(true).offline();
                    validators.push(options.build(black_box(schema)).expect("a sound schema"));
                }
            }
            made + black_box(validators).len()
        }
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

    impl Ready for Parts {
        fn run(&mut self, calls: u64) {
            for _ in 0..calls {
                black_box(self.make());
            }
        }

        fn answer(&mut self) -> Vec<u8> {
            self.make().to_string().into_bytes()
        }
    }

    /// The sum of the parts.
    #[must_use]
    pub fn parts(workload: Workload) -> Box<dyn Ready> {
        Box::new(Parts(dispatcher(workload, true).list().to_vec()))
    }
}
