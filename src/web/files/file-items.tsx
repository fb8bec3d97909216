import { useRef } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import { describeSize } from '../../protocol/describe-attached-files.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { FailureNote } from '../hooks/use-async-action.tsx';
import { t } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import filesStyle from './files.css?inline';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import type { FileItem, FilesState } from './use-files.ts';
import { usePicture } from './use-picture.ts';

adoptStyle(filesStyle);

interface FileItemsProps {
  readonly files: FilesState;
  readonly sessionId: string;
  readonly transport: Transport;
}

/** The files of a message or an answer that is being written, each with its state. */
export function FileItems({ files, sessionId, transport }: FileItemsProps) {
  const { items, note } = files;
  const isSending = items.some(({ file, failure }) => file === undefined && failure === undefined);
  return (
    <div class="file-items" hidden={items.length === 0 && note === undefined}>
      <ul aria-label={t('Chosen files')}>
        {items.map((item) => (
          <OneItem key={item.key} {...{ item, files, sessionId, transport }} />
        ))}
      </ul>
      <p class="unseen" role="status">
        {isSending ? t('Sending files…') : items.length > 0 && t('The files are ready to send.')}
      </p>
      <FailureNote text={note} />
    </div>
  );
}

interface OneItemProps extends FileItemsProps {
  readonly item: FileItem;
}

function OneItem({ item, files, sessionId, transport }: OneItemProps) {
  const { key, bytes, file, failure, blob } = item;
  const { url, onError } = usePicture({ transport, sessionId, file, blob });
  const name = escapeInvisible(item.name);
  return (
    <li class={failure === undefined ? 'file-item' : 'file-item failed'}>
      <span class="file-thumb">
        {url === undefined ? <Icon name="file" /> : <img src={url} alt="" onError={onError} />}
        {file === undefined && failure === undefined && <span class="spinner" aria-hidden="true" />}
      </span>
      <span class="file-about">
        <bdi class="file-name" title={name}>
          {name}
        </bdi>
        <span class="file-size">{failure ?? describeSize(bytes)}</span>
      </span>
      {failure !== undefined && (
        <Button
          kind="icon"
          aria-label={t('Try again: {name}', { name })}
          onClick={() => files.retry(key)}
        >
          <Icon name="retry" />
        </Button>
      )}
      <Button
        kind="icon"
        aria-label={t('Remove: {text}', { text: name })}
        onClick={() => files.remove(key)}
      >
        <Icon name="close" />
      </Button>
    </li>
  );
}

/** Drawn as the other icons are; it is not among them, because the first screen does not need it. */
function Paperclip() {
  return (
    <svg class="icon" width="20" height="20" viewBox="0 0 24 24" aria-hidden="true">
      <path
        class="line"
        d="M15.5 7.5l-7 7a2 2 0 002.9 2.9l7.6-7.7a4 4 0 00-5.7-5.7l-7.6 7.7a6 6 0 008.6 8.5l6-6.1"
      />
    </svg>
  );
}

interface ChooseFilesProps {
  readonly files: Pick<FilesState, 'add'>;
  /** In words, or as an icon. */
  readonly isText?: boolean;
}

/** Opens the picker of the system. */
export function ChooseFiles({ files, isText = false }: ChooseFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  const open = () => input.current?.click();
  return (
    <>
      {isText ? (
        <button type="button" class="link" onClick={open}>
          {t('Attach files…')}
        </button>
      ) : (
        <Button kind="icon" aria-label={t('Attach files')} onClick={open}>
          <Paperclip />
        </Button>
      )}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          files.add([...(currentTarget.files ?? [])]);
          // The same file can be chosen again after it was removed.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
