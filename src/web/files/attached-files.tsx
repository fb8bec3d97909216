/** The files of a message or an answer: while they are chosen and sent, and then small pictures that open larger, and files to save. */
import { useState, useRef, useEffect } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import { describeSize } from '../../protocol/describe-attached-files.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { AttachedFile } from '../../protocol/types.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { formatNumber, t } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import { Button, Icon } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { isPictureType } from '../model/file-draft.ts';
import filesStyle from './files.css?inline';
import type { FileItem, FilesState } from './use-files.ts';

adoptStyle(filesStyle);

interface AttachedFilesProps {
  readonly files: readonly AttachedFile[];
  readonly session: { readonly id: string };
  readonly transport: Transport;
}

export function AttachedFiles({ files, session, transport }: AttachedFilesProps) {
  const sessionId = session.id;
  const [shown, setShown] = useState<AttachedFile>();
  return (
    <>
      <ul class="attached" aria-label={t('Attached files')}>
        {files.map((file) => (
          <li key={file.attachmentId}>
            {file.width === undefined ? (
              <FileToSave {...{ file, sessionId, transport }} />
            ) : (
              <SmallPicture {...{ file, sessionId, transport }} onOpen={() => setShown(file)} />
            )}
          </li>
        ))}
      </ul>
      {shown !== undefined && (
        <Sheet
          title={escapeInvisible(shown.name)}
          side="middle"
          onClose={() => setShown(undefined)}
        >
          <LargePicture {...{ file: shown, sessionId, transport }} />
        </Sheet>
      )}
    </>
  );
}

interface OneFileProps {
  readonly sessionId: string;
  readonly transport: Transport;
  readonly file: AttachedFile;
}

function aboutOf({ name, bytes }: AttachedFile) {
  return { name: escapeInvisible(name), size: describeSize(bytes) };
}

function SmallPicture(props: OneFileProps & { readonly onOpen: () => void }) {
  const { url, isBroken, onError } = usePicture(props);
  const about = aboutOf(props.file);
  if (isBroken) return <FileToSave {...props} />;
  return (
    <button
      type="button"
      class="picture"
      title={about.name}
      aria-label={t('Open picture {name}, {size}', about)}
      onClick={props.onOpen}
    >
      {url !== undefined && <img src={url} alt="" onError={onError} />}
    </button>
  );
}

function LargePicture(props: OneFileProps) {
  const { file } = props;
  const { url, isBroken, onError } = usePicture(props);
  const { name } = aboutOf(file);
  return (
    <div class="large-picture">
      {isBroken ? (
        <p role="alert">{t('The picture cannot be shown.')}</p>
      ) : url === undefined ? (
        <p role="status">{t('Loading…')}</p>
      ) : (
        <img src={url} alt={name} width={file.width} height={file.height} onError={onError} />
      )}
      <FileToSave {...props} />
    </div>
  );
}

function FileToSave({ file, sessionId, transport }: OneFileProps) {
  const { isBusy, failure, run } = useAsyncAction();
  const { name, size } = aboutOf(file);
  return (
    <>
      <Button
        isBusy={isBusy}
        onClick={() => void run(() => saveAttachedFile(transport, sessionId, file))}
      >
        <Icon name="file" />
        <span class="unseen">{t('Save')}</span>
        <span class="file-about">
          <bdi class="file-name">{name}</bdi>
          <span class="file-size">{size}</span>
        </span>
      </Button>
      <FailureNote text={failure} />
    </>
  );
}

/** Browsers read the address after the click, some of them only once a person has chosen a folder. */
const KEPT_MS = 60_000;

/** Fetches a file with the credential, and hands it to the downloads of the browser. As bytes: no page is made of it. */
async function saveAttachedFile(
  transport: Transport,
  sessionId: string,
  { attachmentId, name }: AttachedFile,
): Promise<void> {
  const bytes = await transport.attachedFile(sessionId, attachmentId);
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

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
  const { key, bytes, file, failure, blob, percent = 0 } = item;
  const isSending = file === undefined && failure === undefined;
  const { url, onError } = usePicture({ transport, sessionId, file, blob });
  const name = escapeInvisible(item.name);
  return (
    <li class={failure === undefined ? 'file-item' : 'file-item failed'}>
      <span class="file-thumb">
        {url === undefined ? <Icon name="file" /> : <img src={url} alt="" onError={onError} />}
        {isSending && <span class="spinner" aria-hidden="true" />}
      </span>
      <span class="file-about">
        <bdi class="file-name" title={name}>
          {name}
        </bdi>
        <span class="file-size">
          {failure ??
            (isSending
              ? t('{percent} of {size}', {
                  percent: formatNumber(percent / 100, { style: 'percent' }),
                  size: describeSize(bytes),
                })
              : describeSize(bytes))}
        </span>
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
        aria-label={
          isSending ? t('Stop sending {name}', { name }) : t('Remove: {text}', { text: name })
        }
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

interface PictureState {
  /** Undefined until the bytes are here. */
  readonly url: string | undefined;
  readonly isBroken: boolean;
  /** The bytes are no picture after all. */
  onError(): void;
}

interface PictureSource {
  readonly transport: Transport;
  readonly sessionId: string;
  readonly file: AttachedFile | undefined;
  /** The bytes that this person chose, which need not be fetched. */
  readonly blob?: Blob | undefined;
}

/** Pictures that a page fetches at once: two tabs together stay below what one credential may download. */
const PICTURES_AT_ONCE = 3;
let fetching = 0;
const pictureQueue: (() => void)[] = [];

/** A picture that is no longer drawn keeps its turn and ends it at once: its signal is aborted. */
async function fetchInTurn<Fetched>(fetchPicture: () => Promise<Fetched>): Promise<Fetched> {
  if (fetching < PICTURES_AT_ONCE) fetching += 1;
  else await new Promise<void>((resolve) => pictureQueue.push(resolve));
  try {
    return await fetchPicture();
  } finally {
    const next = pictureQueue.shift();
    if (next === undefined) fetching -= 1;
    else next();
  }
}

/** An address of a picture for this page alone. It is fetched with the credential, and revoked when it is no longer drawn. */
function usePicture({ transport, sessionId, file, blob }: PictureSource): PictureState {
  const [url, setUrl] = useState<string>();
  const [isBroken, setBroken] = useState(false);
  const id = file?.attachmentId;
  const type = file?.mediaType ?? '';
  useEffect(() => {
    const over = new AbortController();
    let made: string | undefined;
    const show = (picture: Blob) => {
      if (over.signal.aborted) return;
      made = URL.createObjectURL(picture);
      setUrl(made);
    };
    setBroken(false);
    if (blob !== undefined) {
      if (isPictureType(blob.type)) show(blob);
    } else if (id !== undefined && isPictureType(type)) {
      fetchInTurn(() => transport.attachedFile(sessionId, id, { signal: over.signal })).then(
        (bytes) => show(new Blob([bytes], { type })),
        () => over.signal.aborted || setBroken(true),
      );
    }
    return () => {
      over.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [transport, sessionId, blob, blob === undefined ? id : undefined]);
  return { url, isBroken, onError: () => setBroken(true) };
}
