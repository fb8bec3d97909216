/** An agent elsewhere, and whoever runs the server: what they do over HTTP while a person looks at the page. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppendedEvent, Interaction, JsonObject } from '../../../src/protocol/types.ts';
import type { House } from './start-holdpoint.ts';

export interface Agent {
  /** A session to ask in; the id of it. */
  opensSession(title: string, more?: object): Promise<string>;
  /** The id of the interaction. */
  asks(sessionId: string, request: JsonObject): Promise<string>;
  /** Goes on waiting for the answer, for a while, as agents do that are still there. */
  listens(sessionId: string, interactionId: string): void;
  /** What became of it, once something has. */
  hears(sessionId: string, interactionId: string): Promise<Interaction>;
  /** Nothing has come of it yet. */
  isOpen(sessionId: string, interactionId: string): Promise<boolean>;
  /** As somebody at a terminal would. */
  answers(sessionId: string, interactionId: string, answer: JsonObject): Promise<void>;
  appends(sessionId: string, events: readonly AppendedEvent[]): Promise<void>;
  /** A file of the built-in agent. */
  fileIn(sessionId: string, path: string): Promise<string>;
  /** A link that signs somebody in. */
  linkFor(subject: string, scopes?: readonly string[]): Promise<string>;
}

const HEAR_MS = 20_000;

export function agentOf({ url, adminKey }: House): Agent {
  const call = async <Answer>(method: string, path: string, json?: object): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  };
  const asked = (sessionId: string, interactionId: string) =>
    `/v1/sessions/${sessionId}/interactions/${encodeURIComponent(interactionId)}`;
  return {
    async opensSession(title, more = {}) {
      const made = await call<{ session: { id: string } }>('POST', '/v1/sessions', {
        title,
        ...more,
      });
      return made.session.id;
    },
    async asks(sessionId, request) {
      const path = `/v1/sessions/${sessionId}/interactions`;
      const made = await call<{ interaction: Interaction }>('POST', path, request);
      return made.interaction.interactionId;
    },
    listens(sessionId, interactionId) {
      const path = `${asked(sessionId, interactionId)}?wait=55`;
      // Nobody hears the end of it: the story is over before.
      call('GET', path).catch(() => undefined);
    },
    async hears(sessionId, interactionId) {
      const deadline = Date.now() + HEAR_MS;
      for (;;) {
        const path = asked(sessionId, interactionId);
        const { interaction } = await call<{ interaction: Interaction }>('GET', path);
        if (interaction.status === 'settled') return interaction;
        if (Date.now() > deadline) throw new Error(`${interactionId} is still open`);
        await sleep(100);
      }
    },
    async isOpen(sessionId, interactionId) {
      const path = asked(sessionId, interactionId);
      const { interaction } = await call<{ interaction: Interaction }>('GET', path);
      return interaction.status === 'open';
    },
    async answers(sessionId, interactionId, answer) {
      await call('POST', `${asked(sessionId, interactionId)}/answer`, answer);
    },
    async appends(sessionId, events) {
      for (let at = 0; at < events.length; at += 1_000)
        await call('POST', `/v1/sessions/${sessionId}/events`, {
          events: events.slice(at, at + 1_000),
        });
    },
    async fileIn(sessionId, path) {
      const query = encodeURIComponent(path);
      const found = await call<{ file: { content: string } }>(
        'GET',
        `/v1/sessions/${sessionId}/files?path=${query}`,
      );
      return found.file.content;
    },
    async linkFor(subject, scopes = ['read', 'answer', 'send']) {
      const { token } = await call<{ token: string }>('POST', '/v1/tokens', { subject, scopes });
      return `${url}/#token=${token}`;
    },
  };
}
