/** An interaction on a terminal: what it asks, and what can be answered. */
import { effectOfChoice, readChoices } from '../protocol/approval-choices.ts';
import { describeVotes } from '../protocol/deciding.ts';
import { hidesInput } from '../protocol/interaction-record.ts';
import { readLinkAddress } from '../protocol/link-address.ts';
import {
  isObject,
  isText,
  type InboxEntry,
  type Interaction,
  type JsonObject,
} from '../protocol/types.ts';
import type { Part, Printer } from './printer.ts';
import {
  type DisplayPart,
  type FileDiff,
  type FileText,
  effectWords,
  hunkWords,
} from '../display/display.ts';
import { displayInput } from '../display/display-input.ts';
import { type DiffLine, diffLines } from '../display/diff-lines.ts';

type ShownInteraction = Pick<Interaction | InboxEntry, 'kind' | 'toolName' | 'request'> &
  Partial<Pick<Interaction, 'wholeInput' | 'quorum' | 'votes'>>;

export function printRequest(printer: Printer, shown: ShownInteraction): void {
  for (const line of [...requestLines(shown), ...linesOfVotes(shown)]) printer.print(...line);
}

function linesOfVotes({ quorum, votes }: ShownInteraction): Part[][] {
  if (quorum === undefined) return [];
  return [[{ text: describeVotes(quorum, votes), style: 'bold' }]];
}

function requestLines(shown: ShownInteraction): Part[][] {
  const { kind, toolName, request } = shown;
  if (request === null) return [['(too long for a list: `holdpoint answer` shows it)']];
  switch (kind) {
    case 'question':
      return readShownQuestions(shown).flatMap(linesOfQuestion);
    case 'plan_review':
      return [block(textOrEmpty(request.plan))];
    case 'form':
      return [
        ...textLines(request.title),
        ...textLines(request.description),
        ...readFields(shown).flatMap(linesOfField),
      ];
    case 'link': {
      const address = readLinkAddress(textOrEmpty(request.url));
      return [
        ...textLines(request.title),
        ...textLines(request.message),
        ['Leads to ', { text: address.ok ? address.host : '(no web address)', style: 'bold' }],
        ['  ', textOrEmpty(request.url)],
        ...(address.ok && address.isPunycode
          ? [['Part of the name is written in letters of another alphabet.']]
          : []),
      ];
    }
    default:
      return [
        ...textLines(request.description),
        [{ text: toolName, style: 'bold' }],
        ...linesOfInput(shown),
        ...linesOfView(shown),
        ...(kind === 'approval' ? linesOfChoices(shown) : []),
      ];
  }
}

/** A kind that this program does not know has its words anywhere in the request. */
function linesOfInput({ kind, toolName, request }: ShownInteraction): Part[][] {
  if (kind !== 'approval') return [block(describeInput(request))];
  const { input } = request ?? {};
  return isObject(input) ? inputLines(toolName, input) : [block(describeInput(input))];
}

/** A terminal has no way to say what was read, so an input that it does not show whole is approved in the chat. */
function linesOfView(shown: ShownInteraction): Part[][] {
  if (shown.wholeInput === undefined || !hidesInput(shown)) return [];
  const { hiddenChars, bytes } = shown.wholeInput;
  return [
    [
      {
        text: `${hiddenChars} characters of this input (${bytes} bytes) are not shown. Approve it in the chat, which has all of it as a file.`,
        style: 'yellow',
      },
    ],
  ];
}

function linesOfField(field: ShownField): Part[][] {
  const { name, title, type, isRequired, choices, meanings } = field;
  return [
    [
      '  ',
      { text: title, style: 'bold' },
      title === name ? '' : ` (${name})`,
      ` ${choices.length > 0 ? `one of ${choices.join(', ')}` : type}`,
      isRequired ? ', required' : '',
    ],
    ...meanings.map(({ value, words }): Part[] => [
      `    ${value}`,
      { text: `  ${words}`, style: 'dim' },
    ]),
  ];
}

export function linesOfQuestion({
  header,
  question,
  options,
  multiSelect,
}: ShownQuestion): Part[][] {
  return [
    [
      ...(header === '' ? [] : [{ text: header, style: 'cyan' } as const, ': ']),
      { text: question, style: 'bold' },
    ],
    ...options.map(({ label, description }, index): Part[] => [
      `  ${index + 1}  ${label}`,
      { text: description === undefined ? '' : `  ${description}`, style: 'dim' },
    ]),
    [
      options.length === 0
        ? '  Type your answer.'
        : multiSelect
          ? '  Choose several as 1,2; or type your answer.'
          : '  Or type your answer.',
    ],
  ];
}

/** Each with what it does: a label is text of the agent. */
function linesOfChoices({ request, toolName }: ShownInteraction): Part[][] {
  const choices = readChoices(request ?? {}) ?? [];
  return choices.map((choice, index): Part[] => [
    `  ${index + 1}  `,
    { text: choice.label, style: 'bold' },
    { text: `  ${effectOfChoice(choice, toolName)}`, style: 'dim' },
    choice.id === choice.label ? '' : ` (${choice.id})`,
  ]);
}

function textLines(text: unknown): Part[][] {
  return isText(text) && text !== '' ? [block(text)] : [];
}

function block(text: string): Part[] {
  return [{ text, isBlock: true }];
}

/** The content of a request, read without trust: a newer or hostile server may send another shape. */
export interface ShownQuestion {
  readonly header: string;
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly multiSelect: boolean;
}

interface WithRequest {
  readonly request: JsonObject | null;
}

export function readShownQuestions({ request }: WithRequest): ShownQuestion[] {
  return listedObjects(request?.questions).map((asked) => ({
    header: textOrEmpty(asked.header),
    question: textOrEmpty(asked.question),
    options: listedObjects(asked.options).map(({ label, description }) => ({
      label: textOrEmpty(label),
      ...(isText(description) && description !== '' && { description }),
    })),
    multiSelect: asked.multiSelect === true,
  }));
}

interface ShownField {
  readonly name: string;
  readonly title: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  /** What the choices mean, where their values alone do not say it. */
  readonly meanings: readonly { readonly value: string; readonly words: string }[];
}

export function readFields({ request }: WithRequest): ShownField[] {
  const schema = isObject(request?.schema) ? request.schema : {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).map(([name, field]) => {
    const spec = isObject(field) ? field : {};
    const items = isObject(spec.items) ? spec.items : spec;
    const plain = Array.isArray(items.enum) ? items.enum.filter(isText) : [];
    const titled = [...listedObjects(items.oneOf), ...listedObjects(items.anyOf)].map(
      ({ const: value, title, description }) => ({
        value: textOrEmpty(value),
        words: [title === value ? '' : textOrEmpty(title), textOrEmpty(description)]
          .filter((part) => part !== '')
          .join(': '),
      }),
    );
    return {
      name,
      title: isText(spec.title) ? spec.title : name,
      type: textOrEmpty(spec.type),
      isRequired: required.includes(name) && spec.nullable !== true,
      choices: [...plain, ...titled.map(({ value }) => value)],
      meanings: titled.filter(({ words }) => words !== ''),
    };
  });
}

function textOrEmpty(value: unknown): string {
  return isText(value) ? value : '';
}

function listedObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/**
 * The input of a tool on a terminal: an edit as a diff, a command as it would be typed, everything else as JSON. Nothing is
 * folded, because nothing could be opened.
 */
function inputLines(toolName: string, input: JsonObject): Part[][] {
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
