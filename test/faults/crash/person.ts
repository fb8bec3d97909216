/**
 * A person who answers. All people choose among the oldest open interactions, so that they race for them; some answers
 * go to interactions that are already settled.
 */
import type { JsonObject } from '../../../src/protocol/json.ts';
import type { Ask } from '../../support/attempt.ts';
import type { Random } from '../../support/random.ts';
import { interactionIn, settledOutcome } from './reply-claims.ts';
import type { Claim } from './claims.ts';
import type { PoolClient } from './client-pool.ts';
import type { SeenInteraction } from './seen-session.ts';
import type { TestedSession } from './tested-session.ts';
import type { Performed, CrashContext } from './crash-context.ts';

const ACTIONS = {
  answer: 66,
  shortForm: 8,
  batch: 4,
  together: 4,
  message: 8,
  extend: 6,
  revoke: 3,
  tooLate: 3,
  cancelAll: 1,
  interrupt: 0.5,
  clear: 0.5,
} as const;

/** How many of the oldest interactions people choose from. */
const OLDEST = 2;

export class Person implements PoolClient {
  readonly name: string;
  readonly random: Random;
  readonly #context: CrashContext;
  readonly #token: string;
  readonly #session: () => TestedSession;
  readonly #all: () => readonly TestedSession[];

  constructor(
    name: string,
    context: CrashContext,
    token: string,
    sessions: { readonly own: () => TestedSession; readonly all: () => readonly TestedSession[] },
  ) {
    this.name = name;
    this.random = context.random.fork(name);
    this.#context = context;
    this.#token = token;
    this.#session = sessions.own;
    this.#all = sessions.all;
  }

  async act(): Promise<void> {
    const session = this.#session();
    const open = this.random.pick([...session.seen.open.values()].slice(0, OLDEST));
    const action = this.random.weighted(ACTIONS);
    switch (action) {
      case 'message':
        return this.#message(session, open);
      case 'revoke':
        return this.#revoke(session);
      case 'tooLate':
        return this.#tooLate(session);
      case 'together':
        return this.#together();
      case 'cancelAll':
        return this.#stop(session, 'interactions/cancel', this.#context.mark('stop'));
      case 'interrupt':
      case 'clear':
        return this.#stop(session, action);
      default:
        if (open !== undefined) await this.#about(session, open, action);
    }
  }

  async #about(session: TestedSession, open: SeenInteraction, action: string): Promise<void> {
    if (action === 'extend') return this.#extend(session, open);
    if (action === 'batch') return this.#batch(session);
    const mark = this.#context.mark('give');
    if (action === 'shortForm' && (await this.#shortForm(session, open, mark))) return;
    const { answer, isMarked } = answerTo(this.random, open, mark);
    await this.#answer(session, open.id, answer, isMarked ? mark : undefined);
  }

  async #answer(
    session: TestedSession,
    id: string,
    answer: JsonObject,
    mark: string | undefined,
  ): Promise<void> {
    const what = `answer ${id} ${JSON.stringify(answer)}`;
    await session.perform({
      what,
      ask: this.#post(`${session.path}/interactions/${id}/answer`, answer),
      statuses: [200, 409],
      // A second click on "adjust" changes nothing while the plan waits for feedback.
      mayWriteNothing: answer.decision === 'adjust' && answer.feedback === undefined,
      claims: (answered) => [
        answered.status === 200
          ? { what, ...marked(mark, 1), ...interactionIn(answered) }
          : { what, ...marked(mark, 0), interactionId: id, ...refusedOutcome(answered) },
      ],
    });
  }

