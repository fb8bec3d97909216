import { useEffect, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { AttachedFile } from '../../protocol/types.ts';
import { isPictureType } from '../model/file-draft.ts';

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

/** An address of a picture for this page alone. It is fetched with the credential, and revoked when it is no longer drawn. */
export function usePicture({ transport, sessionId, file, blob }: PictureSource): PictureState {
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
      transport.attachedFile(sessionId, id, { signal: over.signal }).then(
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
