/**
 * Compares the clients' claims with the server: some of them after every restart, all of them when the clients rest.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import { type Claim, problemWith } from './claims.ts';
import { inboxKey, readAudit, readInbox } from './inbox.ts';
import { LogCopy } from './log-copy.ts';
import { readLog } from './read-log.ts';
import type { TestedSession } from './tested-session.ts';
import type { CrashContext } from './crash-context.ts';

/** How long the workspace may take to agree with its sessions. */
const CONVERGE_MS = 30_000;
/**
 * Sessions report a quarter of a second after a commit; an entry that is stale after this stays stale until touched.
 */
const TELLING_MS = 2_000;
const CATCH_UP_MS = 30_000;
const RECORDS_LOOKED_AT = 5;

/** After a restart, while clients continue: everything acknowledged before the kill is there. */
export async function checkFresh(
  context: CrashContext,
  session: TestedSession,
  fresh: readonly Claim[],
  random: Random,
): Promise<void> {
  const { copy } = session;
  for await (const event of readLog(context, session, copy.head)) copy.take(event);
  copy.close();
  for (const claim of fresh) judge(context, session, claim);
  const outcomes = fresh.filter(({ outcome }) => outcome !== undefined);
  for (const { interactionId, outcome, what } of random.sample(outcomes, RECORDS_LOOKED_AT)) {
    const { body } = await context.read(`${session.path}/interactions/${interactionId}`);
    context.counts.checkedRecords += 1;
    if (body.interaction?.outcome === outcome) continue;
    const evidence = `${what}: the record of ${interactionId} says ${body.interaction?.outcome}`;
    context.findings.add('I2', session.id, `${evidence}, and ${outcome} was acknowledged`);
  }
}

/** While all clients rest: checks the whole log from its beginning, all claims, and every row derived from the log. */
export async function checkWhole(context: CrashContext, session: TestedSession): Promise<void> {
  const copy = new LogCopy(session.id, context.findings, context.seenEvents);
  // Deadlines keep passing, so the log must hold only what clients saw before it was read.
  const seen = context.seenEvents.head(session.id);
  const claims = [...session.claims];
  for await (const event of readLog(context, session, 0)) copy.take(event);
  copy.close();
  session.copy = copy;
  if (seen > copy.head) {
    const evidence = `the log ends at ${copy.head}, and somebody has seen ${seen}`;
    context.findings.add('I5', session.id, evidence);
  }
  for (const claim of claims) judge(context, session, claim);
  await checkRecords(context, session);
}

function judge(context: CrashContext, session: TestedSession, claim: Claim): void {
  context.counts.checkedClaims += 1;
  const problem = problemWith(claim, session.copy);
  if (problem !== undefined) context.findings.add(problem[0], session.id, problem[1]);
}

/** A torn commit would leave the rows behind the log, or ahead of it. */
async function checkRecords(context: CrashContext, session: TestedSession): Promise<void> {
  const { copy, path, id } = session;
  const bad = (text: string) => context.findings.add('I2', id, text);
  const rows = new Map<string, string | null>();
  let cursor: string | undefined;
  do {
    const before = cursor === undefined ? '' : `&before=${encodeURIComponent(cursor)}`;
    const page = await context.read(`${path}/interactions?status=settled&limit=1000${before}`);
    for (const interaction of page.body.interactions ?? [])
      rows.set(interaction.interactionId, interaction.outcome);
    cursor = page.body.next;
  } while (cursor !== undefined);
  const open = await readOpen(context, path);
  for (const id of open) rows.set(id, null);
  for (const known of copy.interactions.values()) {
    context.counts.checkedRecords += 1;
    const row = rows.get(known.id);
    // A deadline may have ended an interaction since the log was read.
    const isNewer = known.outcome === null && row !== undefined;
    if (row !== known.outcome && !isNewer) {
      bad(`the record of ${known.id} says ${row}, and the log ${known.outcome}`);
    }
    rows.delete(known.id);
  }
  for (const left of rows.keys()) bad(`there is a record of ${left}, and nothing in the log`);
  const { body } = await context.read(`${path}/rules`);
  const rules = (body.rules ?? []).map((rule) => rule.id).toSorted();
  const inLog = [...copy.rules].toSorted();
  if (rules.join() !== inLog.join()) bad(`rules ${rules.join()}, and in the log ${inLog.join()}`);
}

