/**
 * zod, with schemas that are built when they are first used.
 *
 * The Worker declares some 3,400 schemas. zod's constructor takes around ten microseconds for each, which was a third of
 * the start of an isolate, and one request uses a hundred of them. Here a declaration only notes what to build.
 *
 * 1. A built schema holds built schemas alone, so zod never meets a `DeferredSchema`: it would look for its metadata by
 *    identity and miss it.
 * 2. A member that this file does not name builds the schema and is read from it. So a method of zod that is missing
 *    from `CHAINED` costs time at the start, and nothing else.
 */
import * as zod from 'zod';

export * from 'zod';

/** What declarations call on a schema to get another schema. */
const CHAINED = [
  'array',
  'catch',
  'check',
  'default',
  'describe',
  'exactOptional',
  'exclude',
  'extend',
  'int',
  'length',
  'max',
  'meta',
  'min',
  'nonnegative',
  'nullable',
  'nullish',
  'omit',
  'optional',
  'or',
  'partial',
  'pick',
  'pipe',
  'positive',
  'readonly',
  'refine',
  'regex',
  'required',
  'safeExtend',
  'startsWith',
  'strip',
  'superRefine',
  'transform',
  'trim',
] as const;

class DeferredSchema {
  #build: (() => unknown) | undefined;
  #schema: zod.ZodType | undefined;

  constructor(build: () => unknown) {
    this.#build = build;
  }

  /** What zod is given in the place of a value that a declaration contains. */
  static resolve(this: void, value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (#schema in value) return value.schema;
    if (Array.isArray(value)) return value.map(DeferredSchema.resolve);
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    const entries = Object.entries(value).map(([key, one]) => [key, DeferredSchema.resolve(one)]);
    return Object.fromEntries(entries);
  }

  get schema(): zod.ZodType {
    if (this.#schema === undefined) {
      this.#schema = this.#build?.() as zod.ZodType;
      this.#build = undefined;
    }
    return this.#schema;
  }

  // Each request calls these two: they are named to spare it the detour below.
  parse(value: unknown): unknown {
    return this.schema.parse(value);
  }

  safeParse(value: unknown): unknown {
    return this.schema.safeParse(value);
  }
}

for (const name of CHAINED) {
  Object.defineProperty(DeferredSchema.prototype, name, {
    value(this: DeferredSchema, ...args: unknown[]) {
      // `meta()` reads; with an argument it makes another schema.
      if (name === 'meta' && args.length === 0) return this.schema.meta();
      return new DeferredSchema(() => call(this.schema, name, args));
    },
  });
}

const PARSING = /parse|encode|decode|^is/i;

/** The end of the prototype chain, reached by every member that has no name above. */
const builtMembers = new Proxy<object>(
  {},
  {
    get(_target, key, declared: DeferredSchema) {
      const { schema } = declared;
      const member: unknown = Reflect.get(schema, key);
      if (typeof member !== 'function') return member;
      // The value that is parsed stays as it is; what makes a schema is given schemas of zod alone.
      if (PARSING.test(String(key))) return member.bind(schema);
      return (...args: unknown[]) => {
        const made: unknown = Reflect.apply(member, schema, args.map(DeferredSchema.resolve));
        return made instanceof zod.ZodType ? new DeferredSchema(() => made) : made;
      };
    },
  },
);
Object.setPrototypeOf(DeferredSchema.prototype, builtMembers);

function call(schema: object, name: string, args: readonly unknown[]): unknown {
  const method: unknown = Reflect.get(schema, name);
  if (typeof method !== 'function') throw new TypeError(`This schema has no method ${name}`);
  return Reflect.apply(method, schema, args.map(DeferredSchema.resolve));
}

/** For a declaration that reads a part of another schema, such as its `shape`. */
export function defer<Schema extends zod.ZodType>(build: () => Schema): Schema {
  return new DeferredSchema(() => builtSchema(build())) as unknown as Schema;
}

/** The schema that zod knows: for a registry, which finds schemas by identity. */
export function builtSchema<Schema extends zod.core.$ZodType>(schema: Schema): Schema {
  return DeferredSchema.resolve(schema) as Schema;
}

/** Only for the reference and for the tools of the built-in agent. */
export function toJSONSchema(
  schema: zod.core.$ZodType,
  params?: zod.core.ToJSONSchemaParams,
): zod.core.ZodStandardJSONSchemaPayload<zod.core.$ZodType> {
  return zod.toJSONSchema(builtSchema(schema), params);
}

type Maker = (...args: never[]) => unknown;

function noting<Make extends Maker>(make: Make): Make {
  const note = (...args: never[]) =>
    new DeferredSchema(() => make(...(args.map(DeferredSchema.resolve) as never[])));
  return note as unknown as Make;
}

export const array = noting(zod.array);
export const boolean = noting(zod.boolean);
export const custom = noting(zod.custom);
export const discriminatedUnion = noting(zod.discriminatedUnion);
export const int = noting(zod.int);
export const literal = noting(zod.literal);
export const looseObject = noting(zod.looseObject);
export const number = noting(zod.number);
export const object = noting(zod.object);
export const preprocess = noting(zod.preprocess);
export const record = noting(zod.record);
export const strictObject = noting(zod.strictObject);
export const string = noting(zod.string);
export const tuple = noting(zod.tuple);
export const union = noting(zod.union);
export const unknown = noting(zod.unknown);
export const url = noting(zod.url);
const enumeration = noting(zod.enum);
const instance = noting(zod.instanceof);
const nothing = noting(zod.null);
// Names that a constant cannot have.
export { enumeration as enum, instance as instanceof, nothing as null };
