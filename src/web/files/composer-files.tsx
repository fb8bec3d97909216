import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import { ChooseFiles, FileItems } from './attached-files.tsx';
import { useDroppedFiles } from './use-dropped-files.ts';
import { type FilesToSend, useFiles } from './use-files.ts';

interface ComposerFilesProps {
  readonly sessionId: string;
  readonly transport: Transport;
  readonly store: KeyValueStore;
  /** What the composer asks when it sends. */
  readonly handle: RefObject<FilesToSend | null>;
  readonly onChange: (count: number) => void;
}

/** The files of a message: a button, what was chosen, and what is dropped on the conversation or pasted into the field. */
export function ComposerFiles(props: ComposerFilesProps) {
  const { sessionId, transport, store, handle, onChange } = props;
  const files = useFiles({ transport, store, place: { sessionId }, onChange });
  handle.current = files;
  const anchor = useRef<HTMLDivElement>(null);
  useDroppedFiles(
    anchor,
    (element) => ({ drop: element.closest('main'), paste: element.closest('form') }),
    files.add,
  );
  useEffect(() => onChange(files.items.length), []);
  return (
    <>
      <div ref={anchor} class="file-row">
        <FileItems {...{ files, sessionId, transport }} />
      </div>
      <ChooseFiles files={files} />
    </>
  );
}
