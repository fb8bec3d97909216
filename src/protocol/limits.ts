/** Every published limit, with the reason for its value. `docs/protocol.md` lists them for users. */

export const LIMITS = {
  /** A request body; the platform would take 100 MB and then fail on a 2 MB row. */
  bodyBytes: 256 * 1024,
  /** A frame a client sends; the same content as a body, so the same size. */
  inboundFrameBytes: 256 * 1024,
  /** A frame of events we send: measured, larger batches replay no faster. */
  eventFrameBytes: 256 * 1024,
  eventsPerFrame: 500,
  jsonDepth: 32,
  openInteractions: 64,
  repromptsPerToolCall: 20,
  eventsPerBatch: 1_000,
  /** Beyond it an agent can add nothing more; people can still answer what is open. */
  eventsPerSession: 100_000,
  sockets: 1_000,
  /** Long-polls and streams held for others by the stateless worker; apart from real subscribers. */
  waiters: 1_000,
  queuedMessages: 32,
  /** All queued text together; it is stored in one row. */
  queuedChars: 131_072,
  rules: 200,
  decisionsPerBatch: 100,
  textChars: 32_768,
  reasonChars: 1_000,
  feedbackChars: 16_384,
  titleChars: 200,
  metadataBytes: 16 * 1024,
  toolNameChars: 200,
  pageDefault: 100,
  pageMax: 1_000,
  waitSeconds: 55,
  timeoutMinSeconds: 1,
  timeoutMaxSeconds: 365 * 24 * 3600,
  idempotencyMs: 24 * 3600 * 1000,
  malformedFrames: 3,
} as const;
