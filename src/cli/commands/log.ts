/** `holdpoint log`: the events of a session, one on a line, and the files that people attached. */
import { readPart, sessionPath } from '../../client/requests/http-calls.ts';
import { PAGE_MAX } from '../../protocol/limits.ts';
import type { SessionEvent } from '../../protocol/types.ts';
import type { CliAction } from '../cli-command.ts';
import { EXIT, usageError } from '../exit-code.ts';
import { saveAttachment } from '../save-attachment.ts';
import { httpCallsOf, nonEmpty, personAccess } from '../server-access.ts';
import { printEvent } from '../show-event.ts';

export const log: CliAction = async (call) => {
  const { args, terminal } = call;
  const [named, more] = args.positionals;
  const session = named ?? nonEmpty(terminal.env['HOLDPOINT_SESSION']);
  if (session === undefined || more !== undefined) {
    throw usageError('Name one session: holdpoint log deploys. `holdpoint sessions` lists them.');
  }
  const attachment = args.text('attachment');
  if (attachment !== undefined) return saveAttachment(call, session, attachment);
  if (args.has('out')) throw usageError('--out FILE belongs to --attachment ID.');
  const calls = httpCallsOf(await personAccess(call), terminal);
  let after = args.count('after', 0) ?? 0;
  let left = args.count('limit') ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const limit = Math.min(left, PAGE_MAX);
    const page = await calls.get(sessionPath(session, 'events'), { after, limit });
    const events = readPart<readonly SessionEvent[]>(page, 'events');
    for (const event of events) printEvent(call, event);
    const last = events.at(-1);
    left -= events.length;
    // A cursor that does not move would never end, whatever a server says.
    if (page.body.more !== true || left <= 0 || last === undefined || last.seq <= after)
      return EXIT.ok;
    after = last.seq;
  }
};
