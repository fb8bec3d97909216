/**
 * Type-checks every part of the repository with the globals it really has.
 *
 * One program for everything would let src/ use `process` and tests mix two `Request`s: the globals of workerd and of
 * Node conflict. Build information is kept below node_modules, so that the next run checks only changed files.
 */
import path from 'node:path';
import { ROOT, binary } from './lib/paths.ts';
import { run } from './lib/run.ts';

const PROJECTS = [
  'tsconfig.json',
  'src/web/tsconfig.json',
  'src/service-worker/tsconfig.json',
  'test/tsconfig.json',
  'test/worker/tsconfig.json',
  'test/web/tsconfig.json',
  'test/e2e/tsconfig.json',
  'scripts/tsconfig.json',
  'bench/tsconfig.json',
  'examples/tsconfig.json',
];

const CACHE = path.join(ROOT, 'node_modules/.cache/types');

const codes = await Promise.all(
  PROJECTS.map((project) => {
    const learned = path.join(CACHE, `${project.replaceAll('/', '_')}.tsbuildinfo`);
    return run(process.execPath, [
      binary('typescript', 'bin/tsc'),
      '--project',
      path.join(ROOT, project),
      '--incremental',
      '--tsBuildInfoFile',
      learned,
    ]);
  }),
);
process.exit(codes.every((code) => code === 0) ? 0 : 1);
