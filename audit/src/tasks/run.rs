//! Running a task: a fresh sandbox, a fresh server, the script, the count.

use super::effects;
use super::road::{Asked, Road};
use super::script::{Step, Task, filled};
use super::spent::{Channels, Spent};
use crate::client::Client;
use crate::count::o200k;
use anyhow::{Context, Result};
use callslip::catalog::Catalog;
use callslip_catalog::model::Action;
use callslip_sandbox::{Fault, Options, Sandbox, Seed, Switches};
use serde_json::Value;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use tokio::runtime::Runtime;

/// A server of the same API that the surfaces are compared with.
#[derive(Debug, Clone)]
pub struct Peer {
    /// Its name in the table.
    pub name: String,
    /// How it is started; it finds `ARCANE_URL` and `ARCANE_API_KEY` in its environment.
    pub command: String,
    /// How it is spoken to.
    pub road: Road,
}

/// Runs tasks.
pub struct Runner {
    catalog: Catalog,
    program: PathBuf,
    runtime: Runtime,
    /// Hits a search asks for; none: as many as the server thinks right.
    limit: Option<usize>,
}

/// A server that was started once for all tasks; every task gives it another sandbox at the same address.
pub struct Session {
    road: Road,
    address: SocketAddr,
    client: Client,
    standing: Standing,
}

/// What stands before a model at the start of every turn, counted once for each server.
#[derive(Debug, Clone, Copy)]
struct Standing(usize);

struct Conversation<'a> {
    runner: &'a Runner,
    road: &'a Road,
    client: &'a mut Client,
    standing: Standing,
    spent: Spent,
    taken: BTreeMap<String, String>,
    /// Everything searches have shown so far.
    shown: String,
}

