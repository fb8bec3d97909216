/**
 * A project with the packed package installed. The archive is unpacked as npm would unpack it, and its dependencies are
 * linked from this repository, because a check must not need a network.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PACKAGE, ROOT, binary } from '../paths.ts';
import { PROGRAM, specifiersOf, type Entry } from './manifest.ts';
import type { Packed } from './published-face.ts';

const TYPE_TESTS = path.join(ROOT, 'test/types');

export interface Consumer {
  /** What is in the archive. */
  readonly packed: Packed;
  /** The problems of a dry run of publishing the archive. */
  publish(): string[];
  /** The import errors of these entries, and the entries that an older Node does not refuse with a sentence. */
  importAll(node: string, entries: readonly Entry[]): string[];
  /** The problems of starting the program as npm links it. */
  runProgram(node: string): string[];
  /** The type errors with `skipLibCheck` off, which includes the declarations of dependencies. */
  checkTypes(): string[];
  remove(): void;
}

export function install(dependencies: readonly string[]): Consumer {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-consumer-'));
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(modules, 'holdpoint'), { recursive: true });
  const packed = must('npm', ['pack', PACKAGE, '--silent'], folder).trim();
  const into = path.join(modules, 'holdpoint');
  must('tar', ['-xzf', packed, '--strip-components=1', '-C', into], folder);
  for (const name of dependencies) {
    const link = path.join(modules, name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules', name), link, 'dir');
  }
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  return {
    packed: {
      manifest: readManifest(into),
      readme: readFileSync(path.join(into, 'README.md'), 'utf8'),
      files: filesOf(into),
    },
    publish: () => publish(path.join(folder, packed)),
    importAll: (node, entries) => entries.flatMap((entry) => importEach(node, entry, folder)),
    runProgram: (node) => runProgram(node, into),
    checkTypes: () => checkTypes(folder),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function readManifest(folder: string): Packed['manifest'] {
  const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
  return JSON.parse(text) as Packed['manifest'];
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'));
}

/** npm would correct some mistakes of a manifest by itself, and says so in a warning. */
function publish(archive: string): string[] {
  const { status, stderr } = spawnSync('npm', ['publish', archive, '--dry-run', '--offline'], {
    encoding: 'utf8',
  });
  return status === 0 && !/auto-corrected/.test(stderr) ? [] : [`npm publish: ${stderr}`];
}

function importEach(node: string, entry: Entry, folder: string): string[] {
  const version = must(node, ['--version'], folder).trim();
  const isOld = Number.parseInt(version.slice(1), 10) < entry.node;
  return specifiersOf(entry).flatMap((specifier) => {
    const program = `await import('${specifier}')`;
    const { status, stderr } = spawnSync(node, ['--input-type=module', '--eval', program], {
      cwd: folder,
      encoding: 'utf8',
    });
    const isRight = isOld
      ? stderr.includes(`Error: ${specifier} needs `) &&
        stderr.includes(`which Node ${entry.node} has; this is Node ${version.slice(1)}.`)
      : status === 0;
    return isRight ? [] : [`${specifier} in Node ${version}: ${stderr}`];
  });
}

function runProgram(node: string, installed: string): string[] {
  const { bin } = readManifest(installed) as { readonly bin: Readonly<Record<string, string>> };
  const file = path.join(installed, bin[PROGRAM.name] ?? '');
  const isProgram = readFileSync(file, 'utf8').startsWith('#!/usr/bin/env node\n');
  const { status, stdout, stderr } = spawnSync(node, [file, '--help'], { encoding: 'utf8' });
  return [
    ...(isProgram ? [] : [`${file} does not begin with #!/usr/bin/env node`]),
    ...(status === 0 && stdout.startsWith('Usage: holdpoint') ? [] : [`${file}: ${stderr}`]),
  ];
}

function checkTypes(folder: string): string[] {
  const tests = path.join(folder, 'types');
  cpSync(TYPE_TESTS, tests, { recursive: true });
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    types: [],
    noEmit: true,
  };
  const config = path.join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, include: ['types'] }));
  const { status, stdout } = spawnSync(
    process.execPath,
    [binary('typescript', 'bin/tsc'), '--project', config],
    { cwd: folder, encoding: 'utf8' },
  );
  return status === 0 ? [] : [stdout];
}

function must(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}
