/** Checks the stored state of one session, as a newly started process reads it. */
import { isDeepStrictEqual } from 'node:util';
import { foldIntoRecords, foldLog } from '../support/fold-log.ts';
import type { Interaction } from '../../src/protocol/schema/interaction.ts';
import type { SessionHost } from './session-host.ts';
import type { Simulation } from './simulation.ts';

export function checkStored(simulation: Simulation, session: SessionHost): void {
  const { ledger, id } = session;
  ledger.recheck();
  const isGone = session.model.deletedAt === null || ledger.isErased;
  simulation.judge.hold(isGone, 'I11', () => `${id} was deleted and reported, and is still there`);
  if (ledger.isErased) {
    const confirmedHead = simulation.workspace.confirmedHeads.get(id) ?? 0;
    const isKnown = confirmedHead === ledger.head && session.model.deletedAt !== null;
    simulation.judge.hold(
      isKnown,
      'I11',
      () => `${id} is erased, the workspace knows ${confirmedHead}`,
    );
    return;
  }
  const store = session.reader();
  const stored = store.load();
  const folded = foldLog(null, ledger.events, { workspace: 'acme', id });
  const loaded = stored && {
    info: stored.info,
    head: stored.head,
    rules: stored.rules.toSorted(byId),
    open: new Map(stored.open.map((record) => [record.interactionId, record])),
  };
  const expected = folded && { ...folded, rules: folded.rules.toSorted(byId) };
  simulation.judge.hold(
    isDeepStrictEqual(loaded, expected),
    'fold',
    () => `${id} is stored as ${JSON.stringify(stored)}, folded ${JSON.stringify(expected)}`,
  );
  for (const [interactionId, record] of foldedRecords(session)) {
    const [call = '', step] = interactionId.split('~');
    const {
      deliveredAt: _,
      shownAt: _shown,
      ...kept
    } = store.record(call, Number(step)) ?? ({} as Interaction);
    simulation.judge.hold(
      isDeepStrictEqual(kept, record),
      'fold',
      () => `${interactionId} is stored as ${JSON.stringify(kept)}, not ${JSON.stringify(record)}`,
    );
  }
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}

function foldedRecords({ ledger }: SessionHost): Map<string, Interaction> {
  const records = new Map<string, Interaction>();
  for (const event of ledger.events) foldIntoRecords(records, event);
  return records;
}
