/**
 * Every route with bodies that have one fault each.
 *
 * A bug here looks like a 5xx in the log, a request that never ends, or, worst, a refused request that changed
 * something.
 */
import { expect, it } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import { expectRefused, problemsOf, refusalProblem, send } from '../support/http/call.ts';
import {
  type BodyExample,
  EXAMPLES,
  keysOfRoutes,
  pathOf,
  type Target,
  TARGETS,
  validRequest,
} from '../support/http/examples.ts';
import { type BadBody, badFields, badTexts } from '../support/http/mutations.ts';
import type { ErrorCode } from '../../src/protocol/errors.ts';
import {
  readVisibleState,
  openSampleSession,
  settledSampleSession,
} from '../support/http/sample-session.ts';
import { startRoutes } from '../support/http/local-app.ts';

import { countFor } from '../support/run-length.ts';

const server = await startRoutes();
const sample = await settledSampleSession(server);
const WITH_BODY = TARGETS.filter((target) => target.method !== 'GET');
/** Of a file every text is valid: test/server/attachments.test.ts sends bad ones. */
const WITH_JSON = WITH_BODY.filter((target) => target.example.takesBytes !== true);

/** The short run sends a part of the bad bodies, a different part for each route and body. */
const EVERY = countFor({ quick: 10, long: 1 });

/** Sends each bad body, and returns the cases with a wrong response or a changed state. */
async function refuseAll(target: Target, path: string, cases: readonly BadBody[]) {
  const before = await readVisibleState(server, sample);
  const sent = cases.filter((_, index) => index % EVERY === 0);
  const problems = await problemsOf(sent, async ({ name, body, codes }) => {
    const reply = await send(server, { method: target.method, path, body });
    const problem = refusalProblem(reply, codes);
    return problem && `${name}: ${problem}`;
  });
  expect(problems).toEqual([]);
  expect(await readVisibleState(server, sample)).toEqual(before);
}

it('has one example for every route, and none for a removed route', () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(keysOfRoutes().toSorted());
});

it.each(WITH_JSON.map((target) => [target.key, target] as const))(
  '[LIM-1] %s refuses wrong types, unknown fields, missing fields and nonsense',
  async (_key, target) => {
    const bodies: readonly BodyExample[] = target.example.bodies ?? [{ body: () => ({}) }];
    for (const example of bodies) {
      const cases = badFields(example, example.body(sample));
      await refuseAll(target, pathOf(target, sample, example.iid), cases);
    }
  },
);

it.each(WITH_JSON.map((target) => [target.key, target] as const))(
  '[LIM-1, LIM-4] %s refuses text that is not strict JSON',
  async (_key, target) => {
    const { bodies, takesText, bodyOptional = bodies === undefined } = target.example;
    const body = bodies?.[0]?.body(sample) ?? {};
    const cases = badTexts(body, bodyOptional, target.bodyValues);
    // A route without a body does not read one.
    const codes: readonly ErrorCode[] =
      takesText === true ? ['not_found', 'invalid_json'] : ['invalid_request'];
    const unread = cases.map((badCase) => ({ ...badCase, codes }));
    await refuseAll(target, pathOf(target, sample), bodies === undefined ? unread : cases);
  },
);

it.each(WITH_BODY.map((target) => [target.key, target] as const))(
  '[LIM-1] %s refuses one byte more than a body may have, with and without a declared length',
  async (_key, target) => {
    const before = await readVisibleState(server, sample);
    const { bodies, takesText = false } = target.example;
    const valid = JSON.stringify(bodies?.[0]?.body(sample) ?? {});
    const { path } = validRequest(target, sample);
    const code = bodies === undefined && !takesText ? 'invalid_request' : 'too_large';
    const ask = { method: target.method, path };
    const over = valid + ' '.repeat(target.bodyBytes + 1 - valid.length);
    expectRefused(await send(server, { ...ask, body: over }), code);
    // A stream has no length, so fetch sends chunks and the server must count.
    expectRefused(await send(server, { ...ask, body: new Blob([over]).stream() }), code);
    const bomb = '['.repeat(target.bodyBytes + 1);
    expectRefused(await send(server, { ...ask, body: new Blob([bomb]).stream() }), code);
    expect(await readVisibleState(server, sample)).toEqual(before);
  },
);

// From here on the server has other sessions, which appear in lists shortly after their creation.
it.each(TARGETS.map((target) => [target.key, target] as const))(
  '[LIM-4] accepts every example of %s, so that a refusal can only come from the change',
  async (_key, target) => {
    for (const body of target.example.bodies ?? [undefined]) {
      // A read changes nothing, so it needs no session of its own.
      const fresh = target.method === 'GET' ? sample : await openSampleSession(server);
      const reply = await send(server, validRequest(target, fresh, body));
      expect([reply.status, reply.text]).toEqual([target.example.status, expect.any(String)]);
    }
  },
);

it('[LIM-2, LOG-7] refuses one event above the limit of a batch, naming the limit', async () => {
  const path = `/v1/sessions/${sample.session}/events`;
  const events = Array.from({ length: LIMITS.eventsPerBatch + 1 }, () => ({
    type: 'turn_started',
  }));
  const reply = await send(server, { method: 'POST', path, json: { events } });
  expectRefused(reply, 'limit_reached');
  const details = { limit: 'eventsPerBatch', max: LIMITS.eventsPerBatch };
  expect(JSON.parse(reply.text)).toMatchObject({ error: { details } });
});

it('[LIM-1] accepts a body of exactly 256 KiB', async () => {
  const fresh = await openSampleSession(server);
  const target = TARGETS.find(({ key }) => key === 'POST /v1/sessions');
  const valid = JSON.stringify(target?.example.bodies?.[0]?.body(fresh));
  const body = valid + ' '.repeat(LIMITS.bodyBytes - valid.length);
  const reply = await send(server, { method: 'POST', path: '/v1/sessions', body });
  expect(reply.status).toBe(201);
});

it('[LIM-4] is unharmed by all of it', async () => {
  await server.expectUnharmed();
});
