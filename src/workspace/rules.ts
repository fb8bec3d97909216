/**
 * The rules of the workspace, the copies of those of its sessions, and the requests on which a rule is tried.
 *
 * Sessions judge by a copy of the rules of the workspace, and own their rules: a session reports them when they change,
 * so that one list has all.
 *
 * A request that passed the gate is held in the row of its session, which the report writes anyway. Some of them together
 * become one row of their own, so that a request alone costs none. The last `LIMITS.triedRequests` are tried.
 */
import * as z from '../protocol/schema/zod.ts';
import { ruleFields } from '../core/audit-entry.ts';
import { digestRule } from '../core/digest.ts';
import type { Report } from '../core/report.ts';
import { isLive, tryRule } from '../core/rules/match-rule.ts';
import { isSameRule, type NewRule, rejectRule } from '../core/rules/make-rule.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import { type ReadResult, type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { describePattern } from '../protocol/rule-words.ts';
import { cutPage, pageSize, readCursor } from '../protocol/schema/cursor.ts';
import { GatedRequest } from '../protocol/schema/gated-request.ts';
import { type CreateRule, type CreateWorkspaceRule, Rule } from '../protocol/schema/rule.ts';
import type { ListedRule, RuleTrial } from '../protocol/schema/workspace.ts';
import { addOwnAudit } from './audit.ts';
import { parseStored } from './parse-stored.ts';
import type { PageQuery, WorkspacePorts } from './ports.ts';
import { type NumberedSession, OF_WORKSPACE } from './store.ts';

type RulePorts = Pick<WorkspacePorts, 'store' | 'now' | 'warn' | 'freshId'>;

export interface RulesPage {
  readonly rules: readonly ListedRule[];
  readonly next?: string;
}

/** A rule of the next version may have more fields; the known ones are still true. */
const ReadableRule = Rule.strip();
const RuleCursor = z.tuple([z.literal('rules'), z.string(), z.string()]);
const SHOWN_INPUT_CHARS = 200;
/** A session row is written with each report, so it holds few requests, and fewer large ones. */
const HELD_REQUESTS = 8;
const HELD_CHARS = 8_192;
const HeldRequests = z.array(z.unknown());
const NONE_HELD = '[]';

interface TriedRequest {
  readonly sessionId: string;
  readonly request: GatedRequest;
}

export class WorkspaceRules {
  readonly #ports: RulePorts;
  /** Read once and then kept: every copy of a session is made of them. */
  #own: readonly Rule[] | null = null;
  #lastNumber: number | null = null;

  constructor(ports: RulePorts) {
    this.#ports = ports;
  }

  /** A write failed: what memory holds may not be stored. */
  reset(): void {
    this.#own = null;
    this.#lastNumber = null;
  }

