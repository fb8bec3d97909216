/** Reads over HTTP; the response must match the storage at that moment. */
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { readEvents, readSnapshot } from '../../src/session/queries.ts';
import type { Snapshot } from '../../src/protocol/types.ts';
import type { ReadResult } from '../../src/protocol/errors.ts';
import { reader } from '../support/callers.ts';
import type { SessionHost } from './session-host.ts';
import type { Simulation } from './simulation.ts';

interface Page {
  readonly events: readonly SessionEvent[];
  readonly head: number;
  readonly more: boolean;
}

const nobody = () => undefined;

export function readPage(simulation: Simulation, session: SessionHost): void {
  const after = simulation.random.int(0, session.ledger.confirmedHead);
  const limit = simulation.random.pick([1, 7, 100]);
  const hold = (claim: boolean, rule: string, evidence: () => string) =>
    simulation.judge.hold(
      claim,
      rule,
      () => `a page of ${session.id} after ${after}: ${evidence()}`,
    );
  simulation.network.call<ReadResult<string>>(
    `a page of ${session.id}`,
    'client',
    (reply, fail) =>
      session.host.serve((inner) => readEvents(inner, after, limit, reader()), reply, fail),
    {
      reply(read) {
        const { texts, confirmedHead } = session.ledger;
        if (!read.ok) {
          hold(read.code === 'not_found', 'I7', () => read.code);
          return;
        }
        const { events, head, more } = JSON.parse(read.value) as Page;
        hold(head <= confirmedHead, 'gate', () => `head ${head} of ${confirmedHead}`);
        for (const [index, event] of events.entries()) {
          hold(event.seq === after + index + 1, 'I7', () => `${event.seq} at place ${index}`);
          hold(JSON.stringify(event) === texts[event.seq - 1], 'I5', () => JSON.stringify(event));
        }
        const last = after + events.length;
        hold(more === last < head, 'I7', () => `it ends at ${last} of ${head}, more: ${more}`);
      },
      fail: nobody,
    },
  );
}

export function readSnapshotOf(simulation: Simulation, session: SessionHost): void {
  simulation.network.call<ReadResult<Snapshot>>(
    `a look at ${session.id}`,
    'client',
    (reply, fail) => session.host.serve((inner) => readSnapshot(inner), reply, fail),
    {
      reply(read) {
        if (!read.ok) return;
        const { head, open } = read.value;
        const { model, confirmedHead } = session.ledger;
        const shown = open
          .map((interaction) => interaction.interactionId)
          .toSorted()
          .join(' ');
        const expected = model.openAt(head).toSorted().join(' ');
        const hold = (claim: boolean, rule: string) =>
          simulation.judge.hold(
            claim,
            rule,
            () => `a look at ${session.id} shows ${shown} at ${head}, open is ${expected}`,
          );
        hold(head <= confirmedHead, 'gate');
        hold(shown === expected, 'I1');
      },
      fail: nobody,
    },
  );
}
