/** One event of a log as a line. */
import {
  isObject,
  isText,
  type AttachedFile,
  type JsonObject,
  type SessionEvent,
} from '../protocol/types.ts';
import { describeAttachedFile } from '../protocol/describe-attached-files.ts';
import type { CliCall } from './cli-command.ts';
import { describeInput } from './show-interaction.ts';
import { shortenText, describeTime, dim } from './show-table.ts';

const SHOWN_CHARS = 200;

export function printEvent({ out, isJson }: CliCall, event: SessionEvent): void {
  if (isJson) return out.json(event);
  const { seq, at, type } = event;
  const about = describePayload(type, event.payload as unknown as JsonObject);
  out.print(
    dim(`${describeTime(at)} ${String(seq).padStart(5)}  `),
    {
      text: type,
      style: 'cyan',
    },
    about === '' ? '' : `  ${shortenText(about, SHOWN_CHARS)}`,
  );
}

function describePayload(type: string, payload: JsonObject | undefined): string {
  if (!isObject(payload)) return '';
  const { text, toolName, input, outcome, interactionId, by, message, reason, output } = payload;
  switch (type) {
    case 'user_message':
      return [textOnOneLine(text), ...fileLabels(payload)].join('  ');
    case 'assistant_text':
    case 'thinking':
      return textOnOneLine(text);
    case 'tool_call':
      return `${textOnOneLine(toolName)} ${textOnOneLine(describeInput(input)).trim()}`;
    case 'tool_result':
      return textOnOneLine(isText(output) ? output : JSON.stringify(output));
    case 'interaction_request':
      return `${textOnOneLine(payload.kind)} ${textOnOneLine(toolName)} ${textOnOneLine(interactionId)}`;
    case 'interaction_response':
      return [
        `${textOnOneLine(outcome)} ${textOnOneLine(interactionId)}${authorOf(payload.settledBy ?? by)}`,
        ...fileLabels(payload),
      ].join('  ');
    case 'conversation_compacted':
      return `${Number(payload.tokensBefore)} → ${Number(payload.tokensAfter)} tokens  ${textOnOneLine(payload.summary)}`;
    case 'conversation_restored':
      return `the messages before ${Number(payload.compactedSeq)}${authorOf(by)}`;
    default:
      return textOnOneLine(message ?? reason ?? payload.title ?? '');
  }
}

/** `[plan.pdf (application/pdf, 12 KB)]` */
function fileLabels({ attachments }: JsonObject): string[] {
  const files = Array.isArray(attachments) ? (attachments as unknown as AttachedFile[]) : [];
  return files.map((file) => `[${describeAttachedFile(file)}]`);
}

function authorOf(by: unknown): string {
  return isObject(by) && isText(by.subject) ? `, by ${by.subject}` : '';
}

function textOnOneLine(value: unknown): string {
  return isText(value) ? value.replaceAll(/\s+/g, ' ') : '';
}
