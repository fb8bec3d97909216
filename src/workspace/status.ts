/** What the status page shows. Nothing here reads a whole table. */
import type { AgentsStatus, Status } from '../protocol/schema/status.ts';
import type { WorkspacePorts } from './ports.ts';
import { readAnswerTimes } from './answer-times.ts';

/** A call wakes the object of its session. */
const MAX_SESSIONS_ASKED = 50;
/** Entries of the inbox in which sessions with open requests are looked for. */
const MAX_ENTRIES = 500;

/** What anyone may know who reads the inbox. */
export function openStatus(
  { store, now }: Pick<WorkspacePorts, 'store' | 'now'>,
  open: number,
): Pick<Status, 'now' | 'open' | 'oldestOpenedAt'> {
  return { now: now(), open, oldestOpenedAt: store.inbox.oldestOpenedAt() };
}

export async function wholeStatus(
  ports: Pick<WorkspacePorts, 'store' | 'now' | 'sessions' | 'warn'>,
  open: number,
): Promise<Omit<Status, 'targets'>> {
  const answers = readAnswerTimes(ports.store, ports.now());
  return { ...openStatus(ports, open), answers, agents: await countAgents(ports) };
}

async function countAgents({
  store,
  sessions,
  warn,
}: Pick<WorkspacePorts, 'store' | 'sessions' | 'warn'>): Promise<AgentsStatus> {
  const entries = store.inbox.list(MAX_ENTRIES);
  const waiting = new Set(entries.map(({ sessionId }) => sessionId));
  const newest = store.sessions.list(MAX_SESSIONS_ASKED).map(({ id }) => id);
  const candidates = [...new Set([...waiting, ...newest])];
  const asked = candidates.slice(0, MAX_SESSIONS_ASKED);
  const connected = new Set<string>();
  let failures = 0;
  await Promise.all(
    asked.map(async (id) => {
      try {
        for (const credential of await sessions.connectedAgents(id)) connected.add(credential);
      } catch (cause) {
        failures += 1;
        if (failures === 1) warn(`The agents of session ${id} could not be counted`, cause);
      }
    }),
  );
  const isPartial =
    failures > 0 || candidates.length > asked.length || entries.length === MAX_ENTRIES;
  return { connected: connected.size, sessions: asked.length, isPartial };
}
