/** What is asked, as a title in words and as named texts. */
import { effectOfChoice, readChoices } from '../../../protocol/approval-choices.ts';
import { isObject } from '../../../protocol/guards.ts';
import type { Json, JsonObject } from '../../../protocol/json.ts';
import { readLinkAddress } from '../../../protocol/link-address.ts';
import type { OutgoingDelivery } from '../surface.ts';

type MailedRequest = NonNullable<OutgoingDelivery['requested']>;

export interface RequestPart {
  readonly name: string;
  readonly text: string;
}

/** `request` is missing in an announcement of something else than a request. */
export function titleRequest({
  kind,
  toolName,
  request = null,
}: Pick<MailedRequest, 'kind' | 'toolName'> & Partial<Pick<MailedRequest, 'request'>>): string {
  switch (kind) {
    case 'approval':
      return `Approval: ${toolName}`;
    case 'question': {
      const [first] = objectsIn(request?.questions);
      return `Question: ${textIn(first?.question) ?? toolName}`;
    }
    case 'plan_review':
      return 'Plan: Review the plan';
    case 'form':
      return `Form: ${textIn(request?.title) ?? toolName}`;
    case 'link':
      return `Link: ${textIn(request?.title) ?? toolName}`;
    default:
      return `Request: ${toolName}`;
  }
}

export function describeRequest({
  kind,
  toolName,
  request,
}: MailedRequest): readonly RequestPart[] {
  const tool = { name: 'Tool', text: toolName };
  if (request === null) {
    return [tool, { name: 'Input', text: 'It is too long for a mail. Open the page to read it.' }];
  }
  switch (kind) {
    case 'approval':
      return [
        tool,
        ...partsOf(isObject(request.input) ? request.input : request),
        ...explanationPart(request),
        ...choiceParts(request, toolName),
      ];
    case 'question':
      return objectsIn(request.questions).map(({ header, question, options }) => ({
        name: textIn(header) ?? 'Question',
        text: [
          textIn(question),
          ...objectsIn(options).map(({ label }) => `- ${textIn(label)}`),
        ].join('\n'),
      }));
    case 'plan_review':
      return [{ name: 'Plan', text: textIn(request.plan) ?? '' }];
    case 'form':
      return [
        ...explanationPart(request),
        { name: 'Fields', text: fieldsOfForm(request).join('\n') },
      ];
    case 'link':
      return describeLink(request);
    default:
      return [tool, ...partsOf(request)];
  }
}

/** The host alone: programs for mail make a link of every address, and this one is opened from the page. */
function describeLink({ message, url }: JsonObject): readonly RequestPart[] {
  const address = readLinkAddress(textIn(url) ?? '');
  return [
    ...explanationPart({ description: message ?? '' }),
    { name: 'Leads to', text: address.ok ? address.host : 'The page shows where.' },
  ];
}

function explanationPart({ description }: JsonObject): readonly RequestPart[] {
  const text = textIn(description);
  return text === undefined ? [] : [{ name: 'Agent’s explanation (not verified)', text }];
}

function choiceParts(request: JsonObject, toolName: string): readonly RequestPart[] {
  const choices = readChoices(request) ?? [];
  const lines = choices.map(
    (choice) => `- ${choice.label.replaceAll(/\s+/g, ' ')}: ${effectOfChoice(choice, toolName)}`,
  );
  return lines.length === 0 ? [] : [{ name: 'Choices', text: lines.join('\n') }];
}

function partsOf(input: JsonObject): readonly RequestPart[] {
  return Object.entries(input).map(([name, value]) => ({
    name,
    text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  }));
}

function fieldsOfForm({ schema }: JsonObject): readonly string[] {
  const properties = isObject(schema) ? schema.properties : undefined;
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(
    ([name, field]) => `- ${(isObject(field) && textIn(field.title)) || name}`,
  );
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((one) => isObject(one)) : [];
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
