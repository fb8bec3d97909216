/** The counters of a crash test. */
export class Counts {
  acked = 0;
  /** Acknowledged requests with at least one try in doubt. */
  doubted = 0;
  notTried = 0;
  unavailable = 0;
  waitersServed = 0;
  /** Requests that asked about several calls, and requests that answered in several sessions. */
  batches = 0;
  together = 0;
  /** Committed requests that were repeated to compare the answer. */
  replayed = 0;
  checkedClaims = 0;
  checkedRecords = 0;
  /** The longest time from the rest of all clients until the inbox agreed with the sessions. */
  inboxConvergedMs = 0;
  /** Entries of the inbox that stayed until a client touched their session. */
  staleUntilTouched = 0;
  readonly statuses: Record<string, number> = {};

  status(status: number): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
  }
}
