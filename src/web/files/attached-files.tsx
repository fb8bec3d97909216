/** The files of a sent message or answer: small pictures that open larger, and files to save. */
import { useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import { describeSize } from '../../protocol/describe-attached-files.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { AttachedFile } from '../../protocol/types.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { t } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import filesStyle from './files.css?inline';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { usePicture } from './use-picture.ts';

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
