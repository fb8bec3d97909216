/**
 * The clients of a trial: they write messages, answer questions and run the client tool until the turn is over, and
 * repeat a request that may not have arrived, with the same key.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { type Answered, type Ask, attempt } from '../../support/attempt.ts';
import type { TrialWorker } from './trial-worker.ts';
import type { Trial } from './trial.ts';

interface Open {
  readonly interactionId: string;
  readonly toolName: string;
  readonly kind: string;
  readonly request: { readonly description?: string };
}

export const AGAIN = 'It may already have run. Run again?';
const PAUSE_MS = 15;

export class Person {
  readonly #worker: TrialWorker;
  readonly #trial: Trial;
  readonly #done = new Set<string>();
  readonly #until: number;

  constructor(worker: TrialWorker, trial: Trial, patienceMs: number) {
    this.#worker = worker;
    this.#trial = trial;
    this.#until = Date.now() + patienceMs;
  }

  get isPastDeadline(): boolean {
    return Date.now() > this.#until;
  }

  /** Repeats a request until it is answered; undefined after the last try. */
  async ask(request: Omit<Ask, 'token'>, token = this.#worker.tokens.person) {
    while (!this.isPastDeadline) {
      if (this.#worker.isUp && !this.#mustKeepAway()) {
        const got = await attempt(this.#worker.url, { ...request, token });
        if (got.type === 'answered' && got.status !== 503) return got;
      }
      await sleep(PAUSE_MS);
    }
    return undefined;
  }

  async send(text: string, which: 'message' | 'second' = 'message'): Promise<void> {
    const key = keyOf(`say ${text}`);
    const sending = this.ask({ method: 'POST', path: this.#at('/messages'), body: { text }, key });
    this.#trial.pass(`sent:${which}`);
    const sent = await sending;
    if (sent?.status !== 202) this.#odd('message', sent);
    this.#trial.pass(`ack:${which}`);
  }

  async interrupt(): Promise<void> {
    const path = this.#at('/interrupt');
    const sending = this.ask({ method: 'POST', path, body: {}, key: 'interrupt-once' });
    this.#trial.pass('sent:interrupt');
    const sent = await sending;
    if (sent !== undefined && sent.status >= 300) this.#odd('interrupt', sent);
    this.#trial.pass('ack:interrupt');
  }

  /** Takes the summary at this event back. */
  async restore(seq: number): Promise<void> {
    const path = this.#at('/conversation/restore');
    const sending = this.ask({ method: 'POST', path, body: { seq }, key: 'restore-once' });
    this.#trial.pass('sent:restore');
    const sent = await sending;
    if (sent?.status !== 200) this.#odd('undo of the summary', sent);
    this.#trial.pass('ack:restore');
  }

  async log(): Promise<readonly SessionEvent[]> {
    const events: SessionEvent[] = [];
    for (;;) {
      const after = events.at(-1)?.seq ?? 0;
      const path = this.#at(`/events?limit=1000&after=${after}`);
      const page = await this.ask({ method: 'GET', path });
      if (page === undefined) return events;
      const { events: found = [], more } = page.body as { events?: SessionEvent[]; more?: boolean };
      events.push(...found);
      if (more !== true) return events;
    }
  }

  async file(path: string): Promise<string | undefined> {
    const at = this.#at(`/files?path=${encodeURIComponent(path)}`);
    const got = await this.ask({ method: 'GET', path: at });
    return (got?.body as { file?: { content?: string } } | undefined)?.file?.content;
  }

  /** Handles each open interaction and call once; the next call of this method sees the effect. */
  async tend(events: readonly SessionEvent[]): Promise<void> {
    if (!this.#isHeld('results')) await this.#runClientTools(events);
    if (this.#isHeld('answers') || this.#trial.boundary.holds === 'all answers') return;
    const snapshot = await this.ask({ method: 'GET', path: this.#at('') });
    const { open = [] } = (snapshot?.body ?? {}) as { open?: readonly Open[] };
    for (const interaction of open) await this.#answer(interaction);
  }

  async #answer(interaction: Open): Promise<void> {
    const { interactionId, toolName } = interaction;
    if (this.#done.has(interactionId)) return;
    const body = this.#answerTo(interaction);
    const path = this.#at(`/interactions/${interactionId}/answer`);
    const sending = this.ask({ method: 'POST', path, body, key: keyOf(`answer ${interactionId}`) });
    this.#trial.pass('sent:answer');
    const got = await sending;
    if (got === undefined) return;
    this.#done.add(interactionId);
    if (got.status !== 200) return this.#odd(`answer to ${interactionId}`, got);
    const outcome = got.body.interaction?.outcome ?? '';
    this.#trial.acknowledged.push({ interactionId, toolName, outcome });
    this.#trial.pass('ack:answer');
  }

  #answerTo({ kind, request }: Open): JsonObject {
    if (kind === 'question') return { answers: { '0': 'Blue' } };
    if (kind === 'plan_review') return { decision: 'clean_edit' };
    const isAgain = request.description === AGAIN;
    return { decision: isAgain && !this.#trial.runsAgain ? 'deny' : 'approve' };
  }

  async #runClientTools(events: readonly SessionEvent[]): Promise<void> {
    for (const event of events) {
      if (event.type !== 'tool_call' || event.payload.runBy !== 'client') continue;
      const { toolCallId = '' } = event;
      const mayRun = event.payload.decided?.behavior === 'allow';
      if (!mayRun || this.#done.has(toolCallId)) continue;
      const path = this.#at(`/tool-calls/${toolCallId}/result`);
      const body = { output: 'A picture.' };
      const sending = this.ask(
        { method: 'POST', path, body, key: keyOf(`result ${toolCallId}`) },
        this.#worker.tokens.agent,
      );
      this.#trial.pass('sent:result');
      const got = await sending;
      if (got === undefined) return;
      this.#done.add(toolCallId);
      if (got.status !== 201) this.#odd(`result of ${toolCallId}`, got);
      else this.#trial.results.push(toolCallId);
      this.#trial.pass('ack:result');
    }
  }

  #isHeld(what: 'answers' | 'results'): boolean {
    return this.#trial.boundary.holds === what && this.#trial.kills === 0;
  }

  /** Set while the trial is left alone, until its model or tools receive a request. */
  keepsAwaySince = 0;

  #mustKeepAway(): boolean {
    return this.keepsAwaySince > 0 && this.#trial.lastRequestAt < this.keepsAwaySince;
  }

  #odd(what: string, got: Answered | undefined): void {
    const evidence = got === undefined ? 'no answer' : `${got.status} ${got.text}`;
    this.#trial.problem('REFUSED', `${what}: ${evidence}`);
  }

  #at(path: string): string {
    return `/v1/sessions/${this.#trial.session}${path}`;
  }
}

function keyOf(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, '-');
}
