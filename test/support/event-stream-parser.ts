/** Reads server-sent events from bytes that arrive in any pieces; a message ends with a blank line. */
export interface StreamMessage {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

export class EventStreamParser {
  readonly #decoder = new TextDecoder();
  #rest = '';

  push(bytes: Uint8Array): StreamMessage[] {
    const blocks = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => messageIn(block) ?? []);
  }
}

function messageIn(block: string): StreamMessage | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name, value] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
    if (name !== undefined && value !== undefined) fields.set(name, value);
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { id: fields.get('id'), event: fields.get('event') ?? 'message', data };
}
