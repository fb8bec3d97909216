import type { ReadResult } from '../../protocol/errors.ts';

interface StoredPart {
  readonly isLast: boolean;
}

/**
 * What is stored in parts as the body of a response: each is read while the reader takes it, so no more than one of them is
 * in memory.
 *
 * Where one cannot be read the transfer breaks: half of it must not look like all of it. workerd ends a body without a length
 * as if it were whole, so it is given the length (`expectedLength`, which other platforms ignore).
 */
export function streamParts<One extends StoredPart>(
  { bytes, first }: { readonly bytes: number; readonly first: One },
  read: (part: number) => Promise<ReadResult<One>>,
  bytesOf: (part: One) => Uint8Array,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  let part = 0;
  let next: One | undefined = first;
  let isOver = false;
  const pull = async (): Promise<Uint8Array | undefined> => {
    if (isOver) return undefined;
    if (next === undefined) {
      part += 1;
      const further = await read(part);
      if (!further.ok) throw new Error(further.message);
      next = further.value;
    }
    const bytes = bytesOf(next);
    isOver = next.isLast;
    next = undefined;
    return bytes;
  };
  return streamWhileRead(pull, onEnd, bytes);
}

/**
 * A body of which each piece is made when the one before has left. `make` returns undefined at the end; `onEnd` is called
 * once the reader has taken the last piece, has gone away, or gets no more because `make` threw.
 */
export function streamWhileRead(
  make: () => Promise<Uint8Array | undefined>,
  onEnd: () => void,
  expectedLength?: number,
): ReadableStream<Uint8Array> {
  const source = {
    ...(expectedLength !== undefined && { expectedLength }),
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        const piece = await make();
        if (piece !== undefined) return controller.enqueue(piece);
      } catch (cause) {
        onEnd();
        throw cause;
      }
      onEnd();
      controller.close();
    },
    cancel: onEnd,
  };
  // Without a queue: the next piece would be made, and this one kept, for a reader that takes nothing.
  return new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
}
