/**
 * `npm run e2e:agents [-- convention … | case … | rounds=20]`: every convention with its real package, a scripted model, and
 * a person who answers over HTTP. Needs npm's registry once.
 */
import { buildBundle } from '../../scripts/lib/build-bundle.ts';
import { Transcript } from '../e2e-claude/transcript.ts';
import { AgentStage } from './agent-stage.ts';
import { playCase } from './cases.ts';
import { type CaseName, CASES, type Convention } from './convention.ts';
import { CONVENTIONS } from './conventions/index.ts';
import { writeTable } from './table.ts';

const NAMES = Object.keys(CASES) as CaseName[];
/** The cases that a count of rounds repeats. */
const KILLS: readonly CaseName[] = ['server-restart', 'agent-killed', 'answer-between'];

/** Tried also where they are impossible: an edit must not be offered, and nothing may run without an answer. */
const TRIED: readonly CaseName[] = ['edit', 'server-restart'];

const wanted = process.argv.slice(2);
const rounds = Number(
  wanted.find((word) => word.startsWith('rounds='))?.slice('rounds='.length) ?? 1,
);
const isNamed = (name: string) => wanted.includes(name);
const conventions = CONVENTIONS.some(({ name }) => isNamed(name))
  ? CONVENTIONS.filter(({ name }) => isNamed(name))
  : CONVENTIONS;
const cases = NAMES.some((name) => isNamed(name)) ? NAMES.filter((name) => isNamed(name)) : NAMES;

const transcript = new Transcript();
await buildBundle();
const results = new Map<Convention, Map<CaseName, readonly string[]>>();
for (const convention of conventions) results.set(convention, await playConvention(convention));
// A part of the cases would leave holes in the table.
if (cases.length === NAMES.length) writeTable(CONVENTIONS, results);
process.exit(transcript.end() === 0 ? 0 : 1);

async function playConvention(convention: Convention): Promise<Map<CaseName, readonly string[]>> {
  const played = new Map<CaseName, readonly string[]>();
  const stage = new AgentStage(transcript);
  try {
    await stage.open();
    const programOf = await convention.prepare(stage);
    for (const name of cases) {
      if (convention.impossible[name] !== undefined && !TRIED.includes(name)) continue;
      const problems: string[] = [];
      for (let round = 0; round < (KILLS.includes(name) ? rounds : 1); round += 1)
        problems.push(...(await playCase(stage, convention, name, programOf, round)));
      played.set(name, problems);
    }
  } catch (cause) {
    transcript.check(`${convention.title} can be tried on this machine`, false, String(cause));
    for (const name of NAMES) played.set(name, [`could not be installed or started here`]);
  } finally {
    await stage.close();
  }
  return played;
}
