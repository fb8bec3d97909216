/** What is counted while a crash test runs. */
export class Counts {
  acked = 0;
  /** Acknowledged requests of which at least one try was left in doubt. */
  doubted = 0;
  notTried = 0;
  unavailable = 0;
  waitersServed = 0;
  /** Committed requests that were sent once more to compare the answer. */
  replayed = 0;
  checkedClaims = 0;
  checkedRecords = 0;
  /** The slowest that the inbox became equal to the sessions, from the moment when nobody acted. */
  inboxConvergedMs = 0;
  /** Entries of the inbox that went only when somebody came back to their session. */
  staleUntilTouched = 0;
  readonly statuses: Record<string, number> = {};

  status(status: number): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
  }
}
