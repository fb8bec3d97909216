/** The page of an answer link over one record: the real routes over a session that keeps what is sent to it. */
import type { AnswerLink } from '../../../src/core/answer-links/answer-link.ts';
import { createApp } from '../../../src/http/app.ts';
import type { SessionStub } from '../../../src/http/stubs.ts';
import type { Command, Context } from '../../../src/protocol/schema/command.ts';
import { type Rejection, reject } from '../../../src/protocol/errors.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { LinkAnswer } from '../../../src/protocol/schema/answer-link.ts';
import type { InteractionView } from '../../../src/protocol/schema/interaction.ts';
import { type FakePorts, fakePorts, sessionPorts } from './fake-ports.ts';
import { requestTo } from './request-to.ts';

export const DIGEST = 'd'.repeat(64);

export function openRecord(over: Partial<InteractionView> = {}): InteractionView {
  return {
    interactionId: 'call_1~1',
    toolCallId: 'call_1',
    toolName: 'Bash',
    kind: 'approval',
    presentation: 'tool',
    request: { input: { command: 'rm -rf build' }, offers: ['once', 'session'] },
    requestDigest: DIGEST,
    inputDigest: DIGEST,
    openedAt: 1_795_000_000_000,
    openedBy: { credential: 'key_agent', subject: 'deploy-agent', key: 'key_agent' },
    expiresAt: null,
    timeoutMs: null,
    onExpire: 'deny',
    status: 'open',
    outcome: null,
    settledAt: null,
    settledBy: null,
    rev: 1,
    ...over,
  };
}

interface Given {
  readonly command: Command;
  readonly context: Context;
}

export class LinkPages {
  readonly given: Given[] = [];
  readonly records = new Map<string, InteractionView>();
  readonly ports: FakePorts;
  /** What the session makes of an answer; by default it settles the request. */
  onAnswer: () => Rejection | undefined = () => undefined;
  readonly link: AnswerLink;

  constructor(record: InteractionView, link: Partial<AnswerLink> = {}) {
    this.records.set(record.interactionId, record);
    this.link = {
      workspace: 'main',
      sessionId: 'demo',
      interactionId: record.interactionId,
      inputDigest: record.inputDigest,
      subject: 'mia',
      answers: LinkAnswer.options,
      expiresAt: 1_900_000_000_000,
      credential: 'tok_1',
      key: 'key_1',
      chain: ['tok_1', 'key_1'],
      ...link,
    };
    this.ports = fakePorts(sessionPorts(() => this.#session()));
  }

  #session(): Partial<SessionStub> {
    return {
      interaction: async (id) => {
        const record = this.records.get(id);
        return record === undefined
          ? reject('not_found', 'There is no such interaction in this session')
          : { ok: true, value: record };
      },
      handle: async (command, context) => {
        this.given.push({ command, context });
        const refused = this.onAnswer();
        if (refused !== undefined) return refused;
        const record = this.records.get(this.link.interactionId) ?? openRecord();
        const settled: InteractionView = {
          ...record,
          status: 'settled',
          outcome: 'approved',
          settledAt: 1_795_000_060_000,
          settledBy: { subject: 'mia', via: 'link', credential: 'tok_1', key: 'key_1' },
        };
        this.records.set(record.interactionId, settled);
        return {
          ok: true,
          json: JSON.stringify({ interaction: settled }),
          isNew: true,
          replayed: false,
        };
      },
    };
  }

  /** The answers that reached the session. */
  get answers(): readonly JsonObject[] {
    return this.given.flatMap(({ command }) =>
      command.type === 'interaction.answer' ? [command.answer] : [],
    );
  }

  #path(): string {
    return `/links/${this.ports.answerLinks.write(this.link)}`;
  }

  open(method = 'GET', path = this.#path()): Promise<Response> {
    const headers = { Accept: 'text/html' };
    return Promise.resolve(createApp(this.ports).fetch(requestTo(path, { method, headers })));
  }

  async text(): Promise<string> {
    return (await this.open()).text();
  }

  send(fields: readonly (readonly [string, string])[]): Promise<Response> {
    const pairs = [['inputDigest', DIGEST] as const, ...fields].map(
      ([name, text]): [string, string] => [name, text],
    );
    const body = new URLSearchParams(pairs);
    const headers = { Accept: 'text/html' };
    return Promise.resolve(
      createApp(this.ports).fetch(requestTo(this.#path(), { method: 'POST', headers, body })),
    );
  }

  sendJson(json: JsonObject): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify(json);
    return Promise.resolve(
      createApp(this.ports).fetch(requestTo(this.#path(), { method: 'POST', headers, body })),
    );
  }
}
