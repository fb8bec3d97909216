import { useMemo } from 'preact/hooks';
import { diffLines } from '../../../display/diff-lines.ts';
import type { JsonObject } from '../../../protocol/types.ts';
import { rawJson } from '../../model/folding.ts';
import { t } from '../../model/language.ts';
import { Literal } from '../../ui/literal.tsx';
import { LinesView } from './diff-view.tsx';

interface InputChangesProps {
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Default: “Your changes”. */
  readonly title?: string;
}

/** What a person changed of an input: it is what they approve. */
export function InputChanges({ before, after, title = t('Your changes') }: InputChangesProps) {
  const changed = useMemo(() => changedFields(before, after), [before, after]);
  if (changed.length === 0) return <p class="card-hint">{t('Nothing is changed yet.')}</p>;
  return (
    <section class="input-changes" aria-label={title}>
      <h3>{title}</h3>
      {changed.map(({ name, was, is }) => (
        <div key={name}>
          <p class="card-hint">
            <Literal text={name} />
          </p>
          <LinesView lines={diffLines(was, is)} />
        </div>
      ))}
    </section>
  );
}

interface ChangedField {
  readonly name: string;
  readonly was: string;
  readonly is: string;
}

function changedFields(before: JsonObject, after: JsonObject): readonly ChangedField[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [was, is] = [before, after].map((input) =>
      Object.hasOwn(input, name) ? input[name] : undefined,
    );
    if (rawJson(was) === rawJson(is)) return [];
    const isText = (value: unknown) => value === undefined || typeof value === 'string';
    // As JSON where the kinds differ: the text "1" and the number 1 are not the same.
    const areTexts = isText(was) && isText(is);
    const text = (value: unknown) => {
      if (value === undefined) return '';
      return areTexts && typeof value === 'string' ? value : rawJson(value);
    };
    return [{ name, was: text(was), is: text(is) }];
  });
}
