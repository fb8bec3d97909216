/** Everything a scene needs: a server, a person, a scripted model, and the SDK. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type BridgeSettings,
  claude,
  type DeferSettings,
  EventQueue,
  mergeWithInteractions,
} from '../../src/integrations/claude/index.ts';
import { connect } from '../../src/client/agent/connect.ts';
import type { TurnEvent } from '../../src/client/message-stream/turn-event.ts';
import { type RunningWorkerd, startWorkerd } from '../../scripts/workerd.ts';
import { markOf, type MessagesApi, type Script, startMessagesApi } from './messages-api.ts';
import { Person } from './person.ts';
import type { QueryOptions, Sdk, SdkMessage } from './sdk.ts';
import type { Transcript } from './transcript.ts';

const ADMIN_KEY = 'e2e-admin-key-0000000000000000000000000';
const BINDINGS = {
  HOLDPOINT_SECRET: 'e2e-secret-that-is-long-enough-00000000',
  HOLDPOINT_ADMIN_KEY: ADMIN_KEY,
  HOLDPOINT_RATE_LIMIT: '0',
};

export interface Performance {
  readonly script: Script;
  readonly permissionMode?: string;
  readonly settings?: BridgeSettings;
  readonly abortController?: AbortController;
  readonly mcpServers?: Readonly<Record<string, object>>;
  /** Whether the run defers. Default: the hooks of the bridge as it brings them. */
  readonly hooks?: { readonly defer: DeferSettings | false };
  /** The run of which this one is the continuation. */
  readonly resume?: Performed;
}

export interface Performed {
  /** Messages of the SDK and interactions, in the order of their arrival. */
  readonly seen: readonly (SdkMessage | TurnEvent)[];
  /** How often the SDK asked the bridge. */
  readonly asked: number;
  readonly result: string | undefined;
  readonly failure: string | undefined;
  /** The id of the SDK's session, and why the run ended. */
  readonly sdkSession: string | undefined;
  readonly stopReason: string | undefined;
}

export class Stage {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-e2e-claude-'));
  readonly work = path.join(this.folder, 'work');
  readonly transcript: Transcript;
  readonly #sdk: Sdk;
  #api: MessagesApi | undefined;
  #server: RunningWorkerd | undefined;
  #person: Person | undefined;
  #agentKey = '';

  constructor(sdk: Sdk, transcript: Transcript) {
    this.#sdk = sdk;
    this.transcript = transcript;
    mkdirSync(this.work);
  }

  async open(): Promise<void> {
    this.#api = await startMessagesApi();
    this.#server = await this.#start();
    this.#person = new Person(this.#server.url, ADMIN_KEY, this.transcript);
    const response = await fetch(`${this.#server.url}/v1/keys`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'claude', scopes: ['agent', 'read'] }),
    });
    this.#agentKey = ((await response.json()) as { secret: string }).secret;
  }

  async close(): Promise<void> {
    this.#person?.transport.close();
    await this.#server?.kill();
    this.#api?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get person(): Person {
    if (this.#person === undefined) throw new Error('The stage is not open');
    return this.#person;
  }

  /** The environment of an agent. */
  get env(): Readonly<Record<string, string | undefined>> {
    const home = path.join(this.folder, 'home');
    return {
      ...process.env,
      HOME: home,
      CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
      ANTHROPIC_BASE_URL: this.#api?.url,
      ANTHROPIC_API_KEY: 'sk-scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      HOLDPOINT_URL: this.#server?.url,
      HOLDPOINT_TOKEN: this.#agentKey,
    };
  }

  /** A link with which a person signs in. */
  async linkFor(subject: string): Promise<string> {
    const url = this.#server?.url ?? '';
    const response = await fetch(`${url}/v1/tokens`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ subject, scopes: ['read', 'answer', 'send'] }),
    });
    return `${url}/#token=${((await response.json()) as { token: string }).token}`;
  }

  script(name: string, script: Script): string {
    this.#api?.play(markOf(name), script);
    return `${markOf(name)} Please go on.`;
  }

  /** One run of the SDK with the bridge, in a session with the name of the scene. */
  async perform(name: string, performance: Performance): Promise<Performed> {
    const { permissionMode = 'default', abortController, mcpServers, resume } = performance;
    const holdpoint = connect({
      url: this.#server?.url ?? '',
      token: this.#agentKey,
      session: name,
      title: name,
    });
    const events = new EventQueue<TurnEvent>();
    const settings = {
      ...performance.settings,
      onEvent: (event: TurnEvent) => events.push(event),
    };
    const bridge: Pick<QueryOptions, 'canUseTool' | 'onElicitation' | 'hooks'> =
      performance.hooks === undefined
        ? claude(holdpoint, settings)
        : claude(holdpoint, { ...settings, defer: performance.hooks.defer });
    const { transcript } = this;
    let asked = 0;
    const options: QueryOptions = {
      permissionMode,
      onElicitation: bridge.onElicitation,
      canUseTool(toolName, input, more) {
        asked += 1;
        transcript.line('SDK', `may I use ${toolName}?`);
        return bridge.canUseTool(toolName, input, more);
      },
      cwd: this.work,
      env: this.env,
      settingSources: [],
      ...(abortController !== undefined && { abortController }),
      ...(mcpServers !== undefined && { mcpServers }),
      ...(bridge.hooks !== undefined && { hooks: bridge.hooks }),
      ...(resume?.sdkSession !== undefined && { resume: resume.sdkSession }),
    };
    const seen: (SdkMessage | TurnEvent)[] = [];
    let result: string | undefined;
    let failure: string | undefined;
    let sdkSession: string | undefined;
    let stopReason: string | undefined;
    const ended = new AbortController();
    try {
      const begin = this.script(name, performance.script);
      const prompt = resume === undefined ? begin : untilItEnds(ended.signal);
      for await (const message of mergeWithInteractions(
        this.#sdk.query({ prompt, options }),
        events,
      )) {
        seen.push(message);
        if (message.type !== 'result' || !('session_id' in message)) continue;
        result = message.result;
        sdkSession = message.session_id;
        stopReason = message.stop_reason ?? undefined;
        ended.abort();
      }
    } catch (cause) {
      failure = cause instanceof Error ? cause.message : String(cause);
    }
    await holdpoint.close();
    if (result !== undefined) this.transcript.line('Claude', result);
    return { seen, asked, result, failure, sdkSession, stopReason };
  }

  /** Stops the server, does the given work, and starts the server again on the same port over the same data. */
  async restart(whileDown: () => Promise<void>): Promise<void> {
    const { port } = this.#server ?? {};
    await this.#server?.kill();
    this.transcript.line('Holdpoint', '(killed)');
    await whileDown();
    this.#server = await this.#start(port);
    this.transcript.line('Holdpoint', '(back)');
  }

  #start(port?: number): Promise<RunningWorkerd> {
    const dataDir = path.join(this.folder, 'data');
    return startWorkerd({ dataDir, bindings: BINDINGS, ...(port !== undefined && { port }) });
  }
}

/**
 * No prompt at all, but an open input until the first result: a run that only goes on with a deferred call. An empty prompt
 * would be a message, whose turn begins although the call is deferred once more.
 */
function untilItEnds(ended: AbortSignal): AsyncIterable<never> {
  const next = async (): Promise<IteratorReturnResult<void>> => {
    if (!ended.aborted) await once(ended, 'abort');
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
