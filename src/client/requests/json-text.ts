import { neverError } from '../errors.ts';

/** A place in a JSON text where `JSON.stringify` writes null; inside a text it may be something else. */
const WRITTEN_NULL = /(?:^|[:[,])null/;

/** Refuses NaN and infinities, which `JSON.stringify` turns into null. Undefined for what JSON has no text for. */
export function toJsonText(body: unknown): string | undefined {
  try {
    const text = JSON.stringify(body) as string | undefined;
    // A function that sees every value is slow, so only a text with a null is written again with one.
    if (text?.includes('null') === true && WRITTEN_NULL.test(text))
      JSON.stringify(body, refuseInexact);
    return text;
  } catch (cause) {
    throw neverError('invalid_json', 'Not a JSON value', cause);
  }
}

function refuseInexact(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value}`);
  return value;
}
