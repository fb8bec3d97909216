import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { readAudienceNames } from '../../../protocol/deciding.ts';
import { REASON_CHARS } from '../../../protocol/limits.ts';
import type { Audience } from '../../../protocol/types.ts';
import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';

interface HandOverFormProps {
  readonly isBusy: boolean;
  readonly onSend: (to: { readonly audience: Audience; readonly note?: string }) => unknown;
  readonly onCancel: () => void;
}

/** Names the people and groups who are asked in place of those who are asked now. */
export function HandOverForm({ isBusy, onSend, onCancel }: HandOverFormProps) {
  const [names, setNames] = useState('');
  const [note, setNote] = useState('');
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const audience = readAudienceNames(names);
  const send = (event: Event) => {
    event.preventDefault();
    const words = note.trim();
    if (audience !== undefined) onSend({ audience, ...(words !== '' && { note: words }) });
  };
  return (
    <form
      class="team-form"
      onSubmit={send}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <label for={`${id}-to`}>{t('To')}</label>
      <input
        id={`${id}-to`}
        ref={first}
        dir="auto"
        value={names}
        aria-describedby={`${id}-how`}
        autocomplete="off"
        onInput={({ currentTarget }) => setNames(currentTarget.value)}
      />
      <p id={`${id}-how`}>{t('Names, separated by commas; a group as group:ops')}</p>
      <label for={`${id}-note`}>{t('Note (optional)')}</label>
      <input
        id={`${id}-note`}
        dir="auto"
        value={note}
        maxLength={REASON_CHARS}
        onInput={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <div>
        <Button type="submit" isBusy={isBusy} disabled={audience === undefined}>
          {t('Hand over')}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
