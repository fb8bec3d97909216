import { useEffect, useState } from 'preact/hooks';
import { findOwnGroups } from '../cards/parts/watch-asked.ts';
import type { Person } from '../model/person.ts';

/** Undefined while they are not known: every group counts then, and the server refuses whom it must. */
export function useOwnGroups({ token }: Person, isWanted: boolean): readonly string[] | undefined {
  const [groups, setGroups] = useState<readonly string[]>();
  useEffect(() => {
    if (isWanted) findOwnGroups(token).then(setGroups, () => undefined);
  }, [token, isWanted]);
  return groups;
}
