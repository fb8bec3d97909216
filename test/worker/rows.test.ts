/**
 * One approval, from its opening to its answer, writes at most nine rows in both objects together, and eight where the alarm of
 * its session is set already.
 *
 * A bug would break nothing, and double the bill, because a change added an index, a table that could be a
 * column, or an alarm that moves at every step. The tables below show the part that grew.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SessionObject } from '../../src/platform/cloudflare/session-object.ts';
import { WorkspaceObject } from '../../src/platform/cloudflare/workspace-object.ts';
import { freshName, must } from './support/api.ts';
import { type Cost, costOf, costsOf, told, total } from './support/costs.ts';
import { keyOfWorkspace } from './support/credentials.ts';
import { type TestSession, answer, approval, createSession, open } from './support/session.ts';
import { connect } from './support/socket.ts';
import { until } from './support/until.ts';
import { inLongRun } from '../support/run-length.ts';

const MOST = 9;
const MOST_LATER = 8;
/** Of an agent that asks again within a second: the report of its question settles the one before. */
const MOST_IN_A_ROW = 7;

/** Of this file alone: sessions of other files report to theirs while this one counts. */
const workspace = freshName('rows');
const place = { workspace, token: await keyOfWorkspace(workspace) };

afterEach(() => {
  vi.restoreAllMocks();
});

function show(title: string, parts: Readonly<Record<string, Cost>>): void {
  const lines = Object.entries(parts).map(
    ([part, { session, sessionAlarm, workspace, workspaceAlarm }]) =>
      `  ${part}: session ${session} + alarm ${sessionAlarm}, workspace ${workspace} + alarm ${workspaceAlarm}`,
  );
  console.log([`${title}: ${total(...Object.values(parts))} rows`, ...lines].join('\n'));
}

/** An agent waits for the outcome and takes it, as agents do. */
async function poll(session: TestSession, interactionId: string): Promise<void> {
  const reply = await must('GET', `${session.path}/interactions/${interactionId}?wait=30`, {
    token: place.token,
  });
  expect(reply.settled).toBe(true);
}

/** A session that the workspace knows: the cost of its creation is not part of the approval. */
async function begun(): Promise<TestSession> {
  const session = await createSession({}, place);
  await told(session);
  return session;
}

describe('an approval', () => {
  inLongRun(() => {
    it('in the first session costs no more than in any other', async () => {
      const id = freshName('the-first');
      const token = await keyOfWorkspace(id);
      const session = { id, path: `/v1/sessions/${id}`, workspace: id, token };
      const beginning = await costOf(session, async () => {
        await must('POST', '/v1/sessions', { token, body: { id } });
        await told(session);
      });
      let interactionId = '';
      const asked = await costOf(session, async () => {
        ({ interactionId } = await open(session, approval(), { token }));
        await told(session);
      });
      const answered = await costOf(session, async () => {
        await answer(session, interactionId, undefined, { token });
        await told(session);
      });
      show('The very first session', { beginning, asked, answered });
      expect(total(asked, answered)).toBeLessThanOrEqual(MOST);
    });

    it('that is reported to the workspace before and after its answer', async () => {
      const session = await begun();
      let interactionId = '';
      const costs = await costsOf(session, {
        opened: async () => ({ interactionId } = await open(session)),
        openTold: () => told(session),
        answered: async () => {
          const outcome = poll(session, interactionId);
          // Only an agent that waits has the outcome by the answer itself.
          await until(async () => {
            const path = `${session.path}/interactions/${interactionId}`;
            const { interaction } = await must('GET', path, { token: place.token });
            return interaction?.agentWaiting === true;
          });
          await answer(session, interactionId);
          await outcome;
        },
        answerTold: () => told(session),
      });
      show('Told separately', costs);
      expect(costs.opened).toMatchObject({ session: 1, sessionAlarm: 1 });
      expect(costs.answered).toMatchObject({ session: 2, sessionAlarm: 0 });
      expect(total(...Object.values(costs))).toBeLessThanOrEqual(MOST);
      const later = await costOf(session, async () => {
        const { interactionId: next } = await open(session);
        await told(session);
        await answer(session, next);
        await told(session);
      });
      expect(total(later)).toBeLessThanOrEqual(MOST_LATER);
    });
  });

  it('that is answered before its report to the workspace', async () => {
    const both = async () => {
      const session = await begun();
      const costs = await costsOf(session, {
        asked: async () => {
          const { interactionId } = await open(session);
          await answer(session, interactionId);
        },
        bothTold: () => told(session),
      });
      show('Told together', costs);
      return total(...Object.values(costs));
    };
    // On a busy machine the report of the opening may come before the answer.
    await expect.poll(both).toBeLessThan(MOST);
  });

  it('of an agent that asks again and again', async () => {
    const session = await begun();
    let { interactionId } = await open(session);
    await told(session);
    const costs = await costsOf(session, {
      // Each step is an answer and the next question; the workspace lists the question before it is answered.
      first: async () => {
        await answer(session, interactionId);
        ({ interactionId } = await open(session));
        await told(session);
      },
      second: async () => {
        await answer(session, interactionId);
        ({ interactionId } = await open(session));
        await told(session);
      },
    });
    show('In a row', costs);
    for (const cost of Object.values(costs)) expect(total(cost)).toBeLessThanOrEqual(MOST_IN_A_ROW);
  });

  it('[INT-9, OUT-2] makes five requests to objects, and four in a row', async () => {
    const session = await begun();
    const requests = countRequests();
    const approve = async () => {
      const { interactionId } = await open(session);
      const outcome = poll(session, interactionId);
      await until(() => requests().includes('session.waitForOutcome'));
      await told(session);
      await answer(session, interactionId);
      await outcome;
    };
    await approve();
    await told(session);
    const alone = [
      'session.handle',
      'session.waitForOutcome',
      'workspace.applyReport',
      'session.handle',
    ];
    expect(requests()).toEqual([...alone, 'workspace.applyReport']);
    requests.forget();
    await approve();
    await approve();
    await told(session);
    expect(requests()).toEqual([...alone, ...alone, 'workspace.applyReport']);
  });

  it('[API-2] costs the same with idempotency keys', async () => {
    const session = await begun();
    const cost = await costOf(session, async () => {
      const headers = { 'Idempotency-Key': 'open-with-a-key' };
      const { interactionId } = await open(session, approval(), { headers });
      await told(session);
      const key = { 'Idempotency-Key': 'answer-with-a-key' };
      await answer(session, interactionId, { decision: 'approve' }, { headers: key });
      await told(session);
    });
    expect(total(cost)).toBeLessThanOrEqual(MOST);
  });
});

