/** `holdpoint sessions`: the sessions of the workspace, newest first. */
import { PAGE_MAX } from '../../protocol/limits.ts';
import type { CliAction } from '../cli-command.ts';
import { EXIT } from '../exit-code.ts';
import { personAccess, transportOf } from '../server-access.ts';
import { describeSpan, printTable } from '../show-table.ts';

export const sessions: CliAction = async (call) => {
  const { args, terminal, out, err, isJson } = call;
  const transport = transportOf(await personAccess(call), terminal);
  try {
    const limit = Math.min(args.count('limit') ?? 20, PAGE_MAX);
    const page = await transport.sessions({ limit });
    if (isJson) {
      for (const session of page.sessions) out.json(session);
      return EXIT.ok;
    }
    const rows = page.sessions.map(({ id, title, createdAt, head, open }) => [
      id,
      describeSpan(terminal.now() - createdAt),
      String(head),
      open === 0 ? '' : `${open} open`,
      title ?? '',
    ]);
    printTable(out, ['SESSION', 'AGE', 'EVENTS', 'WAITING', 'TITLE'], rows);
    if (page.next !== undefined) err.print('There are more; --limit shows them.');
    return EXIT.ok;
  } finally {
    transport.close();
  }
};
