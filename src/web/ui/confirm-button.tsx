import { useState } from 'preact/hooks';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { Button } from './button.tsx';
import { Sheet } from './sheet.tsx';
import { t } from '../model/language.ts';

interface ConfirmButtonProps {
  readonly words: string;
  /** The consequences, in a sentence. */
  readonly warning: string;
  readonly confirm: string;
  /** Default: `danger`. */
  readonly kind?: 'primary' | 'danger';
  readonly onConfirm: () => Promise<unknown>;
}

/** A button whose action is confirmed first: the question names the action and its consequences. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { words, warning, confirm, kind = 'danger', onConfirm } = props;
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
            <Button kind={kind} isBusy={isBusy} onClick={() => void go()}>
              {confirm}
            </Button>
            <Button onClick={() => setAsking(false)}>{t('Cancel')}</Button>
          </div>
        </Sheet>
      )}
    </>
  );
}
