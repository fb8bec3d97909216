/** Reads stored JSON, which another version may have written. Undefined: the text is not JSON. */
export function parseStored(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** For a schema that reads each field by itself: an empty object when the text holds no object. */
export function parseStoredObject(text: string): object {
  const value = parseStored(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
