/** Comments on places of a plan and on lines of a diff, and what the agent gets of them. */
import { isObject } from '../../../protocol/types.ts';

export interface PlanComment {
  /** The text that it is about. */
  readonly quote: string;
  /** Of the plan's text, from 1, where the place was found in it. */
  readonly line: number | undefined;
  readonly text: string;
}

const QUOTE_CHARS = 160;

/** In the order of the plan, then the notes on all of it. */
export function feedbackOf(comments: readonly PlanComment[], general: string): string {
  const places = comments.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
  const parts = places.map(({ quote, line, text }) => {
    const where = line === undefined ? '' : `Line ${line}: `;
    return `> ${where}${shortQuote(quote)}\n${text.trim()}`;
  });
  return [...parts, general.trim()].filter((part) => part !== '').join('\n\n');
}

interface LineComment {
  readonly path: string | undefined;
  /** Of the line in its file, from 1; undefined where it is not known. */
  readonly number: number | undefined;
  readonly isRemoved: boolean;
  readonly quote: string;
  readonly text: string;
}

/** A part of the reason of a denial, in English as all that agents read. */
export function lineCommentOf({ path, number, isRemoved, quote, text }: LineComment): string {
  const place = [path, number].filter((one) => one !== undefined).join(':');
  const where = [place, isRemoved && '(removed line)'].filter(Boolean).join(' ');
  return `> ${where === '' ? '' : `${where}: `}${shortQuote(quote)}\n${text.trim()}`;
}

export function shortQuote(quote: string): string {
  const line = quote.replaceAll(/\s+/g, ' ').trim();
  return line.length <= QUOTE_CHARS
    ? line
    : `${line.slice(0, QUOTE_CHARS).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Comments of a stored draft, which other code may have written. */
export function readComments(value: unknown): readonly PlanComment[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one): PlanComment[] => {
    if (!isObject(one)) return [];
    const { quote, line, text } = one;
    if (typeof quote !== 'string' || typeof text !== 'string' || text.trim() === '') return [];
    return [{ quote, line: typeof line === 'number' ? line : undefined, text }];
  });
}

/**
 * The lines at which blocks of a plan begin, by their words: Markdown does not keep them. A block that is not found, such as
 * a line between two tables of links, has none.
 */
export function linesOfBlocks(
  plan: string,
  blocks: readonly string[],
): readonly (number | undefined)[] {
  const lines = plan.split('\n').map(lettersOf);
  let from = 0;
  return blocks.map((block) => {
    const words = lettersOf(block);
    if (words === '') return undefined;
    const found = lines.findIndex(
      (line, at) => at >= from && line !== '' && (words.startsWith(line) || line.startsWith(words)),
    );
    if (found < 0) return undefined;
    from = found + 1;
    return found + 1;
  });
}

/** Letters and digits alone: marks of Markdown are not in the text that it becomes. */
function lettersOf(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*\d+[.)]\s/g, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
