/** The rules of a workspace and its gated requests, in memory. */
import type * as tables from '../../workspace/store.ts';
import { GATED_SLOTS } from '../../workspace/store.ts';
import { compareText } from './credential-tables.ts';

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
