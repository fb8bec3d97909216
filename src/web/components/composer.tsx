import { useEffect, useRef, useState } from 'preact/hooks';
import type { Replica } from '../../client/replica.ts';
import { freshKey } from '../../client/idempotency-key.ts';
import { useAction } from '../hooks/use-action.ts';
import { addresseeOf } from '../model/composer.ts';
import { draftOf, keepDraft } from '../model/drafts.ts';
import type { Keep } from '../model/ports.ts';
import { AddresseeLine } from './addressee-line.tsx';
import { Button } from './button.tsx';
import { FailureNote } from './failure-note.tsx';
import { Icon } from './icon.tsx';

interface Message {
  readonly text: string;
  readonly replyTo: string | undefined;
  /** The same as long as the words are: sent again after a failure, it arrives once (TRN-5). */
  readonly idempotencyKey: string;
}

interface Props {
  readonly sessionId: string;
  readonly replica: Pick<Replica, 'open' | 'session'>;
  readonly keep: Keep;
  readonly canAnswer: boolean;
  /** Undefined without the scope `send`. */
  readonly onSend: ((message: Message) => Promise<unknown>) | undefined;
  /** Set while there is something to stop. */
  readonly onStop: (() => Promise<unknown>) | undefined;
}

/** Where a person writes; above it stands whom the text will reach. */
export function Composer({ sessionId, replica, keep, canAnswer, onSend, onStop }: Props) {
  const [text, setText] = useState(() => draftOf(keep, sessionId));
  const [chosen, setChosen] = useState<string>();
  const sending = useAction();
  const stopping = useAction();
  const field = useRef<HTMLTextAreaElement>(null);
  const key = useRef(freshKey());
  const addressee = addresseeOf(replica, text, canAnswer);
  const isWanting =
    addressee.to === 'choose' && !addressee.candidates.some((one) => one.interactionId === chosen);
  const canSend = onSend !== undefined && text.trim() !== '' && !sending.isBusy && !isWanting;

  useEffect(() => grow(field.current), [text]);
  useEffect(() => {
    // A finger would call up a keyboard over what there is to read.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true });
  }, []);

  const write = (next: string) => {
    key.current = freshKey();
    setText(next);
    keepDraft(keep, sessionId, next);
  };
  const send = async () => {
    if (!canSend) return;
    const replyTo = addressee.to === 'choose' ? chosen : undefined;
    const message = { text, replyTo, idempotencyKey: key.current };
    if (!(await sending.run(() => onSend(message)))) return;
    write('');
    setChosen(undefined);
    field.current?.focus();
  };
  if (onSend === undefined) {
    return <p class="composer-none">You can read along here. Your link does not let you write.</p>;
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <AddresseeLine addressee={addressee} chosen={chosen} onChoose={setChosen} />
      <FailureNote text={sending.failure ?? stopping.failure} />
      <div class="composer-box">
        <textarea
          ref={field}
          rows={1}
          value={text}
          maxLength={32_768}
          aria-label="Message"
          aria-describedby="addressee"
          placeholder="Write a message"
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
