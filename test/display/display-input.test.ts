/** What a person approves is all on the screen: a field that is dropped by the view of a tool would run unseen. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DisplayPart, InputDisplay } from '../../src/display/display.ts';
import { displayInput } from '../../src/display/display-input.ts';
import { displayPlain } from '../../src/display/display-plain.ts';
import type { JsonObject } from '../../src/protocol/types.ts';
import { lowestCpuMs } from '../support/cpu-time.ts';

const only = (toolName: string, input: JsonObject): DisplayPart | undefined => {
  const { parts, rest } = displayInput(toolName, input);
  expect(rest).toEqual({});
  expect(parts.length).toBeLessThan(2);
  return parts[0];
};
const SIGNS = { same: ' ', gone: '-', new: '+', note: '\\' } as const;
const linesOf = (part: DisplayPart | undefined): string[] =>
  part?.type === 'diff'
    ? part.hunks.flatMap(({ lines }) => lines.map(({ mark, text }) => SIGNS[mark] + text))
    : [];

describe('[VIEW-1] an input that needs no reader of diffs', () => {
  it('is a command, or only its fields', () => {
    const command = { command: 'ls', cwd: '/srv', timeout: 5_000, why: 'to look' };
    expect(displayPlain('Bash', command)).toEqual({
      parts: [{ type: 'command', text: 'ls', cwd: '/srv' }],
      facts: [{ name: 'timeout', text: '5000 (5 s)' }],
      rest: { why: 'to look' },
    });
    const mail = { to: 'team@example.com', body: 'It is out.' };
    expect(displayPlain('SendMail', mail)).toEqual({ parts: [], facts: [], rest: mail });
  });

  it.each([
    ['Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }],
    ['MultiEdit', { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }] }],
    ['text_editor', { command: 'insert', path: 'a', insert_line: 1, insert_text: 'x' }],
    ['apply_patch', { input: '*** Begin Patch\n*** Delete File: a\n*** End Patch' }],
    ['fileChange', { changes: [{ path: 'a', kind: { type: 'add' }, diff: 'x' }] }],
    ['Write', { file_path: 'a', content: 'x' }],
    ['WebFetch', { url: 'https://example.com/' }],
  ])('is not one of %s: %j', (toolName, input) => {
    expect(displayPlain(toolName, input)).toBeUndefined();
    expect(displayInput(toolName, input).parts).toHaveLength(1);
  });
});

describe('an edit', () => {
  it.each([
    ['Edit', { file_path: 'a.ts', old_string: 'x\ny', new_string: 'x\nz', replace_all: true }],
    ['edit', { filePath: 'a.ts', oldString: 'x\ny', newString: 'x\nz', replaceAll: true }],
    ['Edit', { path: 'a.ts', oldText: 'x\ny', newText: 'x\nz', replaceAll: true }],
    [
      'str_replace_based_edit_tool',
      { path: 'a.ts', old_str: 'x\ny', new_str: 'x\nz', replace_all: true },
    ],
    [
      'mcp__fs__edit_file',
      { path: 'a.ts', edits: [{ oldText: 'x\ny', newText: 'x\nz', replace_all: true }] },
    ],
    [
      'MultiEdit',
      { file_path: 'a.ts', edits: [{ old_string: 'x\ny', new_string: 'x\nz', replace_all: true }] },
    ],
  ])('[VIEW-1] of %s is a diff: %j', (toolName, input) => {
    const part = only(toolName, input);
    expect(part).toMatchObject({ type: 'diff', path: 'a.ts', effect: 'edit' });
    expect(linesOf(part)).toEqual([' x', '-y', '+z']);
    expect(part).toMatchObject({ hunks: [{ isNumbered: false, replacesAll: true }] });
  });

  it('[VIEW-1] keeps what it does not expect among the fields', () => {
    const input = { file_path: 'a', old_string: 'x', new_string: 'y', then_run: 'rm -rf /' };
    expect(displayInput('Edit', input).rest).toEqual({ then_run: 'rm -rf /' });
    const odd = { file_path: 'a', edits: [{ old_string: 'x', new_string: 'y', also: 'z' }] };
    expect(displayInput('MultiEdit', odd)).toEqual({ parts: [], facts: [], rest: odd });
    const twice = { ...input, old_str: 'other', path: 'b' };
    expect(displayInput('Edit', twice).rest).toMatchObject({ path: 'b', old_str: 'other' });
  });

  it('[VIEW-1] of the text editor inserts after a line of the file', () => {
    const input = { command: 'insert', path: 'a', insert_line: 4, insert_text: 'x\ny\n' };
    const { parts, facts } = displayInput('str_replace_based_edit_tool', input);
    expect(parts[0]).toMatchObject({
      hunks: [
        {
          isNumbered: true,
          lines: [
            { mark: 'new', text: 'x', now: 5 },
            { text: 'y', now: 6 },
          ],
        },
      ],
    });
    expect(facts).toEqual([{ name: 'command', text: 'insert' }]);
  });

  it('[VIEW-1] that writes a file says that it may exist', () => {
    const part = only('Write', { file_path: 'a.ts', content: 'x\n' });
    expect(part).toEqual({ type: 'file', path: 'a.ts', effect: 'unknown', text: 'x\n' });
    expect(displayInput('send_note', { path: 'a', content: 'x' }).parts).toEqual([]);
  });
});

const UNIFIED = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -10,3 +10,4 @@ function pay() {
 one
--- two
+two
+++ three
 four
\\ No newline at end of file
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+hello
`;

describe('a patch', () => {
  it('[VIEW-1] is its files, with the numbers of their lines', () => {
    const { parts, rest } = displayInput('apply_diff', { diff: UNIFIED });
    expect(rest).toEqual({});
    expect(parts).toMatchObject([
      { path: 'src/a.ts', effect: 'edit', hunks: [{ heading: 'function pay() {' }] },
      { path: 'new.txt', effect: 'create' },
    ]);
    expect(linesOf(parts[0])).toEqual([
      '\\diff --git a/src/a.ts b/src/a.ts',
      '\\index 1..2 100644',
      ' one',
      '--- two',
      '+two',
      '+++ three',
      ' four',
      '\\\\ No newline at end of file',
    ]);
    expect(parts[0]).toMatchObject({
      hunks: [
        {
          lines: [
            {},
            {},
            { old: 10, now: 10 },
            { old: 11 },
            { now: 11 },
            { now: 12 },
            { old: 12, now: 13 },
            {},
          ],
        },
      ],
    });
  });

  it('[VIEW-1] of apply_patch is its files too', () => {
    const input = [
      '*** Begin Patch',
      '*** Update File: a.ts',
      '*** Move to: b.ts',
      '@@ class A',
      ' one',
      '-two',
      '+three',
      '*** Add File: c.ts',
      '+new',
      '*** Delete File: d.ts',
      '*** End Patch',
    ].join('\n');
    const { parts } = displayInput('apply_patch', { input });
    expect(parts).toMatchObject([
      {
        path: 'a.ts',
        movedTo: 'b.ts',
        effect: 'edit',
        hunks: [{ heading: 'class A', isNumbered: false }],
      },
      { path: 'c.ts', effect: 'create' },
      { path: 'd.ts', effect: 'delete', hunks: [] },
    ]);
    expect(linesOf(parts[0])).toEqual([' one', '-two', '+three']);
  });

  it.each([
    ['lines outside of a hunk', '--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n+rm -rf /\n'],
    ['fewer lines than its hunk has', '--- a\n+++ a\n@@ -1,3 +1,3 @@\n-x\n+y\n'],
    ['no hunk', '--- a\n+++ a\n'],
    ['prose', 'Please apply this'],
    ['a file after its deletion', '*** Begin Patch\n*** Delete File: a\n+x\n*** End Patch'],
    ['no end', '*** Begin Patch\n*** Add File: a\n+x'],
    [
      'a line of an added file without its sign',
      '*** Begin Patch\n*** Add File: a\nx\n*** End Patch',
    ],
  ])('[VIEW-1] with %s is shown as it is', (_, patch) => {
    expect(displayInput('apply_patch', { patch })).toEqual({
      parts: [],
      facts: [],
      rest: { patch },
    });
  });

  it('[VIEW-1] of Codex is a list of files', () => {
    const changes = [
      { path: 'a.txt', kind: { type: 'add' }, diff: 'hello\n' },
      { path: 'b.txt', kind: { type: 'delete' }, diff: 'gone\n' },
      {
        path: 'c.txt',
        kind: { type: 'update', move_path: 'd.txt' },
        diff: '@@ -1 +1 @@\n-x\n+y\n',
      },
    ];
    const { parts, rest } = displayInput('fileChange', { changes, reason: 'tidy' });
    expect(rest).toEqual({ reason: 'tidy' });
    expect(parts).toMatchObject([
      { type: 'file', path: 'a.txt', effect: 'create', text: 'hello\n' },
      { type: 'diff', path: 'b.txt', effect: 'delete' },
      { type: 'diff', path: 'c.txt', movedTo: 'd.txt' },
    ]);
    const lying = [
      { path: 'a', kind: { type: 'update' }, diff: '--- a/b\n+++ a/b\n@@ -1 +1 @@\n-x\n+y\n' },
    ];
    expect(displayInput('fileChange', { changes: lying }).parts).toEqual([]);
  });
});

describe('a command', () => {
  it('[VIEW-1] has its folder, and its flags beside it', () => {
    const input = {
      command: 'make\nmake deploy',
      cwd: '/srv',
      timeout: 120_000,
      run_in_background: true,
    };
    expect(displayInput('Bash', { ...input, description: 'Ship it' })).toEqual({
      parts: [{ type: 'command', text: 'make\nmake deploy', cwd: '/srv' }],
      facts: [
        { name: 'timeout', text: '120000 (2 min)' },
        { name: 'run_in_background', text: 'true' },
      ],
      rest: { description: 'Ship it' },
    });
  });

  it('[VIEW-1] of words is quoted as a shell reads it back', () => {
    expect(only('shell', { command: ['git', 'commit', '-m', "it's done"] })).toMatchObject({
      text: String.raw`git commit -m 'it'\''s done'`,
    });
    expect(only('shell', { command: ['bash', '-lc', 'ls | wc'], workdir: '/w' })).toEqual({
      type: 'command',
      text: 'ls | wc',
      runner: 'bash -lc',
      cwd: '/w',
    });
    expect(displayInput('shell', { command: ['ls', 1] }).parts).toEqual([]);
  });
});

describe('an address', () => {
  it('[VIEW-1] has its host, path and query apart', () => {
    const url = 'https://api.example.com:8443/v1/a%20b?to=x%26y&to=z#part';
    expect(only('WebFetch', { url, method: 'POST' })).toEqual({
      type: 'address',
      url,
      method: 'POST',
      host: 'api.example.com:8443',
      isPunycode: false,
      path: '/v1/a b#part',
      query: [
        ['to', 'x&y'],
        ['to', 'z'],
      ],
    });
  });

  it('[VIEW-1] leads to its own host, whatever stands before it', () => {
    expect(only('fetch', { url: 'https://bank.com@evil.example/a' })).toMatchObject({
      host: 'evil.example',
    });
    expect(only('fetch', { url: 'https://xn--pple-43d.com' })).toMatchObject({ isPunycode: true });
    for (const url of [
      'javascript:alert(1)',
      'https://a\tb.com',
      String.raw`https://a\b`,
      'example.com',
    ])
      expect(displayInput('fetch', { url }).parts).toEqual([]);
  });
});

/** Every text that the display has, as a person could read it. */
function textsOf({ parts, facts, rest }: InputDisplay): string {
  return JSON.stringify([parts, facts, rest]);
}