async function readOpen(context: CrashContext, path: string): Promise<string[]> {
  const { body } = await context.read(`${path}/interactions?status=open`);
  return (body.interactions ?? []).map((interaction) => interaction.interactionId);
}

/**
 * I11: soon after all clients rest, the inbox lists exactly the open interactions of the sessions.
 *
 * A session that was killed before its report sends the report when it wakes. If no client touches such a session, this
 * check reads it, like a person who found its entry in the inbox, and counts it.
 */
export async function checkInbox(
  context: CrashContext,
  sessions: readonly TestedSession[],
): Promise<void> {
  const from = Date.now();
  const lookedAt = new Set<string>();
  for (;;) {
    const inbox = await readInbox(context);
    const wanted = new Set<string>();
    for (const session of sessions) {
      for (const id of await readOpen(context, session.path)) wanted.add(inboxKey(session.id, id));
    }
    const shown = [...inbox.open.keys()];
    const extra = shown.filter((key) => !wanted.has(key));
    const missing = [...wanted].filter((key) => !inbox.open.has(key));
    const took = Date.now() - from;
    if (extra.length + missing.length === 0 && inbox.total === shown.length) {
      context.counts.inboxConvergedMs = Math.max(context.counts.inboxConvergedMs, took);
      return;
    }
    if (took > CONVERGE_MS) {
      const counts = `total ${inbox.total}, shown ${shown.length}, open ${wanted.size}`;
      const which = `missing ${missing.slice(0, 5).join()}; left over ${extra.slice(0, 5).join()}`;
      return context.findings.add('I11', '', `after ${took} ms: ${counts}; ${which}`);
    }
    for (const key of took < TELLING_MS ? [] : extra) {
      const [id = ''] = key.split(' ');
      if (lookedAt.has(key) || sessions.some((session) => session.id === id)) continue;
      lookedAt.add(key);
      context.counts.staleUntilTouched += 1;
      await readOpen(context, `/v1/sessions/${id}`);
    }
    await sleep(50);
  }
}

/** Also I11: the audit list holds every settlement since then, with the outcome of the log. */
export async function checkAudit(
  context: CrashContext,
  sessions: readonly TestedSession[],
  since: number,
): Promise<void> {
  const from = Date.now();
  for (;;) {
    const audit = await readAudit(context, since);
    const missing: string[] = [];
    for (const { id: session, copy } of sessions) {
      for (const { id, outcome, settledAt } of copy.interactions.values()) {
        if (settledAt === null || settledAt < since) continue;
        const key = inboxKey(session, id);
        if (audit.get(key)?.outcome !== outcome) missing.push(`${key} ${outcome}`);
      }
    }
    if (missing.length === 0) return;
    if (Date.now() - from > CONVERGE_MS) {
      const evidence = `${missing.length} settlements are not in the audit list: ${missing.slice(0, 5).join()}`;
      return context.findings.add('I11', '', evidence);
    }
    await sleep(50);
  }
}

/** Subscribers reach the end of the log, and every waiter of a settled interaction receives its outcome. */
export async function checkListeners(
  context: CrashContext,
  sessions: readonly TestedSession[],
  late: () => readonly { session: TestedSession; interactionId: string }[],
): Promise<void> {
  const from = Date.now();
  const behind = () => sessions.filter(({ follower, copy }) => follower.seq < copy.head);
  while (behind().length + late().length > 0 && Date.now() - from < CATCH_UP_MS) await sleep(10);
  for (const { id, follower, copy } of behind()) {
    const evidence = `${follower.name} received ${follower.seq} of ${copy.head} events`;
    context.findings.add('I7', id, evidence);
  }
  for (const { session, interactionId } of late()) {
    const { outcome } = session.copy.interactions.get(interactionId) ?? {};
    const evidence = `${interactionId} is ${outcome}, and one who waits for it was not told`;
    context.findings.add('WAIT', session.id, evidence);
  }
}
