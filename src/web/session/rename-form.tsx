import { useState } from 'preact/hooks';
import { useAsyncAction } from '../hooks/use-async-action.ts';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/failure-note.tsx';

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
        <span class="label">Title</span>
        <input
          value={text}
          maxLength={200}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <Button type="submit" isBusy={isBusy} disabled={!isChanged}>
        Rename
      </Button>
      <FailureNote text={failure} />
    </form>
  );
}
