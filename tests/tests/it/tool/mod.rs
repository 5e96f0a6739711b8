//! Tools as users write them: attributes, parameters, services, adapters and layers.

mod adapters;
mod argument_shapes;
mod attributes;
mod auto_traits;
mod conditional;
mod doc_comments;
mod examples;
mod former_names;
mod keys;
mod layers;
mod optional_parameters;
mod other_attributes;
mod parameters;
mod property_names;
mod rmcp_parameters;
mod rmcp_types;
mod service_in_several_files;
mod service_shapes;
mod services;
mod states;
