import type { RefObject } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { JsonObject } from '../../../protocol/types.ts';
import { targetOf } from '../../model/cards/approval-input.ts';
import type { CardBodyProps } from '../card-props.ts';
import type { DisplayPart } from '../../../display/display.ts';
import { displayInput } from '../../../display/display-input.ts';
import { withKnownFile } from '../../../display/known-file.ts';
import { BUILT_IN_CREDENTIAL } from '../../model/tool-words.ts';
import type { OnComment } from './diff-view.tsx';
import { InputView } from './input-view.tsx';
import { type LineComments, LineCommentSheet } from './line-comment-sheet.tsx';

interface ApprovalInputProps {
  readonly card: CardBodyProps;
  readonly input: JsonObject;
  readonly label: string;
  readonly root: RefObject<HTMLDivElement | null>;
  readonly comments?: LineComments | undefined;
}

/** The input that is decided on, beside the file that it changes. */
export function ApprovalInput({ card, input, label, root, comments }: ApprovalInputProps) {
  const { isReading, improve } = useKnownFile(card, input);
  const { toolName } = card.answering.record;
  const [about, setAbout] = useState<Parameters<OnComment>>();
  const onComment: OnComment | undefined = comments && ((...place) => setAbout(place));
  return (
    <>
      <InputView
        {...{ toolName, input, label, root, isReading, improve, onComment }}
        headed={targetOf(input)}
      />
      {comments && about && (
        <LineCommentSheet
          part={about[0]}
          begins={about[1]}
          comments={comments}
          onClose={() => setAbout(undefined)}
        />
      )}
    </>
  );
}

interface KnownFile {
  readonly path: string;
  readonly improve?: (part: DisplayPart) => DisplayPart;
}

interface ReadFile {
  /** The answer is under way: the view would change under the eye of its reader. */
  readonly isReading: boolean;
  /** Adds to a part what the file says. */
  readonly improve: ((part: DisplayPart) => DisplayPart) | undefined;
}

type KnownFileOptions = Pick<CardBodyProps, 'answering' | 'transport' | 'session'>;

/**
 * The file that an input changes, where the page can read it: the built-in agent keeps its files in the session. Of
 * any other agent's files the page knows nothing.
 */
function useKnownFile(
  { answering: { record }, transport, session }: KnownFileOptions,
  input: JsonObject,
): ReadFile {
  const [known, setKnown] = useState<KnownFile>();
  const path = useMemo(
    () =>
      record.openedBy.credential === BUILT_IN_CREDENTIAL && record.status === 'open'
        ? pathIn(record.toolName, input)
        : undefined,
    [record.toolName, record.status, input],
  );
  useEffect(() => {
    if (path === undefined) return;
    let isWanted = true;
    const note = (file: Omit<KnownFile, 'path'>) => isWanted && setKnown({ path, ...file });
    // A request for a missing file would be an error in the console of the browser.
    const read = async () => {
      const files = await transport.files(session.id);
      if (!files.some((file) => file.path === path)) return undefined;
      return (await transport.file(session.id, path)).content;
    };
    read().then(
      (content) => note({ improve: (part) => withKnownFile(part, content) }),
      // A file that cannot be fetched stays unknown.
      () => note({}),
    );
    return () => {
      isWanted = false;
    };
  }, [transport, session.id, path]);
  const isKnown = known !== undefined && known.path === path;
  return {
    isReading: path !== undefined && !isKnown,
    improve: isKnown ? known.improve : undefined,
  };
}

function pathIn(toolName: string, input: JsonObject): string | undefined {
  const [part, ...more] = displayInput(toolName, input).parts;
  const hasFile = part?.type === 'file' || part?.type === 'diff';
  return hasFile && more.length === 0 ? part.path : undefined;
}
