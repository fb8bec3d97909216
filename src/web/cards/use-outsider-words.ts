import { useEffect, useState } from 'preact/hooks';
import type { Interaction } from '../../protocol/types.ts';
import { useLaterParts } from '../hooks/use-later-parts.ts';
import type { Person } from '../model/person.ts';

/** What a person who is not asked reads (ROUTE-8); undefined if the person is, and while that is not known. */
export function useOutsiderWords(
  { audience, status }: Interaction,
  me: Person,
): string | undefined {
  const [words, setWords] = useState<string>();
  const watched = status === 'open' ? audience : undefined;
  const later = useLaterParts(watched !== undefined);
  useEffect(() => watched && later?.watchAsked(watched, me, setWords), [watched, later, me]);
  return watched && words;
}
