import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { Interaction } from '../../protocol/types.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import { AttachedFiles, ChooseFiles, FileItems } from './attached-files.tsx';
import { useDroppedFiles } from './use-dropped-files.ts';
import { type FilesToSend, useFiles } from './use-files.ts';

interface AnswerFilesProps {
  readonly record: Interaction;
  readonly session: { readonly id: string };
  readonly transport: Transport;
  readonly store: KeyValueStore;
  /** What the card asks when it sends an answer. */
  readonly handle: RefObject<FilesToSend | null>;
}

interface CardFilesProps extends AnswerFilesProps {
  /** This person may answer now. */
  readonly isLive: boolean;
}

/** The files that answers brought, and those of the next one, whatever it is. */
export function CardFiles({ isLive, ...props }: CardFilesProps) {
  const { record, session, transport } = props;
  return (
    <div class="card-files">
      {record.attachments !== undefined && (
        <AttachedFiles files={record.attachments} {...{ session, transport }} />
      )}
      {isLive && <AnswerFiles {...props} />}
    </div>
  );
}

function AnswerFiles({ record, session, transport, store, handle }: AnswerFilesProps) {
  const { interactionId } = record;
  const sessionId = session.id;
  const files = useFiles({ transport, store, place: { sessionId, interactionId } });
  handle.current = files;
  const anchor = useRef<HTMLDivElement>(null);
  useDroppedFiles(
    anchor,
    (element) => {
      const card = element.closest('article');
      return { drop: card, paste: card };
    },
    files.add,
  );
  return (
    <div ref={anchor}>
      <FileItems {...{ files, sessionId, transport }} />
      <ChooseFiles files={files} isText />
    </div>
  );
}
