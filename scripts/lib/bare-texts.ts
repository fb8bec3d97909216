/**
 * Finds English that a screen would show in every language: a text in an element or in one of its attributes, and a
 * sentence beside them, that does not pass through `t`, `tn` or `tx`. Reads no disk, so that tests can pass any source.
 */
import { type ESTree, parseSync, Visitor } from 'vite';

/** Attributes that a person reads or hears, and the properties of components that are shown as they are. */
const SHOWN_ATTRIBUTES = new Set([
  'action',
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'hint',
  'label',
  'placeholder',
  'title',
  'words',
]);
/** Their content is a name, a command or a key: the same in every language. */
const LITERAL_ELEMENTS = new Set(['code', 'kbd', 'pre', 'samp', 'svg']);
/** Names of products, and examples of values. */
const SAME_IN_ALL = new Set([
  'ana@example.com',
  'Claude Agent SDK',
  'Claude Code',
  'env=production',
  'Holdpoint',
]);
const TRANSLATED = new Set(['t', 'tn', 'tx']);
const LETTERS = /\p{L}{2}/u;
/** Begins with a capital and goes on in small letters: no class names, no selectors, no code. */
const SENTENCE = /^\p{Lu}[\p{L}’']*,?(?: “?[\p{L}’'{}]+”?[.,:;!?…]?)+$/u;

export function findBareTexts(file: string, source: string): string[] {
  const faults = new Map<number, string>();
  const note = (start: number, text: string) => {
    const words = text.replaceAll(/\s+/g, ' ').trim();
    if (!LETTERS.test(words) || SAME_IN_ALL.has(words)) return;
    const line = source.slice(0, start).split('\n').length;
    faults.set(start, `${file}:${line}  not translated: ${JSON.stringify(words)}`);
  };
  const apart: (readonly [number, number])[] = [];
  const leaveOut = ({ start, end }: ESTree.Node) => void apart.push([start, end]);
  const sentences: (readonly [number, string])[] = [];
  new Visitor({
    CallExpression(call) {
      if (isTranslation(call) || isForDevelopers(call)) leaveOut(call);
    },
    ImportDeclaration: leaveOut,
    ThrowStatement: leaveOut,
    JSXElement(element) {
      const { name } = element.openingElement;
      if (name.type === 'JSXIdentifier' && LITERAL_ELEMENTS.has(name.name)) {
        element.children.forEach(leaveOut);
        return;
      }
      for (const child of element.children) noteShown(child, note);
    },
    JSXFragment: ({ children }) => {
      for (const child of children) noteShown(child, note);
    },
    JSXAttribute({ name, value }) {
      if (value === null || name.type !== 'JSXIdentifier') return;
      if (SHOWN_ATTRIBUTES.has(name.name)) noteShown(value, note);
    },
    Literal({ start, value }) {
      if (typeof value === 'string' && SENTENCE.test(value)) sentences.push([start, value]);
    },
  }).visit(parseSync(file, source).program);
  for (const [start, text] of sentences) note(start, text);
  return [...faults]
    .filter(([start]) => !apart.some(([from, to]) => from <= start && start < to))
    .toSorted(([one], [other]) => one - other)
    .map(([, fault]) => fault);
}

/** The texts that an expression shows where it stands: those of its branches, and none in what it calls. */
function noteShown(node: ESTree.Node, note: (start: number, text: string) => void): void {
  switch (node.type) {
    case 'JSXText':
      note(node.start, node.value);
      break;
    case 'Literal':
      if (typeof node.value === 'string') note(node.start, node.value);
      break;
    case 'TemplateLiteral':
      note(node.start, node.quasis.map(({ value }) => value.raw).join(' '));
      break;
    case 'JSXExpressionContainer':
      noteShown(node.expression, note);
      break;
    case 'ConditionalExpression':
      noteShown(node.consequent, note);
      noteShown(node.alternate, note);
      break;
    case 'LogicalExpression':
      noteShown(node.left, note);
      noteShown(node.right, note);
      break;
  }
}

function isTranslation({ callee }: ESTree.CallExpression): boolean {
  return callee.type === 'Identifier' && TRANSLATED.has(callee.name);
}

function isForDevelopers({ callee }: ESTree.CallExpression): boolean {
  if (callee.type !== 'MemberExpression') return false;
  return callee.object.type === 'Identifier' && callee.object.name === 'console';
}