const NAMES =
  'file_path path old_string new_string old_str replace_all edits content patch diff input command cmd cwd timeout url method changes insert_line insert_text new_source kind note mode dry_run __proto__'.split(
    ' ',
  );

it('[VIEW-1] shows every field of any input', () => {
  const text = fc.oneof(
    fc.string({
      unit: fc.constantFrom('a', 'b', '\n', '+', '-', '@', ' ', '\u202E'),
      maxLength: 12,
    }),
    fc.constantFrom('insert', 'create', 'https://x.example/a?b=c', UNIFIED, 'bash', '-lc'),
  );
  const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
  const object = (value: fc.Arbitrary<unknown>) =>
    fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 6 });
  const value = fc.oneof(
    leaf,
    fc.array(leaf, { maxLength: 3 }),
    fc.array(object(leaf), { maxLength: 3 }),
  );
  const tool = fc.constantFrom('Edit', 'Write', 'Bash', 'WebFetch', 'apply_patch', 'other');
  const inShown = (shown: string, part: string) =>
    part.split('\n').every((line) => shown.includes(JSON.stringify(line).slice(1, -1)));
  fc.assert(
    fc.property(tool, object(value), (toolName, input) => {
      const display = displayInput(toolName, input as JsonObject);
      const shown = textsOf(display);
      const check = (part: unknown): void => {
        if (typeof part === 'string') {
          if (part === UNIFIED) expect(shown).toContain('three');
          else if (!/^[-+ @]/m.test(part)) expect(inShown(shown, part)).toBe(true);
        } else if (typeof part === 'number') expect(shown).toContain(String(part));
        else if (typeof part === 'object' && part !== null) Object.values(part).forEach(check);
      };
      check(input);
    }),
    { numRuns: 1_000 },
  );
});

