/**
 * One answer to one interaction: sent once, tried again with the same key, and what became of it.
 *
 * 1. The record shown is the newest that was heard, from the session or in reply to the answer. What is heard of the end
 *    while an answer of one's own is under way waits for the reply, which knows whose it is; not if that takes long.
 * 2. An answer that did not get through is sent again by itself, until it does or its sender takes it back. It names
 *    what was seen, so it answers nothing else meanwhile.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { freshKey } from '../../client/requests/http-calls.ts';
import type { Settled } from '../../client/transport.ts';
import type { Interaction, JsonObject } from '../../protocol/types.ts';
import { useSlow } from '../hooks/use-slow.ts';
import { mayResend, type AnswerFailure, answerFailureOf } from '../model/cards/answer-failure.ts';
import type { InteractionCardProps } from './card-props.ts';

export interface AnswerState {
  readonly record: Interaction;
  /** It was open on this card, and was not settled by it. */
  readonly isFromElsewhere: boolean;
  /** It was settled by what this card sent. */
  readonly isMine: boolean;
  readonly isBusy: boolean;
  /** It has been under way for a while. */
  readonly isSlow: boolean;
  /** An answer did not get through, and goes as soon as it can. */
  readonly isUnsent: boolean;
  readonly failure: AnswerFailure | undefined;
  /** True when it was taken, or somebody else's was before it. */
  give(answer: JsonObject): Promise<boolean>;
  cancel(): Promise<boolean>;
  extend(): Promise<boolean>;
  /** Sends what is waiting at once. */
  sendNow(): void;
  /** A waiting answer is not sent any more. */
  dismissFailure(): void;
}

type UseAnswerOptions = Pick<
  InteractionCardProps,
  'interaction' | 'session' | 'transport' | 'clock' | 'isAnswerable' | 'onSettled'
>;

export function useAnswer(props: UseAnswerOptions): AnswerState {
  const { interaction, session, transport, clock, isAnswerable = true, onSettled } = props;
  const [reply, setReply] = useState<{ record: Interaction; isMine: boolean }>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<AnswerFailure>();
  const wasOpen = useRef(interaction.status === 'open');
  const shownWhileBusy = useRef(interaction);
  const sent = useRef<{ text: string; key: string }>(undefined);
  const [unsentAnswer, setUnsentAnswer] = useState<JsonObject>();
  const isSlow = useSlow(clock, isBusy);
  const { interactionId, inputDigest } = interaction;

  const heard = newest(interaction, reply?.record);
  if (!isBusy) shownWhileBusy.current = heard;
  const isOver = isSlow && heard.status === 'settled';
  const record = isBusy && !isOver ? shownWhileBusy.current : heard;
  const isMine = reply?.isMine === true && reply.record.status === 'settled';

  const attempt = async (work: () => Promise<Settled>, answer?: JsonObject): Promise<boolean> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const settled = await work();
      setUnsentAnswer(undefined);
      setReply({ record: settled.interaction, isMine: settled.isMine });
      if (settled.interaction.status === 'settled') onSettled?.(settled.interaction);
      return true;
    } catch (cause) {
      setFailure(answerFailureOf(cause));
      setUnsentAnswer(mayResend(cause) ? answer : undefined);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const give = (answer: JsonObject): Promise<boolean> => {
    // The same answer again has the same key: it may have arrived the first time.
    const text = JSON.stringify(answer);
    if (sent.current?.text !== text) sent.current = { text, key: freshKey() };
    const how = { idempotencyKey: sent.current.key };
    const body = { ...answer, inputDigest };
    return attempt(() => transport.answer(session.id, interactionId, body, how), answer);
  };
  const isUnsent = unsentAnswer !== undefined && record.status === 'open';
  const sendNow = () => {
    if (unsentAnswer !== undefined && !isBusy) void give(unsentAnswer);
  };
  useSendAgain(isUnsent && !isBusy, isAnswerable, sendNow);
  return {
    record,
    isFromElsewhere: wasOpen.current && !isMine,
    isMine,
    isBusy: isBusy && !isOver,
    isSlow: isSlow && !isOver,
    isUnsent,
    failure,
    give,
    cancel: () => attempt(() => transport.cancel(session.id, interactionId)),
    extend: () =>
      attempt(async () => ({
        ok: true,
        isMine: true,
        interaction: await transport.extend(session.id, interactionId),
      })),
    sendNow,
    dismissFailure() {
      setUnsentAnswer(undefined);
      setFailure(undefined);
    },
  };
}

const RESEND_AFTER_MS = 5_000;

/** While it should: when the network or the connection is back, and now and then in between. */
function useSendAgain(should: boolean, isConnected: boolean, send: () => void): void {
  const latest = useRef(send);
  latest.current = send;
  const wasConnected = useRef(isConnected);
  useEffect(() => {
    const isBack = isConnected && !wasConnected.current;
    wasConnected.current = isConnected;
    if (!should) return;
    const again = () => latest.current();
    if (isBack) return again();
    addEventListener('online', again);
    const timer = navigator.onLine ? setTimeout(again, RESEND_AFTER_MS) : undefined;
    return () => {
      removeEventListener('online', again);
      clearTimeout(timer);
    };
  }, [should, isConnected]);
}

function newest(told: Interaction, reply: Interaction | undefined): Interaction {
  if (reply === undefined || reply.interactionId !== told.interactionId) return told;
  if (told.status !== reply.status) return told.status === 'settled' ? told : reply;
  return reply.rev > told.rev ? reply : told;
}
