/**
 * The only way of text to the terminal (CLI-4).
 *
 * Every part of a line is escaped before it is written, whether an agent, a person, a server or this program wrote it, so
 * that no caller can forget to. Colors are added afterwards, around parts whose text is escaped already. JSON escapes
 * by its own rules, except for the characters that JSON leaves as they are and a terminal obeys.
 */
import { visibleText } from '../protocol/escapes.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** A plain text is drawn on one line; a block keeps its line feeds. */
export type Part =
  | string
  | { readonly text: string; readonly style?: Style; readonly isBlock?: boolean };

export interface Output {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const STYLE_CODES: Record<Style, readonly [on: number, off: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export class Printer {
  readonly #output: Output;
  readonly #hasColors: boolean;

  constructor(output: Output, env: NodeJS.ProcessEnv) {
    this.#output = output;
    this.#hasColors = hasColors(output, env);
  }

  /** One line. */
  print(...parts: readonly Part[]): void {
    this.#output.write(`${this.draw(...parts)}\n`);
  }

  /** A line without its end, for a prompt. */
  prompt(...parts: readonly Part[]): void {
    this.#output.write(this.draw(...parts));
  }

  json(value: unknown): void {
    this.#output.write(`${toJsonLine(value)}\n`);
  }

  draw(...parts: readonly Part[]): string {
    return parts.map((part) => this.#drawPart(part)).join('');
  }

  #drawPart(part: Part): string {
    if (typeof part === 'string') return drawLine(part);
    const { text, style, isBlock = false } = part;
    const drawn = isBlock ? visibleText(text) : drawLine(text);
    if (style === undefined || !this.#hasColors) return drawn;
    const [on, off] = STYLE_CODES[style];
    return `\u001b[${on}m${drawn}\u001b[${off}m`;
  }
}

/** `NO_COLOR` wins over `FORCE_COLOR`; either is ignored when it is empty. */
function hasColors({ isTTY }: Output, env: NodeJS.ProcessEnv): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0' && forced !== 'false';
  return isTTY === true && env['TERM'] !== 'dumb';
}

/** On one line, with every character that would not show as itself written as an escape. */
export function drawLine(text: string): string {
  return visibleText(text).replaceAll('\n', String.raw`\n`).replaceAll('\t', String.raw`\t`);
}

/** JSON leaves DEL, the C1 controls and bidirectional characters raw; all of them as escapes are the same JSON. */
const RAW_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu;

export function toJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(RAW_IN_JSON, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
