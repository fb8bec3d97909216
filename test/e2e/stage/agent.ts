/** An external agent and the operator of the server: their HTTP calls while a person looks at the page. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppendedEvent, Interaction, JsonObject } from '../../../src/protocol/types.ts';
import type { RunningServer } from './start-holdpoint.ts';

export interface Agent {
  /** Creates a session and returns its id. */
  opensSession(title: string, more?: object): Promise<string>;
  /** Opens an interaction and returns its id. */
  asks(sessionId: string, request: JsonObject): Promise<string>;
  /** Keeps waiting for the answer for a while, as a running agent does. */
  waits(sessionId: string, interactionId: string): void;
  /** Waits for the outcome. */
  receivesOutcome(sessionId: string, interactionId: string): Promise<Interaction>;
  /** True while the interaction has no outcome. */
  isOpen(sessionId: string, interactionId: string): Promise<boolean>;
  /** Answers over HTTP, as a person at a terminal would. */
  answers(sessionId: string, interactionId: string, answer: JsonObject): Promise<void>;
  /** The same as a person of this name. */
  answersAs(
    subject: string,
    sessionId: string,
    interactionId: string,
    answer: JsonObject,
  ): Promise<void>;
  appends(sessionId: string, events: readonly AppendedEvent[]): Promise<void>;
  /** A file of the built-in agent. */
  fileIn(sessionId: string, path: string): Promise<string>;
  /** A sign-in link for a person. */
  linkFor(subject: string, scopes?: readonly string[]): Promise<string>;
}

const OUTCOME_TIMEOUT_MS = 20_000;

export function agentOf({ url, adminKey }: RunningServer): Agent {
  const call = async <Answer>(
    method: string,
    path: string,
    json?: object,
    token = adminKey,
  ): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  };
  const tokenOf = async (subject: string, scopes: readonly string[]) => {
    const { token } = await call<{ token: string }>('POST', '/v1/tokens', { subject, scopes });
    return token;
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
    waits(sessionId, interactionId) {
      const path = `${asked(sessionId, interactionId)}?wait=55`;
      // The request outlives the story, and its end does not matter.
      call('GET', path).catch(() => undefined);
    },
    async receivesOutcome(sessionId, interactionId) {
      const deadline = Date.now() + OUTCOME_TIMEOUT_MS;
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
    async answersAs(subject, sessionId, interactionId, answer) {
      const token = await tokenOf(subject, ['read', 'answer']);
      await call('POST', `${asked(sessionId, interactionId)}/answer`, answer, token);
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
      return `${url}/#token=${await tokenOf(subject, scopes)}`;
    },
  };
}
