import { TEXT_CHARS } from '../../protocol/limits.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Replica } from '../../client/state/replica.ts';
import type { Interaction } from '../../protocol/types.ts';
import type { ServerClock } from '../clock.ts';
import { freshKey } from '../../client/requests/http-calls.ts';
import { useAsyncAction } from '../hooks/use-async-action.ts';
import { useSlow } from '../hooks/use-slow.ts';
import type { ReportSlow } from '../hooks/use-slow.ts';
import type { TextTargets } from '../hooks/use-text-targets.ts';
import {
  addresseeOf,
  promptOfInteraction,
  hasSeveralQuestions,
  placeholderOf,
} from '../model/addressee.ts';
import { loadMessageDraft, saveMessageDraft } from '../model/message-draft.ts';
import { escapeInvisible } from '../model/escapes.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import { AddresseeLine } from './addressee-line.tsx';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Icon } from '../ui/icon.tsx';

interface OutgoingMessage {
  readonly text: string;
  readonly replyTo: string | undefined;
  /** The same as long as the words are: sent again after a failure, it arrives once (TRN-5). */
  readonly idempotencyKey: string;
}

interface ComposerProps {
  readonly sessionId: string;
  readonly replica: Pick<Replica, 'open' | 'session'>;
  readonly store: KeyValueStore;
  readonly canAnswer: boolean;
  readonly targets: TextTargets;
  /** Words from elsewhere on the page, to be looked at before they are sent. */
  readonly handedText: { readonly text: string } | undefined;
  /** Shows a card that is not on the screen. */
  readonly onReveal: (interactionId: string) => void;
  readonly clock: ServerClock;
  readonly onSlow: ReportSlow;
  /** Undefined without the scope `send`. */
  readonly onSend: ((message: OutgoingMessage) => Promise<unknown>) | undefined;
  /** Set while there is something to stop. */
  readonly onStop: (() => Promise<unknown>) | undefined;
}

/** Where a person writes; above it stands whom the text will reach. */
export function Composer(props: ComposerProps) {
  const { sessionId, replica, store, canAnswer, targets, handedText, onReveal, onSend, onStop } =
    props;
  const { clock, onSlow } = props;
  const [text, setText] = useState(() => loadMessageDraft(store, sessionId));
  const [chosen, setChosen] = useState<string>();
  const sending = useAsyncAction();
  const stopping = useAsyncAction();
  const isSlow = useSlow(clock, sending.isBusy);
  useEffect(() => (isSlow ? onSlow() : undefined), [isSlow, onSlow]);
  const field = useRef<HTMLTextAreaElement>(null);
  const key = useRef(freshKey());
  /** Whom the words were for when they were begun. */
  const begunFor = useRef<string>(undefined);
  const [note, setNote] = useState<string>();
  const addressee = addresseeOf(replica, text, canAnswer);
  const asks = (one: Interaction) =>
    escapeInvisible(targets.get(one.interactionId)?.prompt ?? promptOfInteraction(one));
  const target =
    addressee.to === 'choose'
      ? addressee.candidates.find(({ interactionId }) => interactionId === chosen)
      : addressee.to === 'interaction'
        ? addressee.interaction
        : undefined;
  const goesTo = target?.interactionId ?? 'agent';
  const isWanting = addressee.to === 'choose' && target === undefined;
  const canSend = onSend !== undefined && text.trim() !== '' && !sending.isBusy && !isWanting;

  useEffect(() => grow(field.current), [text]);
  useEffect(() => {
    // A finger would call up a keyboard over what there is to read.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true });
  }, []);

  const write = (next: string) => {
    if (text.trim() === '' || begunFor.current === undefined) begunFor.current = goesTo;
    key.current = freshKey();
    setNote(undefined);
    setText(next);
    saveMessageDraft(store, sessionId, next);
  };
  useEffect(() => {
    if (handedText === undefined) return;
    write([text.trim(), handedText.text].filter((part) => part !== '').join('\n\n'));
    // They were meant for something else than what would take them now.
    begunFor.current = 'agent';
    field.current?.focus();
  }, [handedText]);
  const clear = () => {
    write('');
    setChosen(undefined);
    field.current?.focus();
  };
  const send = async () => {
    if (!canSend) return;
    const hasMoved = begunFor.current !== undefined && begunFor.current !== goesTo;
    if (hasMoved && addressee.to !== 'choose' && addressee.to !== 'command') {
      begunFor.current = goesTo;
      // Another request than the one before: the server would refuse the key for it.
      key.current = freshKey();
      const whom = target === undefined ? 'goes to the agent' : `answers “${asks(target)}”`;
      return setNote(`This ${whom} now. Send it again if it should.`);
    }
    const cardTarget = targets.get(goesTo);
    if (cardTarget !== undefined) {
      if (cardTarget.accept(text)) clear();
      else setNote('This can’t be answered right now. Your text is kept.');
      return;
    }
    if (target !== undefined && hasSeveralQuestions(target)) {
      onReveal(goesTo);
      return setNote('Look at the questions first, then send it again.');
    }
    const message = { text, replyTo: target?.interactionId, idempotencyKey: key.current };
    if (await sending.run(() => onSend(message))) clear();
  };
  if (onSend === undefined) {
    return <p class="composer-none">View only: you can’t send messages here.</p>;
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <AddresseeLine addressee={addressee} asks={asks} chosen={chosen} onChoose={setChosen} />
      {isSlow && (
        <p class="composer-note" role="status">
          Still sending…
        </p>
      )}
      <FailureNote text={note ?? sending.failure ?? stopping.failure} />
      <div class="composer-box">
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          value={text}
          maxLength={TEXT_CHARS}
          aria-label="Message"
          aria-describedby="addressee"
          placeholder={placeholderOf(addressee)}
          enterkeyhint="send"
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            // While characters are put together with an input method, Enter belongs to it.
            const isSend = event.key === 'Enter' && !event.shiftKey && !event.isComposing;
            if (!isSend || matchMedia('(pointer: coarse)').matches) return;
            event.preventDefault();
            void send();
          }}
        />
        {onStop !== undefined && (
          <Button
            isBusy={stopping.isBusy}
            aria-label="Stop the agent"
            onClick={() => void stopping.run(onStop)}
          >
            <Icon name="stop" />
            <span class="wide-only">Stop</span>
          </Button>
        )}
        <Button
          kind="primary"
          type="submit"
          isBusy={sending.isBusy}
          disabled={!canSend}
          aria-label="Send"
        >
          <Icon name="send" />
        </Button>
      </div>
    </form>
  );
}

/** As high as what is in it; the sheet says up to where. */
function grow(field: HTMLTextAreaElement | null): void {
  if (field === null || CSS.supports('field-sizing', 'content')) return;
  field.rows = Math.min(10, field.value.split('\n').length);
}
