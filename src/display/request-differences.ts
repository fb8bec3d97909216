/**
 * The differences between two requests of one tool call, by field and by line.
 *
 * They show what to read again; the full request is below. Where there is too much to compare or to show, the result
 * says so.
 */
import { isObject } from '../../../protocol/guards.ts';
import {
  type ApprovalChoice,
  effectOfChoice,
  readChoices,
} from '../../../protocol/approval-choices.ts';
import type { Interaction } from '../../../protocol/types.ts';
import { rawJson } from '../folding.ts';
import { t } from '../language.ts';

export interface DifferentLine {
  readonly mark: 'same' | 'gone' | 'new';
  readonly text: string;
}

export interface Difference {
  readonly name: string;
  readonly lines: readonly DifferentLine[];
  /** The number of differing lines that are left out. */
  readonly more: number;
}

const MAX_LINES = 40;
const MAX_LINE_CHARS = 240;
/** The characters shown before the first difference of a long line. */
const LEAD_CHARS = 60;
/** Larger texts are not matched line by line. */
const MAX_PAIRS = 250_000;

export function differencesBetween(before: Interaction, after: Interaction): readonly Difference[] {
  const [old, now] = [shownFieldsOf(before), shownFieldsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)];
    if (was === is) return [];
    const lines = linesBetween(was?.split('\n') ?? [], is?.split('\n') ?? []);
    return [
      { name, lines: lines.slice(0, MAX_LINES), more: Math.max(0, lines.length - MAX_LINES) },
    ];
  });
}

/** The visible fields: of an approval the input by name, of every other kind the request. */
function shownFieldsOf({
  kind,
  toolName,
  request,
  wholeInput,
}: Interaction): ReadonlyMap<string, string> {
  const { input, description } = request;
  const asked = kind === 'approval' && isObject(input) ? { ...input, description } : request;
  const shown = Object.entries(asked).filter(([, value]) => value !== undefined);
  const choices = kind === 'approval' ? readChoices(request) : undefined;
  // A field of the input must not hide the other lines, nor they a field.
  const freeName = (name: string): string =>
    Object.hasOwn(asked, name) ? freeName(`${name}…`) : name;
  if (choices !== undefined) {
    shown.push([freeName(t('Choices')), choices.map(lineOf(toolName)).join('\n')]);
  }
  if (wholeInput !== undefined) {
    const { bytes, sha256 } = wholeInput;
    shown.push([
      freeName(t('Input with what is not shown')),
      t('{bytes} bytes, SHA-256 {sha256}', { bytes, sha256 }),
    ]);
  }
  return new Map([
    [t('Tool'), toolName],
    ...shown.map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : rawJson(value),
    ]),
  ]);
}

const lineOf = (toolName: string) => (choice: ApprovalChoice) =>
  `${choice.label}: ${effectOfChoice(choice, toolName)}`;

function linesBetween(old: readonly string[], now: readonly string[]): readonly DifferentLine[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const [gone, fresh] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const changed =
    gone.length * fresh.length > MAX_PAIRS
      ? [...gone.map(goneLine), ...fresh.map(newLine)]
      : matchLines(gone, fresh);
  const before = old.slice(Math.max(0, start - 1), start).map(sameLine);
  const after = end === 0 ? [] : [sameLine(old[old.length - end] ?? '')];
  return cutLongLines([...before, ...changed, ...after]);
}

const sameLine = (text: string): DifferentLine => ({ mark: 'same', text });
const goneLine = (text: string): DifferentLine => ({ mark: 'gone', text });
const newLine = (text: string): DifferentLine => ({ mark: 'new', text });

/** By their longest common sequence of lines. */
function matchLines(gone: readonly string[], fresh: readonly string[]): readonly DifferentLine[] {
  const common = gone.map(() => new Uint16Array(fresh.length + 1));
  common.push(new Uint16Array(fresh.length + 1));
  const at = (one: number, other: number) => common[one]?.[other] ?? 0;
  for (let one = gone.length - 1; one >= 0; one -= 1)
    for (let other = fresh.length - 1; other >= 0; other -= 1) {
      const best = Math.max(at(one + 1, other), at(one, other + 1));
      const row = common[one] as Uint16Array;
      row[other] = gone[one] === fresh[other] ? at(one + 1, other + 1) + 1 : best;
    }
  const lines: DifferentLine[] = [];
  let [one, other] = [0, 0];
  while (one < gone.length || other < fresh.length) {
    const [was, is] = [gone[one], fresh[other]];
    if (was !== undefined && was === is) {
      lines.push(sameLine(was));
      [one, other] = [one + 1, other + 1];
    } else if (
      was !== undefined &&
      (is === undefined || at(one + 1, other) >= at(one, other + 1))
    ) {
      lines.push(goneLine(was));
      one += 1;
    } else {
      lines.push(newLine(is ?? ''));
      other += 1;
    }
  }
  return lines;
}

/** Shortens long lines to the part around their first difference. */
function cutLongLines(lines: readonly DifferentLine[]): readonly DifferentLine[] {
  const [was, is] = [
    lines.find(({ mark }) => mark === 'gone'),
    lines.find(({ mark }) => mark === 'new'),
  ];
  const from = Math.max(0, commonStart(was?.text ?? '', is?.text ?? '') - LEAD_CHARS);
  return lines.map((line) => {
    if (line.text.length <= MAX_LINE_CHARS) return line;
    const start = line.mark === 'same' ? 0 : from;
    const shown = line.text.slice(start, start + MAX_LINE_CHARS).replaceAll(HALF_CHARACTER, '');
    return { ...line, text: `${start > 0 ? '…' : ''}${shown}…` };
  });
}

/** Half of a surrogate pair at either end. */
const HALF_CHARACTER = /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g;

function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  return at;
}
