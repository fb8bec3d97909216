/** I6: a committed request gets the same answer when it is repeated. */
import type { Body } from '../../support/attempt.ts';
import type { Random } from '../../support/random.ts';
import type { Committed, TestedSession } from './tested-session.ts';
import type { Performed, CrashContext } from './crash-context.ts';

const SAMPLE = 30;
const REUSED = 2;

/** Every request that was in doubt since the last check, and a sample of the others. */
export async function checkReplays(
  context: CrashContext,
  session: TestedSession,
  random: Random,
): Promise<void> {
  const { committed } = session;
  session.committed = [];
  const doubted = committed.filter(({ first }) => first.doubts > 0);
  const others = random.sample(
    committed.filter(({ first }) => first.doubts === 0),
    SAMPLE,
  );
  for (const replay of [...doubted, ...others]) {
    const { wait: _, ...ask } = replay.ask;
    const again = await context.read(ask.path, ask);
    context.counts.replayed += 1;
    const problem = difference(replay.first, again);
    if (problem === undefined) continue;
    const evidence = `${ask.method} ${ask.path} sent again: ${problem}; ${replay.first.text} / ${again.text}`;
    context.findings.add('I6', session.id, evidence);
  }
  for (const replay of random.sample(others.filter(isOpening), REUSED)) {
    await checkReuse(context, session, replay);
  }
}

function difference(first: Performed, again: Performed): string | undefined {
  if (again.status !== first.status) return `${again.status} instead of ${first.status}`;
  if (!again.replayed) return 'it was done once more';
  const [before, after] = [first.body, again.body];
  const outcome = before.interaction?.outcome ?? undefined;
  if (before.interaction?.interactionId !== after.interaction?.interactionId) return 'another one';
  if (outcome !== undefined && outcome !== after.interaction?.outcome) return 'another outcome';
  for (const part of ['routed', 'messageId', 'interactionId', 'cancelled'] as const) {
    if (before[part] !== after[part]) return `another ${part}`;
  }
  const results = [before.results, after.results].map((all) => all?.map(nameOfResult).join());
  if (results[0] !== results[1]) return `${results[1]} in place of ${results[0]}`;
  const decisions = [before.decision, after.decision].map((decision) => JSON.stringify(decision));
  return decisions[0] === decisions[1] ? undefined : 'another decision';
}

function nameOfResult({ interaction, decision, error }: Body): string {
  return interaction?.interactionId ?? error?.code ?? JSON.stringify(decision);
}

function isOpening({ ask }: Committed): boolean {
  return ask.path.endsWith('/interactions');
}

/** The same key with another request is an error, and must not return the result of the first request. */
async function checkReuse(
  context: CrashContext,
  session: TestedSession,
  { ask }: Committed,
): Promise<void> {
  const { wait: _, ...rest } = ask;
  const other = { ...rest, body: { ...ask.body, toolName: 'Another' } };
  const { status, text } = await context.read(other.path, other);
  if (status === 422) return;
  context.findings.add('I6', session.id, `a key was used for two requests: ${status} ${text}`);
}
