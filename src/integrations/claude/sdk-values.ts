/** Values of the SDK in the form that Holdpoint accepts: characters that a server refuses are replaced. */
import type { CanUseToolOptions } from './sdk-types.ts';

/** A longer text is cut: a server that refused it would deny the tool before a person saw it. */
const SHOWN_TEXT_CHARS = 8_000;

export function shownText(text: string, maxChars = SHOWN_TEXT_CHARS): string {
  const clean = text.toWellFormed().replaceAll('\u0000', '\uFFFD');
  return clean.length <= maxChars ? clean : `${clean.slice(0, maxChars - 1).toWellFormed()}…`;
}

export function shownLines(lines: readonly (string | undefined)[]): string | undefined {
  const filled = lines.filter((line) => line !== undefined && line.trim() !== '');
  return filled.length === 0 ? undefined : shownText(filled.join('\n'));
}

/** The characters of a tool call id. */
const USABLE = /^[A-Za-z0-9_.:-]{1,128}$/;

/**
 * The SDK's id of a call as a tool call id, so that the same call finds the same question. Undefined if neither id has the
 * right characters: then every call opens a new question.
 */
export function toolCallIdOf({
  toolUseID = '',
  requestId = '',
}: Pick<CanUseToolOptions, 'toolUseID' | 'requestId'>): string | undefined {
  if (USABLE.test(toolUseID)) return toolUseID;
  return USABLE.test(`request-${requestId}`) && requestId !== ''
    ? `request-${requestId}`
    : undefined;
}
