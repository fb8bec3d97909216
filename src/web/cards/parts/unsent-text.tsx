import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { freshKey } from '../../../client/requests/http-calls.ts';
import type { Interaction } from '../../../protocol/types.ts';
import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import { overtakenWords, type Viewer } from '../../model/cards/outcome-words.ts';
import type { SendText } from '../card-props.ts';
import type { UnsentText } from '../use-unsent-text.ts';

interface UnsentTextFormProps {
  readonly record: Interaction;
  readonly me: Viewer;
  readonly unsent: UnsentText;
  /** Undefined without the scope `send`. */
  readonly onSendText: SendText | undefined;
}

/** The text that a person was writing when the request ended or changed. It is kept and can be sent as a message. */
export function UnsentTextForm({ record, me, unsent, onSendText }: UnsentTextFormProps) {
  const { isBusy, failure, run } = useAsyncAction();
  const field = useRef<HTMLTextAreaElement>(null);
  const [key, setKey] = useState(freshKey);
  // In a layout effect: otherwise the next letters go to the page and act as shortcuts.
  useLayoutEffect(() => {
    if (!unsent.wasTyping) return;
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(unsent.text.length, unsent.text.length);
  }, []);
  const say = async () => {
    if (onSendText !== undefined && (await run(() => onSendText(unsent.text, key))))
      unsent.discard();
  };
  return (
    <section class="unsent">
      <p role="alert">
        {t('{event} while you were writing.', { event: overtakenWords(record, me) })}
      </p>
      <label>
        <span>{t('What you wrote')}</span>
        <textarea
          ref={field}
          rows={2}
          dir="auto"
          value={unsent.text}
          disabled={isBusy}
          onInput={({ currentTarget }) => {
            setKey(freshKey());
            unsent.write(currentTarget.value);
          }}
        />
      </label>
      <FailureNote text={failure} />
      <div class="card-actions">
        {onSendText !== undefined && (
          <Button
            kind="plain"
            isBusy={isBusy}
            disabled={unsent.text.trim() === ''}
            onClick={() => void say()}
          >
            {t('Send it as a message')}
          </Button>
        )}
        <Button kind="quiet" disabled={isBusy} onClick={unsent.discard}>
          {t('Discard')}
        </Button>
      </div>
    </section>
  );
}
