import { type FileDiff, type FileText, effectWords } from '../../../display/display.ts';
import { t, tn } from '../../model/language.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Literal } from '../../ui/literal.tsx';

interface FileHeadProps {
  readonly part: FileDiff | FileText;
  /** What the button for the content copies. */
  readonly copied: () => string;
  /** The head of the card has the path already. */
  readonly isNamed: boolean;
}

/** The file first, then what happens to it and how much. */
export function FileHead({ part, copied, isNamed }: FileHeadProps) {
  const words = effectWords(part);
  const { path } = part;
  const movedTo = part.type === 'diff' ? part.movedTo : undefined;
  return (
    <header class="file-head">
      <p class="file-name">
        <code class={isNamed ? 'unseen' : undefined}>
          <Literal text={path ?? t('No file is named')} />
          {movedTo !== undefined && (
            <>
              {' → '}
              <Literal text={movedTo} />
            </>
          )}
        </code>
        <ChangedLines part={part} />
      </p>
      {words !== '' && <p class={`file-effect ${part.effect}`}>{words}</p>}
      <div class="copies">
        {path !== undefined && (
          <CopyButton kind="quiet" text={movedTo ?? path} label={t('Copy the path')}>
            {t('Path')}
          </CopyButton>
        )}
        <CopyButton
          kind="quiet"
          text={copied}
          label={part.type === 'diff' ? t('Copy the diff') : t('Copy the content')}
        />
      </div>
    </header>
  );
}

function ChangedLines({ part }: { readonly part: FileDiff | FileText }) {
  if (part.type === 'file') {
    const lines = part.text.replace(/\n$/, '').split('\n').length;
    return (
      <span class="file-size">
        {part.text === '' ? t('empty') : tn(lines, '1 line', '{count} lines')}
      </span>
    );
  }
  const marks = part.hunks.flatMap(({ lines }) => lines.map(({ mark }) => mark));
  const [added, removed] = [count(marks, 'new'), count(marks, 'gone')];
  return (
    <span class="file-size">
      <span class="added">
        <span aria-hidden="true">+{added}</span>
        <span class="unseen">{`${tn(added, '1 line added,', '{count} lines added,')} `}</span>
      </span>{' '}
      <span class="removed">
        <span aria-hidden="true">−{removed}</span>
        <span class="unseen">{t('{count} removed', { count: removed })}</span>
      </span>
    </span>
  );
}

function count(marks: readonly string[], wanted: string): number {
  return marks.filter((mark) => mark === wanted).length;
}
