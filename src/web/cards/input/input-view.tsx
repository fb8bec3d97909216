import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CommandLine, DisplayPart, WebAddress } from '../../../display/display.ts';
import { displayInput } from '../../../display/display-input.ts';
import type { JsonObject } from '../../../protocol/types.ts';
import { t } from '../../model/language.ts';
import { adoptStyle } from '../../styles/adopt-style.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Literal } from '../../ui/literal.tsx';
import { languageOf } from './code-language.ts';
import { CodeLines } from './code-lines.tsx';
import diffStyle from './diff-view.css?inline';
import { DiffView, type OnComment } from './diff-view.tsx';
import { FileHead } from './file-head.tsx';
import { FieldRows, InputFrame } from './input-frame.tsx';

adoptStyle(diffStyle);

interface InputViewProps {
  readonly toolName: string;
  readonly input: JsonObject;
  /** The accessible name: "Input of Bash". */
  readonly label: string;
  readonly root?: RefObject<HTMLDivElement | null>;
  /** The parts, where the page knows more of them than the input says. */
  readonly improve?: ((part: DisplayPart) => DisplayPart) | undefined;
  /** That is not known yet. */
  readonly isReading?: boolean;
  /** What the head of the card shows of the input: the path of one file is not said again. */
  readonly headed?: string | undefined;
  readonly onComment?: OnComment | undefined;
}

/** Two columns need room for two lines of code. */
const SPLIT_PX = 820;

/** The input of any tool. */
export function InputView(props: InputViewProps) {
  const { toolName, input, label, root, improve, isReading = false, headed, onComment } = props;
  const own = useRef<HTMLDivElement>(null);
  const element = root ?? own;
  const [splits, setSplits] = useState(true);
  const isWide = useWidth(element) >= SPLIT_PX;
  const read = useMemo(() => displayInput(toolName, input), [toolName, input]);
  const display = improve === undefined ? read : { ...read, parts: read.parts.map(improve) };
  const hasDiff = display.parts.some(({ type }) => type === 'diff');
  const isSplit = hasDiff && isWide ? splits : undefined;
  const isNamedBy = (part: DisplayPart) =>
    display.parts.length === 1 &&
    'path' in part &&
    part.path !== undefined &&
    part.path === headed &&
    !('movedTo' in part && part.movedTo !== undefined);
  return (
    <InputFrame
      {...{ display, input, label, isReading, isSplit }}
      root={element}
      onSplit={setSplits}
      drawPart={(part, isWhole) => (
        <PartView
          {...{ part, isWhole, onComment }}
          isNamed={isNamedBy(part)}
          isSplit={isSplit === true}
        />
      )}
    />
  );
}

interface PartViewProps {
  readonly part: Exclude<DisplayPart, CommandLine>;
  readonly isSplit: boolean;
  readonly isWhole: boolean;
  readonly isNamed: boolean;
  readonly onComment: OnComment | undefined;
}

function PartView({ part, isSplit, isWhole, isNamed, onComment }: PartViewProps) {
  switch (part.type) {
    case 'diff':
      return <DiffView {...{ part, isSplit, isWhole, isNamed, onComment }} />;
    case 'address':
      return <AddressView {...{ part, isWhole }} />;
    case 'file':
      return (
        <section class="file-part">
          <FileHead {...{ part, isNamed }} copied={() => part.text} />
          <CodeLines
            text={part.text}
            language={languageOf(part.path)}
            hasNumbers
            isWhole={isWhole}
          />
        </section>
      );
  }
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const shown = element.current;
    if (shown === null) return;
    setWidth(shown.clientWidth);
    const observer = new ResizeObserver(() => setWidth(shown.clientWidth));
    observer.observe(shown);
    return () => observer.disconnect();
  }, []);
  return width;
}

interface AddressViewProps {
  readonly part: WebAddress;
  readonly isWhole: boolean;
}

/** The host first, because it says who gets the request. */
function AddressView({ part, isWhole }: AddressViewProps) {
  const { url, method, host, isPunycode, path, query } = part;
  return (
    <section class="address-part">
      <p class="address-host">
        {method !== undefined && (
          <span class="address-method">
            <Literal text={method} />{' '}
          </span>
        )}
        <strong>
          <Literal text={host} />
        </strong>
      </p>
      {isPunycode && (
        <p class="card-note">{t('Part of the name is written in letters of another alphabet.')}</p>
      )}
      <FieldRows fields={[['path', path], ...query]} isWhole={isWhole} />
      <p class="address-whole">
        <code>
          <Literal text={url} />
        </code>
        <CopyButton kind="quiet" text={url} label={t('Copy the address')} />
      </p>
    </section>
  );
}
