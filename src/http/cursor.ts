/** A place in a list, as an opaque word; what comes back is checked like any other input. */
import * as z from 'zod';
import { type Rejection, reject } from '../protocol/error.ts';

export const Cursor = z.string().max(512);

export function writeCursor(place: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(place));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

export function readCursor<Place>(text: string, schema: z.ZodType<Place>): Place | Rejection {
  try {
    const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const parsed = schema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    if (parsed.success) return parsed.data;
  } catch {
    // Not one of ours; refused below like one that has the wrong shape.
  }
  return reject('invalid_request', 'This cursor is not one that was given out');
}
