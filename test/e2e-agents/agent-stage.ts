/** Everything that the cases need: a server under workerd, a person, a scripted model, agents as processes, their effects. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningWorkerd, startWorkerd } from '../../scripts/workerd.ts';
import {
  markOf,
  type MessagesApi,
  type Script,
  startMessagesApi,
} from '../e2e-claude/messages-api.ts';
import { ClientError } from '../../src/client/errors.ts';
import { Person } from '../e2e-claude/person.ts';
import type { Transcript } from '../e2e-claude/transcript.ts';
import type { AgentProgram } from './convention.ts';
import { type ResponsesModel, startResponsesModel } from './responses-model.ts';

const ADMIN_KEY = 'e2e-admin-key-0000000000000000000000000';
const BINDINGS = {
  HOLDPOINT_SECRET: 'e2e-secret-that-is-long-enough-00000000',
  HOLDPOINT_ADMIN_KEY: ADMIN_KEY,
};
const END_MS = 60_000;
/** Variables with which the programs of agents know that they run within another agent. */
const OF_AGENTS = /^(?:ANTHROPIC|CLAUDE|CLAUDECODE|CODEX|HOLDPOINT)(?:_|$)|^AI_AGENT$/;

function environmentOfPerson(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_AGENTS.test(name)));
}

export interface RunningAgent {
  /** Waits for the end; kills it after a minute. */
  end(): Promise<{ readonly code: number | null; readonly output: string }>;
  kill(): Promise<void>;
  readonly ended: Promise<void>;
}

export class AgentStage {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-e2e-agents-'));
  readonly transcript: Transcript;
  readonly #running = new Set<ChildProcess>();
  #model: ResponsesModel | undefined;
  #messages: MessagesApi | undefined;
  #server: RunningWorkerd | undefined;
  #person: Person | undefined;
  readonly #rateLimit: string;
  #agentKey = '';

  /** Without a rate limit, unless the limit is what is tried. */
  constructor(transcript: Transcript, rateLimit = '0') {
    this.transcript = transcript;
    this.#rateLimit = rateLimit;
  }

  async open(): Promise<void> {
    this.#model = await startResponsesModel();
    this.#messages = await startMessagesApi();
    this.#server = await this.#start();
    this.#person = new Person(this.#server.url, ADMIN_KEY, this.transcript);
    this.#agentKey = await this.mintKey('agent', ['agent', 'read']);
  }

  async mintKey(name: string, scopes: readonly string[]): Promise<string> {
    const response = await fetch(`${this.url}/v1/keys`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, scopes }),
    });
    return ((await response.json()) as { secret: string }).secret;
  }

  async close(): Promise<void> {
    for (const child of this.#running) child.kill('SIGKILL');
    this.#person?.transport.close();
    await this.#server?.kill();
    this.#model?.stop();
    this.#messages?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get person(): Person {
    if (this.#person === undefined) throw new Error('The stage is not open');
    return this.#person;
  }

  get model(): ResponsesModel {
    if (this.#model === undefined) throw new Error('The stage is not open');
    return this.#model;
  }

  /** The same model as a Messages API, for Claude Code. */
  get messages(): MessagesApi {
    if (this.#messages === undefined) throw new Error('The stage is not open');
    return this.#messages;
  }

  get url(): string {
    return this.#server?.url ?? '';
  }

  get serverPid(): number {
    return this.#server?.pid ?? 0;
  }

  /** The key of the agents. */
  get token(): string {
    return this.#agentKey;
  }

  /** What the model of a scene says, over both interfaces. A reply depends only on what the tools returned. */
  play(scene: string, script: Script): void {
    this.model.play(scene, script);
    this.messages.play(markOf(scene), (conversation) =>
      script({ ...conversation, step: conversation.results.length }),
    );
  }

  lastRequest(scene: string): string {
    return this.model.lastRequest(scene) || this.messages.lastRequest(markOf(scene));
  }

  /** The file to which the tools of a scene append: what they did is counted outside of every agent. */
  effectsFile(scene: string): string {
    return path.join(this.folder, `${scene}.effects`);
  }

  effects(scene: string): string[] {
    const file = this.effectsFile(scene);
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }

  /** How often a person was asked in the session of a scene. */
  async timesAsked(scene: string): Promise<number> {
    const response = await fetch(`${this.url}/v1/sessions/${scene}/events`, {
      headers: { Authorization: `Bearer ${ADMIN_KEY}` },
    });
    if (response.status === 404) return 0;
    const { events } = (await response.json()) as { events: readonly { type: string }[] };
    return events.filter(({ type }) => type === 'interaction_request').length;
  }

  /** A session whose requests expire. */
  async createSession(id: string, timeouts: Readonly<Record<string, number>>): Promise<void> {
    await this.person.transport.createSession({ id, timeouts });
  }

  /** The session of a scene is that of a conversation which its program has begun. */
  async mapConversation(scene: string, provider: string, cliSessionId: string): Promise<void> {
    const { transport } = this.person;
    await transport.createSession({ id: scene }).catch((cause: unknown) => {
      if (!(cause instanceof ClientError) || cause.code !== 'session_exists') throw cause;
    });
    await transport.mapCliSession(scene, { provider, cliSessionId });
  }

  /** A program of a person, which reads what the person types. */
  startClient(scene: string, program: AgentProgram, typed: string): RunningAgent {
    return this.startAgent(scene, program, ADMIN_KEY, typed);
  }

  startAgent(
    scene: string,
    program: AgentProgram,
    token = this.#agentKey,
    typed?: string,
  ): RunningAgent {
    const child = spawn(program.file, program.args, {
      cwd: this.folder,
      stdio: [typed === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      env: {
        ...environmentOfPerson(),
        OPENAI_BASE_URL: this.model.url,
        OPENAI_API_KEY: 'sk-scripted',
        OPENAI_AGENTS_DISABLE_TRACING: '1',
        HOLDPOINT_URL: this.url,
        HOLDPOINT_TOKEN: token,
        HOLDPOINT_SESSION: scene,
        ...program.env,
      },
    });
    this.#running.add(child);
    // A program that has ended already reads nothing.
    child.stdin?.on('error', () => undefined);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // Only now: a program that does not read yet would lose what is typed.
    child.stdout?.once('data', () => child.stdin?.write(typed ?? ''));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const closed = once(child, 'close').then(() => void this.#running.delete(child));
    return {
      ended: closed,
      async end() {
        const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
        await closed;
        clearTimeout(late);
        return { code: child.exitCode, output };
      },
      async kill() {
        child.kill('SIGKILL');
        await closed;
      },
    };
  }

  /** Kills the server, and starts it again on the same port over the same data. */
  async restartServer(): Promise<void> {
    const { start } = await this.killServer();
    await sleep(500);
    await start();
  }

  async killServer(): Promise<{ start(): Promise<void> }> {
    const { port } = this.#server ?? {};
    await this.#server?.kill();
    this.transcript.line('Holdpoint', '(killed)');
    return {
      start: async () => {
        this.#server = await this.#start(port);
        this.transcript.line('Holdpoint', '(back)');
      },
    };
  }

  #start(port?: number): Promise<RunningWorkerd> {
    const dataDir = path.join(this.folder, 'data');
    const bindings = { ...BINDINGS, HOLDPOINT_RATE_LIMIT: this.#rateLimit };
    return startWorkerd({ dataDir, bindings, ...(port !== undefined && { port }) });
  }
}
