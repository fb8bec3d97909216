/** What must be true of a payload before it is read, whoever sent it. */
export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isObject<T>(value: T): value is T & object {
  return typeof value === 'object' && value !== null;
}
