/** Do two values read the same once they are JSON? Order of members does not count, everything else does. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isSame(asJson(one), asJson(other));
}

function asJson(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const entries = Object.entries(one);
  return (
    entries.length === Object.keys(other).length &&
    entries.every(
      ([key, value]) => Object.hasOwn(other, key) && isSame(value, Reflect.get(other, key)),
    )
  );
}
