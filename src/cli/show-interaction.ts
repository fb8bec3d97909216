/** An interaction on a terminal: what it asks, and what can be answered. */
import { effectOfChoice, readChoices } from '../protocol/approval-choices.ts';
import { describeVotes } from '../protocol/describe-votes.ts';
import { hidesInput } from '../protocol/interaction-record.ts';
import { readLinkAddress } from '../protocol/link-address.ts';
import { isObject, isText } from '../protocol/guards.ts';
import type { InboxEntry, Interaction } from '../protocol/types.ts';
import { describeInput, inputLines } from './input-lines.ts';
import type { Part, Printer } from './printer.ts';
import {
  readFields,
  readShownQuestions,
  type ShownField,
  type ShownQuestion,
  textOrEmpty,
} from './read-request.ts';

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
