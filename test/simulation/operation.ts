/** One command of a client, with the client's knowledge of it; and one attempt to execute it. */
import type { Caller } from '../../src/protocol/caller.ts';
import type { Command } from '../../src/protocol/schema/command.ts';
import type { Rejection } from '../../src/protocol/errors.ts';
import type { Body } from './normalize.ts';
import type { Expected } from './race-table.ts';
import type { InboxRequest } from './inbox-request.ts';
import type { SessionHost } from './session-host.ts';
import type { Subscriber } from './subscriber.ts';

export interface GeneratedCommand {
  readonly caller: Caller;
  readonly command: Command;
  /** The mark of the request for which this answer is sure to be taken while it is open. */
  readonly fits?: string | undefined;
  /** The text carries no mark, or the mark of another command. */
  readonly isUnmarked?: boolean;
  /** Of a batch: the mark of each opening; one that repeats an earlier question, or cannot be read, has none. */
  readonly openingMarks?: readonly (string | undefined)[];
}

export interface Operation extends GeneratedCommand {
  readonly id: number;
  readonly session: SessionHost;
  readonly key: string | undefined;
  /** The socket that carries the command; without one it goes over HTTP. */
  readonly by: Subscriber | undefined;
  /** The sender is in the same process, and receives the reply at once. */
  readonly isNear: boolean;
  readonly firstAt: number;
  state: 'under way' | 'in doubt' | 'accepted' | 'refused';
  attempts: number;
  /** Attempts with an unknown result. */
  doubts: number;
  /** The write that holds the command's effect; null again when a crash undoes this write. */
  done: { readonly revision: number; readonly at: number } | null;
  /** The request that carries this answer together with answers for other sessions. */
  readonly together?: InboxRequest | undefined;
  result: string | undefined;
  /** Another command had the same text, so the text can appear once more. */
  isAskedAgain: boolean;
}

/** One attempt when the session received it, and its required result. */
export interface Attempt {
  readonly expected: Expected | undefined;
  readonly isRepeat: boolean;
  /** The result is stored under its key, by this or an earlier attempt. */
  readonly isKept: boolean;
  /** A write failed during the attempt, so the attempt may be refused for that. */
  readonly mayFail: boolean;
}

export type Outcome =
  | { readonly ok: true; readonly body: Body }
  | Pick<Rejection, 'ok' | 'code' | 'details'>;

export function nameOf({ id, attempts, caller, session, command, by }: Operation): string {
  const again = attempts > 1 ? ` (try ${attempts})` : '';
  const how = by === undefined ? '' : ' on its socket';
  return `#${id}${again} ${caller.subject}${how}, ${session.id}: ${command.type}`;
}
