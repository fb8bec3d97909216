/**
 * Schemas are built when they are first used. A bug here looks like a Worker that starts slowly, a reference that loses the
 * name of a schema, or a value that passes a check that its declaration forbids.
 */
import { spawnSync } from 'node:child_process';
import * as zod from 'zod';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import * as z from '../../src/protocol/schema/zod.ts';

/** How many schemas zod builds while the work runs. */
function countBuilt(work: () => void): number {
  let built = 0;
  const config: zod.core.$ZodConfig & { postProcessor?: unknown } = zod.config();
  config.postProcessor = () => (built += 1);
  try {
    work();
  } finally {
    delete config.postProcessor;
  }
  return built;
}

describe('a declaration', () => {
  it('builds nothing before its first use, and each part once', () => {
    const declare = () => {
      const Word = z.string().min(1).max(20).optional().describe('A word.');
      return z.strictObject({ words: z.array(Word), kind: z.enum(['a', 'b']) }).meta({ id: 'W' });
    };
    expect(countBuilt(declare)).toBe(0);
    const declared = declare();
    const use = () => void declared.safeParse({});
    expect(countBuilt(use)).toBeGreaterThan(5);
    expect(countBuilt(use)).toBe(0);
  });

  it('accepts and refuses what zod does', () => {
    const schemas = [z, zod].map((from) =>
      from
        .strictObject({
          kind: from.literal('x'),
          size: from.number().int().min(1).max(9),
          names: from.array(from.string().regex(/^[a-z]+$/)).min(1),
          either: from.union([from.null(), from.boolean()]).optional(),
          pair: from.tuple([from.literal('at'), from.number()]).exactOptional(),
          map: from.record(from.string().max(2), from.unknown()).default({}),
        })
        .refine(({ size, names }) => size === names.length, 'As many names as the size says'),
    );
    const values = [
      { kind: 'x', size: 1, names: ['a'] },
      { kind: 'x', size: 2, names: ['a'] },
      { kind: 'x', size: 1, names: ['A'], either: null, pair: ['at', 1], map: { a: 1 } },
      { kind: 'y', size: 0.5, names: [], other: 1 },
      { kind: 'x', size: 1, names: ['a'], pair: undefined },
      { kind: 'x', size: 1, names: ['a'], map: { abc: 1 } },
      null,
    ];
    for (const value of values) {
      const [ours, theirs] = schemas.map((schema) => schema.safeParse(value));
      expect(ours?.data).toEqual(theirs?.data);
      expect(ours?.error?.issues).toEqual(theirs?.error?.issues);
    }
  });

  it('contains schemas of zod alone, so that zod finds their metadata', () => {
    const Named = z.string().meta({ id: 'NamedForThisTest', description: 'A name.' });
    const written = z.toJSONSchema(z.strictObject({ one: Named, all: z.array(Named) }));
    const reference = { $ref: '#/$defs/NamedForThisTest' };
    expect(written.properties).toEqual({
      one: reference,
      all: { type: 'array', items: reference },
    });
  });

  it('contains them too where a method that no list names was called', () => {
    const Named = z.string().meta({ id: 'NamedForAnotherTest' });
    const made = z.looseObject({ one: Named }).catchall(Named.optional());
    const written = z.toJSONSchema(made.safeExtend({ two: Named }));
    expect(written.properties).toMatchObject({ two: { $ref: '#/$defs/NamedForAnotherTest' } });
    expect(written.additionalProperties).toEqual({ $ref: '#/$defs/NamedForAnotherTest' });
  });

  it('gives its parts, and the members that no list names', () => {
    const Pair = z.object({ at: z.number(), via: z.string() });
    expect(Object.keys(Pair.shape)).toEqual(['at', 'via']);
    expect(Pair.required().safeParse({ at: 1 }).success).toBe(false);
    expect(z.literal('x').meta({ id: 'Letter' }).meta()).toEqual({ id: 'Letter' });
    expect(Pair instanceof z.ZodObject).toBe(true);
    expect(z.defer(() => Pair.shape.at).parse(3)).toBe(3);
  });
});

it('leaves nearly all schemas unbuilt when the routes and the workspace are loaded', () => {
  // In a process of its own: in this one the modules are loaded already.
  const program = `
    let built = 0;
    globalThis.__zod_globalConfig = { postProcessor: () => (built += 1) };
    await import('./src/http/routes/index.ts');
    await import('./src/workspace/workspace.ts');
    console.log(built);`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(stderr).toBe('');
  // Of some 3,400.
  expect(Number(stdout)).toBeLessThan(60);
});
