/** The interface of a format, and how formats read the content blocks that they share. */
import { isObject, isText } from '../../protocol/guards.ts';
import type { Json, JsonObject } from '../../protocol/json.ts';
import type { CliSession } from '../../protocol/types.ts';
import type { ReportChange } from './clean-json.ts';
import type { EntryWriter } from './entry-writer.ts';

export type MutableCliSession = { -readonly [K in keyof CliSession]: CliSession[K] };

export interface TranscriptFormat {
  /** Its id is empty until a line has it. */
  readonly session: MutableCliSession;
  read(line: JsonObject, out: EntryWriter): void;
}

/** For reading the fields of a value of unknown shape. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Content is one text, or a list of blocks. */
export function blocksOf(content: unknown): JsonObject[] {
  if (isText(content)) return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** Blocks as one text, one after another on lines of their own. */
export function textOf(blocks: readonly JsonObject[]): string {
  return blocks.map(textOfBlock).filter(Boolean).join('\n');
}

function textOfBlock({ type, text }: JsonObject): string {
  if (isText(text)) return text;
  return isText(type) && /image/i.test(type) ? '[image]' : '';
}

/** What a tool gave back; a list of texts is one text, and of an image only its mark stays. */
export function outputOf(content: Json | undefined, report: ReportChange): Json {
  if (!Array.isArray(content)) return content ?? '';
  const blocks = blocksOf(content);
  if (blocks.length < content.length || blocks.some((block) => textOfBlock(block) === '')) {
    return content;
  }
  if (blocks.some(({ text }) => !isText(text))) report('an image was left out');
  return textOf(blocks);
}
