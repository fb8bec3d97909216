import type { FileDiff } from './display.ts';

const PATCH_SIGNS = { same: ' ', gone: '-', new: '+', note: '\\ ' } as const;

/** A diff as text, to be copied. A place whose lines in the file are not known has no numbers. */
export function patchText({ path = 'file', movedTo, effect, hunks }: FileDiff): string {
  const from = effect === 'create' ? '/dev/null' : `a/${path}`;
  const to = effect === 'delete' ? '/dev/null' : `b/${movedTo ?? path}`;
  const places = hunks.flatMap(({ lines, isNumbered }) => [
    isNumbered ? `@@ ${rangeOf(lines, 'old')} ${rangeOf(lines, 'now')} @@` : '@@',
    ...lines.map(({ mark, text }) => PATCH_SIGNS[mark] + text),
  ]);
  return `${[`--- ${from}`, `+++ ${to}`, ...places].join('\n')}\n`;
}

function rangeOf(lines: FileDiff['hunks'][number]['lines'], side: 'old' | 'now'): string {
  const numbers = lines.flatMap((line) => line[side] ?? []);
  return `${side === 'old' ? '-' : '+'}${numbers[0] ?? 0},${numbers.length}`;
}
