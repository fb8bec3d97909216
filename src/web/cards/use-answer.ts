/**
 * One answer to one interaction: sent once, retried with the same key, and its result.
 *
 * 1. The record shown is the newest one, from the session or from the reply to the answer. While an answer is being
 *    sent, a reported end waits for the reply, which knows whose answer counted; not if the reply takes long.
 * 2. An answer that did not arrive is sent again until it does or the person discards it. It carries the digest of
 *    the request, so it cannot answer a changed one.
 */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ClientError } from '../../client/errors.ts';
import { freshKey } from '../../client/requests/http-calls.ts';
import type { Settled } from '../../client/transport.ts';
import type { Interaction, JsonObject } from '../../protocol/types.ts';
import { useSlow } from '../hooks/use-async-action.tsx';
import { failureText } from '../model/failure.ts';
import type { FilesToSend } from '../files/use-files.ts';
import type { InteractionCardProps } from './card-props.ts';
import { serverText, t } from '../model/language.ts';

export interface AnswerState {
  readonly record: Interaction;
  /** The interaction was open on this card and was settled elsewhere. */
  readonly isFromElsewhere: boolean;
  /** This card's answer settled the interaction. */
  readonly isMine: boolean;
  readonly isBusy: boolean;
  /** The answer is taking long. */
  readonly isSlow: boolean;
  /** An answer did not arrive and will be sent again. */
  readonly isUnsent: boolean;
  readonly failure: AnswerFailure | undefined;
  /** True if this answer or an earlier one settled the interaction. */
  give(answer: JsonObject): Promise<boolean>;
  cancel(): Promise<boolean>;
  extend(): Promise<boolean>;
  /** Sends the unsent answer now. */
  sendNow(): void;
  /** Discards the unsent answer and the error. */
  dismissFailure(): void;
}

type UseAnswerOptions = Pick<
  InteractionCardProps,
  'interaction' | 'session' | 'transport' | 'clock' | 'isAnswerable' | 'onSettled'
> & {
  /** Files that go with every answer of this card. */
  readonly files?: RefObject<FilesToSend | null>;
};

export function useAnswer(props: UseAnswerOptions): AnswerState {
  const { interaction, session, transport, clock, isAnswerable = true, onSettled, files } = props;
  const [reply, setReply] = useState<{ record: Interaction; isMine: boolean }>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<AnswerFailure>();
  const wasOpen = useRef(interaction.status === 'open');
  const shownWhileBusy = useRef(interaction);
  const sent = useRef<{ text: string; key: string }>(undefined);
  const [unsentAnswer, setUnsentAnswer] = useState<JsonObject>();
  const isSlow = useSlow(clock, isBusy);
  const { interactionId, inputDigest } = interaction;

  const newestRecord = newestOf(interaction, reply?.record);
  if (!isBusy) shownWhileBusy.current = newestRecord;
  const isOver = isSlow && newestRecord.status === 'settled';
  const record = isBusy && !isOver ? shownWhileBusy.current : newestRecord;
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
    const send = async () => {
      const whole = (await files?.current?.addToAnswer(answer)) ?? answer;
      // An equal answer has the same key: the first attempt may have arrived.
      const text = JSON.stringify(whole);
      if (sent.current?.text !== text) sent.current = { text, key: freshKey() };
      const how = { idempotencyKey: sent.current.key };
      const body = { ...whole, inputDigest };
      const settled = await transport.answer(session.id, interactionId, body, how);
      files?.current?.clear();
      return settled;
    };
    return attempt(send, answer);
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

/** While `should` is true: sends when the network or the connection returns, and at an interval. */
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

function newestOf(fromSession: Interaction, reply: Interaction | undefined): Interaction {
  if (reply === undefined || reply.interactionId !== fromSession.interactionId) return fromSession;
  if (fromSession.status !== reply.status)
    return fromSession.status === 'settled' ? fromSession : reply;
  return reply.rev > fromSession.rev ? reply : fromSession;
}

/** A failed answer: the message for the card, and the fields to correct. */
interface AnswerFailure {
  readonly text: string;
  /** By field name, where the server names one. */
  readonly fieldErrors: Readonly<Record<string, string>>;
}

function answerFailureOf(cause: unknown): AnswerFailure {
  const fieldErrors = cause instanceof ClientError ? fieldErrorsIn(cause.details) : {};
  return { text: answerFailureText(cause), fieldErrors };
}

/** As far as the client knows, the answer did not arrive: with its key it counts once (TRN-5). */
function mayResend(cause: unknown): boolean {
  return cause instanceof ClientError && cause.retry === 'now';
}

function answerFailureText(cause: unknown): string {
  if (mayResend(cause)) return t('Couldn’t send. Retrying automatically.');
  if (!(cause instanceof ClientError)) return failureText(cause);
  if (cause.code === 'input_changed')
    return t('What is asked has changed since this was drawn. Look at it again before you answer.');
  // The server names who may answer.
  return cause.details?.audience === undefined
    ? failureText(cause)
    : serverText(cause.message, cause.code);
}

function fieldErrorsIn(details: Readonly<Record<string, unknown>> | undefined) {
  const errors = details?.fieldErrors;
  if (typeof errors !== 'object' || errors === null) return {};
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [field, serverText(String(message))]),
  );
}
