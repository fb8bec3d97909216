import { isObject } from '../../../protocol/guards.ts';
import { isLong, rawJson } from '../../model/folding.ts';
import { t, tn } from '../../model/language.ts';
import { Literal } from '../../ui/literal.tsx';
import { CodeLines } from './code-lines.tsx';
import { RowPieces } from './row-pieces.tsx';

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
