/**
 * I8: deadlines are kept although nobody looks.
 *
 * An idle session is one in which a few things are asked and which nobody touches from then on: no
 * subscriber, no waiter, no read. Its deadlines fall into the next seconds, and so partly into the
 * time when there is no server. That they were kept is learned from the workspace alone; only then
 * the session itself is read. A touch would run them, and hide an alarm that never came.
 */
import type { JsonObject } from '../../../src/protocol/json.ts';
import { inboxKey, readAudit, readInbox } from './inbox.ts';
import { request } from './bodies.ts';
import { TestedSession } from './tested-session.ts';
import type { CrashContext } from './crash-context.ts';

interface Asked {
  readonly id: string;
  readonly dueAt: number;
  readonly keeps: boolean;
  /** When it was seen to be over, by the server's clock. */
  endedAt: number | null;
}

interface IdleSession {
  readonly session: TestedSession;
  readonly asked: readonly Asked[];
  readonly openedAt: number;
  /** The last time anybody asked something of it. */
  readonly touchedAt: number;
}

export interface Lag {
  readonly ms: number;
  /** Whether the deadline passed while there was no server. */
  readonly inDowntime: boolean;
}

const ASKED_EACH = 8;
/** The server must have been up for so long after a deadline before it counts as forgotten. */
const PATIENCE_MS = 5_000;

export class IdleQuestions {
  readonly lags: Lag[] = [];
  readonly #context: CrashContext;
  readonly #finished: (session: TestedSession) => Promise<void>;
  #waiting: IdleSession[] = [];

  /** `finished` is called when an idle session may be touched again. */
  constructor(context: CrashContext, finished: (session: TestedSession) => Promise<void>) {
    this.#context = context;
    this.#finished = finished;
  }

  async add(): Promise<void> {
    const context = this.#context;
    const session = new TestedSession(context, context.name('idle'), 'mixed');
    const openedAt = Date.now();
    await session.begin();
    const random = context.random.fork(session.id);
    const asked: Asked[] = [];
    for (let index = 0; index < ASKED_EACH; index += 1) {
      const mark = context.mark('ask');
      const keeps = index === 0;
      const body: JsonObject = {
        ...request(random, 'mixed', mark),
        timeoutSeconds: random.int(1, 3),
        ...(keeps && { onExpire: 'keep' }),
      };
      const { body: said } = await session.perform({
        what: 'ask and go',
        ask: {
          method: 'POST',
          path: `${session.path}/interactions`,
          token: context.tokens.agent,
          key: context.key(),
          body,
        },
        statuses: [201],
        claims: ({ body: { interaction } }) => [
          { what: 'ask and go', mark, times: 1, interactionId: interaction?.interactionId ?? '' },
        ],
      });
      const { interactionId, expiresAt, onExpire } = said.interaction ?? {};
      // Asked again after a crash, it may be over by now; then its deadline was not kept unwatched.
      if (interactionId === undefined || typeof expiresAt !== 'number') continue;
      asked.push({
        id: interactionId,
        dueAt: expiresAt,
        keeps: onExpire === 'keep',
        endedAt: null,
      });
    }
    this.#waiting.push({ session, asked, openedAt, touchedAt: Date.now() });
  }

  get count(): number {
    return this.#waiting.length;
  }

  /** One look at the workspace; resolves with how many are still asleep. */
  async look(): Promise<number> {
    const due = this.#waiting.filter(({ asked }) => asked.every(({ dueAt }) => dueAt < Date.now()));
    if (due.length === 0) return this.#waiting.length;
    const since = Math.min(...due.map(({ openedAt }) => openedAt));
    const [settled, inbox] = [
      await readAudit(this.#context, since),
      await readInbox(this.#context),
    ];
    for (const idle of due) {
      const { session, asked } = idle;
      for (const one of asked) {
        const key = inboxKey(session.id, one.id);
        if (one.keeps) {
          if (inbox.open.get(key) === true) one.endedAt ??= one.dueAt;
        } else {
          const entry = settled.get(key);
          if (entry !== undefined && !inbox.open.has(key)) one.endedAt ??= entry.at;
        }
      }
      const missing = asked.filter(({ endedAt }) => endedAt === null);
      const lastDue = Math.max(...asked.map(({ dueAt }) => dueAt));
      const patience = this.#context.uptime.between(lastDue, Date.now());
      if (missing.length > 0 && patience < PATIENCE_MS) continue;
      for (const { id, dueAt } of missing) {
        const evidence = `${id} was due at ${dueAt}; after ${patience} ms with a server it is not over`;
        this.#context.findings.add('I8', session.id, evidence);
      }
      this.#waiting = this.#waiting.filter((one) => one !== idle);
      this.#measure(idle);
      await this.#finished(session);
    }
    return this.#waiting.length;
  }

  /** From the deadline, or from the moment when there was a server again, to the end. */
  #measure({ asked, touchedAt }: IdleSession): void {
    const { uptime } = this.#context;
    for (const { dueAt, endedAt, keeps } of asked) {
      if (keeps || endedAt === null || dueAt <= touchedAt) continue;
      this.lags.push({
        ms: Math.round(uptime.between(dueAt, endedAt)),
        inDowntime: !uptime.wasUp(dueAt),
      });
    }
  }
}
