/**
 * How long people take to answer, by kind, over the last day and the last week.
 *
 * Audit entries of answered requests have the time that the request waited. They are counted into histograms, which are
 * one small text: hours of the last two days, days of the last nine, a few dozen steps each. The text says up to which
 * entry it has counted and is written again every 256 entries, so an answer costs no row of its own, and a reader counts
 * the few entries behind it.
 */
import * as z from '../protocol/schema/zod.ts';
import { AuditEntry } from '../protocol/schema/workspace.ts';
import type { AnswerTimes, AnswerTimesOf } from '../protocol/schema/status.ts';
import { parseStored } from './parse-stored.ts';
import type { WorkspaceStore } from './store.ts';

const HOUR_SLOT_MS = 3_600_000;
const DAY_SLOT_MS = 24 * HOUR_SLOT_MS;
const KEPT_HOURS = 48;
const KEPT_DAYS = 9;
/** Entries between two writes of the histograms. */
export const COUNTED_AT_ONCE = 256;
/** Entries that one reader counts, after an upgrade. */
const MAX_COUNTED = 20_000;
/** A step is 30 percent longer than the one before: the error of a median is half of that. */
const FIRST_STEP_MS = 250;
const STEP_FACTOR = 1.3;
/** The kinds of this version are fewer. */
const MAX_KINDS = 12;
const OTHER_KIND = 'other';

const Steps = z.record(z.string(), z.number());
/** By the number of the hour or the day since 1970, then by kind. */
const Slots = z.record(z.string(), z.record(z.string(), Steps));
const Tally = z.object({ upTo: z.number(), hours: Slots, days: Slots });
type Tally = z.infer<typeof Tally>;
type Slots = z.infer<typeof Slots>;

type TallyStore = Pick<WorkspaceStore, 'audit' | 'list' | 'saveList'>;

/** Call it in a transaction that has added entries after the number `before`, up to `after`. */
export function countAnswers(
  store: TallyStore,
  { before, after }: { readonly before: number; readonly after: number },
  now: number,
): void {
  if (Math.floor(after / COUNTED_AT_ONCE) === Math.floor(before / COUNTED_AT_ONCE)) return;
  saveTally(store, countedTally(store, now));
}

export function readAnswerTimes(store: WorkspaceStore, now: number): AnswerTimes {
  const saved = readTally(store);
  const tally = countedTally(store, now);
  if (tally.upTo - saved.upTo >= COUNTED_AT_ONCE) store.write(() => saveTally(store, tally));
  return {
    day: summarize(tally.hours, { now, slotMs: HOUR_SLOT_MS, slots: 24 }),
    week: summarize(tally.days, { now, slotMs: DAY_SLOT_MS, slots: 7 }),
  };
}

function readTally(store: TallyStore): Tally {
  const text = store.list('answer-times');
  const read = text === undefined ? undefined : Tally.safeParse(parseStored(text)).data;
  return read ?? { upTo: 0, hours: {}, days: {} };
}

function saveTally(store: TallyStore, tally: Tally): void {
  store.saveList('answer-times', JSON.stringify(tally));
}

function countedTally(store: TallyStore, now: number): Tally {
  const tally = readTally(store);
  const oldest = store.audit.firstRecordedFrom(now - KEPT_DAYS * DAY_SLOT_MS) - 1;
  let after = Math.max(tally.upTo, oldest);
  for (let left = MAX_COUNTED; left > 0; left -= COUNTED_AT_ONCE) {
    const rows = store.audit.readFrom(after, COUNTED_AT_ONCE);
    for (const { number, entry } of rows) {
      after = number;
      countEntry(tally, entry);
    }
    if (rows.length < COUNTED_AT_ONCE) break;
  }
  removeOld(tally.hours, now / HOUR_SLOT_MS - KEPT_HOURS);
  removeOld(tally.days, now / DAY_SLOT_MS - KEPT_DAYS);
  return { ...tally, upTo: after };
}

