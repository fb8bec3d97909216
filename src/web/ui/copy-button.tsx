import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../model/language.ts';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';

interface CopyButtonProps {
  readonly text: string | (() => string);
  /** The accessible name, for example "Copy link to this request". */
  readonly label: string;
  readonly kind?: 'plain' | 'quiet' | 'icon';
  /** Where the text stands on the screen: it is selected for people whose browser does not let the page copy. */
  readonly shown?: RefObject<HTMLElement | null>;
  /** Default: "Copy". With other content, the result is only announced. */
  readonly children?: ComponentChildren;
}

const RESULT_MS = 4_000;

/** Copies a text, and says so on the screen and to screen readers. */
export function CopyButton(props: CopyButtonProps) {
  const { text, label, kind = 'plain', shown, children } = props;
  const [result, setResult] = useState('');
  const here = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (result === '') return;
    const timer = setTimeout(() => setResult(''), RESULT_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    const copied = typeof text === 'string' ? text : text();
    const isCopied = await copyText(copied, here.current);
    if (shown?.current != null) selectContent(shown.current);
    const isSelected = shown !== undefined;
    setResult(
      isCopied
        ? t('Copied')
        : isSelected
          ? t('Selected. Copy it with the keyboard.')
          : t('Not copied'),
    );
  };
  return (
    <span class="copy" ref={here}>
      <span role="status" class="copied">
        {result}
      </span>
      <Button
        kind={kind}
        aria-label={label}
        title={children === undefined ? undefined : label}
        onClick={() => void copy()}
      >
        {children ?? t('Copy')}
      </Button>
    </span>
  );
}

function selectContent(element: HTMLElement): void {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    element.select();
  else getSelection()?.selectAllChildren(element);
}
