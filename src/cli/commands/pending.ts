/** `holdpoint pending`: everything open in the workspace, with what it asks. */
import { PAGE_MAX } from '../../protocol/limits.ts';
import type { InboxEntry } from '../../protocol/types.ts';
import type { CliAction } from '../cli-command.ts';
import { EXIT } from '../exit-code.ts';
import type { Part } from '../printer.ts';
import { nonEmpty, personAccess, transportOf } from '../server-access.ts';
import { printRequest } from '../show-interaction.ts';
import { shortenText, describeSpan } from '../show-table.ts';

export const pending: CliAction = async (call) => {
  const { args, terminal, out, err, isJson } = call;
  const transport = transportOf(await personAccess(call), terminal);
  try {
    const limit = Math.min(args.count('limit') ?? 100, PAGE_MAX);
    const { interactions, total, now } = await transport.inbox({ limit });
    const session = args.text('session');
    const shown = interactions.filter(
      (entry) => session === undefined || entry.sessionId === session,
    );
    for (const entry of shown) {
      if (isJson) out.json(entry);
      else {
        out.print(...headOfEntry(entry, now));
        if (!args.has('short')) printRequest(out, entry);
      }
    }
    const more = total - interactions.length;
    if (more > 0) err.print(`${more} more are open; --limit shows up to ${PAGE_MAX}.`);
    else if (shown.length === 0 && !isJson) err.print('Nothing is open.');
    return EXIT.ok;
  } finally {
    transport.close();
  }
};

export function headOfEntry(entry: InboxEntry, now: number): Part[] {
  const { sessionId, sessionTitle, interactionId, kind, toolName, openedAt, expiresAt } = entry;
  const title = nonEmpty(sessionTitle ?? undefined);
  const left = expiresAt === null ? '' : `, ${describeSpan(expiresAt - now)} left`;
  return [
    { text: `${sessionId}/${interactionId}`, style: 'bold' },
    `  ${kind} ${shortenText(toolName)}`,
    title === undefined ? '' : ` in "${shortenText(title)}"`,
    { text: `, ${describeSpan(now - openedAt)} ago${left}`, style: 'dim' },
  ];
}