  /** Only for a tool call that is never reprompted: otherwise the call names its newest interaction. */
  async #shortForm(session: TestedSession, open: SeenInteraction, mark: string): Promise<boolean> {
    const { toolCallId, kind, id } = open;
    if (!toolCallId.startsWith('constant')) return false;
    if (kind !== 'approval' && kind !== 'question') return false;
    const isDenial = kind === 'approval' && this.random.chance(0.5);
    const form = kind === 'question' ? 'submit-answers' : isDenial ? 'deny' : 'approve';
    const body = {
      toolCallId,
      ...(kind === 'question' && { answers: allAnswers(open, mark) }),
      ...(isDenial && { reason: mark }),
    };
    const outcome = kind === 'question' ? 'answered' : isDenial ? 'denied' : 'approved';
    const what = `${form} ${toolCallId}`;
    await session.perform({
      what,
      ask: this.#post(`${session.path}/${form}`, body),
      statuses: [200, 409],
      claims: (answered) => [
        answered.status === 200
          ? {
              what,
              ...marked(form === 'approve' ? undefined : mark, 1),
              interactionId: id,
              outcome,
            }
          : { what, mark, times: 0, interactionId: id, ...refusedOutcome(answered) },
      ],
    });
    return true;
  }

  /** Carries no key: the second try may find the interaction settled by the first. */
  async #batch(session: TestedSession): Promise<void> {
    const targets = [...session.seen.open.values()].slice(0, 3).map((open) => {
      const mark = this.#context.mark('give');
      return { id: open.id, mark, ...answerTo(this.random, open, mark) };
    });
    const what = `decide ${targets.length}`;
    await session.perform({
      what,
      ask: {
        method: 'POST',
        path: `${session.path}/interactions/decide`,
        token: this.#token,
        body: { decisions: targets.map(({ id, answer }) => ({ interactionId: id, answer })) },
      },
      statuses: [200],
      claims: ({ body, doubts }) =>
        targets.map(({ id, mark, isMarked }, index): Claim => {
          const isDone = body.results?.[index]?.ok === true;
          const times = isDone ? 1 : doubts > 0 ? 'at most once' : 0;
          return { what, ...marked(isMarked ? mark : undefined, times), interactionId: id };
        }),
    });
  }

  /** One request for several sessions. Sent once more, it accepts what it accepted; a refusal is decided anew. */
  async #together(): Promise<void> {
    const answers = this.random.sample(this.#all(), this.random.int(2, 4)).flatMap((session) =>
      [...session.seen.open.values()].slice(0, OLDEST).map((open) => {
        const mark = this.#context.mark('give');
        return { session, id: open.id, mark, ...answerTo(this.random, open, mark) };
      }),
    );
    if (answers.length < 2) return;
    const decisions = answers.map(({ session, id, answer }) => ({
      sessionId: session.id,
      interactionId: id,
      answer,
    }));
    const ask = this.#post('/v1/inbox/decide', { decisions });
    const { body, text } = await this.#context.perform(ask);
    this.#context.counts.together += 1;
    const { results = [] } = body;
    for (const [index, { session, id, mark, isMarked }] of answers.entries()) {
      const result = results[index];
      if (result === undefined) this.#context.findings.add('ODD', session.id, `no result: ${text}`);
      const what = `answer ${id} with ${answers.length - 1} others`;
      const given = result?.ok === true ? interactionIn({ body: result }) : { interactionId: id };
      const times = result?.ok === true ? 1 : 0;
      session.claim([{ what, ...marked(isMarked ? mark : undefined, times), ...given }]);
    }
    if (!this.random.chance(0.3)) return;
    const again = await this.#context.read(ask.path, ask);
    for (const [index, result] of results.entries()) {
      const isSame = !result.ok || again.body.results?.[index]?.ok === true;
      const evidence = `answer ${index} of ${text} is another one when it is sent again: ${again.text}`;
      if (!isSame) this.#context.findings.add('I6', '', evidence);
    }
  }

  async #message(session: TestedSession, open: SeenInteraction | undefined): Promise<void> {
    const text = this.#context.mark('say');
    const replyTo =
      open !== undefined && open.kind !== 'approval' && this.random.chance(0.5)
        ? { replyTo: open.id }
        : {};
    const what = `say ${text}`;
    await session.perform({
      what,
      ask: this.#post(`${session.path}/messages`, { text, ...replyTo }),
      statuses: [202, 409, 429],
      claims: ({ status, body }) => {
        if (status !== 202) return [{ what, mark: text, times: 0 }];
        const { interactionId } = body;
        return [
          {
            what,
            mark: text,
            times: body.routed === 'queued' ? 'waiting' : 1,
            ...(interactionId !== undefined && { interactionId }),
          },
        ];
      },
    });
  }

  async #extend(session: TestedSession, open: SeenInteraction): Promise<void> {
    const what = `extend ${open.id}`;
    await session.perform({
      what,
      ask: this.#post(`${session.path}/interactions/${open.id}/extend`),
      // 400: some have no deadline.
      statuses: [200, 400, 409],
      claims: ({ status }) =>
        status === 200 ? [{ what, interactionId: open.id, extended: true }] : [],
    });
  }

  async #revoke(session: TestedSession): Promise<void> {
    const rule = this.random.pick([...session.seen.rules]);
    if (rule === undefined) return;
    await session.perform({
      what: `revoke ${rule}`,
      ask: { method: 'DELETE', path: `${session.path}/rules/${rule}`, token: this.#token },
      statuses: [200, 404],
      claims: () => [],
    });
  }

  async #tooLate(session: TestedSession): Promise<void> {
    const id = this.random.pick(session.seen.settled);
    if (id === undefined) return;
    const reason = this.#context.mark('give');
    await this.#answer(session, id, { decision: 'deny', reason }, reason);
  }

  async #stop(session: TestedSession, route: string, reason?: string): Promise<void> {
    const what = route;
    await session.perform({
      what,
      ask: this.#post(`${session.path}/${route}`, reason === undefined ? undefined : { reason }),
      statuses: [200],
      claims: ({ body }) => [{ what, ...marked(reason, body.cancelled ?? 0) }],
    });
  }

  #post(path: string, body?: JsonObject): Ask {
    return {
      method: 'POST',
      path,
      token: this.#token,
      key: this.#context.key(),
      ...(body !== undefined && { body }),
    };
  }
}

