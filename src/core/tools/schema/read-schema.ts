/**
 * Reads a tool's schema once, checks the shape of every keyword and resolves every reference.
 *
 * A check of an input trusts the result without looking again. A schema may refer to itself (a tree, nested blocks),
 * because the check counts its steps. A circle of references that all judge the same value constrains nothing and would
 * never end, so it is refused. References stay inside the schema; nothing is fetched.
 */
import type { Json, JsonObject } from '../../../protocol/json.ts';
import { isObject } from '../../../protocol/types.ts';
import { LIMITS } from '../../../protocol/limits.ts';
import { type Keywords, type SchemaPart, schemasIn, KEYWORD_SHAPES } from './keywords.ts';

export interface ToolSchema {
  readonly root: SchemaPart;
  /** The resolved references of each part. */
  readonly targets: ReadonlyMap<Keywords, readonly SchemaPart[]>;
  /** Up to draft 7 a `$ref` replaces every keyword beside it. */
  readonly refStandsAlone: boolean;
  /** Parts with a dynamic reference whose target may differ on each visit; their verdict is `unknown` at best. */
  readonly unfollowed: ReadonlySet<Keywords>;
}

export type ReadSchema =
  | { readonly ok: true; readonly schema: ToolSchema }
  | { readonly ok: false; readonly problem: string };

const OLD_DRAFT = /^https?:\/\/json-schema\.org\/draft-0[34567]\//;
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;
const BESIDE_OLD_REF = new Set(['$ref', '$defs', 'definitions']);

export function readToolSchema(schema: JsonObject): ReadSchema {
  if (!hasAtMost(schema, LIMITS.schemaParts)) {
    return { ok: false, problem: `it has more than ${LIMITS.schemaParts} parts` };
  }
  return new SchemaReader(schema).read();
}

interface Reference {
  readonly from: Keywords;
  readonly keyword: (typeof REFERENCES)[number];
  readonly to: string;
  /** The nearest enclosing schema with an `$id`; fragments resolve against it. */
  readonly base: JsonObject;
}

class SchemaReader {
  readonly #root: JsonObject;
  readonly #refStandsAlone: boolean;
  readonly #read = new Set<JsonObject>();
  readonly #bases = new Map<string, JsonObject>();
  readonly #anchors = new Map<JsonObject, Map<string, JsonObject>>();
  readonly #references: Reference[] = [];
  readonly #targets = new Map<Keywords, SchemaPart[]>();
  readonly #unfollowed = new Set<Keywords>();

  constructor(root: JsonObject) {
    this.#root = root;
    this.#refStandsAlone = typeof root.$schema === 'string' && OLD_DRAFT.test(root.$schema);
  }

  read(): ReadSchema {
    const problem = this.#readPart(this.#root, '', this.#root) ?? this.#follow();
    if (problem !== undefined) return { ok: false, problem };
    const schema = {
      root: this.#root as Keywords,
      targets: this.#targets,
      refStandsAlone: this.#refStandsAlone,
      unfollowed: this.#unfollowed,
    };
    const circle = findCircle(schema);
    if (circle === undefined) return { ok: true, schema };
    return { ok: false, problem: `the reference "${circle}" goes in a circle` };
  }

  #readPart(part: Json, at: string, around: JsonObject): string | undefined {
    if (typeof part === 'boolean') return undefined;
    if (!isObject(part)) return `${at} must be a schema`;
    if (this.#read.has(part)) return undefined;
    this.#read.add(part);
    const hasOldRef = this.#refStandsAlone && Object.hasOwn(part, '$ref');
    const base = hasOldRef ? around : this.#baseOf(part, around);
    for (const [key, value] of Object.entries(part)) {
      if (!isKeyword(key) || (hasOldRef && !BESIDE_OLD_REF.has(key))) continue;
      const inside = schemasIn(KEYWORD_SHAPES[key], value);
      if (typeof inside === 'string') return `${at}/${key} must be ${inside}`;
      for (const { at: below, part: child } of inside) {
        const problem = this.#readPart(child, `${at}/${key}${below}`, base);
        if (problem !== undefined) return problem;
      }
    }
    for (const keyword of REFERENCES) {
      const to = part[keyword];
      if (typeof to !== 'string' || (hasOldRef && keyword !== '$ref')) continue;
      this.#references.push({ from: part, keyword, to, base });
    }
    return undefined;
  }

