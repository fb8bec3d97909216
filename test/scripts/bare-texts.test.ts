/** The check of bare texts: a bug here leaves English on a German screen, or sends a writer after a class name. */
import { expect, it } from 'vitest';
import { findBareTexts } from '../../scripts/lib/bare-texts.ts';

const wordsIn = (source: string) =>
  findBareTexts('a.tsx', source).map((fault) => fault.split('not translated: ')[1]);

it.each([
  ['in an element', '() => <b>Sign out</b>', '"Sign out"'],
  ['in a fragment', '() => <>Sign out</>', '"Sign out"'],
  ['over two lines', '() => <b>\n  Sign\n  out\n</b>', '"Sign out"'],
  ['in one word', '() => <b>Inbox</b>', '"Inbox"'],
  ['in braces', '() => <b>{"Inbox"}</b>', '"Inbox"'],
  ['in a branch', '() => <b>{isOpen ? "Open" : label}</b>', '"Open"'],
  ['behind a condition', '() => <b>{isOpen && "Open"}</b>', '"Open"'],
  ['around a value', '() => <b>{`By ${name}`}</b>', '"By"'],
  ['as a label', '() => <b aria-label="Close" />', '"Close"'],
  ['as a placeholder', '() => <input placeholder={isA ? "Type here" : b} />', '"Type here"'],
  ['as a tooltip', '() => <b title={`Copy ${name}`} />', '"Copy"'],
  ['on a literal element', '() => <pre aria-label="Preview">a b</pre>', '"Preview"'],
  ['as a property that is shown', '() => <Form action="Deny" />', '"Deny"'],
  [
    'in a list of notes',
    'const notes = [isSlow && "Still sending… Wait."]',
    '"Still sending… Wait."',
  ],
  ['in a table', 'const words = { a: "Changes the file" }', '"Changes the file"'],
])('[UI-17] finds a text %s', (_, source, words) => {
  expect(wordsIn(source)).toEqual([words]);
});

it('[UI-17] names the file and the line', () => {
  expect(findBareTexts('a.tsx', 'const a = (\n  <b>Sign out</b>\n);')).toEqual([
    'a.tsx:2  not translated: "Sign out"',
  ]);
});

it.each([
  ['translated texts', '() => <b title={t("Close")}>{tn(n, "One left", "{count} left")}</b>'],
  ['an element in a text', '() => <b>{tx("Go to {place}", { place: <i>{name}</i> })}</b>'],
  ['commands and keys', '() => <p><code>npm run link</code> <kbd>Enter</kbd></p>'],
  ['names', '() => <b>Holdpoint</b>'],
  ['classes, ids and roles', '() => <b class="button plain" id="top-line" role="group" />'],
  ['signs and numbers', '() => <b>{a} → {b} · +3</b>'],
  ['what is no text', '() => <b>{isOpen === "Open" && count}</b>'],
  ['what developers read', 'throw new Error("This cannot happen"); console.debug("Not set here")'],
  [
    'selectors and code',
    'const a = ".card > b"; const b = "Idempotency-Key: x"; const c = "Bearer"',
  ],
])('[UI-17] leaves %s alone', (_, source) => {
  expect(wordsIn(source)).toEqual([]);
});
