/** The language of a file, by the end of its name. */
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
