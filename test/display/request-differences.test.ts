/** The changes between two requests. A bug here hides the word that makes a command dangerous. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Interaction, JsonObject } from '../../src/protocol/types.ts';
import { differencesBetween } from '../../src/display/request-differences.ts';

const approval = (input: JsonObject, more: Partial<Interaction> = {}) =>
  ({ kind: 'approval', toolName: 'Bash', request: { input }, ...more }) as Interaction;
const marked = (before: Interaction, after: Interaction) =>
  differencesBetween(before, after).map(({ name, lines }) => [
    name,
    ...lines.map(
      ({ mark, text }) => `${{ same: ' ', gone: '-', new: '+', note: '' }[mark]}${text}`,
    ),
  ]);

describe('[UI-6] the difference between two requests', () => {
  it('is shown by the name of the field, line by line', () => {
    expect(
      marked(
        approval({ command: 'make deploy', cwd: '/srv', timeout: 5 }),
        approval({ command: 'make deploy --prod', cwd: '/srv', env: { A: '1' } }),
      ),
    ).toEqual([
      ['command', '-make deploy', '+make deploy --prod'],
      ['timeout', '-5'],
      ['env', '+{', '+  "A": "1"', '+}'],
    ]);
  });

  it('has one line around a change, and both positions of a moved line', () => {
    const text = ['a', 'b', 'c', 'd', 'e'];
    expect(
      marked(
        approval({ file: text.join('\n') }),
        approval({ file: ['a', 'b', 'x', 'c', 'e'].join('\n') }),
      ),
    ).toEqual([['file', ' b', '+x', ' c', '-d', ' e']]);
  });

  it('names another tool, and covers plans and questions', () => {
    expect(marked(approval({}), approval({}, { toolName: 'Shell' }))).toEqual([
      ['Tool', '-Bash', '+Shell'],
    ]);
    const plan = (text: string) =>
      ({
        kind: 'plan_review',
        toolName: 'Plan',
        request: { plan: text },
      }) as unknown as Interaction;
    expect(marked(plan('# A\nb'), plan('# A\nc'))).toEqual([['plan', ' # A', '-b', '+c']]);
  });

  it('shows the differing part of a long line, and counts the lines left out', () => {
    const long = 'x'.repeat(5_000);
    const [[, gone, fresh] = []] = marked(
      approval({ command: `${long} safe` }),
      approval({ command: `${long} rm -rf /` }),
    );
    expect(gone).toMatch(/^-….*safe…$/);
    expect(fresh).toMatch(/^\+….*rm -rf \/…$/);
    const many = (word: string) =>
      Array.from({ length: 900 }, (_, at) => `${word} ${at}`).join('\n');
    const [found] = differencesBetween(approval({ a: many('x') }), approval({ a: many('y') }));
    expect(found?.lines).toHaveLength(40);
    expect(found?.more).toBe(1_760);
  });

  it('is empty for equal requests, and loses no new line', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (old, now) => {
        const [one, other] = [old.join('\n'), now.join('\n')];
        const found = differencesBetween(approval({ x: one }), approval({ x: other }));
        expect(found.length === 0).toBe(one === other);
        for (const { lines: shown } of found) {
          const count = (mark: string) => shown.filter((line) => line.mark === mark).length;
          const [before, after] = [one.split('\n').length, other.split('\n').length];
          expect(after - before).toBe(count('new') - count('gone'));
        }
      }),
    );
  });
});