  own(): readonly Rule[] {
    this.#own ??= this.#ports.store.rules
      .of(OF_WORKSPACE)
      .flatMap((row) => this.#read(ReadableRule, row.entry) ?? []);
    return this.#own;
  }

  /** An equal rule is made once. */
  create({ from, ...wanted }: CreateWorkspaceRule, by: Settler): ReadResult<Rule> {
    const { store, now, freshId } = this.#ports;
    const at = now();
    const fields = withInputDigest(wanted);
    const refused = rejectRule(fields, at);
    if (refused !== undefined) return refused;
    const all = this.own();
    const live = all.filter((rule) => isLive(rule, at));
    const same = live.find((rule) => isSameRule(rule, fields));
    if (same !== undefined) return { ok: true, value: same };
    if (live.length >= LIMITS.workspaceRules) {
      return reject('limit_reached', 'This workspace has too many rules; revoke one first', {
        limit: 'workspaceRules',
        max: LIMITS.workspaceRules,
      });
    }
    const id = `rule_${freshId()}`;
    const rule: Rule = { id, ...fields, createdAt: at, createdBy: by.subject, ...from };
    store.write(() => {
      for (const old of all) {
        if (!live.includes(old)) store.rules.remove({ sessionId: OF_WORKSPACE, id: old.id });
      }
      store.rules.put({ sessionId: OF_WORKSPACE, id, entry: JSON.stringify(rule) });
      const about = ruleFields(rule, 'workspace');
      addOwnAudit(store, by, { at, what: 'rule', change: 'created', ...about });
    });
    this.#own = [...live, rule];
    return { ok: true, value: rule };
  }

  remove(id: string, by: Settler): { ok: true } | Rejection {
    const { store, now } = this.#ports;
    const rule = this.own().find((one) => one.id === id);
    if (rule === undefined) return reject('not_found', 'There is no such rule in this workspace');
    store.write(() => {
      store.rules.remove({ sessionId: OF_WORKSPACE, id });
      const { reason: _reason, ...about } = ruleFields(rule, 'workspace');
      addOwnAudit(store, by, { at: now(), what: 'rule', change: 'revoked', ...about });
    });
    this.#own = this.own().filter((one) => one !== rule);
    return { ok: true };
  }

  list(page: PageQuery): ReadResult<RulesPage> {
    const { store } = this.#ports;
    const cursor = readCursor(RuleCursor, page.after);
    if (!cursor.ok) return cursor;
    const [, sessionId = '', id = ''] = cursor.value ?? [];
    const size = pageSize(page.limit);
    const found = store.rules.list(size + 1, cursor.value && { sessionId, id });
    const { rows, ...next } = cutPage(found, size, (last) => ['rules', last.sessionId, last.id]);
    const used = this.#countUses();
    const rules = rows.flatMap((row): ListedRule[] => {
      const rule = this.#read(ReadableRule, row.entry);
      if (rule === undefined) return [];
      const isOwn = row.sessionId === OF_WORKSPACE;
      const title = isOwn ? null : (store.sessions.find(row.sessionId)?.title ?? null);
      return [
        {
          scope: isOwn ? 'workspace' : 'session',
          session: isOwn ? null : { id: row.sessionId, title },
          rule,
          pattern: describePattern(rule),
          used: used.get(rule.id) ?? null,
        },
      ];
    });
    return { ok: true, value: { rules, ...next } };
  }

  tryOut(wanted: CreateRule): ReadResult<RuleTrial> {
    const { store, now } = this.#ports;
    const at = now();
    const fields = withInputDigest(wanted);
    const refused = rejectRule(fields, at);
    if (refused !== undefined) return refused;
    const proposed: Rule = { id: '', ...fields, createdAt: at, createdBy: '' };
    const becomes = { allowed: 0, asked: 0, denied: 0 };
    const requests: RuleTrial['requests'] = [];
    let [tried, notTried] = [0, 0];
    for (const { sessionId, request } of this.#requests()) {
      if (request.toolName !== wanted.toolName && !wanted.toolName.endsWith('*')) {
        tried += 1;
        continue;
      }
      const trial = tryRule(proposed, this.own(), request, at);
      if (!trial.isTried) {
        notTried += 1;
        continue;
      }
      tried += 1;
      const { before, after } = trial;
      if (before === after) continue;
      becomes[after] += 1;
      const { interactionId, toolName, at: askedAt } = request;
      requests.push({
        sessionId,
        sessionTitle: store.sessions.find(sessionId)?.title ?? null,
        ...(interactionId !== undefined && { interactionId }),
        at: askedAt,
        toolName,
        input: triedInput(request),
        before,
        after,
      });
    }
    return { ok: true, value: { tried, notTried, changed: requests.length, becomes, requests } };
  }

  /**
   * Call it in the transaction of the report. Events up to the known head were applied before. Returns the requests that
   * the row of the session holds from here on.
   */
  applyReport(
    report: Report,
    known: Pick<NumberedSession, 'head' | 'gated'> | undefined,
    isDeleted: boolean,
  ): string {
    const { store } = this.#ports;
    const { sessionId, rules, gated = [] } = report;
    if (isDeleted) {
      store.rules.removeOf(sessionId);
      store.gatedRequests.removeOf(sessionId);
      return NONE_HELD;
    }
    if (rules !== undefined) this.#replaceRules(sessionId, rules);
    const held = known?.gated ?? NONE_HELD;
    const isNew = ({ seq }: GatedRequest) => seq > (known?.head ?? 0) && seq <= report.head;
    const added = gated.filter(isNew);
    return added.length === 0 ? held : this.#hold(sessionId, held, added);
  }

  /** Adds requests to those that the row of the session holds, and returns what it holds then. */
  #hold(sessionId: string, held: string, added: readonly GatedRequest[]): string {
    const stored = HeldRequests.safeParse(parseStored(held)).data ?? [];
    let texts = stored.map((request) => JSON.stringify(request));
    for (const request of added) {
      texts.push(JSON.stringify(request));
      const entry = listText(texts);
      if (texts.length < HELD_REQUESTS && entry.length < HELD_CHARS) continue;
      this.#putRequests(sessionId, entry);
      texts = [];
    }
    return listText(texts);
  }

