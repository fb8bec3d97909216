/**
 * Files on their way: each is sent as soon as it is chosen, so that the message or the answer only names it.
 *
 * What was sent is kept with the draft and survives a reload. A file that could not be sent stays, with its reason, until the
 * person tries again or removes it: nothing is sent without a file that the person sees beside it.
 */
import { useRef, useState } from 'preact/hooks';
import { ClientError } from '../../client/errors.ts';
import { freshKey } from '../../client/requests/http-calls.ts';
import type { Transport } from '../../client/transport.ts';
import type { AttachedFile, JsonObject } from '../../protocol/types.ts';
import { failureText } from '../model/failure.ts';
import {
  type FileDraftPlace,
  fileNameFor,
  fileProblem,
  loadFileDraft,
  saveFileDraft,
} from '../model/file-draft.ts';
import { t } from '../model/language.ts';
import { countedFetch } from './counted-fetch.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';

export interface FileItem {
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
  /** What the person chose; after a reload the server has it. */
  readonly blob?: Blob;
  /** The server has it. */
  readonly file?: AttachedFile;
  /** How much of it is sent, in whole percent. */
  readonly percent?: number;
  /** Why it was not sent. */
  readonly failure?: string;
}

/** What a composer or a card does with its files when it sends. The first screen knows no more of them. */
export interface FilesToSend {
  /** With all of them, once they are stored; rejects if one could not be. Without words, their names are the text. */
  addToMessage(
    text: string,
  ): Promise<{ readonly text: string; readonly attachments?: readonly string[] }>;
  addToAnswer(answer: JsonObject): Promise<JsonObject>;
  /** Takes away those that were added last: what was chosen since is for the next message. */
  clear(): void;
}

export interface FilesState extends FilesToSend {
  readonly items: readonly FileItem[];
  /** Why something that was chosen is not among them. */
  readonly note: string | undefined;
  add(chosen: readonly File[]): void;
  retry(key: string): void;
  remove(key: string): void;
}

interface UseFilesOptions {
  readonly transport: Transport;
  readonly store: KeyValueStore;
  readonly place: FileDraftPlace;
  /** Called with the number of files whenever it, or one of them, changes. */
  readonly onChange?: ((count: number) => void) | undefined;
}

export function useFiles({ transport, store, place, onChange }: UseFilesOptions): FilesState {
  const uploads = useRef(new Map<string, { sent: Promise<void>; end: AbortController }>());
  const [items, setItems] = useState(() => loadFileDraft(store, place).map(fileItemOf));
  const [note, setNote] = useState<string>();
  const latest = useRef(items);
  const added = useRef<ReadonlySet<string>>(new Set());
  const change = (next: readonly FileItem[]) => {
    latest.current = [...next];
    setItems(latest.current);
    saveFileDraft(
      store,
      place,
      next.flatMap(({ file }) => file ?? []),
    );
    onChange?.(next.length);
  };
  const replace = (key: string, changed: Partial<FileItem>) =>
    change(latest.current.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  const upload = ({ key, name, blob }: FileItem) => {
    if (blob === undefined) return;
    const end = new AbortController();
    const { signal } = end;
    const count = (bytes: number) => {
      // The head of the request counts too, so all of it is never less than the file.
      const percent = Math.min(100, Math.floor((100 * bytes) / blob.size));
      latest.current = latest.current.map((one) => (one.key === key ? { ...one, percent } : one));
      setItems(latest.current);
    };
    const file = { name, mediaType: blob.type, bytes: blob };
    const sent = transport
      .attach(place.sessionId, file, { signal, wrapFetch: (usual) => countedFetch(usual, count) })
      .then(
        (file) => replace(key, { file }),
        (cause: unknown) => {
          if (!signal.aborted) replace(key, { failure: failureText(cause) });
        },
      )
      .finally(() => uploads.current.delete(key));
    uploads.current.set(key, { sent, end });
  };
  const stored = async (): Promise<readonly AttachedFile[]> => {
    await Promise.all([...uploads.current.values()].map(({ sent }) => sent));
    const unsent = latest.current.filter(({ file }) => file === undefined);
    if (unsent.length > 0) throw notAllSent();
    added.current = new Set(latest.current.map((one) => one.key));
    // The same file, chosen twice, is one.
    const files = latest.current.flatMap(({ file }) => file ?? []);
    return [...new Map(files.map((file) => [file.attachmentId, file])).values()];
  };
  return {
    items,
    note,
    add(chosen) {
      const problems: string[] = [];
      for (const blob of chosen) {
        const problem = fileProblem(blob, latest.current.length);
        if (problem !== undefined) {
          problems.push(problem);
          continue;
        }
        const name = fileNameFor(blob.name);
        const item = { key: freshKey(), name, bytes: blob.size, blob };
        change([...latest.current, item]);
        upload(item);
      }
      setNote(problems.length === 0 ? undefined : problems.join(' '));
    },
    retry(key) {
      const item = latest.current.find((one) => one.key === key);
      if (item === undefined) return;
      const { failure: _failure, percent: _percent, ...again } = item;
      change(latest.current.map((one) => (one.key === key ? again : one)));
      upload(again);
    },
    remove(key) {
      uploads.current.get(key)?.end.abort();
      setNote(undefined);
      change(latest.current.filter((one) => one.key !== key));
    },
    async addToMessage(text) {
      const files = await stored();
      const words = text.trim() === '' ? files.map(({ name }) => name).join(', ') : text;
      return { text: words, ...namedBy(files) };
    },
    addToAnswer: async (answer) => ({ ...answer, ...namedBy(await stored()) }),
    clear() {
      setNote(undefined);
      change(latest.current.filter((one) => !added.current.has(one.key)));
    },
  };
}

function namedBy(files: readonly AttachedFile[]): { attachments?: string[] } {
  return files.length === 0 ? {} : { attachments: files.map((one) => one.attachmentId) };
}

function fileItemOf(file: AttachedFile): FileItem {
  return { key: file.attachmentId, name: file.name, bytes: file.bytes, file };
}

function notAllSent(): ClientError {
  return new ClientError({
    code: 'unknown_attachment',
    message: t('A file could not be sent. Try it again or remove it; nothing else was sent.'),
    retry: 'never',
  });
}
