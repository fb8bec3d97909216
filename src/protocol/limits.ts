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
  /** Of one root that have not expired; each is a row of the workspace until then. */
  tokens: 10_000,
  queuedMessages: 32,
  /** All queued text together; it is stored in one row. */
  queuedChars: 131_072,
  rules: 200,
  decisionsPerBatch: 100,
  /** Of all results of one answer together: they go back in one message, which is one row. */
  toolOutputsChars: 262_144,
  textChars: 32_768,
  reasonChars: 1_000,
  feedbackChars: 16_384,
  titleChars: 200,
  metadataBytes: 16 * 1024,
  digestChars: 200,
  toolNameChars: 200,
  /** An agent's settings are one row, read with the session each time it wakes. */
  agentSettingsBytes: 128 * 1024,
  /** Each is told to the model with every call, and paid for each time. */
  agentTools: 32,
  toolDescriptionChars: 4_000,
  toolSchemaBytes: 16 * 1024,
  /** What a tool gives back: some 16,000 tokens, and they are sent again with every later call of the model. */
  toolOutputChars: 65_536,
  /** One file of a session, which is one row: some 65,000 tokens, as much as a model still works with. */
  fileBytes: 256 * 1024,
  /** What `List` names in one answer that a model still reads. */
  filesPerSession: 200,
  /** Files are copied into an export and kept as long as their session: notes and plans, no archive. */
  filesBytes: 4 * 1024 * 1024,
  pageDefault: 100,
  pageMax: 1_000,
  waitSeconds: 55,
  timeoutMinSeconds: 1,
  timeoutMaxSeconds: 365 * 24 * 3600,
  idempotencyMs: 24 * 3600 * 1000,
  malformedFrames: 3,
  /** Refused frames of one root in ten seconds; a peer that has not stopped by then will not. */
  framesBeyondRate: 100,
} as const;
