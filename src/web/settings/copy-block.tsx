import { useId, useRef, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';

interface CopyBlockProps {
  readonly label: string;
  readonly text: string;
}

/** Text of several lines to copy as a whole. */
export function CopyBlock({ label, text }: CopyBlockProps) {
  const [copied, setCopied] = useState('');
  const block = useRef<HTMLPreElement>(null);
  const id = useId();
  const copy = async () => {
    if (block.current !== null) getSelection()?.selectAllChildren(block.current);
    try {
      await navigator.clipboard.writeText(text);
      setCopied('Copied');
    } catch {
      // A page that was not loaded over HTTPS has no clipboard.
      setCopied('Selected. Copy it with the keyboard.');
    }
  };
  return (
    <div class="copy-block" role="group" aria-labelledby={id}>
      <div class="copy-head">
        <h4 id={id}>{label}</h4>
        <span role="status" class="about">
          {copied}
        </span>
        <Button aria-label={`Copy: ${label}`} onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      {/* A line that is cut off is scrolled by keyboard. */}
      <pre ref={block} tabIndex={0} aria-labelledby={id}>
        {text}
      </pre>
    </div>
  );
}
