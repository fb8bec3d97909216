/**
 * Slack on a port of this machine, written from its documented shapes: it takes messages and dialogs within the limits of
 * Block Kit, and sends what a person does, signed. It fails, stalls and loses responses as its test says.
 */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { messageProblem, viewProblem } from './block-kit.ts';

export const BOT_TOKEN = 'xoxb-1234567890-abcdefghijklmnop';
export const SIGNING_SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
export const CHANNEL = 'C0123456789';
const TEAM = 'T0001';

export interface SlackCall {
  readonly method: string;
  readonly content: JsonObject;
  readonly at: number;
}

export interface PostedMessage {
  readonly channel: string;
  readonly ts: string;
  readonly thread?: string;
  text: string;
  blocks: readonly JsonObject[];
  metadata?: JsonObject;
  edits: number;
}

/** `lost`: the call happens, and its response never arrives. */
type Fault =
  | { readonly error: string }
  | { readonly status: number; readonly retryAfter?: string }
  | 'stall'
  | 'lost';

interface Person {
  readonly user?: string;
  readonly team?: string;
}

interface Signing {
  readonly secret?: string;
  readonly at?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Changes the body after it was signed. */
  readonly alter?: (body: string) => string;
}

export class SlackDouble {
  readonly calls: SlackCall[] = [];
  readonly messages: PostedMessage[] = [];
  /** Sentences that one person alone sees. */
  readonly whispers: { readonly user: string; readonly text: string }[] = [];
  readonly views: JsonObject[] = [];
  fault: (call: SlackCall) => Fault | undefined = () => undefined;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #triggers = new Set<string>();
  #port = 0;
  #lastTs = 0;
  #lastTrigger = 0;

  static async start(port = 0): Promise<SlackDouble> {
    const double = new SlackDouble();
    double.#server.listen(port, '127.0.0.1');
    await once(double.#server, 'listening');
    double.#port = (double.#server.address() as AddressInfo).port;
    return double;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.#port}/api`;
  }

  /** A person presses a button of a message. */
  press(
    url: string,
    message: Pick<PostedMessage, 'channel' | 'ts' | 'blocks'>,
    action: string,
    more: Person & Signing = {},
  ): Promise<Response> {
    const { user = 'U0001', team = TEAM } = more;
    const button = buttonsOf(message).find(({ action_id: id }) => id === `holdpoint.${action}`);
    if (button === undefined) throw new Error(`There is no button ${action}`);
    const trigger = `${(this.#lastTrigger += 1)}.trigger`;
    this.#triggers.add(trigger);
    const payload = {
      type: 'block_actions',
      user: { id: user, username: 'ada', name: 'ada', team_id: team },
      api_app_id: 'A0001',
      token: 'verification',
      team: { id: TEAM, domain: 'example' },
      enterprise: null,
      is_enterprise_install: false,
      channel: { id: message.channel, name: 'approvals' },
      container: { type: 'message', message_ts: message.ts, channel_id: message.channel },
      message: { ts: message.ts, blocks: message.blocks },
      state: { values: {} },
      trigger_id: trigger,
      response_url: `http://127.0.0.1:${this.#port}/actions/${user}`,
      actions: [{ ...button, block_id: 'holdpoint', action_ts: message.ts }],
    };
    return this.send(url, payload, more);
  }

  /** A person submits a dialog; each input has the value that its element would send. */
  submit(
    url: string,
    view: JsonObject,
    values: Readonly<Record<string, JsonObject>>,
    more: Person & Signing = {},
  ): Promise<Response> {
    const { user = 'U0001', team = TEAM } = more;
    const inputs = (view['blocks'] as JsonObject[]).filter(({ type }) => type === 'input');
    const state = Object.fromEntries(
      inputs.map((input) => {
        const id = textAt(input, 'block_id');
        const { type } = input['element'] as JsonObject;
        return [id, { value: { type: type ?? null, value: null, ...values[id] } }];
      }),
    );
    const payload = {
      type: 'view_submission',
      team: { id: TEAM, domain: 'example' },
      user: { id: user, username: 'ada', name: 'ada', team_id: team },
      api_app_id: 'A0001',
      trigger_id: 'used',
      view: { ...view, id: 'V0001', state: { values: state } },
      response_urls: [],
    };
    return this.send(url, payload, more);
  }

  send(url: string, payload: unknown, signing: Signing = {}): Promise<Response> {
    const {
      secret = SIGNING_SECRET,
      at = Date.now(),
      headers = {},
      alter = (body) => body,
    } = signing;
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const timestamp = String(Math.floor(at / 1_000));
    return fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': slackSignature(secret, timestamp, body),
        ...headers,
      },
      body: alter(body),
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const url = new URL(request.url ?? '/', this.apiUrl);
    if (url.pathname.startsWith('/actions/')) {
      const { text } = JSON.parse(body) as { text: string };
      this.whispers.push({ user: url.pathname.slice('/actions/'.length), text });
      response.end('ok');
      return;
    }
    const method = url.pathname.slice('/api/'.length);
    const content = (
      request.method === 'GET' ? Object.fromEntries(url.searchParams) : JSON.parse(body)
    ) as JsonObject;
    const call = { method, content, at: Date.now() };
    this.calls.push(call);
    const fault = this.fault(call);
    if (fault === 'stall') return;
    const isSigned = request.headers.authorization === `Bearer ${BOT_TOKEN}`;
    if (typeof fault === 'object' && 'status' in fault) {
      const { status, retryAfter } = fault;
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
      response.end();
      return;
    }
    if (fault === 'lost') {
      this.#call(method, content);
      response.destroy();
      return;
    }
    const reply = isSigned ? (fault ?? this.#call(method, content)) : { error: 'invalid_auth' };
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(JSON.stringify({ ok: !('error' in reply), ...reply }));
  }

  #call(method: string, content: JsonObject): JsonObject {
    switch (method) {
      case 'chat.postMessage':
        return this.#post(content);
      case 'chat.update':
        return this.#update(content);
      case 'chat.postEphemeral':
        this.whispers.push({ user: textAt(content, 'user'), text: textAt(content, 'text') });
        return { message_ts: '1.1' };
      case 'views.open':
        return this.#open(content);
      case 'conversations.history':
        return this.#history(content);
      default:
        return { error: 'unknown_method' };
    }
  }

