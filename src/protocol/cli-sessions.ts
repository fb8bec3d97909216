/** The list of a session's CLI sessions, folded from events in the same way on the server and in a client. */
import type { CliSession, CliSessionView, EventOf } from './types.ts';

/** Undefined in a session from before CLI sessions, and from an older server. */
type Known = readonly CliSessionView[] | undefined;
export type CliName = Pick<CliSession, 'provider' | 'cliSessionId'>;

export function isSameCliSession(one: CliName, other: CliName): boolean {
  return one.provider === other.provider && one.cliSessionId === other.cliSessionId;
}

/** Adds the CLI session, or changes its folder and its model. */
export function withCliSession(known: Known, cli: CliSession): CliSessionView[] {
  const found = known?.find((one) => isSameCliSession(one, cli));
  if (found === undefined) return [...(known ?? []), { ...cli, entries: 0, rev: 0 }];
  const { entries, rev } = found;
  return (known ?? []).map((one) => (one === found ? { ...cli, entries, rev } : one));
}

export function recordImport(
  known: Known,
  { entries, rev, ...imported }: EventOf<'history_imported'>['payload'],
): CliSessionView[] {
  return (known ?? []).map((one) =>
    isSameCliSession(one, imported) ? { ...one, entries, rev } : one,
  );
}
