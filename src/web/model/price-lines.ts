/** The prices of models as an administrator writes them: a line a model, in US dollars for a million tokens. */
import type { JsonObject } from '../../protocol/types.ts';

const NUMBERS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
const NEEDED = 2;

export function writePriceLines(prices: unknown): string {
  const list: readonly unknown[] = Array.isArray(prices) ? prices : [];
  return list.map((one) => writeLine(one as JsonObject)).join('\n');
}

/** A left-out price of reading the cache cannot be written before one of writing to it, so it is written as `-`. */
function writeLine(price: JsonObject): string {
  const numbers = NUMBERS.map((name) => price[name]);
  const known = numbers.findLastIndex((one) => typeof one === 'number') + 1;
  const words = numbers.slice(0, known).map((one) => (typeof one === 'number' ? one : '-'));
  const { model } = price;
  return [typeof model === 'string' ? model : '', ...words].join(' ');
}

export type PriceLines =
  | { readonly ok: true; readonly prices: JsonObject[] }
  | { readonly ok: false; readonly line: number };

/** Empty lines count for nothing. `line` is the first that cannot be read, from 1. */
export function readPriceLines(text: string): PriceLines {
  const prices: JsonObject[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const price = readLine(line.trim().split(/\s+/));
    if (price === undefined) return { ok: false, line: at + 1 };
    prices.push(price);
  }
  return { ok: true, prices };
}

function readLine([model = '', ...words]: string[]): JsonObject | undefined {
  if (words.length < NEEDED || words.length > NUMBERS.length) return undefined;
  const price: Record<string, string | number> = { model };
  for (const [at, name] of NUMBERS.entries()) {
    const word = words[at];
    if (word === undefined || (word === '-' && at >= NEEDED)) continue;
    if (!/^\d+(\.\d+)?$/.test(word)) return undefined;
    price[name] = Number(word);
  }
  return price;
}
