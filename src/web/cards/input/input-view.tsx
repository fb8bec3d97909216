/**
 * The input of a tool as a person reads it before they decide: what it does first, every other field below, and the same as
 * JSON one press away.
 *
 * What is folded or not drawn yet is marked with `data-folded` and `data-piece`: `watch-seen.ts` reads the marks, so that
 * nothing counts as seen before it was there to be read.
 */
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DisplayPart, WebAddress, CommandLine } from '../../../display/display.ts';
import { displayInput } from '../../../display/display-input.ts';
import { type JsonObject, isObject } from '../../../protocol/types.ts';
import { rawJson, sizeOfText, isLong } from '../../model/folding.ts';
import { t, tn } from '../../model/language.ts';
import { adoptStyle } from '../../styles/adopt-style.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Literal } from '../../ui/literal.tsx';
import { CodeLines } from './code-lines.tsx';
import { DiffView } from './diff-view.tsx';
import { FileHead } from './file-head.tsx';
import { languageOf } from './highlight.ts';
import inputStyle from './input-view.css?inline';
import { RowPieces } from './row-pieces.tsx';

adoptStyle(inputStyle);

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
}

/** Two columns need room for two lines of code. */
const SPLIT_PX = 820;

export function InputView(props: InputViewProps) {
  const { toolName, input, label, root, improve, isReading = false } = props;
  const own = useRef<HTMLDivElement>(null);
  const element = root ?? own;
  const [isJson, setJson] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const [splits, setSplits] = useState<boolean>();
  const isWide = useWidth(element) >= SPLIT_PX;
  const display = useMemo(() => displayInput(toolName, input), [toolName, input]);
  const parts = improve === undefined ? display.parts : display.parts.map(improve);
  const json = useMemo(() => rawJson(input), [input]);
  const hasDiff = parts.some(({ type }) => type === 'diff');
  const isSplit = isWide && (splits ?? true);
  const rest = Object.entries(display.rest);
  const folded = useFolded(element);
  return (
    <div
      class="input-view"
      role="group"
      aria-label={label}
      ref={element}
      data-mode={isJson ? 'json' : isSplit ? 'split' : 'one column'}
    >
      {isReading ? (
        <p class="card-hint" data-folded="">
          {t('Reading the file…')}
        </p>
      ) : isJson ? (
        <CodeLines text={json} language="json" hasNumbers={false} isWhole={isWhole} />
      ) : (
        <>
          {parts.map((part, at) => (
            <PartView key={at} {...{ part, isSplit, isWhole }} />
          ))}
          {display.facts.length > 0 && (
            <dl class="input-facts">
              {display.facts.map(({ name, text }) => (
                <div key={name}>
                  <dt>
                    <Literal text={name} />
                  </dt>
                  <dd>
                    <Literal text={text} />
                  </dd>
                </div>
              ))}
            </dl>
          )}
          {rest.length > 0 && <FieldRows fields={rest} isWhole={isWhole} />}
          {parts.length === 0 && rest.length === 0 && <p class="card-hint">{t('No input')}</p>}
        </>
      )}
      <div class="bar">
        {folded && !isReading && (
          <button type="button" class="link" data-unfold onClick={() => setWhole(true)}>
            {t('Show all {size}', { size: sizeOfText(json) })}
          </button>
        )}
        {hasDiff && isWide && !isJson && (
          <button
            type="button"
            class="link"
            aria-pressed={isSplit}
            onClick={() => setSplits(!isSplit)}
          >
            {isSplit ? t('Show in one column') : t('Show side by side')}
          </button>
        )}
        <button type="button" class="link" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
          {isJson ? t('Show as fields') : t('Show raw JSON')}
        </button>
        <CopyButton kind="quiet" text={json} label={t('Copy JSON of the input')}>
          {t('Copy JSON')}
        </CopyButton>
      </div>
    </div>
  );
}

interface PartViewProps {
  readonly part: DisplayPart;
  readonly isSplit: boolean;
  readonly isWhole: boolean;
}

