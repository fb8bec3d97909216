/** `holdpoint watch`: what opens and settles in the workspace, live; with a session, every event of it. */
import type { InboxEntry } from '../../protocol/types.ts';
import type { CliCall, RunCommand } from '../cli-command.ts';
import { type ExitCode, usageError } from '../exit-code.ts';
import { followUntilEnd } from '../follow.ts';
import { personAccess, transportOf } from '../server-access.ts';
import { printEvent } from '../show-event.ts';
import { printRequest } from '../show-interaction.ts';
import { describeTime, dim } from '../show-table.ts';
import { headOfEntry } from './pending.ts';

export const watch: RunCommand = async (call) => {
  const [session, more] = call.args.positionals;
  if (more !== undefined) throw usageError('Name one session, or none for the whole workspace.');
  const transport = transportOf(await personAccess(call), call.terminal);
  try {
    if (session === undefined) return await watchInbox(call, transport);
    const { head } = await transport.snapshot(session);
    const after = call.args.count('after', 0) ?? head;
    return await followUntilEnd(call, (status) =>
      transport.subscribe(
        session,
        { events: (events) => events.forEach((event) => printEvent(call, event)), status },
        after,
      ),
    );
  } finally {
    transport.close();
  }
};

type InboxTransport = ReturnType<typeof transportOf>;

function watchInbox(call: CliCall, transport: InboxTransport): Promise<ExitCode> {
  const shown = new Map<string, InboxEntry>();
  const nameOf = ({ sessionId, interactionId }: InboxEntry) => `${sessionId}/${interactionId}`;
  const open = (entry: InboxEntry, now: number) => {
    const name = nameOf(entry);
    const before = shown.get(name);
    shown.set(name, entry);
    if (before?.inputDigest === entry.inputDigest) return;
    if (call.isJson) call.out.json({ change: 'open', entry });
    else {
      call.out.print(dim(`${describeTime(now)}  `), ...headOfEntry(entry, now));
      printRequest(call.out, entry);
    }
  };
  const end = (name: string, now: number) => {
    const entry = shown.get(name);
    if (entry === undefined) return;
    shown.delete(name);
    const { sessionId, interactionId } = entry;
    if (call.isJson) call.out.json({ change: 'settled', sessionId, interactionId });
    else call.out.print(dim(`${describeTime(now)}  `), `${name} is settled`);
  };
  return followUntilEnd(call, (status) =>
    transport.subscribeInbox({
      inbox({ interactions, now }) {
        const present = new Set(interactions.map(nameOf));
        for (const name of shown.keys()) if (!present.has(name)) end(name, now);
        for (const entry of interactions) open(entry, now);
      },
      changed({ sessionId, upserts, removed, now }) {
        for (const id of removed) end(`${sessionId}/${id}`, now);
        for (const entry of upserts) open(entry, now);
      },
      status,
    }),
  );
}
