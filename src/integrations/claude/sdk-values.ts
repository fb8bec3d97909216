/** Text of the SDK as a person may be shown it: what a server refuses is replaced, not sent. */
import type { CanUseToolOptions } from './sdk-types.ts';

/** A text that one server refuses would deny the tool, though nobody looked at it. */
const MAX_CHARS = 8_000;

export function shownText(text: string, maxChars = MAX_CHARS): string {
  const clean = text.toWellFormed().replaceAll('\u0000', '\uFFFD');
  return clean.length <= maxChars ? clean : `${clean.slice(0, maxChars - 1).toWellFormed()}…`;
}

export function shownLines(lines: readonly (string | undefined)[]): string | undefined {
  const said = lines.filter((line) => line !== undefined && line.trim() !== '');
  return said.length === 0 ? undefined : shownText(said.join('\n'));
}

/** The SDK's id of a call as one of ours: the same call must find the same question. */
const USABLE = /^[A-Za-z0-9_.:-]{1,128}$/;

/** Undefined where neither id can be one: then every ask is a new question. */
export function toolCallIdOf({
  toolUseID = '',
  requestId = '',
}: Pick<CanUseToolOptions, 'toolUseID' | 'requestId'>): string | undefined {
  if (USABLE.test(toolUseID)) return toolUseID;
  return USABLE.test(`request-${requestId}`) && requestId !== ''
    ? `request-${requestId}`
    : undefined;
}
