/**
 * Builds the package and checks it as a registry and as a project that installs it: publint, what it says of itself, a dry run
 * of publishing it, the bytes that a page loads, the types, and the import of each entry.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { fail } from '../lib/fail.ts';
import { anyTypes } from '../lib/package/any-types.ts';
import { buildPackage } from '../lib/package/build.ts';
import { install } from '../lib/package/consumer.ts';
import { entries, readRoot } from '../lib/package/manifest.ts';
import { PAGE, pageSizes } from '../lib/package/page-size.ts';
import { faceProblems } from '../lib/package/published-face.ts';
import { PACKAGE } from '../lib/paths.ts';

/** What a browser may have to load before anything is on the screen: 14.65 KB (decision 0011). */
const PAGE_BYTES = 14.65 * 1024;

await buildPackage().catch(fail);
const problems = [...(await linted()), ...(await tooLarge()), ...typed(), ...installed()];
for (const problem of problems) console.error(problem);
console.log(`${entries().length} entries, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function linted(): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: PACKAGE, strict: true });
  return messages.flatMap((message) => formatMessage(message, pkg) ?? []);
}

async function tooLarge(): Promise<string[]> {
  const all = await pageSizes();
  for (const { what, bytes } of all) console.log(`${String(bytes).padStart(7)}  ${what}`);
  const page = all.find(({ what }) => what === PAGE);
  return page !== undefined && page.bytes <= PAGE_BYTES
    ? []
    : [`holdpoint/client: ${PAGE} is ${page?.bytes} bytes, more than ${PAGE_BYTES}`];
}

function typed(): string[] {
  return anyTypes(PACKAGE);
}

function installed(): string[] {
  const text = readFileSync(path.join(PACKAGE, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  const consumer = install(Object.keys(dependencies));
  try {
    const nodes = [process.execPath, ...systemNode()];
    console.log(`imported by ${nodes.join(' and ')}`);
    return [
      ...faceProblems(consumer.packed, readRoot()),
      ...consumer.publish(),
      ...nodes.flatMap((node) => consumer.importAll(node, entries())),
      ...nodes.flatMap((node) => consumer.runProgram(node)),
      ...consumer.checkTypes(),
    ];
  } finally {
    consumer.remove();
  }
}

/** The Node that a terminal would run here, if it is not the one that npm brings; often it is older. */
function systemNode(): string[] {
  const found = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => path.join(folder, 'node'))
    .find((file) => existsSync(file));
  return found === undefined || realpathSync(found) === realpathSync(process.execPath)
    ? []
    : [found];
}
