/**
 * The input of a tool on a terminal: an edit as a diff, a command as it would be typed, everything else as JSON. Nothing is
 * folded, because nothing could be opened.
 */
import type { DisplayPart, FileDiff, FileText } from '../display/display.ts';
import { displayInput } from '../display/display-input.ts';
import { effectWords, hunkWords } from '../display/display-words.ts';
import { type DiffLine, diffLines } from '../display/diff-lines.ts';
import { isText } from '../protocol/guards.ts';
import type { JsonObject } from '../protocol/types.ts';
import type { Part } from './printer.ts';

export function inputLines(toolName: string, input: JsonObject): Part[][] {
  const { parts, facts, rest } = displayInput(toolName, input);
  if (parts.length === 0) return [[{ text: describeInput(input), isBlock: true }]];
  return [
    ...parts.flatMap(linesOfPart),
    ...facts.map(({ name, text }): Part[] => [{ text: `${name}: ${text}`, style: 'dim' }]),
    ...(Object.keys(rest).length > 0 ? [[{ text: describeInput(rest), isBlock: true }]] : []),
  ];
}

/** A command as it would be typed; any other input as JSON. */
export function describeInput(input: unknown): string {
  const entries = Object.entries((input ?? {}) as Readonly<Record<string, unknown>>);
  const [only] = entries;
  if (entries.length === 1 && only?.[0] === 'command' && isText(only[1])) return `  ${only[1]}`;
  return JSON.stringify(input, null, 2) ?? '';
}

/** The changed lines alone, as for a file whose owner knows the rest. */
export function changedLines(before: string, after: string): Part[][] {
  return diffLines(before, after)
    .filter(({ mark }) => mark !== 'same')
    .map((line) => drawDiffLine(line));
}

function linesOfPart(part: DisplayPart): Part[][] {
  switch (part.type) {
    case 'diff':
      return [headOf(part), ...part.hunks.flatMap(linesOfHunk)];
    case 'file':
      return [headOf(part), ...diffLines('', part.text).map(drawDiffLine)];
    case 'command':
      return [
        ...(part.cwd === undefined ? [] : [[{ text: `in ${part.cwd}`, style: 'dim' } as const]]),
        ...(part.runner === undefined
          ? []
          : [[{ text: `by ${part.runner}`, style: 'dim' } as const]]),
        ['  ', { text: part.text, isBlock: true }],
      ];
    case 'address':
      return [
        [`${part.method ?? 'Address'} on `, { text: part.host, style: 'bold' }],
        ['  ', part.url],
      ];
  }
}

function headOf(part: FileDiff | FileText): Part[] {
  const words = effectWords(part);
  const moved = part.type === 'diff' && part.movedTo !== undefined ? ` → ${part.movedTo}` : '';
  return [
    { text: `${part.path ?? '(no file named)'}${moved}`, style: 'bold' },
    { text: words === '' ? '' : `  ${words}`, style: 'dim' },
  ];
}

function linesOfHunk(hunk: FileDiff['hunks'][number]): Part[][] {
  const words = hunkWords(hunk);
  return [
    ...(words === '' ? [] : [[{ text: `@@ ${words}`, style: 'cyan' } as const]]),
    ...hunk.lines.map(drawDiffLine),
  ];
}

const LINE_SIGNS = { same: '  ', gone: '- ', new: '+ ', note: '\\ ' } as const;

function drawDiffLine({ mark, text }: DiffLine): Part[] {
  const drawn = `${LINE_SIGNS[mark]}${text}`;
  if (mark === 'gone') return [{ text: drawn, style: 'red', isBlock: true }];
  if (mark === 'new') return [{ text: drawn, style: 'green', isBlock: true }];
  return [{ text: drawn, style: 'dim', isBlock: true }];
}
