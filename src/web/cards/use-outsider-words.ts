import { useEffect, useState } from 'preact/hooks';
import type { Interaction } from '../../protocol/types.ts';
import { useLaterParts } from '../hooks/use-later-parts.ts';
import { t } from '../model/language.ts';
import type { Person } from '../model/person.ts';

/** What a person who is not asked reads (ROUTE-8, VOTE-7); undefined if the person is, and while that is not known. */
export function useOutsiderWords(
  { audience, status, notRequester, openedBy }: Interaction,
  me: Person,
): string | undefined {
  const [words, setWords] = useState<string>();
  const watched = status === 'open' ? audience : undefined;
  const later = useLaterParts(watched !== undefined);
  useEffect(() => watched && later?.watchAsked(watched, me, setWords), [watched, later, me]);
  if (status === 'open' && notRequester === true && openedBy.subject === me.subject) {
    return t('You asked for this, so another person decides.');
  }
  return watched && words;
}
