/** Counts the events and faults of a run; a run without faults proves nothing. */
export interface Tally {
  steps: number;
  events: number;
  accepted: number;
  refused: number;
  replayed: number;
  crashes: number;
  evictions: number;
  lostRequests: number;
  lostReplies: number;
  duplicates: number;
  failedWrites: number;
  lostAlarms: number;
  received: number;
  outcomes: number;
  batches: number;
  /** Batches of which some openings were refused and others not. */
  partlyRefused: number;
  /** Requests that answered in several sessions. */
  decidedTogether: number;
  checks: number;
}

export function emptyTally(): Tally {
  return {
    steps: 0,
    events: 0,
    accepted: 0,
    refused: 0,
    replayed: 0,
    crashes: 0,
    evictions: 0,
    lostRequests: 0,
    lostReplies: 0,
    duplicates: 0,
    failedWrites: 0,
    lostAlarms: 0,
    received: 0,
    outcomes: 0,
    batches: 0,
    partlyRefused: 0,
    decidedTogether: 0,
    checks: 0,
  };
}

export function addTally(sum: Tally, tally: Tally): void {
  for (const key of Object.keys(sum) as (keyof Tally)[]) sum[key] += tally[key];
}

export function tallyText(tally: Tally): string {
  return Object.entries(tally)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
