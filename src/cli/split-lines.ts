/** Reads a stream line by line as it arrives; a line that no program would write ends the reading. */
import type { Readable } from 'node:stream';
import { LineSplitter } from '../integrations/transcripts/line-splitter.ts';

/** Resolves at the end of the stream; what follows the last line feed is a line too. */
export async function splitLines(stream: Readable, take: (line: string) => void): Promise<void> {
  const splitter = new LineSplitter();
  stream.setEncoding('utf8');
  for await (const chunk of stream as AsyncIterable<string>) {
    for (const { text } of splitter.push(chunk)) take(checked(text));
  }
  const rest = checked(splitter.unfinished.text);
  if (rest !== '') take(rest);
}

function checked(line: string | undefined): string {
  if (line === undefined) throw new Error('A line of the protocol is over 64 MiB');
  return line;
}
