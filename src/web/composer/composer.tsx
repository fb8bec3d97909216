import { TEXT_CHARS } from '../../protocol/limits.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Replica } from '../../client/state/replica.ts';
import type { Interaction } from '../../protocol/types.ts';
import type { Transport } from '../../client/transport.ts';
import type { ServerClock } from '../clock.ts';
import type { FilesToSend } from '../files/use-files.ts';
import { freshKey } from '../../client/requests/http-calls.ts';
import {
  FailureNote,
  useAsyncAction,
  useSlow,
  type ReportSlow,
} from '../hooks/use-async-action.tsx';
import { useLaterParts } from '../hooks/use-later-parts.ts';
import type { TextTargets } from '../hooks/use-text-targets.ts';
import {
  type Addressee,
  addresseeOf,
  hasSeveralQuestions,
  placeholderOf,
  promptOfInteraction,
} from '../model/addressee.ts';
import { loadMessageDraft, saveMessageDraft } from '../model/drafts.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import { t } from '../model/language.ts';
import { Button, Icon } from '../ui/button.tsx';

interface OutgoingMessage {
  readonly text: string;
  readonly replyTo: string | undefined;
  readonly attachments?: readonly string[];
  /** Constant while the text is unchanged: a repeated message arrives once (TRN-5). */
  readonly idempotencyKey: string;
}

interface ComposerProps {
  readonly sessionId: string;
  readonly replica: Pick<Replica, 'open' | 'session'>;
  readonly store: KeyValueStore;
  readonly transport: Transport;
  readonly canAnswer: boolean;
  readonly targets: TextTargets;
  /** A text from a card, to be checked before it is sent. */
  readonly handedText: { readonly text: string } | undefined;
  /** Scrolls to a card that is not on the screen. */
  readonly onReveal: (interactionId: string) => void;
  readonly clock: ServerClock;
  readonly onSlow: ReportSlow;
  /** Undefined without the scope `send`. */
  readonly onSend: ((message: OutgoingMessage) => Promise<unknown>) | undefined;
  /** Present while a turn is running. */
  readonly onStop: (() => Promise<unknown>) | undefined;
}

/** The field for messages; the line above it says where the text goes. */
export function Composer(props: ComposerProps) {
  const { sessionId, replica, store, canAnswer, targets, handedText, onReveal, onSend, onStop } =
    props;
  const { clock, onSlow, transport } = props;
  const later = useLaterParts();
  const files = useRef<FilesToSend>(null);
  const [fileCount, setFileCount] = useState(0);
  const [text, setText] = useState(() => loadMessageDraft(store, sessionId));
  const [chosen, setChosen] = useState<string>();
  const sending = useAsyncAction();
  const stopping = useAsyncAction();
  const isSlow = useSlow(clock, sending.isBusy);
  useEffect(() => (isSlow ? onSlow() : undefined), [isSlow, onSlow]);
  const field = useRef<HTMLTextAreaElement>(null);
  const written = useRef(text);
  const key = useRef(freshKey());
  /** The target when the person began to write. */
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
  const isEmpty = text.trim() === '' && fileCount === 0;
  const canSend = onSend !== undefined && !isEmpty && !sending.isBusy && !isWanting;

  useEffect(() => grow(field.current), [text]);
  useEffect(() => {
    // On a touch screen, focus would open a keyboard over the conversation.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true });
  }, []);

  const write = (next: string) => {
    written.current = next;
    if (text.trim() === '' || begunFor.current === undefined) begunFor.current = goesTo;
    key.current = freshKey();
    setNote(undefined);
    setText(next);
    saveMessageDraft(store, sessionId, next);
  };
  useEffect(() => {
    if (handedText === undefined) return;
    write([text.trim(), handedText.text].filter((part) => part !== '').join('\n\n'));
    // The text was written for another target.
    begunFor.current = 'agent';
    field.current?.focus();
  }, [handedText]);
  /** What the person has added since stays: it is the beginning of the next message. */
  const clear = () => {
    const { current: now } = written;
    write(now.startsWith(text) ? now.slice(text.length) : now);
    files.current?.clear();
    setChosen(undefined);
    field.current?.focus();
  };
  const send = async () => {
    if (!canSend) return;
    const hasMoved = begunFor.current !== undefined && begunFor.current !== goesTo;
    if (hasMoved && addressee.to !== 'choose' && addressee.to !== 'command') {
      begunFor.current = goesTo;
      // This is another request: the server would refuse the old key for it.
      key.current = freshKey();
      return setNote(
        target === undefined
          ? t('This goes to the agent now. Send it again if it should.')
          : t('This answers “{request}” now. Send it again if it should.', {
              request: asks(target),
            }),
      );
    }
    const cardTarget = targets.get(goesTo);
    // A card has files of its own; those of a message go with its text.
    if (cardTarget !== undefined && fileCount === 0) {
      if (cardTarget.accept(text)) clear();
      else setNote(t('This can’t be answered right now. Your text is kept.'));
      return;
    }
    if (target !== undefined && hasSeveralQuestions(target)) {
      onReveal(goesTo);
      return setNote(t('Look at the questions first, then send it again.'));
    }
    const sendAll = async () => {
      const content = (await files.current?.addToMessage(text)) ?? { text };
      // The key of a text that changed during the wait for its files is that of the next message.
      const idempotencyKey = written.current === text ? key.current : freshKey();
      await onSend({ ...content, replyTo: target?.interactionId, idempotencyKey });
    };
    if (await sending.run(sendAll)) clear();
  };
  if (onSend === undefined) {
    return <p class="composer-none">{t('View only: you can’t send messages here.')}</p>;
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
          {t('Still sending…')}
        </p>
      )}
      <FailureNote text={note ?? sending.failure ?? stopping.failure} />
      <div class="composer-box">
        <div class="attach">
          {later && (
            <later.ComposerFiles
              {...{ sessionId, transport, store }}
              handle={files}
              onChange={(count) => {
                key.current = freshKey();
                setFileCount(count);
              }}
            />
          )}
        </div>
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          value={text}
          maxLength={TEXT_CHARS}
          aria-label={t('Message')}
          aria-describedby="addressee"
          placeholder={placeholderOf(addressee)}
          enterkeyhint="send"
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            // During composition, Enter belongs to the input method.
            const isSend = event.key === 'Enter' && !event.shiftKey && !event.isComposing;
            if (!isSend || matchMedia('(pointer: coarse)').matches) return;
            event.preventDefault();
            void send();
          }}
        />
        {onStop !== undefined && (
          <Button
            data-command
            isBusy={stopping.isBusy}
            aria-label={t('Stop the agent')}
            onClick={() => void stopping.run(onStop)}
          >
            <Icon name="stop" />
            <span class="wide-only">{t('Stop')}</span>
          </Button>
        )}
        <Button
          kind="primary"
          type="submit"
          isBusy={sending.isBusy}
          disabled={!canSend}
          aria-label={t('Send')}
        >
          <Icon name="send" />
        </Button>
      </div>
    </form>
  );
}