/**
 * The requests that the Worker and the objects make to objects for an approval, in their order: to open it, to wait for it,
 * to answer it, and the reports of the session. The reads of a test are no part of it.
 */
function countRequests() {
  const made: string[] = [];
  const count = <Name extends string>(
    prototype: Record<Name, (...given: never[]) => unknown>,
    name: Name,
    label: string,
  ) => {
    const real = prototype[name];
    vi.spyOn(prototype as Record<string, (...given: never[]) => unknown>, name).mockImplementation(
      function (this: unknown, ...given: never[]) {
        made.push(label);
        return real.apply(this, given);
      },
    );
  };
  count(SessionObject.prototype, 'handle', 'session.handle');
  count(SessionObject.prototype, 'waitForOutcome', 'session.waitForOutcome');
  count(WorkspaceObject.prototype, 'applyReport', 'workspace.applyReport');
  return Object.assign(() => [...made], { forget: () => void (made.length = 0) });
}

describe('commands without an effect', () => {
  it('[INT-7, INT-16] a late answer and a repeated opening write no row', async () => {
    const session = await createSession({}, place);
    const body = approval();
    const { interactionId } = await open(session, body);
    await answer(session, interactionId);
    await told(session);
    const taken = await costOf(session, () => open(session, body));
    expect(total(taken), 'that the agent took the outcome is noted, once').toBe(1);
    const cost = await costOf(session, async () => {
      expect((await answer(session, interactionId)).status).toBe(409);
      expect((await open(session, body)).interactionId).toBe(interactionId);
      await must('GET', session.path, { token: place.token });
      await must('GET', `${session.path}/events`, { token: place.token });
    });
    expect(total(cost)).toBe(0);
  });

  it('[WS-1] a second socket of the same credential writes no row', async () => {
    const session = await begun();
    const first = await connect(session, { token: place.token });
    await first.next('welcome');
    const cost = await costOf(session, async () => {
      const second = await connect(session, { token: place.token });
      await second.next('welcome');
      second.close();
    });
    expect(total(cost)).toBe(0);
    first.close();
  });
});

inLongRun(() => {
  describe('targets of webhooks', () => {
    it('[OUT-1] one that matches costs an approval at most two more rows, and none on the path of its answer', async () => {
      const approve = async () => {
        const session = await begun();
        let interactionId = '';
        return costsOf(session, {
          opened: async () => ({ interactionId } = await open(session)),
          openTold: () => told(session),
          answered: () => answer(session, interactionId),
          answerTold: () => told(session),
        });
      };
      const without = await approve();
      const { target } = await must('POST', '/v1/targets', {
        token: place.token,
        body: {
          type: 'webhook',
          url: 'https://hooks.example.com/',
          events: ['interaction.requested', 'interaction.resolved'],
        },
      });
      // The first one sets the alarm, which removes what is left of earlier announcements, a minute later.
      await approve();
      const withOne = await approve();
      await must('DELETE', `/v1/targets/${target?.id ?? ''}`, { token: place.token });
      show('With a target', withOne);
      const all = (parts: typeof without) => total(...Object.values(parts));
      expect(all(withOne) - all(without)).toBeLessThanOrEqual(2);
      // The session writes what it wrote, while the caller waits and when it reports.
      for (const step of ['opened', 'openTold', 'answered', 'answerTold'] as const) {
        expect(withOne[step].session).toBe(without[step].session);
        expect(withOne[step].sessionAlarm).toBe(without[step].sessionAlarm);
      }
    });
  });
});
