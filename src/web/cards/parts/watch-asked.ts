/**
 * Whether a person is asked by an audience, as it changes with the groups of the person.
 *
 * The cards of a page share one list of groups, which is read again while a card depends on it: a person who joins a group
 * gets the buttons without a reload. A list that cannot be read is no reason to hide buttons: the last list counts, and
 * without one the answer of the server.
 */
import { type AskedReader, isAskedFor, outsiderWords } from '../../model/inbox-team.ts';
import type { AskedAudience } from '../../model/audience.ts';
import type { Person } from '../../model/person.ts';
import { serverCalls } from '../../server-calls.ts';

/** Servers learn of a change within 50 seconds. */
const RENEW_MS = 60_000;

interface OwnGroups {
  names: readonly string[] | undefined;
  renewal: Promise<void>;
  renewedAt: number;
}

/** By token. */
const knownGroups = new Map<string, OwnGroups>();

/**
 * Reports the words for a person who is not asked, or undefined: at once, and after each look at the groups. The result
 * ends it.
 */
export function watchAsked(
  audience: AskedAudience,
  me: AskedReader & Pick<Person, 'token'>,
  report: (words: string | undefined) => void,
): () => void {
  let isWatched = true;
  const reportNow = () => {
    if (!isWatched) return;
    const isAsked = isAskedFor(audience, me, knownGroups.get(me.token)?.names);
    report(isAsked === false ? outsiderWords(audience) : undefined);
  };
  const stop = () => {
    isWatched = false;
  };
  reportNow();
  if (isAskedFor(audience, me, undefined) !== undefined) return stop;
  const look = () => void renewGroups(me.token).then(reportNow);
  look();
  const timer = setInterval(look, RENEW_MS);
  return () => {
    stop();
    clearInterval(timer);
  };
}

/** Undefined where they cannot be read. */
export async function findOwnGroups(token: string): Promise<readonly string[] | undefined> {
  await renewGroups(token);
  return knownGroups.get(token)?.names;
}

/** One request for all cards that ask at about the same time. */
function renewGroups(token: string): Promise<void> {
  const now = performance.now();
  const before = knownGroups.get(token);
  if (before !== undefined && now - before.renewedAt < RENEW_MS / 2) return before.renewal;
  const own: OwnGroups = { names: before?.names, renewal: Promise.resolve(), renewedAt: now };
  knownGroups.set(token, own);
  own.renewal = readOwnGroups(token).then(
    (names) => {
      own.names = names;
    },
    // Read again after the interval; the server refuses whom it must.
    () => undefined,
  );
  return own.renewal;
}

async function readOwnGroups(token: string): Promise<readonly string[] | undefined> {
  const calls = serverCalls({ token });
  const { groups } = (await calls.get('/v1/me')).body;
  return Array.isArray(groups) ? groups.map(String) : undefined;
}
