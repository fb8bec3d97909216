/** Changes one part of a JSON value, to a wrong or only to another value. */
import type { Json, JsonObject } from '../../src/protocol/json.ts';
import type { Random } from '../support/random.ts';
import { anyJson, fieldName, oddNumber, oddText } from './odd-values.ts';

type Path = readonly string[];

export function mutateJson(value: Json, random: Random): Json {
  const paths = pathsIn(value);
  const path = random.pick(paths) ?? [];
  return at(value, path, (found) => changed(found, value, paths, random));
}

/** `undefined` removes the value. */
function changed(found: Json, whole: Json, paths: readonly Path[], random: Random) {
  switch (random.weighted({ other: 4, gone: 2, inside: 3, edge: 4, wrapped: 1, moved: 1 })) {
    case 'other':
      return anyJson(random);
    case 'gone':
      return undefined;
    case 'inside':
      return withMore(found, random);
    case 'edge':
      return atEdge(found, random);
    case 'wrapped':
      return random.chance(0.5) ? [found] : { value: found };
    case 'moved':
      return valueAt(whole, random.pick(paths) ?? []);
  }
}

function withMore(found: Json, random: Random): Json {
  if (Array.isArray(found)) {
    const times = random.pick([1, 2, 20, 120, 1_100]);
    const [first = anyJson(random)] = found;
    return [...found, ...Array.from({ length: times }, () => first)];
  }
  if (found !== null && typeof found === 'object') {
    return { ...found, [fieldName(random)]: anyJson(random, 3) };
  }
  return anyJson(random);
}

/** Values of the same type, around the limits of its checks. */
function atEdge(found: Json, random: Random): Json {
  if (typeof found === 'number') {
    return random.chance(0.5) ? oddNumber(random) : found + random.pick([1, -1, 0.5, 1e6, -found]);
  }
  if (typeof found === 'boolean') return !found;
  if (Array.isArray(found)) return random.chance(0.5) ? [] : found.toReversed();
  if (typeof found !== 'string') return {};
  const odd = oddText(random);
  return random.pick([odd, found + odd, odd + found, found.toUpperCase(), found.slice(1), '']);
}

function pathsIn(value: Json, here: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [here];
  const inside = Object.entries(value).flatMap(([name, child]) => pathsIn(child, [...here, name]));
  return [here, ...inside];
}

function valueAt(value: Json, path: Path): Json {
  let found: Json | undefined = value;
  for (const name of path) found = (found as JsonObject | undefined)?.[name];
  return found ?? null;
}

function at(value: Json, path: Path, change: (found: Json) => Json | undefined): Json {
  const [name, ...rest] = path;
  if (name === undefined) return change(value) ?? null;
  const own = (child: Json) => (rest.length === 0 ? change(child) : at(child, rest, change));
  if (Array.isArray(value)) {
    return value.flatMap((child, index) => {
      if (String(index) !== name) return [child];
      const next = own(child);
      return next === undefined ? [] : [next];
    });
  }
  const entries = Object.entries(value as JsonObject).flatMap(([key, child]) => {
    const next = key === name ? own(child) : child;
    return next === undefined ? [] : [[key, next] as const];
  });
  return Object.fromEntries(entries);
}
