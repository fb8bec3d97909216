/** A session with a built-in agent on a test server, and a person who follows its log. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventOf, EventType, SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { InteractionView } from '../../../src/protocol/schema/interaction.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { ask } from './call.ts';
import type { Server } from './server.ts';

/** The default wait for an event; a test may wait longer. */
const PATIENCE_MS = 30_000;

export type Answers = (open: InteractionView) => JsonObject;

export class AgentSession {
  readonly path: string;
  readonly #server: Pick<Server, 'url'>;

  constructor(server: Pick<Server, 'url'>, id: string) {
    this.#server = server;
    this.path = `/v1/sessions/${id}`;
  }

  send(text: string): Promise<JsonObject> {
    return this.post('/messages', { text });
  }

  post(path: string, json: JsonObject): Promise<JsonObject> {
    return ask(this.#server, { method: 'POST', path: `${this.path}${path}`, json });
  }

  async get<Value>(path: string): Promise<Value> {
    return (await ask(this.#server, { method: 'GET', path: `${this.path}${path}` })) as Value;
  }

  async log(): Promise<SessionEvent[]> {
    return (await this.get<{ events: SessionEvent[] }>('/events?limit=1000')).events;
  }

  async ofType<T extends EventType>(type: T): Promise<EventOf<T>[]> {
    return (await this.log()).filter((event): event is EventOf<T> => event.type === type);
  }

  async open(): Promise<readonly InteractionView[]> {
    return (await this.get<{ open: InteractionView[] }>('')).open;
  }

  /** The log, once it has so many events of this type. */
  async until(type: EventType, count = 1, giveUpAfterMs = PATIENCE_MS): Promise<SessionEvent[]> {
    const from = Date.now();
    for (;;) {
      const events = await this.log();
      if (events.filter((event) => event.type === type).length >= count) return events;
      if (Date.now() - from > giveUpAfterMs) {
        const seen = events.map((event) => event.type).join(', ');
        throw new Error(`${this.path} has no ${count} of ${type}: ${seen}`);
      }
      await sleep(30);
    }
  }

  /** Answers every interaction until so many turns have ended. */
  async tend(answers: Answers, turns = 1): Promise<SessionEvent[]> {
    const from = Date.now();
    for (;;) {
      const events = await this.log();
      if (events.filter(({ type }) => type === 'turn_ended').length >= turns) return events;
      if (Date.now() - from > PATIENCE_MS) throw new Error(`${this.path} does not end`);
      const [next] = await this.open();
      if (next !== undefined) {
        await this.post(`/interactions/${next.interactionId}/answer`, answers(next));
      }
      await sleep(30);
    }
  }
}

let made = 0;

export async function agentSession(
  server: Pick<Server, 'url'>,
  settings: JsonObject = {},
): Promise<AgentSession> {
  made += 1;
  const id = `agent-${made}`;
  const json = { id, agent: {}, ...settings };
  await ask(server, { method: 'POST', path: '/v1/sessions', json });
  return new AgentSession(server, id);
}

/** A log without the values that differ in each run: ids and times. */
export function outline(events: readonly SessionEvent[]): string[] {
  const ids = new Map<string, string>();
  const text = events.map(({ at: _at, seq: _seq, ...event }) => JSON.stringify(event));
  return text.map((line) =>
    line
      .replaceAll(/"(expiresAt|openedAt|settledAt|deliveredAt|inputTokens)":\d+/g, '"$1":0')
      .replaceAll(/"[a-zA-Z]*[dD]igest":"[^"]*"/g, '""')
      .replaceAll(/(toolu_|turn_)?[0-9A-Z]{26}/g, (id) => {
        if (!ids.has(id)) ids.set(id, `id-${ids.size + 1}`);
        return ids.get(id) ?? '';
      }),
  );
}
