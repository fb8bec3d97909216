/**
 * The input of a tool as a person reads it before they decide: what it does first, every other field below, and the same as
 * JSON one press away.
 *
 * What is folded or not drawn yet is marked with `data-folded` and `data-piece`: `watch-seen.ts` reads the marks, so that
 * nothing counts as seen before it was there to be read.
 */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CommandLine, DisplayPart, InputDisplay } from '../../../display/display.ts';
import { isObject, type JsonObject } from '../../../protocol/types.ts';
import { rawJson, sizeOfText } from '../../model/folding.ts';
import { t, tn } from '../../model/language.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Literal } from '../../ui/literal.tsx';
import { CodeLines, isLongCode } from './code-lines.tsx';
import { RowPieces } from './row-pieces.tsx';

export interface InputFrameProps {
  readonly display: InputDisplay;
  readonly input: JsonObject;
  /** The accessible name: "Input of Bash". */
  readonly label: string;
  readonly root?: RefObject<HTMLDivElement | null> | undefined;
  /** The file that the input changes is not known yet. */
  readonly isReading?: boolean;
  /** Two columns; undefined without a diff. */
  readonly isSplit?: boolean | undefined;
  readonly onSplit?: ((isSplit: boolean) => void) | undefined;
  /** Draws what is no command. */
  readonly drawPart?: (
    part: Exclude<DisplayPart, CommandLine>,
    isWhole: boolean,
  ) => ComponentChildren;
}

/** A command and fields are drawn here, and every other part by the one who knows it. */
export function InputFrame(props: InputFrameProps) {
  const { display, input, label, root, isReading = false, isSplit, onSplit, drawPart } = props;
  const { parts, facts } = display;
  const own = useRef<HTMLDivElement>(null);
  const element = root ?? own;
  const [isJson, setJson] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const json = useMemo(() => rawJson(input), [input]);
  const rest = Object.entries(display.rest);
  const folded = useFolded(element);
  return (
    <div
      class="input-view"
      role="group"
      aria-label={label}
      ref={element}
      data-mode={isJson ? 'json' : isSplit === true ? 'split' : 'one column'}
    >
      {isReading ? (
        <p class="card-hint" data-folded="">
          {t('Reading the file…')}
        </p>
      ) : isJson ? (
        <CodeLines text={json} language="json" hasNumbers={false} isWhole={isWhole} />
      ) : (
        <>
          {parts.map((part, at) =>
            part.type === 'command' ? (
              <CommandView key={at} {...{ part, isWhole }} />
            ) : (
              drawPart?.(part, isWhole)
            ),
          )}
          {facts.length > 0 && (
            <dl class="input-facts">
              {facts.map(({ name, text }) => (
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
        {isSplit !== undefined && !isJson && (
          <button
            type="button"
            class="link"
            aria-pressed={isSplit}
            onClick={() => onSplit?.(!isSplit)}
          >
            {isSplit ? t('Show in one column') : t('Show side by side')}
          </button>
        )}
        <button
          type="button"
          class="link"
          data-raw
          aria-pressed={isJson}
          onClick={() => setJson(!isJson)}
        >
          {isJson ? t('Show as fields') : t('Show raw JSON')}
        </button>
        <CopyButton kind="quiet" text={json} label={t('Copy JSON of the input')}>
          {t('Copy JSON')}
        </CopyButton>
      </div>
    </div>
  );
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
export function FieldRows({ fields, isWhole, depth = 0 }: FieldRowsProps) {
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
  const isFolded = !isWhole && isLongCode(rawJson(value));
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
