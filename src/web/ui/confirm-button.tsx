import { useState } from 'preact/hooks';
import { useAsyncAction } from '../hooks/use-async-action.ts';
import { Button } from './button.tsx';
import { FailureNote } from './failure-note.tsx';
import { Sheet } from './sheet.tsx';

interface ConfirmButtonProps {
  readonly words: string;
  /** The consequences, in a sentence. */
  readonly warning: string;
  readonly confirm: string;
  readonly onConfirm: () => Promise<unknown>;
}

/** Confirms an irreversible action: it names the action and its consequences. */
export function ConfirmButton({ words, warning, confirm, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, failure, run } = useAsyncAction();
  const go = async () => {
    if (await run(onConfirm)) setAsking(false);
  };
  return (
    <>
      <Button onClick={() => setAsking(true)}>{words}</Button>
      {isAsking && (
        <Sheet title={`${words}?`} side="middle" onClose={() => setAsking(false)}>
          <p>{warning}</p>
          <FailureNote text={failure} />
          <div class="choices">
            <Button kind="danger" isBusy={isBusy} onClick={() => void go()}>
              {confirm}
            </Button>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
          </div>
        </Sheet>
      )}
    </>
  );
}