const AnsweredEntry = z.defer(() => {
  const { at, via, kind, outcome, waitedMs } = AuditEntry.shape;
  return z.object({ at, via, kind, outcome, waitedMs });
});
const BY_ITSELF: readonly string[] = ['timeout', 'system', 'rule'];
const BY_A_PERSON: readonly string[] = ['approved', 'denied', 'answered'];

function countEntry({ hours, days }: Tally, text: string): void {
  // Most entries of a busy workspace; the others need no parsing.
  if (!text.includes('"waitedMs"')) return;
  const entry = AnsweredEntry.safeParse(parseStored(text)).data;
  if (entry?.waitedMs === undefined || BY_ITSELF.includes(entry.via)) return;
  if (!BY_A_PERSON.includes(entry.outcome ?? '')) return;
  const { at, kind = OTHER_KIND, waitedMs } = entry;
  addWait(hours, Math.floor(at / HOUR_SLOT_MS), kind, waitedMs);
  addWait(days, Math.floor(at / DAY_SLOT_MS), kind, waitedMs);
}

function addWait(slots: Slots, slot: number, kind: string, waitedMs: number): void {
  const kinds = (slots[slot] ??= {});
  const isNew = !Object.hasOwn(kinds, kind);
  const name = isNew && Object.keys(kinds).length >= MAX_KINDS ? OTHER_KIND : kind;
  const steps = (kinds[name] ??= {});
  const step = stepOf(waitedMs);
  steps[step] = (steps[step] ?? 0) + 1;
}

function removeOld(slots: Slots, before: number): void {
  for (const slot of Object.keys(slots)) if (Number(slot) < before) delete slots[slot];
}

function stepOf(ms: number): number {
  return Math.max(0, Math.ceil(Math.log(Math.max(ms, 1) / FIRST_STEP_MS) / Math.log(STEP_FACTOR)));
}

/** The middle of a step. */
function waitOf(step: number): number {
  return Math.round(FIRST_STEP_MS * STEP_FACTOR ** (step - 0.5));
}

interface SummaryRange {
  readonly now: number;
  readonly slotMs: number;
  readonly slots: number;
}

function summarize(slots: Slots, { now, slotMs, slots: count }: SummaryRange): AnswerTimesOf {
  const last = Math.floor(now / slotMs);
  const numbers = Array.from({ length: count }, (_, index) => last - count + 1 + index);
  const kinds = new Map<string, Map<number, number>>();
  const points = numbers.map((slot) => {
    const all = new Map<number, number>();
    for (const [kind, steps] of Object.entries(slots[slot] ?? {})) {
      const ofKind = kinds.get(kind) ?? new Map<number, number>();
      kinds.set(kind, ofKind);
      for (const [step, found] of Object.entries(steps)) {
        addCount(all, Number(step), found);
        addCount(ofKind, Number(step), found);
      }
    }
    return { at: slot * slotMs, ...measure(all) };
  });
  const byKind = [...kinds].map(([kind, steps]) => ({ kind, ...measure(steps) }));
  return { kinds: byKind.toSorted((a, b) => b.count - a.count), points };
}

function addCount(steps: Map<number, number>, step: number, count: number): void {
  steps.set(step, (steps.get(step) ?? 0) + count);
}

function measure(steps: ReadonlyMap<number, number>) {
  const sorted = [...steps].toSorted(([a], [b]) => a - b);
  const count = sorted.reduce((sum, [, found]) => sum + found, 0);
  return { count, medianMs: waitAt(sorted, count * 0.5), p95Ms: waitAt(sorted, count * 0.95) };
}

/** Null without answers. */
function waitAt(sorted: readonly (readonly [number, number])[], rank: number): number | null {
  let passed = 0;
  for (const [step, found] of sorted) {
    passed += found;
    if (passed >= rank) return waitOf(step);
  }
  return null;
}