impl Runner {
    /// `program`: the callslip whose surfaces are measured. `limit`: hits a search asks for.
    pub fn new(program: PathBuf, limit: Option<usize>) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        Ok(Self { catalog: Catalog::embedded()?, program, runtime, limit })
    }

    /// Whether a road leads to every action of a task.
    pub fn can(&self, road: &Road, task: &Task) -> Result<bool> {
        for step in &task.steps {
            if let Some(id) = &step.call
                && !road.has(&self.action(id)?)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Starts a surface of ours.
    pub fn surface(&self, name: &str) -> Result<Session> {
        let road = Road::named(name).with_context(|| format!("there is no surface `{name}`"))?;
        let program = self.program.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
        self.start(road, &format!("\"{program}\" --tool-surface {name}"))
    }

    /// Starts a peer.
    pub fn peer(&self, peer: &Peer) -> Result<Session> {
        self.start(peer.road.clone(), &peer.command)
    }

    fn start(&self, road: Road, command: &str) -> Result<Session> {
        let sandbox = self.runtime.block_on(Sandbox::start(Options::default()))?;
        let environment = [("ARCANE_URL".to_owned(), sandbox.url()), ("ARCANE_API_KEY".to_owned(), sandbox.api_key().to_owned())];
        let mut client = Client::command(command, &environment).with_context(|| command.to_owned())?;
        let listing = client.list()?;
        let standing = Standing(o200k(&listing.instructions) + listing.tools.iter().map(|tool| o200k(&tool.text)).sum::<usize>());
        Ok(Session { road, address: sandbox.address(), client, standing })
    }

    fn action(&self, id: &str) -> Result<Action<'static>> {
        let number = self.catalog.number(id).with_context(|| format!("there is no action `{id}`"))?;
        self.catalog.action(number)
    }

    /// A sandbox as the task wants it, where the last one was.
    fn sandbox(&self, address: SocketAddr, task: &Task) -> Result<Sandbox> {
        let mut tries = 0;
        let sandbox = loop {
            let options = Options {
                address,
                seed: task.rows.map_or(Seed::Small, Seed::Rows),
                switches: Switches { docker_down: task.docker_down, ..Switches::default() },
                ..Options::default()
            };
            match self.runtime.block_on(Sandbox::start(options)) {
                Ok(sandbox) => break sandbox,
                // The last one takes a moment to let go of its address.
                Err(_) if tries < 100 => {
                    tries += 1;
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(error) => return Err(error.into()),
            }
        };
        if let Some(failing) = &task.fault {
            let fault = Fault::problem(failing.status, "database is locked");
            sandbox.fault_times(Some(&failing.operation), fault, failing.times);
        }
        Ok(sandbox)
    }

    /// Runs a task.
    pub fn run(&self, session: &mut Session, task: &Task) -> Result<Spent> {
        let sandbox = self.sandbox(session.address, task)?;
        let Session { road, client, standing, .. } = session;
        let mut conversation = Conversation {
            runner: self,
            road,
            client,
            standing: *standing,
            spent: Spent::default(),
            taken: BTreeMap::new(),
            shown: String::new(),
        };
        for (number, step) in task.steps.iter().enumerate() {
            if let Err(error) = conversation.step(step).with_context(|| format!("{}, step {}", task.name, number + 1)) {
                // A peer that cannot go on has not done the task; the others are still worth measuring.
                if conversation.gated() {
                    return Err(error);
                }
                conversation.spent.wrong.push(format!("{error:#}"));
                break;
            }
        }
        // The last word, after the last result.
        conversation.spent.definitions += conversation.standing.0;
        let Conversation { mut spent, taken, .. } = conversation;
        spent.wrong.extend(self.runtime.block_on(effects::wrong(&self.catalog, &sandbox, task, &taken))?);
        let asks = !matches!(session.road, Road::Searching(_));
        if asks && spent.questions != task.questions {
            spent.wrong.push(format!("{}: {} question(s) instead of {}", task.name, spent.questions, task.questions));
        }
        Ok(spent)
    }
}

impl Conversation<'_> {
    /// A peer without a gate neither refuses nor knows our codes.
    fn gated(&self) -> bool {
        !matches!(self.road, Road::Searching(_))
    }

    fn ask(&mut self, (tool, arguments): &Asked) -> Result<Value> {
        self.spent.calls += 1;
        self.spent.definitions += self.standing.0;
        self.spent.arguments += o200k(tool) + o200k(&arguments.to_string());
        self.client.call(tool, arguments)
    }

    fn find(&mut self, query: &str) -> Result<()> {
        if let Some(asked) = self.road.find(query, self.runner.limit) {
            let answer = self.ask(&asked)?;
            self.spent.found += Channels::of(&answer);
            self.shown.push_str(&answer.to_string());
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<()> {
        if let Some(query) = &step.find {
            self.find(query)?;
        }
        let Some(id) = &step.call else { return Ok(()) };
        let action = self.runner.action(id)?;
        // A peer without a gate does at once what ours refuses until it is confirmed: the step that is refused falls away.
        if !self.gated() && step.expect.as_deref() == Some("confirm_required") {
            return Ok(());
        }
        if self.road.find("", None).is_some() && !self.shown.contains(&self.road.name(&action)) {
            self.spent.misses += 1;
            self.find(&action.title)?;
        }
        if let Some(asked) = self.road.describe(&action).filter(|_| step.describe) {
            let answer = self.ask(&asked)?;
            self.spent.found += Channels::of(&answer);
        }
        let params = filled(&step.params.clone().into(), &self.taken);
        let asked = self.road.call(&self.runner.catalog, &action, step, params.as_object().cloned().unwrap_or_default())?;
        let answer = self.ask(&asked)?;
        self.count(step, id, &answer);
        for (name, take) in &step.take {
            let value = take.from(&answer["structuredContent"]).with_context(|| format!("no `{name}` in {answer}"))?;
            self.taken.insert(name.clone(), value);
        }
        Ok(())
    }

    fn count(&mut self, step: &Step, id: &str, answer: &Value) {
        if answer["isError"] != true {
            self.spent.results += Channels::of(answer);
            if let Some(expected) = step.expect.as_ref().filter(|_| self.gated()) {
                self.spent.wrong.push(format!("`{id}` succeeded instead of {expected}"));
            }
            return;
        }
        self.spent.errors += Channels::of(answer);
        let code = answer["structuredContent"]["error"]["code"].as_str().unwrap_or("an error");
        if code == "confirm_required" {
            self.spent.questions += 1;
        }
        let expected = step.expect.as_deref();
        if expected.is_none() || (self.gated() && expected != Some(code)) {
            self.spent.wrong.push(format!("`{id}` answers {code} instead of {}: {answer}", expected.unwrap_or("a result")));
        }
    }
}
