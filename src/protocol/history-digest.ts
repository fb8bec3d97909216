/**
 * The digest of the first entries of a history, on the server and in a client.
 *
 * A line is the JSON text of one entry. Every full block of lines gives the next link of a chain: the SHA-256, as
 * hexadecimal, of the link before and the lines of the block, separated by line feeds. The lines behind the last full
 * block are hashed with the last link in the same way; without such lines that link is the digest. The chain begins with
 * an empty text, which is also the digest of no entries.
 *
 * So a server that keeps a link with each stored row checks any prefix by reading at most one row, and the digest does
 * not depend on how an importer cuts its pages. A block has many lines because each call of the platform's hash function
 * takes about as long as hashing ten kilobytes.
 */
import { hashBytes } from './bytes.ts';

export const HISTORY_BLOCK = 64;

/** SHA-256 of a text, as lower-case hexadecimal. */
export type HashText = (text: string) => Promise<string>;

/**
 * SHA-256 by the platform. Over a transcript of 11 MB it takes 0.14 seconds, and 1.0 in JavaScript (`core/digest.ts`), where
 * small texts are hashed, because a decision cannot wait.
 */
export const hashNatively: HashText = (text) => hashBytes(new TextEncoder().encode(text));

export interface HistoryLink {
  /** The last link of the chain. */
  readonly chain: string;
  readonly digest: string;
}

/** The first line begins a block, after `chain`. */
export async function digestLines(
  hash: HashText,
  lines: readonly string[],
  chain = '',
): Promise<HistoryLink> {
  let link = chain;
  let from = 0;
  for (; lines.length - from >= HISTORY_BLOCK; from += HISTORY_BLOCK) {
    link = await hash([link, ...lines.slice(from, from + HISTORY_BLOCK)].join('\n'));
  }
  const rest = lines.slice(from);
  return { chain: link, digest: rest.length === 0 ? link : await hash([link, ...rest].join('\n')) };
}

/** The first line of the block in which a line stands. */
export function blockStart(line: number): number {
  return line - (line % HISTORY_BLOCK);
}
