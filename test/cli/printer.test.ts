/** [CLI-4] The printer is the only way to a terminal: whatever the text is, nothing that a terminal obeys gets through. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Printer, toJsonLine } from '../../src/cli/printer.ts';

function draw(env: NodeJS.ProcessEnv, isTTY: boolean): string {
  let text = '';
  const printer = new Printer({ isTTY, write: (more: string) => (text += more) }, env);
  printer.print('a\u001b[1mb\n', { text: 'red\u001b[0m', style: 'red' });
  return text;
}

describe('[CLI-4] the printer', () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    [{ TERM: 'dumb' }, true, false],
  ])('has its own colors by %j on a terminal (%s): %s', (env, isTTY, hasColors) => {
    const text = String.raw`a\u001B[1mb\n`;
    const part = String.raw`red\u001B[0m`;
    expect(draw(env, isTTY)).toBe(
      hasColors ? `${text}\u001b[31m${part}\u001b[39m\n` : `${text}${part}\n`,
    );
  });

  it('lets no control, format or private character through, in lines, blocks and JSON', () => {
    const dangerous = fc.constantFrom(
      ...'\u001b\u0007\u009b\u202e\u2066\u200b\ue000\u2028\ufeff\u007f\r',
    );
    const text = fc
      .array(fc.oneof(dangerous, fc.string({ unit: 'binary' })))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (hostile) => {
        let out = '';
        const printer = new Printer({ write: (more: string) => (out += more) }, {});
        printer.print(hostile, { text: hostile, isBlock: true });
        printer.json({ [hostile]: hostile });
        expect(out).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u);
        expect(JSON.parse(toJsonLine({ [hostile]: hostile }))).toEqual({ [hostile]: hostile });
      }),
    );
  });

  it('draws a line on one line', () => {
    expect(draw({}, false).split('\n')).toHaveLength(2);
  });
});
