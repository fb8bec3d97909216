/**
 * Colors of code: the kinds of its tokens, line by line.
 *
 * The scanner and the languages are fetched when code is first shown. Longer code stays plain: the time of the scanner is
 * bounded for as much as `MAX_CODE_CHARS`, whatever the code is.
 */
import { useEffect, useState } from 'preact/hooks';

export interface CodeToken {
  readonly kind: string;
  readonly text: string;
}

export type Tokenize = (code: string) => readonly (readonly [number, string])[];

const MAX_CODE_CHARS = 50_000;

const HIGHLIGHTED: Readonly<Record<string, string>> = {
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  scss: 'css',
  dockerfile: 'dockerfile',
  go: 'go',
  html: 'html',
  vue: 'html',
  svelte: 'html',
  java: 'java',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  json: 'json',
  jsonc: 'json',
  kt: 'kotlin',
  lua: 'lua',
  php: 'php',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  sql: 'sql',
  swift: 'swift',
  toml: 'toml',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  yaml: 'yaml',
  yml: 'yaml',
};

/** Undefined for a file whose language is not known. */
export function languageOf(path: string | undefined): string | undefined {
  const name = path?.split(/[/\\]/).at(-1)?.toLowerCase() ?? '';
  const ending = name.split('.').at(-1) ?? '';
  return Object.hasOwn(HIGHLIGHTED, ending) ? HIGHLIGHTED[ending] : undefined;
}

async function loadTokenizer(language: string): Promise<Tokenize | undefined> {
  const { tokenizerOf } = await import('./tokenizers.ts');
  return tokenizerOf(language);
}

/** Undefined until it is loaded, and where it fails to load: code is then plain. */
export function useTokenizer(language: string | undefined): Tokenize | undefined {
  const [found, setFound] = useState<{ readonly language: string; readonly tokenize: Tokenize }>();
  useEffect(() => {
    if (language === undefined) return;
    let isWanted = true;
    loadTokenizer(language).then(
      (tokenize) => {
        if (isWanted && tokenize !== undefined) setFound({ language, tokenize });
      },
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [language]);
  return found?.language === language ? found?.tokenize : undefined;
}

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

/** The tokens of each line; plain for long code, and if the tokens were another text than the code. */
export function tokenLines(
  lines: readonly string[],
  tokenize: Tokenize | undefined,
): readonly (readonly CodeToken[])[] | undefined {
  const code = lines.join('\n');
  if (tokenize === undefined || code.length > MAX_CODE_CHARS) return undefined;
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
