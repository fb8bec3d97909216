/** One target in memory. No write can fail half way, so a transaction needs no rollback. */
import type * as ports from '../../delivery/ports.ts';

export class MemoryTargetStore implements ports.TargetStore {
  #config: ports.TargetConfig | undefined;
  #failingSince: number | null = null;
  #disabled: ports.DisabledState | undefined;
  readonly #deliveries = new Map<number, ports.StoredDelivery>();
  readonly #sources = new Set<string>();
  readonly #received = new Map<string, number>();
  readonly #shown = new Map<string, ports.StoredShown>();
  #last = 0;

  config(): ports.TargetConfig | undefined {
    return this.#config;
  }

  saveConfig(config: ports.TargetConfig): void {
    this.#config = config;
  }

  failingSince(): number | null {
    return this.#failingSince;
  }

  saveFailingSince(at: number | null): void {
    this.#failingSince = at;
  }

  disabled(): ports.DisabledState | undefined {
    return this.#disabled;
  }

  saveDisabled(state: ports.DisabledState | undefined): void {
    this.#disabled = state;
  }

  add(delivery: Omit<ports.StoredDelivery, 'number'>): number | undefined {
    if (this.#sources.has(delivery.source)) return undefined;
    this.#last += 1;
    this.#sources.add(delivery.source);
    this.#deliveries.set(this.#last, { ...delivery, number: this.#last });
    return this.#last;
  }

  find(number: number): ports.StoredDelivery | undefined {
    return this.#deliveries.get(number);
  }

  update(delivery: ports.StoredDelivery): void {
    this.#deliveries.set(delivery.number, delivery);
  }

  due(now: number, limit: number): ports.StoredDelivery[] {
    return this.#where(({ wait, nextAt }) => wait === 'due' && nextAt !== null && nextAt <= now)
      .sort((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0) || a.number - b.number)
      .slice(0, limit);
  }

  earliestDue(): number | null {
    const times = this.#where(({ wait }) => wait === 'due').map(({ nextAt }) => nextAt ?? 0);
    return times.length === 0 ? null : Math.min(...times);
  }

  hasDue(sessionId: string, attemptsBelow: number): boolean {
    return this.#where((one) => one.sessionId === sessionId && one.wait === 'due').some(
      ({ attempts, heldFor }) => attempts < attemptsBelow && heldFor === null,
    );
  }

  firstBehind(sessionId: string): number | undefined {
    return this.#where((one) => one.sessionId === sessionId && one.wait === 'behind')[0]?.number;
  }

  held(sessionId: string, interactionId: string): ports.StoredDelivery[] {
    return this.#where(
      (one) => one.sessionId === sessionId && one.wait === 'due' && one.heldFor === interactionId,
    );
  }

  shortenHeld(at: number): void {
    for (const one of this.#where(({ wait, heldFor }) => wait === 'due' && heldFor !== null)) {
      if (one.attempts === 0 && (one.nextAt ?? 0) > at) this.update({ ...one, nextAt: at });
    }
  }

  list(limit: number, before: number = Number.MAX_SAFE_INTEGER): ports.StoredDelivery[] {
    return this.#where(({ number }) => number < before)
      .reverse()
      .slice(0, limit);
  }

  listEnded(since: number, limit: number, after: number): ports.StoredDelivery[] {
    return this.#where(
      ({ number, wait, at }) => number > after && wait === null && at >= since,
    ).slice(0, limit);
  }

  removeEnded(before: number, limit: number): void {
    const ended = this.#where(
      ({ number, wait, at }) => wait === null && at < before && !this.#isShown(number),
    ).slice(0, limit);
    for (const { number, source } of ended) {
      this.#deliveries.delete(number);
      this.#sources.delete(source);
    }
  }

  hasReceived(messageId: string): boolean {
    return this.#received.has(messageId);
  }

  addReceived(messageId: string, at: number): void {
    this.#received.set(messageId, at);
  }

  removeReceived(messageId: string): void {
    this.#received.delete(messageId);
  }

  removeReceivedBefore(at: number): void {
    for (const [id, receivedAt] of this.#received) if (receivedAt < at) this.#received.delete(id);
  }

  shown(sessionId: string, interactionId: string): ports.StoredShown | undefined {
    return this.#shown.get(`${sessionId} ${interactionId}`);
  }

  saveShown(shown: ports.StoredShown): void {
    this.#shown.set(`${shown.sessionId} ${shown.interactionId}`, shown);
  }

  removeShownBefore(at: number, limit: number): void {
    const ended = [...this.#shown].filter(([, one]) => one.isRetired && one.at < at);
    for (const [key] of ended.slice(0, limit)) this.#shown.delete(key);
  }

  removeAll(): void {
    this.#config = undefined;
    this.#failingSince = null;
    this.#disabled = undefined;
    this.#deliveries.clear();
    this.#sources.clear();
    this.#received.clear();
    this.#shown.clear();
  }

  write<Result>(work: () => Result): Result {
    return work();
  }

  #isShown(number: number): boolean {
    return [...this.#shown.values()].some((one) => one.number === number && !one.isRetired);
  }

  /** In the order in which they were added. */
  #where(fits: (delivery: ports.StoredDelivery) => boolean): ports.StoredDelivery[] {
    return [...this.#deliveries.values()].filter(fits);
  }
}
