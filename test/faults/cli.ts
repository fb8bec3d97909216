/**
 * `npm run faults -- <harness> [options]`; without a harness it lists them with their options.
 *
 * Ends with 1 when anything is found; the data folder is then kept, and named.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fail } from '../../scripts/lib/fail.ts';
import { FAULT_COMMANDS, type FaultCommand, FaultOptions } from './commands.ts';

const [name = '', ...args] = process.argv.slice(2);
const command = new Map(Object.entries(FAULT_COMMANDS)).get(name);
if (command === undefined) fail(usage());
const options = readOptions(command);
const seed = options.text('seed') ?? command.seed ?? Date.now().toString(36);
const dataDir = mkdtempSync(path.join(tmpdir(), `holdpoint-${name}-`));
console.log(`${name}: seed ${seed}`);
const { report, text } = await command.run(options, {
  seed,
  dataDir,
  bundle: options.text('bundle'),
  print: options.isOn('quiet') ? undefined : (line) => console.log(line),
});
console.log(text);
const reportFile = options.text('report');
if (reportFile !== undefined) writeFileSync(reportFile, JSON.stringify(report, null, 2));
const isClean = report.findings.length === 0;
if (isClean) rmSync(dataDir, { recursive: true, force: true });
else console.log(`The data folder is kept: ${dataDir}`);
process.exit(isClean ? 0 : 1);

function readOptions({ counts, texts = [], switches = [] }: FaultCommand): FaultOptions {
  const text = { type: 'string' } as const;
  const isOn = { type: 'boolean' } as const;
  const named = (names: readonly string[], as: typeof text | typeof isOn) =>
    Object.fromEntries(names.map((option) => [option, as]));
  try {
    const { values } = parseArgs({
      args,
      options: {
        ...named(['seed', 'report', 'bundle', ...texts, ...Object.keys(counts)], text),
        ...named(['quiet', ...switches], isOn),
      },
    });
    return new FaultOptions(values, counts);
  } catch (error) {
    fail(`${error instanceof Error ? error.message : String(error)}\n\n${usage()}`);
  }
}

function usage(): string {
  const lines = Object.entries(FAULT_COMMANDS).map(([harness, { what, ...command }]) => {
    const counts = Object.entries(command.counts).map(
      ([option, count]) => `[--${option} ${count}]`,
    );
    const texts = (command.texts ?? []).map((option) => `[--${option} text]`);
    const switches = (command.switches ?? []).map((option) => `[--${option}]`);
    return `  ${harness.padEnd(10)}${what}\n            ${[...counts, ...texts, ...switches].join(' ')}`;
  });
  return [
    'npm run faults -- <harness> [--seed text] [--report file.json] [--bundle folder] [--quiet]',
    ...lines,
  ].join('\n');
}
