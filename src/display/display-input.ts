/**
 * Chooses the display of an input by its fields, and by the name of the tool where the fields are not enough. It knows the
 * tools of Claude Code, Codex, Gemini, OpenCode and the common MCP servers, and the built-in agent's.
 */
import type { JsonObject } from '../protocol/types.ts';
import type { DisplayFact, DisplayPart, InputDisplay } from './display.ts';
import { readAddress } from './read-address.ts';
import { readCommand } from './read-command.ts';
import { readChangedFiles, readEdits } from './read-edits.ts';
import { InputFields } from './input-fields.ts';

type ReadParts = (fields: InputFields, toolName: string) => readonly DisplayPart[] | undefined;

const READERS: readonly ReadParts[] = [readEdits, readChangedFiles, readCommand, readAddress];

export function displayInput(toolName: string, input: JsonObject): InputDisplay {
  for (const read of READERS) {
    const fields = new InputFields(input);
    const parts = read(fields, toolName);
    if (parts !== undefined && parts.length > 0)
      return { parts, facts: takeFacts(fields), rest: fields.rest() };
  }
  return { parts: [], facts: [], rest: input };
}

const FACT =
  /^command$|time_?out|background|escalated|dry_?run|replacements|recursive|encoding|mode$/i;
const FACT_CHARS = 60;

/** Flags and numbers, and short texts of some names. */
function takeFacts(fields: InputFields): DisplayFact[] {
  const facts: DisplayFact[] = [];
  for (const [name, value] of Object.entries(fields.rest())) {
    const isSmall =
      typeof value === 'boolean' ||
      typeof value === 'number' ||
      (typeof value === 'string' && value !== '' && value.length <= FACT_CHARS);
    if (!isSmall || !FACT.test(name) || /[\n\t]/.test(String(value))) continue;
    fields.take(name);
    facts.push({ name, text: factText(name, value) });
  }
  return facts;
}

function factText(name: string, value: unknown): string {
  const isMs = typeof value === 'number' && /time_?out(_?ms)?$/i.test(name) && value >= 1_000;
  if (!isMs) return String(value);
  const seconds = value / 1_000;
  return `${value} (${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 6) / 10} min`})`;
}
