/** What the receivers got, compared with the logs: W1 to W5 of `webhooks-run.ts`. */
import { ATTEMPTS_IN_ORDER } from '../../../src/core/delivery/retry-schedule.ts';
import type { Findings } from '../../support/findings.ts';
import type { ReceivedWebhook } from '../../support/webhook-receiver.ts';

export interface Hit extends ReceivedWebhook {
  readonly isOk: boolean;
}

export type Wanted = ReadonlyMap<
  string,
  { readonly type: string; readonly interactionId?: string }
>;

/** Whether it announces this request: the session and the interaction. */
export function isFor({ type, data }: ReceivedWebhook, request: string): boolean {
  const { interactionId } = (data['interaction'] ?? {}) as { readonly interactionId?: string };
  return type === 'interaction.requested' && request === `${data.sessionId} ${interactionId}`;
}

const keyOf = ({ data }: ReceivedWebhook) => `${data.sessionId ?? ''} ${data.seq ?? 0}`;

export function missingIn(hits: readonly Hit[], wanted: Wanted): string[] {
  const got = new Set(hits.filter(({ isOk }) => isOk).map(keyOf));
  return [...wanted.keys()].filter((key) => !got.has(key));
}

interface Known {
  readonly wanted: Wanted;
  readonly attempts: ReadonlyMap<string, number>;
}

export function judgeHits(
  findings: Findings,
  name: string,
  hits: readonly Hit[],
  { wanted, attempts }: Known,
): void {
  for (const key of missingIn(hits, wanted)) {
    const rule = wanted.get(key)?.type === 'interaction.resolved' ? 'W4' : 'W1';
    findings.add(rule, key, `${name} never got ${wanted.get(key)?.type}`);
  }
  const ids = new Map<string, string>();
  const last = new Map<string, number>();
  for (const hit of hits) {
    const { sessionId = '', seq = 0 } = hit.data;
    const key = keyOf(hit);
    if (wanted.get(key)?.type !== hit.type) findings.add('W2', key, `${name} got ${hit.type}`);
    const known = ids.get(key);
    if (known !== undefined && known !== hit.id) findings.add('W5', key, `${known} and ${hit.id}`);
    const before = last.get(sessionId) ?? 0;
    // What a receiver that was down refused is in no list of hits, but in the one of the server.
    const failures = (attempts.get(key) ?? 0) - 1;
    if (known === undefined && seq < before && failures < ATTEMPTS_IN_ORDER) {
      findings.add('W3', key, `${name} got ${seq} after ${before}`);
    }
    ids.set(key, hit.id);
    last.set(sessionId, Math.max(before, seq));
  }
}
