/**
 * What the requests of one root may hold in memory at once, as places. Counted in this isolate, whose memory it is.
 *
 * A response keeps its place until its reader has everything, goes away, or is refused the rest. A reader that stays and
 * reads nothing keeps it too: that is what the limit is for.
 */
import { type Caller, rootOf } from '../protocol/caller.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';

export class RootPlaces {
  readonly #max: number;
  readonly #inUse = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Returns what frees the place, or undefined if the root has no other one. */
  take(root: string): (() => void) | undefined {
    const count = this.#inUse.get(root) ?? 0;
    if (count >= this.#max) return undefined;
    this.#inUse.set(root, count + 1);
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      const left = (this.#inUse.get(root) ?? 1) - 1;
      if (left === 0) this.#inUse.delete(root);
      else this.#inUse.set(root, left);
    };
  }
}

const BODY_PLACES = {
  downloads: new RootPlaces(LIMITS.downloads),
  exports: new RootPlaces(LIMITS.exports),
} as const;

/** A response that is read while it is made, with what to call when nobody reads it any more. */
type RespondUntil = (end: () => void) => Promise<Response | Rejection>;

interface BodyReader {
  readonly caller: Pick<Caller, 'root' | 'credential'>;
  readonly request: Pick<Request, 'method' | 'signal'>;
}

/** The response in a place of the caller's root. `respond` calls its argument at the end of the body, however it ends. */
export async function respondInPlace(
  limit: keyof typeof BODY_PLACES,
  { caller, request }: BodyReader,
  respond: RespondUntil,
): Promise<Response | Rejection> {
  const free = BODY_PLACES[limit].take(rootOf(caller));
  if (free === undefined) return REFUSALS[limit];
  const end = () => {
    free();
    request.signal.removeEventListener('abort', end);
  };
  request.signal.addEventListener('abort', end);
  try {
    const response = await respond(end);
    // The body of a response to HEAD is never read, and so never ends.
    const isRead = response instanceof Response && response.body !== null;
    if (!isRead || request.method === 'HEAD' || request.signal.aborted) end();
    return response;
  } catch (cause) {
    end();
    throw cause;
  }
}

const refusalOf = (limit: keyof typeof BODY_PLACES) =>
  reject(
    'rate_limited',
    `This credential, with every other of its line, has ${LIMITS[limit]} ${limit} under way. Let one of them end, and try again.`,
    { limit, max: LIMITS[limit], retryAfterSeconds: 1 },
  );

const REFUSALS = { downloads: refusalOf('downloads'), exports: refusalOf('exports') } as const;
