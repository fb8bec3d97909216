/** What a stranger sends reaches the log of the operator: it must neither steer the terminal nor fill the disk. */
import { expect, it } from 'vitest';
import { drawControls, FloodGate, OutputLines } from '../../scripts/lib/output-lines.ts';

function linesOf(...chunks: readonly (string | Buffer)[]): string[] {
  const given: string[] = [];
  const lines = new OutputLines((line) => given.push(line));
  for (const chunk of chunks) lines.write(Buffer.from(chunk));
  lines.end();
  return given;
}

it('[OPS-3] draws what steers a terminal or turns text around', () => {
  expect(drawControls('\u001b[2J\u0007 \u009b31m \u202Egpj.exe\u2066')).toBe(
    '\\u001b[2J\\u0007 \\u009b31m \\u202egpj.exe\\u2066',
  );
  expect(drawControls('one\ntwo\r\u2028\u{e0041}')).toBe('one\\u000atwo\\u000d\\u2028\\u{e0041}');
  expect(drawControls('tab\tstays, Zürich 東京 ✓ 👍 too')).toBe('tab\tstays, Zürich 東京 ✓ 👍 too');
});

it('gives whole lines, however the bytes were cut', () => {
  const text = 'first ü\r\nsecond 東\n\nlast';
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at++) {
    expect(linesOf(bytes.subarray(0, at), bytes.subarray(at))).toEqual([
      'first ü',
      'second 東',
      '',
      'last',
    ]);
  }
});

it('[OPS-3] cuts a long line and says by how much, also when it comes in pieces', () => {
  const [whole] = linesOf(`${'a'.repeat(30_000)}\n`);
  expect(whole).toBe(`${'a'.repeat(4_096)}… (25904 more characters)`);
  expect(linesOf(...Array.from({ length: 30 }, () => 'a'.repeat(1_000)), '\nnext\n')).toEqual([
    whole,
    'next',
  ]);
});

it('[OPS-3] passes a flood on only so far, says how much is missing, and goes on a minute later', () => {
  let now = 1_000;
  const passed: string[] = [];
  const gate = new FloodGate(
    (line) => passed.push(line),
    () => now,
  );
  for (let count = 0; count < 1_000; count++) gate.take('x'.repeat(1_023));
  expect(passed).toHaveLength(512);
  now += 60_000;
  gate.take('later');
  expect(passed.slice(512)).toEqual([
    '(488 lines left out: more than 524288 characters in a minute)',
    'later',
  ]);
  gate.reportDropped();
  expect(passed).toHaveLength(514);
});