function PartView({ part, isSplit, isWhole }: PartViewProps) {
  switch (part.type) {
    case 'diff':
      return <DiffView {...{ part, isSplit, isWhole }} />;
    case 'command':
      return <CommandView {...{ part, isWhole }} />;
    case 'address':
      return <AddressView {...{ part, isWhole }} />;
    case 'file':
      return (
        <section class="file-part">
          <FileHead part={part} copied={() => part.text} />
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

/** Whether anything in the element is folded, by the page or by the person. */
function useFolded(element: RefObject<HTMLElement | null>): boolean {
  const [folded, setFolded] = useState(false);
  useLayoutEffect(() => {
    const isFolded = element.current?.querySelector('[data-folded]') != null;
    if (isFolded !== folded) setFolded(isFolded);
  });
  return folded;
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

interface CommandViewProps {
  readonly part: CommandLine;
  readonly isWhole: boolean;
}

function CommandView({ part: { text, runner, cwd }, isWhole }: CommandViewProps) {
  return (
    <section class="command-part">
      <div class="command">
        <span class="prompt" aria-hidden="true">
          $
        </span>
        <CodeLines text={text} language="shell" hasNumbers={false} isWhole={isWhole} />
        <CopyButton kind="quiet" text={text} label={t('Copy the command')} />
      </div>
      {(cwd !== undefined || runner !== undefined) && (
        <dl class="input-facts">
          {cwd !== undefined && (
            <div>
              <dt>{t('in')}</dt>
              <dd>
                <code>
                  <Literal text={cwd} />
                </code>
              </dd>
            </div>
          )}
          {runner !== undefined && (
            <div>
              <dt>{t('run by')}</dt>
              <dd>
                <code>
                  <Literal text={runner} />
                </code>
              </dd>
            </div>
          )}
        </dl>
      )}
    </section>
  );
}

interface FieldRowsProps {
  readonly fields: readonly (readonly [name: string, value: unknown])[];
  readonly isWhole: boolean;
  readonly depth?: number;
}

/** Deeper values are JSON. */
const MAX_DEPTH = 4;

/** Fields with their values; an object or a list has rows of its own. */
function FieldRows({ fields, isWhole, depth = 0 }: FieldRowsProps) {
  return (
    <dl class="field-rows">
      <RowPieces
        count={fields.length}
        draw={(from, to) =>
          fields.slice(from, to).map(([name, value], at) => (
            <div key={from + at} class="field-row">
              <dt>
                <Literal text={name} />
              </dt>
              <dd>
                <FieldValue {...{ value, isWhole, depth }} />
              </dd>
            </div>
          ))
        }
      />
    </dl>
  );
}

interface FieldValueProps {
  readonly value: unknown;
  readonly isWhole: boolean;
  readonly depth: number;
}

function FieldValue({ value, isWhole, depth }: FieldValueProps) {
  if (typeof value === 'string')
    return value === '' ? (
      <em>{t('empty')}</em>
    ) : (
      <CodeLines text={value} language={undefined} hasNumbers={false} isWhole={isWhole} />
    );
  const entries = isObject(value)
    ? Object.entries(value)
    : Array.isArray(value)
      ? value.map((part, at) => [String(at + 1), part] as const)
      : [];
  if (entries.length === 0) return <code class="code scalar">{rawJson(value)}</code>;
  const isFolded = !isWhole && isLong(rawJson(value));
  if (isFolded)
    return (
      <span class="fold-note" data-folded="">
        {Array.isArray(value)
          ? t('A list of {count}', { count: entries.length })
          : tn(entries.length, '1 field', '{count} fields')}
      </span>
    );
  if (depth >= MAX_DEPTH)
    return <CodeLines text={rawJson(value)} language="json" hasNumbers={false} isWhole={isWhole} />;
  return <FieldRows fields={entries} isWhole={isWhole} depth={depth + 1} />;
}