/** Grows with its content; the stylesheet limits it. */
function grow(field: HTMLTextAreaElement | null): void {
  if (field === null || CSS.supports('field-sizing', 'content')) return;
  field.rows = Math.min(10, field.value.split('\n').length);
}

interface AddresseeLineProps {
  readonly addressee: Addressee;
  /** The prompt of an interaction, in few words. */
  readonly asks: (interaction: Interaction) => string;
  readonly chosen: string | undefined;
  readonly onChoose: (interactionId: string | undefined) => void;
}

/** Says where the text of the composer goes (UI-7). It keeps its height while it is empty. */
function AddresseeLine({ addressee, asks, chosen, onChoose }: AddresseeLineProps) {
  if (addressee.to === 'choose') {
    return (
      <label class="addressee asks">
        <span id="addressee">{t('Answer to')}</span>
        <select
          value={chosen ?? ''}
          onChange={(event) => onChoose(event.currentTarget.value || undefined)}
        >
          <option value="">{t('Select a request…')}</option>
          {addressee.candidates.map((one) => (
            <option key={one.interactionId} value={one.interactionId}>
              {asks(one)}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <p class={`addressee${addressee.to === 'interaction' ? ' asks' : ''}`} id="addressee">
      {addresseeText(addressee, asks)}
    </p>
  );
}

function addresseeText(
  addressee: Exclude<Addressee, { to: 'choose' }>,
  asks: AddresseeLineProps['asks'],
): string {
  switch (addressee.to) {
    case 'agent':
      return t('To the agent');
    case 'command':
      return addressee.command === '/clear'
        ? t('Clears the context: the agent forgets this conversation')
        : t('Cancels every open request');
    case 'queue':
      return addressee.behind === 'turn'
        ? t('Queued until the agent is done')
        : t('Queued until you decide above. It approves nothing.');
    case 'unsure':
      return t('Answers “{request}” if it accepts text; otherwise queued', {
        request: asks(addressee.interaction),
      });
    case 'interaction':
      return addressee.interaction.kind === 'plan_review'
        ? t('Sends feedback on the plan')
        : t('Answering “{request}”', { request: asks(addressee.interaction) });
  }
}
