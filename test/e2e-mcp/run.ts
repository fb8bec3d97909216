/**
 * `npm run e2e:mcp [-- clients | conformance | bounds]`: the MCP endpoint with the official clients and the official
 * conformance suite. Needs npm's registry once.
 */
import { buildBundle } from '../../scripts/lib/build-bundle.ts';
import { AgentStage } from '../e2e-agents/agent-stage.ts';
import { Transcript } from '../e2e-claude/transcript.ts';
import { measureBounds, measureDepartures } from './bounds.ts';
import { CASES, type CaseName, playCase } from './cases.ts';
import { type ClientKind, loadClients } from './clients.ts';
import { type Check, type Revision, REVISIONS, runSuite, unneeded } from './conformance.ts';
import { installMcp } from './packages.ts';
import { type Played, writeClients, writeConformance } from './tables.ts';

/** HOLDPOINT_RATE_LIMIT as it comes. */
const DEFAULT_RATE = '2000';

const wanted = process.argv.slice(2);
const isWanted = (part: string) => wanted.length === 0 || wanted.includes(part);
const transcript = new Transcript();
const packages = installMcp();
await buildBundle();
if (isWanted('conformance')) await playConformance();
if (isWanted('clients')) await playClients();
if (isWanted('bounds')) {
  transcript.scene('bounds');
  await onStage(measureBounds, DEFAULT_RATE);
  await onStage(measureDepartures, DEFAULT_RATE);
}
process.exit(transcript.end() === 0 ? 0 : 1);

async function playClients(): Promise<void> {
  const kinds = await loadClients(packages);
  // A server each: most of the time the cases wait for the end of a round.
  const played = await Promise.all(kinds.map((kind) => onStage((stage) => playKind(stage, kind))));
  writeClients(new Map(kinds.map(({ title }, index) => [title, played[index] ?? new Map()])));
}

async function playKind(stage: AgentStage, kind: ClientKind): Promise<Played> {
  const played = new Map<CaseName, readonly string[]>();
  for (const name of Object.keys(CASES) as CaseName[]) {
    played.set(name, await playCase(stage, kind, name));
  }
  return played;
}

async function playConformance(): Promise<void> {
  const found = new Map<Revision, readonly Check[]>();
  for (const revision of REVISIONS) {
    transcript.scene(`conformance, ${revision}`);
    const checks = await onStage((stage) => runSuite(packages, stage, revision));
    found.set(revision, checks);
    transcript.check('the suite ran', checks.length > 0);
    for (const { scenario, id, message, verdict } of checks) {
      if (verdict === 'failed') transcript.check(`${scenario}: ${id}`, false, message);
    }
  }
  const idle = unneeded([...found.values()].flat());
  transcript.check('every explanation is still needed', idle.length === 0, idle.map(String));
  writeConformance(found);
}

async function onStage<Value>(
  play: (stage: AgentStage) => Promise<Value>,
  rateLimit?: string,
): Promise<Value> {
  const stage = new AgentStage(transcript, rateLimit);
  try {
    await stage.open();
    return await play(stage);
  } finally {
    await stage.close();
  }
}
