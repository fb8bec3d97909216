/**
 * What one session and one approval cost, counted by the objects under workerd: the built bundle, three requests, and a
 * person who takes longer than any report or call waits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bundles, createSession, withServer } from '../lib/bench-server.ts';
import { type ObjectCosts, readCosts } from '../lib/object-costs.ts';
import { costsBundle } from '../product/costs-bundle.ts';
import { approval } from '../workloads/trip-actor.ts';

export interface CountedCosts {
  readonly session: ObjectCosts;
  readonly workspace: ObjectCosts;
}

export interface Counted {
  readonly creation: CountedCosts;
  /** A later approval of a session; the first one also sets its alarm. */
  readonly approval: CountedCosts;
}

/** A person who reads; the call of the agent that waits has ended by then, and every report is sent. */
const READS_MS = 10_000;
/** Longer than a report is held back. */
const REPORTED_MS = 5_000;

export function countApproval(bundles: Bundles): Promise<Counted> {
  const counting = { ...bundles, product: costsBundle(bundles.product) };
  return withServer('product', counting, async (server) => {
    const measured = async (work: () => Promise<void>): Promise<CountedCosts> => {
      const admin = await server.connect('admin');
      const before = await readCosts(admin);
      admin.close();
      await work();
      await sleep(REPORTED_MS);
      // Another connection: the server closes one that is idle for some seconds.
      const later = await server.connect('admin');
      const after = await readCosts(later);
      later.close();
      return {
        session: difference(before.session, after.session),
        workspace: difference(before.workspace, after.workspace),
      };
    };
    const approve = (toolCallId: string) =>
      measured(async () => {
        const agent = await server.connect('agent');
        const path = '/v1/sessions/counted/interactions';
        await agent.json('POST', path, 201, { body: approval(toolCallId) });
        const waited = agent.json('GET', `${path}/${toolCallId}~1?wait=55`, 200);
        await sleep(READS_MS);
        const person = await server.connect('person');
        const body = { decision: 'approve' };
        await person.json('POST', `${path}/${toolCallId}~1/answer`, 200, { body });
        await waited;
        agent.close();
        person.close();
      });
    const agent = await server.connect('agent');
    // The first session of a workspace creates its tables.
    await createSession(server, agent, 'first');
    await sleep(REPORTED_MS);
    agent.close();
    const maker = await server.connect('agent');
    const creation = await measured(() => createSession(server, maker, 'counted'));
    maker.close();
    await approve('call-1');
    return { creation, approval: await approve('call-2') };
  });
}

function difference(before: ObjectCosts, after: ObjectCosts): ObjectCosts {
  const names = Object.keys(before) as (keyof ObjectCosts)[];
  const spent = Object.fromEntries(names.map((name) => [name, after[name] - before[name]]));
  return { ...before, ...spent };
}
