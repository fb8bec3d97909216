/**
 * Chooses the display of an input by its fields, and by the name of the tool where the fields are not enough. It knows the
 * tools of Claude Code, Codex, Gemini, OpenCode and the common MCP servers, and the built-in agent's.
 */
import { deferPattern } from '../protocol/defer-pattern.ts';
import type { JsonObject } from '../protocol/types.ts';
import type { DisplayPart, InputDisplay, WebAddress } from './display.ts';
import { displayPlain, readCommand, takeFacts } from './display-plain.ts';
import { ADDRESSES } from './field-names.ts';
import { InputFields } from './input-fields.ts';
import { readChangedFiles, readEdits } from './read-edits.ts';

type ReadParts = (fields: InputFields, toolName: string) => readonly DisplayPart[] | undefined;

const READERS: readonly ReadParts[] = [readEdits, readChangedFiles, readCommand, readAddress];

export function displayInput(toolName: string, input: JsonObject): InputDisplay {
  const plain = displayPlain(toolName, input);
  if (plain !== undefined) return plain;
  for (const read of READERS) {
    const fields = new InputFields(input);
    const parts = read(fields, toolName);
    if (parts !== undefined && parts.length > 0)
      return { parts, facts: takeFacts(fields), rest: fields.rest() };
  }
  return { parts: [], facts: [], rest: input };
}

/** Blanks, control characters and backslashes, which the URL standard drops or reads as something else. */
const MISREAD_ADDRESS = deferPattern(String.raw`[\s\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`, 'u');
/** `URL` takes the square of the length of a host in another script. */
const WEB_AUTHORITY = /^https?:\/\/([^/?#]{1,300})(?=[/?#]|$)/i;

function readAddress(fields: InputFields): readonly WebAddress[] | undefined {
  const text = fields.peek(...ADDRESSES);
  if (typeof text !== 'string' || MISREAD_ADDRESS().test(text) || !WEB_AUTHORITY.test(text))
    return undefined;
  const url = parseAddress(text);
  if (url === undefined) return undefined;
  fields.take(...ADDRESSES);
  const method = fields.takeText('method');
  const { host, hostname, pathname, hash, searchParams } = url;
  return [
    {
      type: 'address',
      url: text,
      host,
      isPunycode: hostname.split('.').some((label) => label.startsWith('xn--')),
      path: decode(pathname) + decode(hash),
      query: [...searchParams],
      ...(method !== undefined && { method }),
    },
  ];
}

function parseAddress(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
