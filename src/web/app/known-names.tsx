/**
 * Reads the names of people, and again every ten minutes while the page is shown. Without them, as with the token of one
 * session or a server out of reach, people are shown as decisions are recorded.
 */
import { useEffect } from 'preact/hooks';
import { isObject } from '../../protocol/types.ts';
import { setNames } from '../model/names.ts';
import type { Person } from '../model/person.ts';
import { serverCalls } from '../server-calls.ts';

const NAMES_AGAIN_MS = 600_000;

interface KnownNamesProps {
  readonly person: Person;
  /** Draws again what shows people. */
  readonly onChange: () => void;
}

export function KnownNames({ person, onChange }: KnownNamesProps) {
  const { token } = person;
  useEffect(() => {
    let isOver = false;
    let last = '';
    const read = () => {
      if (document.visibilityState === 'hidden') return;
      readNames(token).then(
        (names) => {
          const text = JSON.stringify(names);
          if (isOver || text === last) return;
          last = text;
          setNames(names);
          onChange();
        },
        // The next reading may succeed; until then the last names count.
        () => undefined,
      );
    };
    read();
    const timer = setInterval(read, NAMES_AGAIN_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
      setNames({});
    };
  }, [token]);
  return null;
}

async function readNames(token: string): Promise<Record<string, string>> {
  const calls = serverCalls({ token });
  const { names } = (await calls.get('/v1/names')).body;
  const found = isObject(names) ? Object.entries(names) : [];
  return Object.fromEntries(
    found.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
