/**
 * One answer to one interaction: sent once, tried again with the same key, and what became of it.
 *
 * The record shown is the newest that was heard, from the session or in reply to the answer. What is
 * heard of the end while an answer of one's own is under way waits for the reply, which knows whose it is.
 */
import { useRef, useState } from 'preact/hooks';
import { freshKey } from '../../client/idempotency-key.ts';
import type { Settled } from '../../client/transport.ts';
import type { Interaction, JsonObject } from '../../client/words.ts';
import { type Refusal, refusalOf } from '../model/cards/refusal.ts';
import type { InteractionCardProps } from './card-props.ts';

export interface Answering {
  readonly record: Interaction;
  /** It was open on this card, and was not settled by it. */
  readonly isFromElsewhere: boolean;
  /** It was settled by what this card sent. */
  readonly isMine: boolean;
  readonly isBusy: boolean;
  readonly refusal: Refusal | undefined;
  /** True when it was taken, or somebody else's was before it. */
  give(answer: JsonObject): Promise<boolean>;
  cancel(): Promise<boolean>;
  extend(): Promise<boolean>;
  forgetRefusal(): void;
}

type Props = Pick<InteractionCardProps, 'interaction' | 'session' | 'transport' | 'onSettled'>;

export function useAnswer({ interaction, session, transport, onSettled }: Props): Answering {
  const [reply, setReply] = useState<{ record: Interaction; isMine: boolean }>();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const wasOpen = useRef(interaction.status === 'open');
  const shownWhileBusy = useRef(interaction);
  const sent = useRef<{ text: string; key: string }>(undefined);
  const { interactionId, inputDigest } = interaction;

  const heard = newest(interaction, reply?.record);
  if (!isBusy) shownWhileBusy.current = heard;
  const record = isBusy ? shownWhileBusy.current : heard;
  const isMine = reply?.isMine === true && reply.record.status === 'settled';

  const attempt = async (work: () => Promise<Settled>): Promise<boolean> => {
    setBusy(true);
    setRefusal(undefined);
    try {
      const settled = await work();
      setReply({ record: settled.interaction, isMine: settled.isMine });
      if (settled.interaction.status === 'settled') onSettled?.(settled.interaction);
      return true;
    } catch (cause) {
      setRefusal(refusalOf(cause));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return {
    record,
    isFromElsewhere: wasOpen.current && !isMine,
    isMine,
    isBusy,
    refusal,
    give(answer) {
      // The same answer again has the same key: it may have arrived the first time.
      const text = JSON.stringify(answer);
      if (sent.current?.text !== text) sent.current = { text, key: freshKey() };
      const how = { idempotencyKey: sent.current.key };
      const body = { ...answer, inputDigest };
      return attempt(() => transport.answer(session.id, interactionId, body, how));
    },
    cancel: () => attempt(() => transport.cancel(session.id, interactionId)),
    extend: () =>
      attempt(async () => ({
        ok: true,
        isMine: true,
        interaction: await transport.extend(session.id, interactionId),
      })),
    forgetRefusal: () => setRefusal(undefined),
  };
}

function newest(told: Interaction, reply: Interaction | undefined): Interaction {
  if (reply === undefined || reply.interactionId !== told.interactionId) return told;
  if (told.status !== reply.status) return told.status === 'settled' ? told : reply;
  return reply.rev > told.rev ? reply : told;
}
