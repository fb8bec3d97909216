/**
 * The scanner of code for each language, in a file that is fetched when code is first shown.
 *
 * Longer code stays plain: the time of the scanner is bounded for as much as `MAX_CODE_CHARS`, whatever the code is.
 */
import { tokenize } from 'sugar-high/core';
import * as c from 'sugar-high/lang/c';
import * as cpp from 'sugar-high/lang/cpp';
import * as csharp from 'sugar-high/lang/csharp';
import * as css from 'sugar-high/lang/css';
import * as dockerfile from 'sugar-high/lang/dockerfile';
import * as go from 'sugar-high/lang/go';
import * as html from 'sugar-high/lang/html';
import * as java from 'sugar-high/lang/java';
import * as javascript from 'sugar-high/lang/javascript';
import * as json from 'sugar-high/lang/json';
import * as kotlin from 'sugar-high/lang/kotlin';
import * as lua from 'sugar-high/lang/lua';
import * as php from 'sugar-high/lang/php';
import * as powershell from 'sugar-high/lang/powershell';
import * as python from 'sugar-high/lang/python';
import * as ruby from 'sugar-high/lang/ruby';
import * as rust from 'sugar-high/lang/rust';
import * as shell from 'sugar-high/lang/shell';
import * as sql from 'sugar-high/lang/sql';
import * as swift from 'sugar-high/lang/swift';
import * as toml from 'sugar-high/lang/toml';
import * as typescript from 'sugar-high/lang/typescript';
import * as yaml from 'sugar-high/lang/yaml';
import type { CodeToken, TokenizeLines } from './highlight.ts';

/** Their declarations disagree in parameters that no preset reads. */
const PRESETS: Readonly<Record<string, object>> = {
  c,
  cpp,
  csharp,
  css,
  dockerfile,
  go,
  html,
  java,
  javascript,
  json,
  kotlin,
  lua,
  php,
  powershell,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  toml,
  typescript,
  yaml,
};

export function tokenizerOf(language: string): TokenizeLines | undefined {
  const preset = PRESETS[language];
  return preset && ((lines) => tokenLines(lines, (code) => tokenize(code, preset)));
}

type Tokenize = (code: string) => readonly (readonly [number, string])[];

const MAX_CODE_CHARS = 50_000;

const TOKEN_KINDS = [
  '',
  'keyword',
  'string',
  'name',
  'property',
  'name',
  '',
  '',
  'comment',
  '',
  '',
];

/** Plain for long code, and if the tokens were another text than the code. */
function tokenLines(lines: readonly string[], tokenize: Tokenize): ReturnType<TokenizeLines> {
  const code = lines.join('\n');
  if (code.length > MAX_CODE_CHARS) return undefined;
  const rows: CodeToken[][] = [[]];
  for (const [type, text] of tokenize(code)) {
    for (const [at, piece] of text.split('\n').entries()) {
      if (at > 0) rows.push([]);
      if (piece !== '') rows.at(-1)?.push({ kind: TOKEN_KINDS[type] ?? '', text: piece });
    }
  }
  const isSame = rows.every((row, at) => row.map(({ text }) => text).join('') === lines[at]);
  return isSame && rows.length === lines.length ? rows : undefined;
}
