/**
 * Runs the official conformance suite against `/mcp`, and sorts what it checked.
 *
 * Many of its scenarios call tools, resources and prompts of a fixture server. A failure counts as "not applicable" only if
 * reasons.ts explains it by its scenario and its message; every other failure fails the run, and so does an explanation
 * that nothing needs any more.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addCredential } from './add-credential.ts';
import { type Reason, REASONS } from './reasons.ts';

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

export interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly message: string;
  readonly verdict: 'passed' | 'failed' | 'not applicable';
  readonly reason?: Reason;
}

interface SuiteCheck {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
  readonly details?: unknown;
}

const RUN_MS = 300_000;

export async function runSuite(
  packages: string,
  server: { readonly url: string; readonly token: string },
  revision: Revision,
): Promise<readonly Check[]> {
  const output = mkdtempSync(path.join(tmpdir(), 'holdpoint-conformance-'));
  const proxy = await addCredential(server);
  try {
    const program = path.join(packages, 'node_modules/@modelcontextprotocol/conformance');
    const file = path.join(program, 'dist/index.js');
    const args = ['--url', `${proxy.url}/mcp`, '--requirements', revision, '-o', output];
    const child = spawn(process.execPath, [file, 'server', ...args], { stdio: 'ignore' });
    const late = setTimeout(() => child.kill('SIGKILL'), RUN_MS);
    await once(child, 'close');
    clearTimeout(late);
    return readdirSync(output).flatMap((folder) => checksIn(path.join(output, folder)));
  } finally {
    proxy.stop();
    rmSync(output, { recursive: true, force: true });
  }
}

function checksIn(folder: string): readonly Check[] {
  const scenario = path.basename(folder).replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, '');
  const checks = JSON.parse(readFileSync(path.join(folder, 'checks.json'), 'utf8')) as SuiteCheck[];
  return checks.map((check) => sorted(scenario, check));
}

function sorted(scenario: string, { id, status, errorMessage, details }: SuiteCheck): Check {
  const message = errorMessage ?? JSON.stringify(details ?? {});
  const check = { scenario, id, message };
  if (status === 'SUCCESS') return { ...check, verdict: 'passed' };
  const reason = REASONS.find((one) => explains(one, check));
  if (reason !== undefined) return { ...check, verdict: 'not applicable', reason };
  // The suite itself says that it has nothing to check.
  const isIdle = status === 'SKIPPED' || status === 'INFO';
  return { ...check, verdict: isIdle ? 'not applicable' : 'failed' };
}

function explains(
  { scenarios, message }: Reason,
  check: Pick<Check, 'scenario' | 'message'>,
): boolean {
  return scenarios.test(check.scenario) && message.test(check.message);
}

/** Explanations that explained nothing in any run: what they excused is mended, or gone from the suite. */
export function unneeded(checks: readonly Check[]): readonly Reason[] {
  return REASONS.filter((reason) => !checks.some((check) => check.reason === reason));
}
