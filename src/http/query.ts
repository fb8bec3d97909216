/** A parameter that is given twice: one program takes the first, another the last, so neither is taken. */
import { type Rejection, reject } from '../protocol/errors.ts';

const SHOWN_CHARS = 100;

export function findRepeatedParameter(url: string): Rejection | undefined {
  const at = url.indexOf('?');
  if (at < 0) return undefined;
  const seen = new Set<string>();
  for (const [name] of new URLSearchParams(url.slice(at + 1))) {
    if (seen.has(name)) {
      const path = name.slice(0, SHOWN_CHARS);
      const message = 'Give it once';
      return reject('invalid_request', `${path}: ${message}`, { issues: [{ path, message }] });
    }
    seen.add(name);
  }
  return undefined;
}