function marked(mark: string | undefined, times: NonNullable<Claim['times']>) {
  return mark === undefined ? {} : { mark, times };
}

function refusedOutcome({ body }: Performed) {
  return body.error?.code === 'already_settled' ? settledOutcome(body.error.details) : {};
}

function allAnswers(open: SeenInteraction, mark: string): JsonObject {
  return Object.fromEntries(
    Array.from({ length: open.questions }, (_, index) => [String(index), mark]),
  );
}

/** A valid answer, or a step; not every answer of every kind has room for a mark. */
function answerTo(
  random: Random,
  open: SeenInteraction,
  mark: string,
): { answer: JsonObject; isMarked: boolean } {
  switch (open.kind) {
    case 'approval': {
      const offer = open.offers && random.chance(0.5) ? { offer: 'session' } : {};
      const answer = random.chance(0.35)
        ? { decision: 'deny', reason: mark }
        : { decision: 'approve', reason: mark, ...offer };
      return { answer, isMarked: true };
    }
    case 'question': {
      if (random.chance(0.1)) return { answer: { decline: true, reason: mark }, isMarked: true };
      if (random.chance(0.5))
        return { answer: { answers: allAnswers(open, mark) }, isMarked: true };
      const question = open.current;
      return random.chance(0.8)
        ? { answer: { question, text: mark }, isMarked: true }
        : { answer: { question, option: random.int(0, 1) }, isMarked: false };
    }
    case 'form':
      return { answer: { values: { note: mark } }, isMarked: true };
    default: {
      const decision = random.pick(['edit', 'clean_edit', 'default', 'adjust', 'adjust'] as const);
      const isMarked = decision === 'adjust' && random.chance(0.7);
      return { answer: { decision, ...(isMarked && { feedback: mark }) }, isMarked };
    }
  }
}
