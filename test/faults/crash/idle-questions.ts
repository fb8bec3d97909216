/**
 * I8: deadlines are kept in sessions that no client touches.
 *
 * An idle session has a few questions and from then on no subscriber, no waiter and no read. Its deadlines pass in the
 * next seconds, some of them while the server is down. The workspace alone shows whether they were kept; the session
 * itself is read afterwards. An earlier read would settle overdue questions, and hide an alarm that never fired.
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
  /** When the question was seen to be settled, by the server's clock. */
  endedAt: number | null;
}

interface IdleSession {
  readonly session: TestedSession;
  readonly asked: readonly Asked[];
  readonly openedAt: number;
  /** The time of the last request to the session. */
  readonly touchedAt: number;
}

export interface Lag {
  readonly ms: number;
  /** Whether the deadline passed while the server was down. */
  readonly inDowntime: boolean;
}

const ASKED_EACH = 8;
/** How long the server must be up after a deadline before the deadline counts as missed. */
const PATIENCE_MS = 20_000;

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
      // A reminder that is due after this shorter deadline would be refused.
      const { remindAfter: _late, ...asking } = request(random, 'mixed', mark);
      const body: JsonObject = {
        ...asking,
        timeoutSeconds: random.int(1, 3),
        ...(keeps && { onExpire: 'keep' }),
      };
      const { body: reply } = await session.perform({
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
      const { interactionId, expiresAt, onExpire } = reply.interaction ?? {};
      // Repeated after a crash, the question may be settled by now; its deadline then proves nothing about the alarm.
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

  /** Reads the workspace once; resolves with the number of sessions that are still idle. */
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
      for (const question of asked) {
        const key = inboxKey(session.id, question.id);
        if (question.keeps) {
          if (inbox.open.get(key) === true) question.endedAt ??= question.dueAt;
        } else {
          const entry = settled.get(key);
          if (entry !== undefined && !inbox.open.has(key)) question.endedAt ??= entry.at;
        }
      }
      const missing = asked.filter(({ endedAt }) => endedAt === null);
      const lastDue = Math.max(...asked.map(({ dueAt }) => dueAt));
      const uptimeMs = this.#context.uptime.between(lastDue, Date.now());
      if (missing.length > 0 && uptimeMs < PATIENCE_MS) continue;
      for (const { id, dueAt } of missing) {
        const evidence = `${id} was due at ${dueAt}; after ${uptimeMs} ms with a server it is not over`;
        this.#context.findings.add('I8', session.id, evidence);
      }
      this.#waiting = this.#waiting.filter((other) => other !== idle);
      this.#measure(idle);
      await this.#finished(session);
    }
    return this.#waiting.length;
  }

  /** From the deadline, or from the next start of the server if that is later, to the settlement. */
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
