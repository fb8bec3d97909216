import { useEffect, useState } from 'preact/hooks';
import { failureText } from '../model/failure.ts';
import { visibleText } from '../../protocol/escapes.ts';
import { byteCount } from '../model/folding.ts';
import { relativeTime } from '../model/times.ts';
import type { Transport } from '../../client/transport.ts';
import type { FileEntry, SessionFile } from '../../protocol/types.ts';
import { FailureNote } from '../hooks/use-async-action.tsx';
import { Icon } from '../ui/icon.tsx';
import { Literal } from '../ui/literal.tsx';

interface FilesPanelProps {
  readonly transport: Pick<Transport, 'files' | 'file'>;
  readonly sessionId: string;
  readonly now: number;
  /** Changes with every event, which may have changed a file. */
  readonly head: number;
}

/** The files that the agent keeps in the session. */
export function FilesPanel({ transport, sessionId, now, head }: FilesPanelProps) {
  const [files, setFiles] = useState<readonly FileEntry[]>();
  const [shown, setShown] = useState<SessionFile>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    let isWanted = true;
    transport.files(sessionId).then(
      (found) => isWanted && setFiles(found),
      (cause: unknown) => isWanted && setFailure(failureText(cause)),
    );
    return () => {
      isWanted = false;
    };
  }, [transport, sessionId, head]);

  const show = (path: string) => {
    setFailure(undefined);
    transport
      .file(sessionId, path)
      .then(setShown, (cause: unknown) => setFailure(failureText(cause)));
  };
  return (
    <section class="panel" aria-labelledby="files-title">
      <h3 id="files-title">Files</h3>
      {files?.length === 0 && <p class="muted">None yet. What the agent writes is kept here.</p>}
      <ul class="lines">
        {files?.map(({ path, size, updatedAt }) => (
          <li key={path}>
            <button
              type="button"
              class="file"
              aria-expanded={shown?.path === path}
              onClick={() => (shown?.path === path ? setShown(undefined) : show(path))}
            >
              <Icon name="file" />
              <span class="line">
                <strong>{visibleText(path)}</strong>
                <span class="about">
                  {byteCount(size)}, {relativeTime(updatedAt, now)}
                </span>
              </span>
            </button>
            {shown?.path === path && (
              <div class="literal">
                <pre
                  class="raw"
                  tabIndex={0}
                  aria-label={`Content of ${visibleText(path)}`}
                  role="group"
                >
                  <Literal text={shown.content} />
                </pre>
              </div>
            )}
          </li>
        ))}
      </ul>
      <FailureNote text={failure} />
    </section>
  );
}
