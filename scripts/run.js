/*
 * Runs a script of this repository: `node scripts/run.js NAME` imports scripts/NAME.ts, or the file when NAME is a path.
 *
 * Plain JavaScript, because an old Node, which this refuses, cannot read TypeScript. `devEngines` does not help: npm
 * checks the Node that runs npm itself, and scripts run on the Node in node_modules/.bin.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node ${process.versions.node} is too old: run this through npm (npm brings its own Node on Linux) or install Node 24.`,
  );
  process.exit(1);
}

// Node prints a warning in every process that type stripping and node:sqlite are experimental.
const printers = process.listeners('warning');
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') for (const print of printers) print(warning);
});

const root = path.resolve(import.meta.dirname, '..');
const [name = ''] = process.argv.splice(2, 1);
const file = name.includes('/') ? name : `scripts/${name}.ts`;
await import(pathToFileURL(path.join(root, file)).href);
