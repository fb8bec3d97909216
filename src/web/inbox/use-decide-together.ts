/**
 * Sends one decision for many requests, of one session or of several, and keeps what became of each.
 *
 * A lost reply is asked for again with the same keys, so that no request is decided twice and each has its first result.
 */
import { useRef, useState } from 'preact/hooks';
import { freshKey } from '../../client/requests/http-calls.ts';
import type { BatchResult, InboxDecision, Transport } from '../../client/transport.ts';
import { DECISIONS_PER_BATCH } from '../../protocol/limits.ts';
import { useAsyncAction } from '../hooks/use-async-action.tsx';
import type { InboxItem } from '../model/inbox.ts';
import { decisionsOn } from '../model/inbox-batch.ts';
import { inboxKeyOf } from '../model/inbox.ts';
import { serverText, t } from '../model/language.ts';

export interface DecideTogether {
  readonly isBusy: boolean;
  readonly failure: string | undefined;
  /** By the key of the item. */
  readonly results: ReadonlyMap<string, string>;
  decide(
    items: readonly InboxItem[],
    decision: 'approve' | 'deny',
    reason?: string,
  ): Promise<unknown>;
}

interface SentBatch {
  readonly text: string;
  readonly key: string;
}

export function useDecideTogether(
  transport: Transport,
  onDecided: (keys: readonly string[]) => void,
): DecideTogether {
  const { isBusy, failure, run } = useAsyncAction();
  const [results, setResults] = useState<ReadonlyMap<string, string>>(new Map());
  const sent = useRef<SentBatch>(undefined);
  const decide: DecideTogether['decide'] = (items, decision, reason) =>
    run(async () => {
      const wanted = decisionsOn(items, decision, reason);
      const text = JSON.stringify(wanted);
      if (sent.current?.text !== text) sent.current = { text, key: freshKey() };
      const { key } = sent.current;
      const keyed = wanted.map((one, at) => ({ ...one, idempotencyKey: `${key}-${at}` }));
      for (let from = 0; from < keyed.length; from += DECISIONS_PER_BATCH) {
        const part = keyed.slice(from, from + DECISIONS_PER_BATCH);
        const found = await transport.decideInbox(part);
        setResults((before) => new Map([...before, ...resultWords(part, found, decision)]));
        onDecided(part.filter((_, at) => isOver(found[at])).map(inboxKeyOf));
      }
      sent.current = undefined;
    });
  return { isBusy, failure, results, decide };
}

/** Decided now, or by another person before. */
function isOver(result: BatchResult | undefined): boolean {
  return result?.ok === true || result?.code === 'already_settled' || result?.code === 'not_found';
}

function resultWords(
  part: readonly InboxDecision[],
  results: readonly BatchResult[],
  decision: 'approve' | 'deny',
): [string, string][] {
  return part.map((one, at) => {
    const result = results[at];
    const done = decision === 'approve' ? t('Approved') : t('Denied');
    const words =
      result?.ok === true
        ? done
        : t('Not decided: {reason}', {
            reason: result === undefined ? t('no result') : serverText(result.message, result.code),
          });
    return [inboxKeyOf(one), words];
  });
}
