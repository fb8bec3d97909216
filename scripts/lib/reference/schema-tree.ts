/**
 * Renders a JSON Schema for reading: a type in a few words, and its fields below it.
 *
 * A named schema becomes a link to its own section; any other schema is rendered inline.
 */
import type { Schema } from '../../../src/http/openapi/document.ts';
import { html, inline, separated, type Content, type Markup } from './html.ts';

/** The type in words, or a link to the schema. */
export function typeOf(schema: Schema): Content {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return separated(schema.enum.map(literal), ' | ');
  const variants = variantsOf(schema);
  const nullable = nullableOf(variants);
  if (nullable !== undefined) return [typeOf(nullable), ' or null'];
  if (variants.some((variant) => below(variant) !== undefined)) return 'one of';
  if (variants.length > 0) return separated(variants.map(typeOf), ' or ');
  if (schema.type === 'array') return ['array of ', grouped(one(schema.items))];
  if (isMap(schema)) return ['map of ', grouped(one(schema.additionalProperties))];
  return schema.type === undefined ? 'any JSON' : [schema.type].flat().join(' or ');
}

/** Brackets a union, so that "list of" and "map of" apply to all of it. */
function grouped(schema: Schema): Content {
  const isChoice = variantsOf(schema).length > 1 || (schema.enum ?? []).length > 1;
  return isChoice ? ['(', typeOf(schema), ')'] : typeOf(schema);
}

/** The parts of the type, if it has more than its name. */
function below(schema: Schema): Markup | undefined {
  if (schema.$ref !== undefined) return undefined;
  const variants = variantsOf(schema);
  const nullable = nullableOf(variants);
  if (nullable !== undefined) return below(nullable);
  if (variants.some((variant) => below(variant) !== undefined)) {
    return html`<ul class="variants">${variants.map(variantItem)}</ul>`;
  }
  if (schema.type === 'array') return below(one(schema.items));
  if (isMap(schema)) return below(one(schema.additionalProperties));
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return undefined;
  const items = fields.map(([name, field]) =>
    fieldItem(name, one(field), schema.required?.includes(name) === true),
  );
  return html`<ul class="fields">${items}</ul>`;
}

/** A top-level schema: its type, its constraints, its fields. */
export function schemaTree(schema: Schema): Markup {
  return html`<div class="tree"><p class="field"><span class="type">${typeOf(schema)}</span></p>
${notes(schema)}${below(schema)}</div>`;
}

export function notes(schema: Schema): Content {
  const rules = rulesOf(schema);
  const { description = '' } = schema;
  if (description === '' && rules.length === 0) return undefined;
  const described = description === '' ? [] : [inline(description)];
  const ruled =
    rules.length === 0 ? [] : [html`<span class="rules">${separated(rules, ', ')}</span>`];
  return html`<p class="note">${separated([...described, ...ruled], ' ')}</p>`;
}

function fieldItem(name: string, field: Schema, isRequired: boolean): Markup {
  const flag = isRequired ? undefined : html` <span class="flag">optional</span>`;
  return html`<li><p class="field"><code class="name">${name}</code> <span class="type">${typeOf(field)}</span>${flag}</p>${notes(field)}${below(field)}</li>`;
}

function variantItem(variant: Schema): Markup {
  const label = variant.$ref === undefined ? labelOf(variant) : typeOf(variant);
  return html`<li><p class="field"><span class="type">${label}</span></p>${notes(variant)}${below(variant)}</li>`;
}

/** Names a variant by its discriminating field, otherwise by its required fields. */
function labelOf(variant: Schema): Content {
  const fields = Object.entries(variant.properties ?? {});
  const [telling] = fields.filter(([, field]) => one(field).const !== undefined);
  if (telling !== undefined) {
    return [html`<code>${telling[0]}</code>: `, typeOf(one(telling[1]))];
  }
  const required = (variant.required ?? []).map((name) => html`<code>${name}</code>`);
  return required.length === 0 ? typeOf(variant) : ['with ', separated(required, ', ')];
}

function rulesOf(schema: Schema): readonly Content[] {
  const { pattern, format, propertyNames, default: preset } = schema;
  const isOpen = schema.properties !== undefined && isSchema(schema.additionalProperties);
  return [
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minItems, schema.maxItems, 'items'),
    range(schema.minimum, schema.maximum, ''),
    format === undefined ? undefined : `format ${format}`,
    pattern === undefined ? undefined : html`matches <code>${pattern}</code>`,
    one(propertyNames).pattern === undefined
      ? undefined
      : html`keys match <code>${one(propertyNames).pattern}</code>`,
    isOpen ? 'takes other fields too' : undefined,
    preset === undefined ? undefined : html`<code>${JSON.stringify(preset)}</code> if left out`,
  ].filter((rule) => rule !== undefined);
}

function range(least: unknown, most: unknown, unit: string): string | undefined {
  const low = typeof least === 'number' ? least.toLocaleString('en-US') : undefined;
  const high = typeof most === 'number' ? most.toLocaleString('en-US') : undefined;
  if (low === undefined && high === undefined) return undefined;
  const span =
    low === undefined
      ? `at most ${high}`
      : high === undefined
        ? `at least ${low}`
        : `${low}–${high}`;
  return `${low !== undefined && low === high ? low : span} ${unit}`.trim();
}

function variantsOf(schema: Schema): readonly Schema[] {
  return schema.oneOf ?? schema.anyOf ?? [];
}

/** The only variant besides null, if there is exactly one. */
function nullableOf(variants: readonly Schema[]): Schema | undefined {
  const present = variants.filter((variant) => variant.type !== 'null');
  return variants.length === 2 && present.length === 1 ? present[0] : undefined;
}

function isMap(schema: Schema): boolean {
  return schema.properties === undefined && isSchema(schema.additionalProperties);
}

function literal(value: unknown): Markup {
  return html`<code class="literal">${JSON.stringify(value)}</code>`;
}

/** JSON Schema allows `true` and lists here; the generator of this document writes neither. */
function one(value: unknown): Schema {
  return isSchema(value) ? value : {};
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
