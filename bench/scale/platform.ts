/**
 * What Cloudflare documents of its platform, as constants with the page and the day on which its stored copy was read. The
 * model of costs and the simulation take every figure from here.
 */

/** "Pricing" and "Limits" of Durable Objects, "Pricing" of Workers, on developers.cloudflare.com. */
export const PLATFORM_READ_ON = '2026-11-20';

export const OBJECT_LIMITS = {
  /** A soft limit: "How much work can a single Durable Object do?" on the page of limits. */
  requestsPerSecond: 1_000,
  storageBytes: 10_000_000_000,
  memoryMb: 128,
  alarms: 1,
} as const;

/** Dollars for a million, beyond what the paid plan includes. */
const PRICES = {
  workerRequest: 0.3,
  workerCpuMs: 0.02,
  objectRequest: 0.15,
  /** Twenty messages that a socket receives are billed as one request. */
  socketMessagesPerRequest: 20,
  gbSecond: 12.5,
  rowRead: 0.001,
  rowWritten: 1,
  /** Dollars a month, for one. */
  gbMonth: 0.2,
} as const;

/** What the paid plan of five dollars a month includes. */
const INCLUDED = {
  workerRequests: 10_000_000,
  workerCpuMs: 30_000_000,
  objectRequests: 1_000_000,
  gbSeconds: 400_000,
  rowsRead: 25_000_000_000,
  rowsWritten: 50_000_000,
  storedGb: 5,
  dollars: 5,
} as const;

/** The page bills 128 MB of memory for each second in which an object is active, or idle but unable to hibernate. */
const OBJECT_GB = 0.128;
const MILLION = 1_000_000;

/** What one approval uses, or a month of them. */
export interface Usage {
  readonly workerRequests: number;
  readonly workerCpuMs: number;
  readonly objectRequests: number;
  readonly socketMessages: number;
  readonly activeSeconds: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

export interface Bill {
  readonly worker: number;
  readonly requests: number;
  readonly duration: number;
  readonly rows: number;
  readonly total: number;
}

export function scaled(usage: Usage, times: number): Usage {
  return {
    workerRequests: usage.workerRequests * times,
    workerCpuMs: usage.workerCpuMs * times,
    objectRequests: usage.objectRequests * times,
    socketMessages: usage.socketMessages * times,
    activeSeconds: usage.activeSeconds * times,
    rowsRead: usage.rowsRead * times,
    rowsWritten: usage.rowsWritten * times,
  };
}

/** List prices without what the plan includes: the bill of an account that has used that up. */
export function priceOf(usage: Usage): Bill {
  const requests = usage.objectRequests + usage.socketMessages / PRICES.socketMessagesPerRequest;
  return billOf({
    worker:
      perMillion(usage.workerRequests, PRICES.workerRequest, 0) +
      perMillion(usage.workerCpuMs, PRICES.workerCpuMs, 0),
    requests: perMillion(requests, PRICES.objectRequest, 0),
    duration: perMillion(usage.activeSeconds * OBJECT_GB, PRICES.gbSecond, 0),
    rows:
      perMillion(usage.rowsRead, PRICES.rowRead, 0) +
      perMillion(usage.rowsWritten, PRICES.rowWritten, 0),
  });
}

/** The bill of an account that does nothing else, the five dollars of its plan included. */
export function monthlyBill(usage: Usage): Bill {
  const requests = usage.objectRequests + usage.socketMessages / PRICES.socketMessagesPerRequest;
  return billOf({
    worker:
      INCLUDED.dollars +
      perMillion(usage.workerRequests, PRICES.workerRequest, INCLUDED.workerRequests) +
      perMillion(usage.workerCpuMs, PRICES.workerCpuMs, INCLUDED.workerCpuMs),
    requests: perMillion(requests, PRICES.objectRequest, INCLUDED.objectRequests),
    duration: perMillion(usage.activeSeconds * OBJECT_GB, PRICES.gbSecond, INCLUDED.gbSeconds),
    rows:
      perMillion(usage.rowsRead, PRICES.rowRead, INCLUDED.rowsRead) +
      perMillion(usage.rowsWritten, PRICES.rowWritten, INCLUDED.rowsWritten),
  });
}

/** Dollars a month. */
export function storagePrice(bytes: number): number {
  return Math.max(0, bytes / 1e9 - INCLUDED.storedGb) * PRICES.gbMonth;
}

function perMillion(count: number, price: number, included: number): number {
  return (Math.max(0, count - included) / MILLION) * price;
}

function billOf(parts: Omit<Bill, 'total'>): Bill {
  return { ...parts, total: parts.worker + parts.requests + parts.duration + parts.rows };
}
