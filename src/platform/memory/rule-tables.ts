/** The rules of a workspace and its gated requests, in memory. */
import type * as ports from '../../workspace/ports.ts';
import { GATED_SLOTS } from '../../workspace/ports.ts';
import { compareText } from './credential-tables.ts';

export class MemoryRuleTable implements ports.RuleTable {
  readonly #rows = new Map<string, ports.StoredRule>();

  of(sessionId: string): ports.StoredRule[] {
    return this.#inOrder().filter((row) => row.sessionId === sessionId);
  }

  put(rule: ports.StoredRule): void {
    this.#rows.set(nameOfRule(rule), rule);
  }

  remove(key: ports.RuleKey): void {
    this.#rows.delete(nameOfRule(key));
  }

  removeOf(sessionId: string): void {
    for (const row of this.of(sessionId)) this.remove(row);
  }

  list(limit: number, after?: ports.RuleKey): ports.StoredRule[] {
    return this.#inOrder()
      .filter((row) => after === undefined || compareRules(row, after) > 0)
      .slice(0, limit);
  }

  #inOrder(): ports.StoredRule[] {
    return [...this.#rows.values()].sort(compareRules);
  }
}

/** No id contains a space. */
function nameOfRule({ sessionId, id }: ports.RuleKey): string {
  return `${sessionId} ${id}`;
}

function compareRules(a: ports.RuleKey, b: ports.RuleKey): number {
  return compareText(a.sessionId, b.sessionId) || compareText(a.id, b.id);
}

export class MemoryGatedRequestTable implements ports.GatedRequestTable {
  readonly #slots = new Map<number, ports.StoredGatedRequests>();

  put(requests: ports.StoredGatedRequests): void {
    this.#slots.set(requests.number % GATED_SLOTS, requests);
  }

  lastNumber(): number {
    return this.list()[0]?.number ?? 0;
  }

  list(): ports.StoredGatedRequests[] {
    return [...this.#slots.values()].sort((a, b) => b.number - a.number);
  }

  removeOf(sessionId: string): void {
    for (const [slot, request] of this.#slots) {
      if (request.sessionId === sessionId) this.#slots.delete(slot);
    }
  }
}
