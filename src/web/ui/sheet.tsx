import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import sheetStyle from '../styles/sheet.css?inline';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { Button, Icon } from './button.tsx';

adoptStyle(sheetStyle);

interface SheetProps {
  readonly title: string;
  /** The side it slides in from; `middle` is for a confirmation. */
  readonly side: 'left' | 'right' | 'middle';
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A native dialog over the page: the browser keeps the focus in it, and Esc closes it. */
export function Sheet({ title, side, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // In a layout effect: otherwise the first letters that the person types go to the page below.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`sheet ${side}`}
      aria-labelledby={id}
      onClose={onClose}
      // A click outside of the content hits the dialog element itself.
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="sheet-content">
        <header class="sheet-top">
          <h2 id={id}>{title}</h2>
          <Button kind="icon" aria-label={t('Close')} onClick={onClose}>
            <Icon name="close" />
          </Button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

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
