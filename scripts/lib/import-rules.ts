/** Judges one source file against the table of rooms. Reads no disk, so that tests can hand it any text. */
import { posix } from 'node:path';
import { type ESTree, Visitor, parseSync } from 'vite';
import {
  RESTRICTED_CALLS,
  RESTRICTED_IMPORTS,
  RESTRICTED_TEXT,
  ROOMS,
  type Restriction,
} from './rooms.ts';

export interface Offense {
  file: string;
  line: number;
  message: string;
}

interface Import {
  specifier: string;
  typeOnly: boolean;
  names: readonly string[];
  at: number;
}

/** `file` is relative to the root of the repository, with forward slashes. */
export function offensesIn(file: string, text: string): Offense[] {
  const found: { at: number; message: string }[] = [];
  const { imports, calls, strings } = read(file, text);
  for (const item of imports) {
    for (const message of judgeImport(file, item)) found.push({ at: item.at, message });
  }
  for (const call of calls) {
    const rule = broken(RESTRICTED_CALLS, file, call.name);
    if (rule)
      found.push({ at: call.at, message: `${call.name}() does not belong here: ${rule.instead}` });
  }
  for (const string of strings) {
    const rule = broken(RESTRICTED_TEXT, file, string.text);
    if (rule) found.push({ at: string.at, message: `SQL does not belong here: ${rule.instead}` });
  }
  return found
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, message }) => ({ file, line: text.slice(0, at).split('\n').length, message }));
}

function judgeImport(file: string, item: Import): string[] {
  const { specifier } = item;
  const rule = broken(RESTRICTED_IMPORTS, file, specifier);
  if (rule) return [`'${specifier}' may not be imported here: ${rule.instead}`];
  if (/^zod$|\/zod\.ts$/.test(specifier) && item.names.some((name) => /^(?:z|default)$/.test(name)))
    return ['write `import * as z`: the `z` object adds 370 KB to the bundle'];
  const from = roomOf(file);
  const room = ROOMS[from];
  if (room === undefined) return file === 'src/worker.ts' ? [] : [unknownRoom(from)];
  if (!specifier.startsWith('.')) return judgePackage(from, specifier);
  const target = posix.join(posix.dirname(file), specifier);
  if (!target.startsWith('src/'))
    return target.endsWith('.sql')
      ? []
      : [`${target} lies outside src/: nothing in src/ may need it`];
  const to = roomOf(target);
  if (to === from || room.uses.includes(to)) return [];
  if (room.typesOf?.includes(to))
    return item.typeOnly
      ? []
      : [
          `${from} may use only the types of ${to}: write \`import type\`, or take the value as an argument`,
        ];
  return [
    `${from} may not import ${to}: declare a port in ${from}, or move the shared part to a room both may use`,
  ];
}

function judgePackage(from: string, specifier: string): string[] {
  const allowed = ROOMS[from]?.packages;
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (allowed === undefined || allowed.includes(name)) return [];
  const may = allowed.length === 0 ? 'no package' : `only ${allowed.join(', ')}`;
  return [`${from} may import ${may}, not ${name}`];
}

function unknownRoom(name: string): string {
  return `src/${name} is not a room: add it to scripts/lib/rooms.ts, or move the file into one`;
}

/** src/core/kinds/form.ts → core, src/protocol/schema/event.ts → protocol/schema. A file straight in src/ is its own name. */
function roomOf(file: string): string {
  const [, outer = '', inner = ''] = file.split('/');
  const nested = `${outer}/${inner}`;
  return nested in ROOMS ? nested : outer;
}

function broken(
  rules: readonly Restriction[],
  file: string,
  what: string,
): Restriction | undefined {
  return rules.find(
    (rule) => rule.what.test(what) && !rule.onlyIn.some((place) => file.startsWith(place)),
  );
}

function read(file: string, text: string) {
  const imports: Import[] = [];
  const calls: { name: string; at: number }[] = [];
  const strings: { text: string; at: number }[] = [];
  const { program, errors } = parseSync(file, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} does not parse: ${error.message}`);
  const add = (node: ESTree.Node, specifier: string, typeOnly: boolean, names: string[] = []) =>
    imports.push({ specifier, typeOnly, names, at: node.start });
  new Visitor({
    ImportDeclaration(node) {
      add(node, node.source.value, node.importKind === 'type', node.specifiers.map(importedName));
    },
    ExportAllDeclaration(node) {
      add(node, node.source.value, node.exportKind === 'type');
    },
    ExportNamedDeclaration(node) {
      if (node.source) add(node, node.source.value, node.exportKind === 'type');
    },
    ImportExpression(node) {
      if (node.source.type === 'Literal') add(node, String(node.source.value), false);
    },
    TSImportType(node) {
      add(node, node.source.value, true);
    },
    CallExpression(node) {
      calls.push({ name: text.slice(node.callee.start, node.callee.end), at: node.start });
    },
    NewExpression(node) {
      if (node.arguments.length > 0) return;
      calls.push({ name: `new ${text.slice(node.callee.start, node.callee.end)}`, at: node.start });
    },
    Literal(node) {
      if (typeof node.value === 'string') strings.push({ text: node.value, at: node.start });
    },
    TemplateLiteral(node) {
      strings.push({ text: node.quasis[0]?.value.raw ?? '', at: node.start });
    },
  }).visit(program);
  return { imports, calls, strings };
}

function importedName(specifier: ESTree.ImportDeclarationSpecifier): string {
  switch (specifier.type) {
    case 'ImportDefaultSpecifier':
      return 'default';
    case 'ImportNamespaceSpecifier':
      return '*';
    case 'ImportSpecifier':
      return specifier.imported.type === 'Identifier'
        ? specifier.imported.name
        : specifier.imported.value;
  }
}
