/**
 * A repeated request to the model after a pause. A bug would look like an alarm that fires a thousand times a second
 * while the model answers, or an answer that stops the server each time and is paid for without end.
 */
import { expect, it } from 'vitest';
import { AgentWorld } from '../support/agent-world.ts';
import { fails } from '../support/scripted-model.ts';
import { SqliteStorage } from '../support/session-storage.ts';

async function askedAgain(): Promise<AgentWorld> {
  const agent = new AgentWorld(new SqliteStorage());
  agent.model.will(fails());
  await agent.sendMessage('Go');
  await agent.pass(1_000);
  expect(agent.model.requests).toHaveLength(2);
  return agent;
}

function armedIn(agent: AgentWorld): number {
  return agent.trace.filter((what) => what === 'arm').length;
}

it('[RUN-7] needs the alarm no more often while the model answers again than the first time', async () => {
  const agent = await askedAgain();
  const before = armedIn(agent);
  await agent.pass(20_000);
  expect(armedIn(agent) - before).toBeLessThan(6);
  expect(agent.model.requests).toHaveLength(2);
});

it('[RUN-3] counts an answer that stops the server after a pause like any other', async () => {
  const agent = await askedAgain();
  for (let times = 0; times < 12; times += 1) {
    agent.restart();
    await agent.quiet();
  }
  expect(agent.ofType('error').at(-1)?.payload.code).toBe('model_lost');
  expect(agent.state?.info.turn).toBeNull();
});

it('[RUN-7] does not count a process that died in the pause', async () => {
  const agent = new AgentWorld(new SqliteStorage());
  agent.model.will(fails());
  await agent.sendMessage('Go');
  for (let times = 0; times < 12; times += 1) agent.restart();
  await agent.pass(1_000);
  expect(agent.model.requests).toHaveLength(2);
  expect(agent.store.load()?.run).toMatchObject({ attempt: 1, retryAt: null });
});

it('[RUN-7, LOG-8] waits for a disk that takes nothing, and asks once it does', async () => {
  const agent = new AgentWorld(new SqliteStorage());
  agent.model.will(fails());
  await agent.sendMessage('Go');
  let tries = 0;
  agent.beforeCommit = () => {
    tries += 1;
    throw new Error('disk');
  };
  await agent.pass(20_000);
  expect(tries).toBeLessThan(15);
  expect(agent.model.requests).toHaveLength(1);
  agent.beforeCommit = () => undefined;
  await agent.pass(5_000);
  expect(agent.model.requests).toHaveLength(2);
});
