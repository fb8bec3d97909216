/**
 * An agent in a process of its own is killed while it waits, and started again, also while the server is down. A bug here
 * looks like a person who is asked twice, an answer that nothing comes of, or a command that runs twice.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { HttpTransport } from '../../src/client/http-transport.ts';
import type { Interaction } from '../../src/protocol/types.ts';
import { FaultServer } from '../faults/server.ts';
import { makeKey, makeToken } from '../support/server-credentials.ts';

const PROCESS = path.join(import.meta.dirname, '../faults/agent-kill/process.ts');
const KILLS = 20;
const TIMEOUT_MS = 600_000;
/** It only ends a test that hangs. Under workerd the killed agent counts as waiting for 55 seconds; no step waits for that. */
const POLL = { timeout: 60_000, interval: 50 };

async function stage() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-agent-killed-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const server = await FaultServer.start({ dataDir });
  onTestFinished(async () => void (await server.kill()));
  const key = await makeKey(server.url, 'agent', ['agent', 'read']);
  const mia = await makeToken(server.url, 'mia', ['read', 'answer']);
  const person = new HttpTransport({ url: server.url, token: mia });
  onTestFinished(() => person.close());
  const file = path.join(dataDir, 'effects');
  const session = 'killed';
  const start = (input: string): ChildProcess => {
    const flags = ['--disable-warning=ExperimentalWarning'];
    const args = [...flags, PROCESS, server.url, key, session, input, file];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const read = (name: string) =>
    (existsSync(name) ? readFileSync(name, 'utf8') : '').split('\n').filter(Boolean);
  return {
    server,
    person,
    session,
    start,
    effects: () => read(file),
    ends: () => read(`${file}.ends`),
    /** The one open question. */
    async asked(isReady: (one: Interaction) => boolean = () => true): Promise<Interaction> {
      let open: readonly Interaction[] = [];
      const look = async () => {
        const snapshot = await person.snapshot(session).catch(() => undefined);
        open = snapshot?.open ?? [];
        return open.length === 1 && open.every(isReady);
      };
      await expect.poll(look, POLL).toBe(true);
      return open[0] as Interaction;
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

const isWaiting = ({ agentWaiting }: Interaction) => agentWaiting === true;

it(
  `[ADP-2] ${KILLS} times it is asked once, and each approved command runs once`,
  async () => {
    const world = await stage();
    const { person, session, server } = world;
    const approved: string[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const input = `command-${round}`;
      const isDenied = round % 3 === 2;
      const first = world.start(input);
      const { interactionId } = await world.asked(isWaiting);
      const answer = isDenied ? { decision: 'deny', reason: 'no' } : { decision: 'approve' };
      await kill(first);
      if (round % 4 === 2) {
        await server.kill();
        await server.restart();
      }
      if (round % 2 === 0) await person.answer(session, interactionId, answer);
      const second = world.start(input);
      const ended = once(second, 'exit');
      if (round % 2 === 1) {
        const moved = await world.asked((one) => one.reassignedTo !== undefined && isWaiting(one));
        expect(moved.interactionId).toBe(interactionId);
        await person.answer(session, interactionId, answer);
      }
      await ended;
      if (!isDenied) approved.push(input);
      expect(world.ends().at(-1)).toBe(`${input} ${isDenied ? 'denied' : 'approved'}`);
    }
    expect(world.effects()).toEqual(approved);
    expect(world.ends()).toHaveLength(KILLS);
    const { open } = await person.snapshot(session);
    expect(open).toEqual([]);
    const log = await readRequests(
      server.url,
      session,
      await makeKey(server.url, 'reader', ['read']),
    );
    expect(log.asked).toBe(KILLS);
    expect(log.reassigned).toBe(KILLS);
  },
  TIMEOUT_MS,
);

async function readRequests(url: string, session: string, token: string) {
  const response = await fetch(`${url}/v1/sessions/${session}/events?limit=1000`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { events } = (await response.json()) as {
    events: { type: string; payload: { change?: string } }[];
  };
  const count = (isIt: (event: (typeof events)[number]) => boolean) => events.filter(isIt).length;
  return {
    asked: count(({ type }) => type === 'interaction_request'),
    reassigned: count(({ payload }) => payload.change === 'reassigned'),
  };
}
