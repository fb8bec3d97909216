import type { ReadResult } from '../../protocol/errors.ts';

interface Part {
  readonly isLast: boolean;
}

/**
 * What is stored in parts as the body of a response: each is read while the reader takes it, so no more than one of them is
 * in memory.
 *
 * Where one cannot be read the transfer breaks: half of it must not look like all of it. workerd ends a body without a length
 * as if it were whole, so it is given the length (`expectedLength`, which other platforms ignore).
 */
export function streamParts<One extends Part>(
  { bytes, first }: { readonly bytes: number; readonly first: One },
  read: (part: number) => Promise<ReadResult<One>>,
  bytesOf: (part: One) => Uint8Array,
): ReadableStream<Uint8Array> {
  let part = 0;
  let next: One | undefined = first;
  const source = {
    expectedLength: bytes,
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      if (next === undefined) {
        part += 1;
        const further = await read(part);
        if (!further.ok) throw new Error(further.message);
        next = further.value;
      }
      controller.enqueue(bytesOf(next));
      if (next.isLast) controller.close();
      next = undefined;
    },
  };
  return new ReadableStream<Uint8Array>(source);
}