  #post(content: JsonObject): JsonObject {
    const problem = messageProblem(content);
    if (problem !== undefined) return { error: 'invalid_blocks', detail: problem };
    if (content['channel'] !== CHANNEL) return { error: 'channel_not_found' };
    this.#lastTs = Math.max(this.#lastTs + 1, Date.now() * 1_000);
    const ts = `${Math.floor(this.#lastTs / 1e6)}.${String(this.#lastTs % 1e6).padStart(6, '0')}`;
    const message: PostedMessage = {
      channel: CHANNEL,
      ts,
      text: textAt(content, 'text'),
      blocks: (content['blocks'] ?? []) as JsonObject[],
      edits: 0,
      ...(content['thread_ts'] !== undefined && { thread: textAt(content, 'thread_ts') }),
      ...(content['metadata'] !== undefined && { metadata: content['metadata'] as JsonObject }),
    };
    this.messages.push(message);
    return { channel: CHANNEL, ts, message: { type: 'message', text: message.text, ts } };
  }

  #update(content: JsonObject): JsonObject {
    const problem = messageProblem(content);
    if (problem !== undefined) return { error: 'invalid_blocks', detail: problem };
    const message = this.messages.find(({ ts }) => ts === content['ts']);
    if (message === undefined) return { error: 'message_not_found' };
    message.text = textAt(content, 'text');
    message.blocks = (content['blocks'] ?? []) as JsonObject[];
    message.edits += 1;
    return { channel: CHANNEL, ts: message.ts, text: message.text };
  }

  #open({ trigger_id: trigger, view }: JsonObject): JsonObject {
    if (!this.#triggers.delete(typeof trigger === 'string' ? trigger : ''))
      return { error: 'exchanged_trigger_id' };
    const problem = viewProblem(view as JsonObject);
    if (problem !== undefined) return { error: 'invalid_arguments', detail: problem };
    this.views.push(view as JsonObject);
    return { view: { id: 'V0001' } };
  }

  #history({ oldest, latest, limit, include_all_metadata: withMetadata }: JsonObject): JsonObject {
    const found = this.messages
      .filter(({ ts, thread }) => thread === undefined && Number(ts) > Number(oldest))
      .filter(({ ts }) => Number(ts) < Number(latest))
      .toReversed()
      .slice(0, Number(limit));
    const messages = found.map(({ ts, text, metadata }) => ({
      type: 'message',
      ts,
      text,
      ...(withMetadata === 'true' && metadata !== undefined && { metadata }),
    }));
    return { messages, has_more: false };
  }
}

/** Empty for what is no text. */
function textAt(part: JsonObject, name: string): string {
  const value = part[name];
  return typeof value === 'string' ? value : '';
}

function slackSignature(secret: string, timestamp: string, body: string): string {
  const mac = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return `v0=${mac}`;
}

export function buttonsOf({ blocks }: Pick<PostedMessage, 'blocks'>): JsonObject[] {
  const actions = blocks.filter(({ type }) => type === 'actions');
  return actions.flatMap(({ elements }) => elements as JsonObject[]);
}

/** Every text in the blocks, one after the other. */
export function textOf({ blocks }: Pick<PostedMessage, 'blocks'>): string {
  const texts: string[] = [];
  JSON.stringify(blocks, (name, value: unknown) => {
    if (name === 'text' && typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('\n');
}
