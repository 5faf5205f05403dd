//! Serving over HTTP, seen from outside: a process, requests to it, and what reached the upstream.

mod clients;
mod door;
mod pins;
mod quota;
mod replicas;
pub mod served;
mod streams;
mod tenants;
