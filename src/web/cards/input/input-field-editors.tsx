/**
 * The fields of an input, each with a field of its kind: texts with their line breaks, numbers, switches, the values that a
 * schema allows, and JSON for everything else.
 */
import { useId, useState } from 'preact/hooks';
import { escapeInvisible, visibleText } from '../../../protocol/escapes.ts';
import { isObject, type JsonObject } from '../../../protocol/types.ts';
import { rawJson } from '../../model/folding.ts';
import { t } from '../../model/language.ts';
import { Literal } from '../../ui/literal.tsx';

interface InputFieldEditorsProps {
  readonly input: JsonObject;
  readonly schema: JsonObject | undefined;
  readonly errors: Readonly<Record<string, string>>;
  readonly isBusy: boolean;
  readonly onInput: (input: JsonObject) => void;
  /** The problem of a typed text that is no value; empty once it is one. */
  readonly onProblem: (name: string, problem: string) => void;
}

export function InputFieldEditors(props: InputFieldEditorsProps) {
  const { input, schema, errors, isBusy, onInput, onProblem } = props;
  // Their kinds stay while they are edited: a text whose last line break is deleted keeps its field.
  const [kinds] = useState(() => new Map<string, FieldKind>());
  return (
    <>
      {Object.entries(input).map(([name, value]) => {
        const choices = allowedTexts(schema, name, value);
        const kind = kinds.get(name) ?? kindOf(value, choices);
        kinds.set(name, kind);
        const set = (next: unknown) => onInput({ ...input, [name]: next } as JsonObject);
        return (
          <OneField
            key={name}
            {...{ name, value, kind, choices, isBusy, set }}
            error={errors[name] ?? ''}
            onProblem={(problem) => onProblem(name, problem)}
          />
        );
      })}
    </>
  );
}

type FieldKind = 'text' | 'number' | 'switch' | 'choice' | 'json';

function kindOf(value: unknown, choices: readonly string[]): FieldKind {
  if (choices.length > 0) return 'choice';
  if (typeof value === 'boolean') return 'switch';
  if (typeof value === 'number') return 'number';
  // A text field would obey the characters that are invisible, and drop a carriage return.
  return typeof value === 'string' && visibleText(value) === value ? 'text' : 'json';
}

/** The values of an `enum` of texts. */
function allowedTexts(
  schema: JsonObject | undefined,
  name: string,
  value: unknown,
): readonly string[] {
  const properties = schema?.['properties'];
  const property = isObject(properties) ? properties[name] : undefined;
  const values = isObject(property) ? property['enum'] : undefined;
  if (!Array.isArray(values) || !values.includes(value as never)) return [];
  return values.every((one): one is string => typeof one === 'string') ? values : [];
}

interface OneFieldProps {
  readonly name: string;
  readonly value: unknown;
  readonly kind: FieldKind;
  readonly choices: readonly string[];
  readonly error: string;
  readonly isBusy: boolean;
  readonly set: (value: unknown) => void;
  readonly onProblem: (problem: string) => void;
}

function OneField({ name, value, kind, choices, error, isBusy, set, onProblem }: OneFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(() => (kind === 'json' ? escapedJson(value) : String(value)));
  const common = {
    id,
    disabled: isBusy,
    'aria-invalid': error !== '',
    'aria-describedby': `${id}-error`,
    spellcheck: false,
    autocapitalize: 'off',
  } as const;
  const read = (text: string, parse: (text: string) => unknown) => {
    setTyped(text);
    const parsed = parse(text);
    onProblem(parsed === undefined ? problemOf(kind) : '');
    if (parsed !== undefined) set(parsed);
  };
  return (
    <div class="input-field">
      <label for={id}>
        <Literal text={name} />
        {kind === 'json' && <span class="card-hint"> {t('as JSON')}</span>}
      </label>
      {kind === 'switch' ? (
        <input
          {...common}
          type="checkbox"
          role="switch"
          checked={value === true}
          onChange={({ currentTarget }) => set(currentTarget.checked)}
        />
      ) : kind === 'choice' ? (
        <select
          {...common}
          value={String(value)}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {visibleText(choice)}
            </option>
          ))}
        </select>
      ) : kind === 'number' ? (
        <input
          {...common}
          class="code-field"
          inputMode="decimal"
          value={typed}
          onInput={({ currentTarget }) => read(currentTarget.value, parseNumber)}
        />
      ) : (
        <textarea
          {...common}
          class="code-field"
          dir={kind === 'json' ? 'ltr' : 'auto'}
          rows={rowsFor(kind === 'json' ? typed : String(value))}
          value={kind === 'json' ? typed : String(value)}
          onInput={({ currentTarget }) =>
            kind === 'json' ? read(currentTarget.value, parseTyped) : set(currentTarget.value)
          }
        />
      )}
      <p id={`${id}-error`} class="field-error" aria-live="polite">
        {escapeInvisible(error)}
      </p>
    </div>
  );
}

const EDITOR_ROWS = 16;
/** About what a line of the card holds. */
const ROW_CHARS = 70;

function rowsFor(text: string): number {
  const rows = text
    .split('\n')
    .reduce((sum, line) => sum + 1 + Math.floor(line.length / ROW_CHARS), 0);
  return Math.min(EDITOR_ROWS, rows);
}

function problemOf(kind: FieldKind): string {
  return kind === 'number' ? t('Type a number.') : t('This is not JSON.');
}

function parseNumber(text: string): number | undefined {
  const number = Number(text.trim());
  return text.trim() !== '' && Number.isFinite(number) ? number : undefined;
}

function parseTyped(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** With characters escaped that a text field would obey. */
function escapedJson(value: unknown): string {
  return rawJson(value).replaceAll(/[^\n\t\x20-\x7E]/g, (character) =>
    visibleText(character) === character && !/[\uD800-\uDFFF]/.test(character)
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
