/**
 * The differences between two requests of one tool call, by field and by line.
 *
 * They show what to read again; the full request is below. Where there is too much to compare or to show, the result
 * says so.
 */
import { isObject, type Interaction } from '../protocol/types.ts';
import { type ApprovalChoice, readChoices } from '../protocol/approval-choices.ts';
import { type DiffLine, diffLists } from './diff-lines.ts';
import { choiceEffect } from '../web/model/cards/choice-effect.ts';
import { rawJson } from '../web/model/folding.ts';
import { t } from '../web/model/language.ts';

export interface Difference {
  readonly name: string;
  readonly lines: readonly DiffLine[];
  /** The number of differing lines that are left out. */
  readonly more: number;
}

const MAX_LINES = 40;
const DIFFERENCE_CHARS = 240;
/** The characters shown before the first difference of a long line. */
const LEAD_CHARS = 60;

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
  `${choice.label}: ${choiceEffect(choice, toolName)}`;

/** From the line before the first difference to the line after the last one. */
function linesBetween(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const lines = diffLists(old, now);
  const isChanged = ({ mark }: DiffLine) => mark !== 'same';
  const [first, last] = [lines.findIndex(isChanged), lines.findLastIndex(isChanged)];
  return cutLongLines(lines.slice(Math.max(0, first - 1), last + 2));
}

/** Shortens long lines to the part around their first difference. */
function cutLongLines(lines: readonly DiffLine[]): readonly DiffLine[] {
  const [was, is] = [
    lines.find(({ mark }) => mark === 'gone'),
    lines.find(({ mark }) => mark === 'new'),
  ];
  const from = Math.max(0, commonStart(was?.text ?? '', is?.text ?? '') - LEAD_CHARS);
  return lines.map((line) => {
    if (line.text.length <= DIFFERENCE_CHARS) return line;
    const start = line.mark === 'same' ? 0 : from;
    const shown = line.text.slice(start, start + DIFFERENCE_CHARS).replaceAll(HALF_CHARACTER, '');
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
