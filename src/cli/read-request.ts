/** The content of a request, read without trust: a newer or hostile server may send another shape. */
import { isObject, isText } from '../protocol/guards.ts';
import type { JsonObject } from '../protocol/types.ts';

export interface ShownQuestion {
  readonly header: string;
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly multiSelect: boolean;
}

interface WithRequest {
  readonly request: JsonObject | null;
}

export function readShownQuestions({ request }: WithRequest): ShownQuestion[] {
  return objectsIn(request?.questions).map((asked) => ({
    header: textOrEmpty(asked.header),
    question: textOrEmpty(asked.question),
    options: objectsIn(asked.options).map(({ label, description }) => ({
      label: textOrEmpty(label),
      ...(isText(description) && description !== '' && { description }),
    })),
    multiSelect: asked.multiSelect === true,
  }));
}

export interface ShownField {
  readonly name: string;
  readonly title: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly choices: readonly string[];
  /** What the choices mean, where their values alone do not say it. */
  readonly meanings: readonly { readonly value: string; readonly words: string }[];
}

export function readFields({ request }: WithRequest): ShownField[] {
  const schema = isObject(request?.schema) ? request.schema : {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).map(([name, field]) => {
    const spec = isObject(field) ? field : {};
    const items = isObject(spec.items) ? spec.items : spec;
    const plain = Array.isArray(items.enum) ? items.enum.filter(isText) : [];
    const titled = [...objectsIn(items.oneOf), ...objectsIn(items.anyOf)].map(
      ({ const: value, title, description }) => ({
        value: textOrEmpty(value),
        words: [title === value ? '' : textOrEmpty(title), textOrEmpty(description)]
          .filter((part) => part !== '')
          .join(': '),
      }),
    );
    return {
      name,
      title: isText(spec.title) ? spec.title : name,
      type: textOrEmpty(spec.type),
      isRequired: required.includes(name) && spec.nullable !== true,
      choices: [...plain, ...titled.map(({ value }) => value)],
      meanings: titled.filter(({ words }) => words !== ''),
    };
  });
}

export function textOrEmpty(value: unknown): string {
  return isText(value) ? value : '';
}

function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
