/** The input of a call as a person is shown it: a JSON object, whatever the convention sends. */
import { isObject } from '../protocol/guards.ts';
import type { JsonObject } from '../protocol/types.ts';

/** An input that is no object is shown under the name `input`; nothing of it is left out. */
export function shownInput(input: unknown): JsonObject {
  return (isObject(input) ? input : { input: input ?? null }) as JsonObject;
}

/** Arguments that a model wrote as JSON. Undefined if they are not JSON: then nothing may run. */
export function parsedInput(text: string): JsonObject | undefined {
  try {
    return shownInput(JSON.parse(text === '' ? '{}' : text));
  } catch {
    return undefined;
  }
}