it('[VIEW-1] takes no longer for inputs made to be slow', () => {
  const a = 'a'.repeat(100_000);
  const lines = '+x\n'.repeat(40_000);
  const hostile: readonly (readonly [string, JsonObject])[] = [
    ['Edit', { file_path: 'a', old_string: a, new_string: `${a}b` }],
    ['apply_patch', { input: `*** Begin Patch\n*** Add File: a\n${lines}*** End Patch` }],
    ['apply_diff', { diff: `--- a\n+++ a\n@@ -0,0 +1,40000 @@\n${lines}` }],
    ['apply_diff', { diff: `@@ -${'1'.repeat(50_000)} +1 @@` }],
    ['apply_diff', { diff: '--- a\n+++ a\n'.repeat(10_000) }],
    ['fetch', { url: `https://${'ß'.repeat(90_000)}` }],
    ['fetch', { url: `https://x.example/${'%'.repeat(90_000)}` }],
    ['Bash', { command: Array.from({ length: 20_000 }, () => "'") }],
    [
      'Edit',
      {
        file_path: 'a',
        edits: Array.from({ length: 5_000 }, () => ({ old_string: 'x', new_string: 'y' })),
      },
    ],
  ];
  for (const [toolName, input] of hostile)
    expect(
      lowestCpuMs(2, () => displayInput(toolName, input)),
      JSON.stringify(input).slice(0, 60),
    ).toBeLessThan(200);
});