  #putRequests(sessionId: string, entry: string): void {
    const { gatedRequests } = this.#ports.store;
    this.#lastNumber = (this.#lastNumber ?? gatedRequests.lastNumber()) + 1;
    gatedRequests.put({ number: this.#lastNumber, sessionId, entry });
  }

  #replaceRules(sessionId: string, rules: readonly Rule[]): void {
    const { store } = this.#ports;
    const stored = store.rules.of(sessionId);
    const kept = new Set(rules.map(({ id }) => id));
    for (const { id } of stored) if (!kept.has(id)) store.rules.remove({ sessionId, id });
    const known = new Set(stored.map(({ id }) => id));
    for (const rule of rules) {
      const row = { sessionId, id: rule.id, entry: JSON.stringify(rule) };
      if (!known.has(rule.id)) store.rules.put(row);
    }
  }

  #countUses(): Map<string, { count: number; lastAt: number }> {
    const uses = new Map<string, { count: number; lastAt: number }>();
    for (const { request } of this.#requests()) {
      const { by, at } = request;
      const ids = by !== undefined && 'rule' in by ? [by.rule, ...(by.others ?? [])] : [];
      for (const id of ids) {
        const { count = 0, lastAt = 0 } = uses.get(id) ?? {};
        uses.set(id, { count: count + 1, lastAt: Math.max(lastAt, at) });
      }
    }
    return uses;
  }

  /** Newest first: those that the sessions hold, and those that have rows of their own. */
  #requests(): TriedRequest[] {
    const { sessions, gatedRequests } = this.#ports.store;
    const holding = [false, true].flatMap((isArchived) =>
      sessions.listByActivity(isArchived, LIMITS.triedRequests),
    );
    return [
      ...holding.flatMap(({ id, gated }) => this.#readRequests(id, gated)),
      ...gatedRequests
        .list()
        .flatMap(({ sessionId, entry }) => this.#readRequests(sessionId, entry)),
    ]
      .sort((a, b) => b.request.at - a.request.at || b.request.seq - a.request.seq)
      .slice(0, LIMITS.triedRequests);
  }

  #readRequests(sessionId: string, entry: string): TriedRequest[] {
    const stored = this.#read(HeldRequests, entry) ?? [];
    return stored.flatMap((one) => {
      const { data: request } = GatedRequest.safeParse(one);
      if (request === undefined) this.#ports.warn('A stored request cannot be read', one);
      return request === undefined ? [] : [{ sessionId, request }];
    });
  }

  #read<Value>(schema: z.ZodType<Value>, entry: string): Value | undefined {
    const { data } = schema.safeParse(parseStored(entry));
    if (data === undefined) this.#ports.warn('A stored rule or request cannot be read', entry);
    return data;
  }
}

function listText(requests: readonly string[]): string {
  return `[${requests.join(',')}]`;
}

function withInputDigest({ input, ...wanted }: CreateRule): NewRule {
  return { ...wanted, ...(input && { inputDigest: digestRule(wanted.toolName, input) }) };
}

function triedInput({ input }: GatedRequest): string {
  const shown = Object.values(input ?? {}).find((value) => typeof value === 'string');
  return typeof shown === 'string' ? shown.slice(0, SHOWN_INPUT_CHARS) : '';
}
