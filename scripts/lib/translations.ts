/**
 * Holds the texts of the screen to its catalogues: each literal of `t`, `tn` and `tx` has a translation with the same
 * places, and no translation is left over. Reads no disk, so that tests can pass any text.
 */
import { type ESTree, parseSync, Visitor } from 'vite';

export interface ScreenText {
  readonly file: string;
  readonly line: number;
  /** The key: of a counted text, the form for many. */
  readonly english: string;
  readonly isCounted: boolean;
}

export interface ScreenTexts {
  readonly texts: readonly ScreenText[];
  readonly faults: readonly string[];
}

/** As in `src/web/model/language.ts`. */
type Translation = string | Readonly<Record<string, string | undefined>>;

const FUNCTIONS = new Set(['t', 'tn', 'tx']);
const IMPORT = /import \{[^}]*\b(?:t|tn|tx)\b[^}]*\} from '[^']*language\.ts'/;

export function readScreenTexts(file: string, source: string): ScreenTexts {
  const texts: ScreenText[] = [];
  const faults: string[] = [];
  if (!IMPORT.test(source)) return { texts, faults };
  let depth = 0;
  const enter = () => void depth++;
  const leave = () => void depth--;
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    CallExpression({ callee, arguments: given, start }) {
      if (callee.type !== 'Identifier' || !FUNCTIONS.has(callee.name)) return;
      const line = source.slice(0, start).split('\n').length;
      const isCounted = callee.name === 'tn';
      const forms = isCounted ? given.slice(1, 3) : given.slice(0, 1);
      const words = forms.map(literalText);
      const english = words.at(-1);
      if (english === undefined || words.includes(undefined)) {
        faults.push(`${file}:${line}  ${callee.name}: the text is not a literal`);
        return;
      }
      if (depth === 0) {
        faults.push(`${file}:${line}  "${english}" is translated before the language is known`);
      }
      texts.push({ file, line, english, isCounted });
    },
  }).visit(parseSync(file, source).program);
  return { texts, faults };
}

export function findTranslationFaults(
  texts: readonly ScreenText[],
  catalogue: Readonly<Record<string, Translation>>,
): string[] {
  const translations = new Map(Object.entries(catalogue));
  const used = new Map(texts.map((text) => [text.english, text]));
  const faults = [...used.values()].flatMap((text) => {
    const { file, line, english, isCounted } = text;
    const fault = faultOf(text, translations.get(english));
    if (fault === undefined) return [];
    const form = isCounted ? "{ one: '…', other: '…' }" : "'…'";
    return [`${file}:${line}  ${fault}: ${JSON.stringify(english)}: ${form},`];
  });
  const leftOver = [...translations.keys()].filter((english) => !used.has(english));
  return [...faults, ...leftOver.map((one) => `No screen says ${JSON.stringify(one)}`)];
}

function faultOf({ english, isCounted }: ScreenText, found: Translation | undefined) {
  if (found === undefined) return 'No translation';
  if (isCounted !== (typeof found === 'object')) return 'A counted text has forms, another has not';
  const forms = typeof found === 'string' ? { other: found } : found;
  if (forms['other'] === undefined) return 'No form for many';
  const wanted = placesIn(english);
  for (const [rule, form = ''] of Object.entries(forms)) {
    const places = placesIn(form);
    // "One request" needs no number.
    const isSame =
      rule === 'other'
        ? same(places, wanted)
        : same([...places, '{count}'], [...wanted, '{count}']);
    if (!isSame) return 'Other places';
    if (form.trim() === '') return 'Empty';
  }
  return undefined;
}

function placesIn(text: string): string[] {
  return text.match(/\{\w+\}/g) ?? [];
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return [...new Set(one)].toSorted().join() === [...new Set(other)].toSorted().join();
}

function literalText(node: ESTree.Argument | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
