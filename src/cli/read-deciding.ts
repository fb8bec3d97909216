/** Who decides on a request, as the options of a command say it. */
import { type Deciding, readAudienceNames } from '../protocol/deciding.ts';
import { usageError } from './exit-code.ts';
import type { Arguments } from './read-arguments.ts';

export function readDeciding(args: Pick<Arguments, 'text' | 'has' | 'count'>): Deciding {
  const names = args.text('for');
  const audience = names === undefined ? undefined : readAudienceNames(names);
  if (names !== undefined && audience === undefined) {
    throw usageError('--for: name people or groups, like ann,group:ops.');
  }
  return {
    approvals: args.count('approvals'),
    audience,
    notRequester: args.has('not-requester'),
  };
}
