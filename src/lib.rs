//! Finds and runs the actions of one REST API over MCP.
