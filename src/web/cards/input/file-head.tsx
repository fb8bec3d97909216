import type { FileDiff, FileText } from '../../../display/display.ts';
import { t } from '../../model/language.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Literal } from '../../ui/literal.tsx';

interface FileHeadProps {
  readonly part: FileDiff | FileText;
  /** What the button for the content copies. */
  readonly copied: () => string;
}

/** The file first, then what happens to it and how much. */
export function FileHead({ part, copied }: FileHeadProps) {
  const words = fileEffect(part);
  const { path } = part;
  const movedTo = part.type === 'diff' ? part.movedTo : undefined;
  return (
    <header class="file-head">
      <p class="file-name">
        <code>
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
        {part.text === '' ? t('empty') : t('{count} lines', { count: lines })}
      </span>
    );
  }
  const marks = part.hunks.flatMap(({ lines }) => lines.map(({ mark }) => mark));
  const [added, removed] = [count(marks, 'new'), count(marks, 'gone')];
  return (
    <span class="file-size">
      <span class="added">
        <span aria-hidden="true">+{added}</span>
        <span class="unseen">{`${t('{count} lines added,', { count: added })} `}</span>
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

/** As in a terminal, in the language of the screen; a diff shows by itself that it changes the file. */
function fileEffect({ type, effect }: FileHeadProps['part']): string {
  switch (effect) {
    case 'create':
      return t('New file');
    case 'overwrite':
      return t('Overwrites the file');
    case 'delete':
      return t('Deletes the file');
    case 'edit':
      return type === 'file' ? t('Changes the file') : '';
    case 'unknown':
      return type === 'file' ? t('Writes the whole file. Whether it exists is not known.') : '';
  }
}
