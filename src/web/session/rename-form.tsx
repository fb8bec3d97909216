import { useState } from 'preact/hooks';
import { TITLE_CHARS } from '../../protocol/limits.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { t } from '../model/language.ts';
import { Button } from '../ui/button.tsx';

interface RenameFormProps {
  readonly title: string;
  readonly onRename: (title: string) => Promise<unknown>;
}

export function RenameForm({ title, onRename }: RenameFormProps) {
  const [text, setText] = useState(title);
  const { isBusy, failure, run } = useAsyncAction();
  const isChanged = text.trim() !== '' && text.trim() !== title;
  return (
    <form
      class="rename"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) void run(() => onRename(text.trim()));
      }}
    >
      <label>
        <span class="label">{t('Title')}</span>
        <input
          dir="auto"
          value={text}
          maxLength={TITLE_CHARS}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <Button type="submit" isBusy={isBusy} disabled={!isChanged}>
        {t('Rename')}
      </Button>
      <FailureNote text={failure} />
    </form>
  );
}
