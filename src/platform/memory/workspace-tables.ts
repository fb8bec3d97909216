/**
 * The tables of one workspace in memory: its sessions with their pins, exports and sessions of command-line agents; its people
 * and their sign-ins; its rules and gated requests.
 */
import type * as tables from '../../workspace/store.ts';
import { GATED_SLOTS } from '../../workspace/store.ts';
import { compareText } from './credential-tables.ts';

export class MemorySessionTable implements tables.SessionTable {
  readonly #rows = new Map<string, tables.NumberedSession>();
  #numbers = 0;

  find(id: string): tables.NumberedSession | undefined {
    return this.#rows.get(id);
  }

  add(row: tables.SessionIndexRow): void {
    this.#numbers += 1;
    this.#rows.set(row.id, { ...row, number: this.#numbers });
  }

  update(number: number, row: tables.SessionIndexRow): void {
    this.#rows.set(row.id, { ...row, number });
  }

  list(limit: number, before: number = Number.MAX_SAFE_INTEGER): tables.NumberedSession[] {
    return [...this.#rows.values()]
      .filter((row) => row.number < before && row.deletedAt === null)
      .sort((a, b) => b.number - a.number)
      .slice(0, limit);
  }

  listIdle(before: number, limit: number, after?: tables.ActivityKey): tables.NumberedSession[] {
    const byActivity = (a: tables.ActivityKey, b: tables.ActivityKey) =>
      a.activeAt - b.activeAt || a.number - b.number;
    return [...this.#rows.values()]
      .filter((row) => row.deletedAt === null && row.activeAt < before)
      .filter((row) => after === undefined || byActivity(after, row) < 0)
      .sort(byActivity)
      .slice(0, limit);
  }

  listByActivity(
    isArchived: boolean,
    limit: number,
    before?: tables.ActivityKey,
  ): tables.NumberedSession[] {
    const byActivity = (a: tables.ActivityKey, b: tables.ActivityKey) =>
      b.activeAt - a.activeAt || b.number - a.number;
    return [...this.#rows.values()]
      .filter((row) => row.deletedAt === null && row.isArchived === isArchived)
      .filter((row) => before === undefined || byActivity(before, row) < 0)
      .sort(byActivity)
      .slice(0, limit);
  }
}

export class MemoryPinTable implements tables.PinTable {
  readonly #pins = new Map<string, Set<string>>();

  list(subject: string): string[] {
    return [...(this.#pins.get(subject) ?? [])].sort(compareText);
  }

  add(subject: string, sessionId: string): void {
    this.#pins.set(subject, new Set([...this.list(subject), sessionId]));
  }

  remove(subject: string, sessionId: string): void {
    this.#pins.get(subject)?.delete(sessionId);
  }

  has(sessionId: string): boolean {
    return [...this.#pins.values()].some((pinned) => pinned.has(sessionId));
  }

  removeOf(sessionId: string): void {
    for (const pinned of this.#pins.values()) pinned.delete(sessionId);
  }
}

export class MemoryExportTable implements tables.ExportTable {
  readonly #heads = new Map<string, number>();

  headOf(sessionId: string): number {
    return this.#heads.get(sessionId) ?? 0;
  }

  put(sessionId: string, head: number): void {
    this.#heads.set(sessionId, Math.max(head, this.headOf(sessionId)));
  }

  removeOf(sessionId: string): void {
    this.#heads.delete(sessionId);
  }
}

export class MemoryCliSessionTable implements tables.CliSessionTable {
  readonly #owners = new Map<string, string>();

  find(provider: string, cliSessionId: string): string | undefined {
    return this.#owners.get(cliName(provider, cliSessionId));
  }

  add(provider: string, cliSessionId: string, sessionId: string): void {
    this.#owners.set(cliName(provider, cliSessionId), sessionId);
  }

  remove(provider: string, cliSessionId: string): void {
    this.#owners.delete(cliName(provider, cliSessionId));
  }

  removeOf(sessionId: string): void {
    for (const [name, owner] of this.#owners) if (owner === sessionId) this.#owners.delete(name);
  }
}

/** A provider has no blanks in its name. */
function cliName(provider: string, cliSessionId: string): string {
  return `${provider} ${cliSessionId}`;
}

export class MemoryPersonTable implements tables.PersonTable {
  readonly #rows = new Map<string, string>();

  list(): string[] {
    return [...this.#rows.values()];
  }

  put(subject: string, entry: string): void {
    this.#rows.set(subject, entry);
  }

  remove(subject: string): void {
    this.#rows.delete(subject);
  }
}

export class MemorySignInTable implements tables.SignInTable {
  readonly #rows = new Map<string, tables.StoredSignIn>();

  list(): tables.StoredSignIn[] {
    return [...this.#rows.values()].sort((a, b) => compareText(a.id, b.id));
  }

  listOf(subject: string): tables.StoredSignIn[] {
    return this.list().filter((signIn) => signIn.subject === subject);
  }

  put(signIn: tables.StoredSignIn): void {
    this.#rows.set(signIn.id, signIn);
  }

  remove(_subject: string, id: string): void {
    this.#rows.delete(id);
  }

  removeExpired(now: number): void {
    for (const { id, expiresAt } of this.list()) if (expiresAt <= now) this.#rows.delete(id);
  }
}

export class MemoryRuleTable implements tables.RuleTable {
  readonly #rows = new Map<string, tables.StoredRule>();

  of(sessionId: string): tables.StoredRule[] {
    return this.#inOrder().filter((row) => row.sessionId === sessionId);
  }

  put(rule: tables.StoredRule): void {
    this.#rows.set(nameOfRule(rule), rule);
  }

  remove(key: tables.RuleKey): void {
    this.#rows.delete(nameOfRule(key));
  }

  removeOf(sessionId: string): void {
    for (const row of this.of(sessionId)) this.remove(row);
  }

  list(limit: number, after?: tables.RuleKey): tables.StoredRule[] {
    return this.#inOrder()
      .filter((row) => after === undefined || compareRules(row, after) > 0)
      .slice(0, limit);
  }

  #inOrder(): tables.StoredRule[] {
    return [...this.#rows.values()].sort(compareRules);
  }
}

/** No id contains a space. */
function nameOfRule({ sessionId, id }: tables.RuleKey): string {
  return `${sessionId} ${id}`;
}

function compareRules(a: tables.RuleKey, b: tables.RuleKey): number {
  return compareText(a.sessionId, b.sessionId) || compareText(a.id, b.id);
}

export class MemoryGatedRequestTable implements tables.GatedRequestTable {
  readonly #slots = new Map<number, tables.StoredGatedRequests>();

  put(requests: tables.StoredGatedRequests): void {
    this.#slots.set(requests.number % GATED_SLOTS, requests);
  }

  lastNumber(): number {
    return this.list()[0]?.number ?? 0;
  }

  list(): tables.StoredGatedRequests[] {
    return [...this.#slots.values()].sort((a, b) => b.number - a.number);
  }

  removeOf(sessionId: string): void {
    for (const [slot, request] of this.#slots) {
      if (request.sessionId === sessionId) this.#slots.delete(slot);
    }
  }
}