  #baseOf(part: JsonObject, around: JsonObject): JsonObject {
    const { $id } = part;
    const opensBase = typeof $id === 'string' && !$id.startsWith('#');
    const base = opensBase ? part : around;
    if (opensBase) this.#bases.set($id.replace(/#$/, ''), part);
    const names = [part.$anchor, part.$dynamicAnchor, opensBase ? undefined : $id];
    for (const name of names) {
      if (typeof name !== 'string') continue;
      const anchors = this.#anchors.get(base) ?? new Map<string, JsonObject>();
      this.#anchors.set(base, anchors.set(name.replace(/^#/, ''), part));
    }
    return base;
  }

  /** A target that no keyword reaches can contain more references, so `#references` grows during the loop. */
  #follow(): string | undefined {
    const found: { from: Keywords; isFixed: boolean; target: SchemaPart }[] = [];
    for (const { from, keyword, to, base } of this.#references) {
      const [address = '', ...rest] = to.split('#');
      const start = address === '' ? base : this.#bases.get(address);
      if (start === undefined) return `the reference "${to}" leaves the schema`;
      const target = this.#find(start, rest.join('#'));
      if (target === undefined) return `nothing is at "${to}"`;
      const problem = this.#readPart(target.part, to, target.base);
      if (problem !== undefined) return problem;
      found.push({ from, isFixed: keyword === '$ref', target: target.part as SchemaPart });
    }
    // With at most one `$id`, each name has exactly one target.
    const hasOneBase = this.#bases.size <= 1;
    for (const { from, isFixed, target } of found) {
      if (isFixed || hasOneBase) {
        this.#targets.set(from, [...(this.#targets.get(from) ?? []), target]);
      } else this.#unfollowed.add(from);
    }
    return undefined;
  }

  #find(start: JsonObject, fragment: string): { part: Json; base: JsonObject } | undefined {
    if (fragment !== '' && !fragment.startsWith('/')) {
      const part = this.#anchors.get(start)?.get(fragment);
      return part && { part, base: start };
    }
    let part: Json | undefined = start;
    let base = start;
    for (const step of fragment.split('/').slice(1)) {
      const key = decodePointerStep(step).replaceAll('~1', '/').replaceAll('~0', '~');
      if (part === null || typeof part !== 'object' || !Object.hasOwn(part, key)) return undefined;
      part = (part as JsonObject)[key];
      if (isObject(part) && typeof part.$id === 'string' && !part.$id.startsWith('#')) base = part;
    }
    return part === undefined ? undefined : { part, base };
  }
}

/** The schemas that judge the same value as `part`. */
function partsInPlace(schema: ToolSchema, part: Keywords): SchemaPart[] {
  const { allOf = [], anyOf = [], oneOf = [], dependentSchemas = {}, dependencies = {} } = part;
  const targets = schema.targets.get(part) ?? [];
  if (schema.refStandsAlone && part.$ref !== undefined) return [...targets];
  const dependent = [...Object.values(dependentSchemas), ...Object.values(dependencies)];
  return [
    ...targets,
    ...allOf,
    ...anyOf,
    ...oneOf,
    ...[part.not, part.if, part.then, part.else].filter((inner) => inner !== undefined),
    ...dependent.filter((inner): inner is SchemaPart => !Array.isArray(inner)),
  ];
}

/** Finds a reference that closes a circle of parts which all judge the same value. */
function findCircle(schema: ToolSchema): string | undefined {
  const state = new Map<Keywords, 'open' | 'done'>();
  const visit = (part: SchemaPart, lastRef: string): string | undefined => {
    if (typeof part === 'boolean' || state.get(part) === 'done') return undefined;
    if (state.get(part) === 'open') return lastRef;
    state.set(part, 'open');
    const targets = new Set(schema.targets.get(part));
    const ref = part.$ref ?? part.$dynamicRef ?? part.$recursiveRef ?? lastRef;
    for (const next of partsInPlace(schema, part)) {
      const circle = visit(next, targets.has(next) ? ref : lastRef);
      if (circle !== undefined) return circle;
    }
    state.set(part, 'done');
    return undefined;
  };
  for (const targets of schema.targets.values()) {
    for (const target of targets) {
      const circle = visit(target, '#');
      if (circle !== undefined) return circle;
    }
  }
  return undefined;
}

function isKeyword(key: string): key is keyof Keywords {
  return Object.hasOwn(KEYWORD_SHAPES, key);
}

function decodePointerStep(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** Stops counting at the limit: a schema can be as large as a request body. */
function hasAtMost(value: Json, max: number): boolean {
  let left = max;
  const todo: Json[] = [value];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    left -= 1;
    if (left < 0) return false;
    if (next === null || typeof next !== 'object') continue;
    for (const child of Object.values(next)) todo.push(child);
  }
  return true;
}
