/** `holdpoint watch`: what opens and settles in the workspace, live; with a session, every event of it. */
import type { ConnectionStatus } from '../../client/transport.ts';
import type { InboxEntry } from '../../protocol/types.ts';
import type { CliCall, CliAction } from '../cli-command.ts';
import { CliError, EXIT, type ExitCode, usageError } from '../exit-code.ts';
import { personAccess, transportOf } from '../server-access.ts';
import { printEvent } from '../show-event.ts';
import { printRequest } from '../show-interaction.ts';
import { describeTime, dim } from '../show-table.ts';
import { headOfEntry } from './pending.ts';

export const watch: CliAction = async (call) => {
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

/**
 * Follows a subscription until Ctrl-C, a reader that has enough, or its end. `begin` subscribes and passes on each status;
 * a lost connection is said once for each time.
 */
async function followUntilEnd(
  { terminal, err }: CliCall,
  begin: (status: (status: ConnectionStatus) => void) => { close(): void },
): Promise<ExitCode> {
  let isAway = false;
  let live: ReturnType<typeof begin> | undefined;
  let release = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      release = terminal.onInterrupt(() => resolve());
      live = begin((status) => {
        if (status.type === 'closed') {
          if (status.error === undefined) resolve();
          else reject(status.error);
        }
        if (status.type === 'waiting' && !isAway)
          err.print('The connection is lost; trying again.');
        if (status.type === 'live' && isAway) err.print('Connected again.');
        if (status.type === 'waiting') isAway = true;
        if (status.type === 'live') isAway = false;
        if (status.type === 'paused' && status.reason === 'unauthenticated') {
          reject(signedOut());
        }
      });
    });
    return EXIT.ok;
  } finally {
    release();
    live?.close();
  }
}

function signedOut(): CliError {
  return new CliError(
    'The server does not accept this credential (any more). `holdpoint doctor` says which one it is.',
    EXIT.refused,
    'unauthenticated',
  );
}
