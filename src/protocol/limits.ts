/**
 * Every published limit, with the reason for its value. `docs/protocol.md` lists them for users, and
 * `test/protocol/limits.test.ts` compares the two: a new limit needs a row in both.
 *
 * Bytes are octets of UTF-8 (`bytes.ts`), characters are units of UTF-16. Schemas and code take every limit from here, so
 * that they cannot differ from the documents. The file is long because every limit has its reason here.
 */

const KIB = 1_024;
const MIB = 1_024 * KIB;
const HOUR = 3_600;
const DAY = 24 * HOUR;

/**
 * The limits that the client and the hosted chat need too. Each is a constant of its own: with `LIMITS` a page would load
 * the whole table.
 */
export const TEXT_CHARS = 32_768;
export const FEEDBACK_CHARS = 16_384;
export const REASON_CHARS = 1_000;
export const TITLE_CHARS = 200;
/** Sign-ins put whole requests into an address; a longer one does not pass every proxy. */
export const LINK_URL_CHARS = 4_096;
export const RUNNING_TURNS = 16;
export const RESTORABLE_SUMMARIES = 20;
export const DECISIONS_PER_BATCH = 100;
export const OPENINGS_PER_BATCH = 64;
export const PAGE_MAX = 1_000;
export const WAIT_SECONDS = 55;
export const COMMAND_BYTES = 16 * KIB;
export const SEARCH_CHARS = 200;
export const ATTACHMENT_BYTES = 5 * MIB;
export const ATTACHMENTS_PER_MESSAGE = 10;

/** Made by a call that is marked pure: a bundler drops the table where no code reads it. */
export const LIMITS = /* @__PURE__ */ (() =>
  ({
    /** A request body; the platform would take 100 MB and then fail on a 2 MB row. */
    bodyBytes: 256 * KIB,
    /** An input that is held beside its record: a file that a person can still be asked about. */
    wholeInputBytes: 8 * MIB,
    /** The body of a request that may have such an input: its other fields fit into another body. */
    wholeInputBodyBytes: 8 * MIB + 256 * KIB,
    /** Bodies above the usual size that one root sends at once: each is in memory for as long as its sender takes. */
    largeBodies: 8,
    /** A sender that is alive sends something within this time; a busy line stands still for seconds. */
    bodyQuietMs: 30_000,
    /** For a whole body: 8 MiB in it is a line of 28 KB a second. */
    bodyMs: 300_000,
    /** A body that names such a length is read whole: it is no larger than what the platform reads ahead. */
    smallBodyBytes: 16 * KIB,
    /** For a whole small body. */
    smallBodyMs: 60_000,
    /** All of them in a session, settled ones too: some 800 writes of a file of 300 kB. */
    wholeInputsBytes: 256 * MIB,
    /** What the record shows of one: twice what a person reads on one card, and 64 of them are `openRequestBytes`. */
    inputViewBytes: 64 * KIB,
    /** A frame that a client sends: the same content as a body, so the same size. */
    inboundFrameBytes: 256 * KIB,
    /** A frame of events that is sent: measured, larger batches replay no faster. */
    eventFrameBytes: 256 * KIB,
    /** A reader gets its first ones sooner; V8 maps memory anew for each text over 128 KB, as 500 usual ones are. */
    eventsPerFrame: 256,
    /** A page of the log over HTTP: four frames of large events, and well below the 2 MB that one text may have in storage. */
    pageBytes: MIB,
    /** Far deeper than what tools take, and far from the end of the stack in recursive code. */
    jsonDepth: 32,
    /** Every value costs a few hundred bytes once it is parsed, shown and compared. */
    jsonValues: 20_000,

    /** All of them are loaded when a session wakes and sent in every welcome; a person answers a few at a time. */
    openInteractions: 64,
    /** Their requests together, as JSON: each snapshot and welcome holds them, and so does the memory of the session. */
    openRequestBytes: 4 * MIB,
    /** A command line in `correlate`; of the input of a call, as much is compared with it. */
    commandBytes: COMMAND_BYTES,
    /** A request for a tool call that is not reported yet: agents report a call within milliseconds of running it. */
    rendezvousMs: 1_000,
    /** A shell that starts slowly still runs its command within this time; an older call is probably another one. */
    rendezvousCallMs: 30_000,
    /** Unfinished calls that are compared: more than run at once, and at most 2 MiB of words in memory. */
    rendezvousCalls: 64,
    /** The end of the log in which a session that wakes looks for these calls: read and parsed in 50 ms. */
    rendezvousLogBytes: 4 * MIB,
    /** After a day an answer that no call has acknowledged allows nothing new: the person has forgotten it. */
    unacknowledgedAnswerMs: 86_400_000,
    /** A decision that no agent has taken: long enough to notice a mistake, short enough that others may rely on the rest. */
    undoMs: 600_000,
    /** The end of the log in which a decision must stand to be taken back: what happened since is looked at whole. */
    undoLogBytes: MIB,
    /** An agent that asks so often about one call is in a loop. */
    repromptsPerToolCall: 20,
    /** One command is one transaction and one row; a thousand small events are about as large as a body. */
    eventsPerBatch: 1_000,
    /** Turns of different credentials at once; one more and the oldest counts as over. */
    runningTurns: RUNNING_TURNS,
    /** Beyond this number agents can append no events; people can still answer open interactions. */
    eventsPerSession: 100_000,
    /** Each live event is written to each socket in turn: measured, a thousand of them take 15 ms. */
    sockets: 1_000,
    /** Sockets of one root on a session, and on the inbox: a team with some tabs each, far from all places. */
    rootSockets: 50,
    /** Replayed to one connection, which must then reconnect: only that shows that it reads. */
    replayBytes: 8 * MIB,
    /** Welcomes and replays of one root on one session: the bound for connections that never read. */
    rootReplayBytes: 256 * MIB,
    /** Long polls and streams, which the stateless Worker holds open; counted apart from sockets, so that neither displaces the other. */
    waiters: 1_000,
    /** Streams of one root, and its waits for an outcome that are no agent's: as its sockets. */
    rootStreams: 50,
    /** Waits of agents of one root: each open request of a session twice, as when a broken wait was not noticed yet. */
    rootWaits: 128,
    /** Of the sockets, and of the streams and waits: not for connections that only read, however many roots they have. */
    keptPlaces: 250,
    /** Files and inputs that one root downloads at once: each holds a part in memory while its reader takes it. */
    downloads: 8,
    /** Exports of one root at once: each reads the log as fast as its reader takes it. */
    exports: 2,
    /** Unexpired tokens of one root; each is a row of the workspace until it expires. */
    tokens: 10_000,
    /** Each token holds the ids of its ancestors; a longer line would not fit into a header. */
    tokenLine: 32,
    /** Places in front of the inbox for one root: a first page of 100 has room for five that use all of it. */
    inboxShare: 20,
    /** Open requests that are looked through for one page of a search: parsed in a tenth of a second. */
    inboxSearchRows: 2_000,
    /** More than a person writes while an agent works; the page shows each with a button that removes it. */
    queuedMessages: 32,
    /** All queued text together; it is stored in one row. */
    queuedChars: 131_072,
    /** Every opened call is compared with every rule. */
    rules: 200,
    /** Likewise, by every session; sessions keep a copy. */
    workspaceRules: 200,
    /** The first words of a command; what follows them is free. */
    ruleCommandChars: 200,
    /** A program, a command of it, and some options. */
    ruleCommandWords: 16,
    /** A pattern for paths: with the longest path that is compared, some 200,000 steps for each rule. */
    rulePatternChars: 200,
    /** The longest name that DNS has. */
    ruleHostChars: 253,
    /** A line that a person reads beside the rule. */
    ruleReasonChars: 200,
    /** A longer command is a script, which its first words do not describe. */
    ruleCommandLineChars: 8_192,
    /** Deeper than any folder of a project; a longer path is no path of a person. */
    rulePathChars: 1_024,
    /** A few days of a team: what a rule is tried on before it is made. */
    triedRequests: 500,
    /** Of the fields that rules look at, with each of these requests; a larger one is not tried. */
    triedInputBytes: 4 * KIB,
    /** More than the open interactions of a session, and each has a result of its own in one answer. */
    decisionsPerBatch: DECISIONS_PER_BATCH,
    /** As many as a session may have open. */
    openingsPerBatch: OPENINGS_PER_BATCH,
    /** The events of a batch are one row of the log, and the platform refuses a row of two megabytes. */
    batchBodyBytes: MIB,
    /** As many values for its size as another body may have. */
    batchJsonValues: 80_000,

    /** What a person reads on one card: some ten pages. */
    textChars: TEXT_CHARS,
    /** For events and plans: the size of a body, for authors that are no clients. */
    eventTextChars: 262_144,
    /** A sentence or a paragraph, stored in the log, the record, the audit list and the reply. */
    reasonChars: REASON_CHARS,
    /** An answer of a person: half of the text that an agent may show. */
    feedbackChars: FEEDBACK_CHARS,
    /** One line of a list; longer ones are cut on every screen. */
    titleChars: TITLE_CHARS,
    /** One line below the title in the list of sessions; every report of a session carries it. */
    lastLineChars: 120,
    /** What a person keeps at the top of the own list; more are a list of their own. */
    pins: 50,
    /** Words of a search: a line that a person types or pastes. */
    searchChars: SEARCH_CHARS,
    /** Of the log, that one request of a search reads and parses: measured, 30 ms. */
    searchBytes: 2 * MIB,
    /** Sessions that one search looks at: some milliseconds; the cursor goes on from there. */
    sessionsPerSearch: 2_000,
    /** A subject or the name of a key, which stands beside each decision and in each token. */
    nameChars: 200,
    /** Names of tools come from many protocols; the longest of MCP with a server's prefix fit. */
    toolNameChars: 200,
    /** It is sent with every welcome and kept in the row that is read at each wake. */
    metadataBytes: 16 * KIB,
    /** Names are short; a longer one is a value in the wrong place. */
    metadataNameChars: 64,
    /** An address or a sentence; documents belong into messages. */
    metadataTextChars: 2_000,
    /** The address of a link that a person opens for an agent. */
    linkUrlChars: LINK_URL_CHARS,
    /** A word that programs compare. */
    errorCodeChars: 64,
    /** 64 digits; the rest is room to say that a longer one does not match. */
    digestChars: 200,
    /** A list of hundreds stays small; the session has the request in full. */
    inboxRequestChars: 8_192,

    /** Two people who hand a request back and forth would fill log and audit list; each entry stays for good. */
    handovers: 10,
    /** Long enough to read a large change; a forgotten claim stops no answer. */
    claimMs: 300_000,
    /** People who must approve one request; each vote is in the record. */
    quorumApprovals: 10,
    /** Agents offer four to six; more are a question of their own. */
    approvalChoices: 8,
    /** The agent's own name of a choice, which it reads again in the outcome. */
    choiceIdChars: 128,

    /** The question tool of Claude Code asks as many; they are answered on one card. */
    questions: 4,
    /** Of one question; a free text is always possible beside them. More than these need a form. */
    questionOptions: 12,
    /** A chip beside the question: a few words. */
    questionHeaderChars: 40,
    /** A long paragraph. */
    questionChars: 2_000,
    /** A line or two on a button. */
    optionLabelChars: 200,
    /** A paragraph below a button. */
    optionDescriptionChars: 2_000,

    /** What fits on one card; MCP asks for simple forms. */
    formFields: 30,
    /** A list that can still be looked through; each is sent and compared. */
    formChoices: 100,
    /** A value that a person reads in a list. */
    formChoiceChars: 200,
    /** One line above a form or a field. */
    formTitleChars: 200,
    /** A paragraph above a form or a field. */
    formDescriptionChars: 2_000,
    /** An identifier of a program. */
    formFieldNameChars: 64,
    /** The address of a version of JSON Schema; those in use have some fifty. */
    formSchemaUrlChars: 200,
    /** For every schema: enough for an essay, and a bound for the time of a pattern. */
    formTextChars: 10_000,
    /** A field needs dozens of characters; this leaves room for a list of prefixes. */
    patternChars: 256,
    /** Of all patterns of a form: the steps that one character of a text can cost. */
    patternStates: 2_000,
    /** Of all patterns in one answer: 20 for each character of the longest text; a batch answers 64 forms at once. */
    patternSteps: 200_000,
    /** Every value of a tool's schema counts; reading it takes a time in proportion, with each check. */
    schemaParts: 2_000,
    /** Of one check: some tens of milliseconds. The largest input against a plain schema takes 60,000. */
    schemaSteps: 100_000,
    /** Of one check: as many as a person reads, or a model needs. */
    schemaErrors: 20,
    /** A place and a sentence; the values of an `enum` may be as long as a body. */
    schemaErrorChars: 200,

    /** An agent's settings are one row, read with the session each time it wakes. */
    agentSettingsBytes: 128 * KIB,
    /** The longest names of models have some 60. */
    modelNameChars: 200,
    /** Every tool is sent to the model with every call, and paid for each time. */
    agentTools: 32,
    /** A page of instructions; the API counts it as input with every call. */
    toolDescriptionChars: 4_000,
    /** Sent to the model with every call, like the description. */
    toolSchemaBytes: 16 * KIB,
    /** What browsers and proxies take for certain. */
    toolUrlChars: 2_000,
    /** The request is held open so long, and the session stays in memory until it ends. */
    httpToolSeconds: 300,
    /** A client tool may run on a computer that is switched off over a weekend. */
    clientToolSeconds: 7 * DAY,
    /** Answers of the model in one turn: an agent that needs more is probably in a loop. */
    turnSteps: 50,
    /** The highest setting; each answer is paid for with the whole conversation. */
    turnStepsMax: 200,
    /** Of one answer: a long document, and still within what a model writes before a connection breaks. */
    answerTokens: 16_000,
    /** Fewer cannot hold a call of a tool. */
    answerTokensMin: 256,
    /** What the models write at most. */
    answerTokensMax: 64_000,
    /** Of the summary that replaces the beginning of a conversation: some 10,000 tokens. */
    summaryChars: TEXT_CHARS,
    /** Of a request for a summary; the answer is cut at `summaryChars`. */
    summaryTokens: 8_000,
    /** Summaries of a conversation that can still be taken back; they are in the row that is read at each wake. */
    restorableSummaries: RESTORABLE_SUMMARIES,
    /** The window of a model where the settings name no other: all models of the API have as much. */
    contextTokens: 200_000,
    /** A smaller window has no room for tools and an answer. */
    contextTokensMin: 4_000,
    /** A number with a digit too many should not pass for a window. */
    contextTokensMax: 10_000_000,
    /** The share of the window from which on a conversation is summarized: the rest holds a long answer and its tools. */
    compactAtPercent: 80,
    /** Beyond this share of the window there is no room for an answer. */
    compactAtPercentMax: 95,
    /** What a tool gives back: some 16,000 tokens, and they are sent again with every later call of the model. */
    toolOutputChars: 65_536,
    /** Of all results of one answer together: they go back in one message, which is one row. */
    toolOutputsChars: 262_144,
    /** One file of a session, which is one row: some 65,000 tokens, as much as a model still works with. */
    fileBytes: 256 * KIB,
    /** Deeper than any folder of a project, and a line that a person can still read. */
    filePathChars: 500,
    /** What `List` names in one answer that a model still reads. */
    filesPerSession: 200,
    /** Files are copied into an export and kept as long as their session: notes and plans, no archive. */
    filesBytes: 4 * MIB,

    /** A photograph or a screenshot of a large screen; a larger file is better sent as a link. */
    attachmentBytes: ATTACHMENT_BYTES,
    /** What a person looks through beside one message or answer. */
    attachmentsPerMessage: ATTACHMENTS_PER_MESSAGE,
    /** Of a session; held in its one database, and erased with it. */
    attachmentsBytes: 64 * MIB,
    /** Small files too: the list of them is read with each upload. */
    attachmentsPerSession: 500,
    /** The names of most file systems have 255 bytes at most. */
    attachmentNameChars: 200,
    /** A file that no message and no answer names: the draft of a day. */
    unusedAttachmentMs: DAY * 1_000,
    /** The API of the model takes pictures of 5 MiB as base64, which is four letters for three bytes. */
    modelImageBytes: 3_932_160,
    /** The API takes no picture with a longer side. */
    modelImageSide: 8_000,
    /** In one conversation: with more than 20 the API takes smaller ones alone, and refuses a conversation that has others. */
    modelImages: 20,
    /** All pictures of one conversation: as base64 they leave a third of the 32 MB of a request. */
    modelImagesBytes: 16 * MIB,
    /** A text file that the model reads: some 16,000 tokens, and they are sent again with every later call. */
    modelFileBytes: 64 * KIB,
    /** All text files of one conversation: half of what a model still works with. */
    modelFilesBytes: 512 * KIB,

    /** A page of imported history is a body of its own size: whole tool results are in it. */
    historyBodyBytes: MIB,
    /** As many values for its size as another body may have. */
    historyJsonValues: 80_000,
    /** As many entries as an agent may append events at once. */
    historyPageEntries: 1_000,
    /** The content of one entry as JSON: two fit into a page, however large they are. */
    historyEntryBytes: 500 * KIB,
    /** Of one session: the longest transcripts have tens of megabytes, and an export reads all of it. */
    historyBytes: 64 * MIB,
    /** A line of a transcript is known by a UUID or a number. */
    historyIdChars: 200,
    /** A conversation that is resumed has a new id each time; all of them are in every welcome. */
    cliSessions: 32,
    /** UUIDs so far; this leaves room for a program that uses a path. */
    cliSessionIdChars: 200,
    /** A line that a person can still read; it is in every welcome. */
    cliFolderChars: 1_000,

    /** Of agents, services and scripts: people and sessions have tokens. One reply lists them all. */
    keys: 1_000,
    /** All of them are one row, which is read as a whole. */
    workspaces: 200,
    /** Ten years: a number with a digit too many should not pass for a retention. */
    retentionDays: 3_650,
    /** Receivers of one workspace; each event is matched with each of them. */
    targets: 1_000,
    /** Kinds or tools in the filter of a target. */
    targetFilterNames: 100,
    /** Subjects, groups and targets of one request: as many as a card names. */
    audienceEntries: 32,
    /** Every answer of a model is compared with each of them. */
    modelPrices: 50,
    /** A number with a digit too many should not pass for a price. */
    dollarsPerMillionTokens: 10_000,
    /** Every opening is compared with each of them. */
    audienceRules: 32,
    /** Groups of a workspace: teams and rotations. */
    groups: 100,
    /** Of all groups together; sessions keep a copy. */
    groupMembers: 2_000,
    /** People with quiet hours: as many as groups have members; one row holds them. */
    quietHours: 2_000,
    /** On a session: what targets and rules select by, not a description of it. */
    labels: 16,
    /** A word or a name. */
    labelChars: 64,
    /** In the settings of one Slack target: a channel whose people decide. */
    slackPeople: 500,
    /** A receiver does its work after its response; the request of a delivery is held open so long. */
    webhookMs: 10_000,
    /** An answer fits into it; what a receiver sends beyond is not read. */
    webhookReplyBytes: 64 * KIB,
    /** What a list of deliveries shows of a response: enough for an error message. */
    deliveryBodyChars: KIB,
    /** Of one request to send again what has ended since a time. */
    redelivered: 10_000,
    /** Of one mail; a longer list belongs to the mail system, as an address of a group. */
    mailRecipients: 20,
    /** How long an ended delivery is listed and can be sent again. */
    deliveryMs: 30 * DAY * 1_000,
    /** Of a signed message that comes in; clocks differ, and a copy of a message must not stay useful. */
    messageAgeMs: 300_000,
    /** Of an answer link that a target sends: a message is read within a week, or the request is asked again. */
    targetLinkMs: 7 * DAY * 1_000,
    /** After a rotation both secrets are in force: a receiver is configured within a day. */
    secretOverlapMs: DAY * 1_000,

    /** Every isolate keeps a copy of who they are. */
    people: 1_000,
    /** Browsers in which one person is signed in; the oldest makes room for the next. */
    signIns: 20,
    /** A week: who lost a device and says nothing is signed out by then. */
    signInMs: 7 * DAY * 1_000,
    /** A person reads a mail within a week, or is invited again. */
    invitationMs: 7 * DAY * 1_000,
    /** Of the token that an invitation hands out: a month, and then another link. */
    invitedTokenMs: 30 * DAY * 1_000,
    /** The first administrator claims the place at once. */
    adminLinkMs: 3_600_000,
    /** From the first page of a login to its return, with a second factor in between. */
    loginMs: 600_000,

    /** A phone, some computers, and browsers that were reinstalled. */
    devicesPerPerson: 20,
    /** Devices of one workspace; each event is matched with each of them. */
    devices: 1_000,
    /** Systems cut longer titles of notifications. */
    pushTitleChars: 80,
    /** A few lines on a locked phone. */
    pushBodyChars: 240,
    /** The whole input of a call that one press may decide on: every system shows so much at once. */
    onePressChars: 120,
    /** Systems that show few lines show these. */
    onePressLines: 3,
    /** Push services store no message longer. */
    pushMaxSeconds: 28 * DAY,
    /** The person waits for it. */
    pushTestSeconds: 60,

    /** An AG-UI client sends its whole conversation with every run; past this it has to leave out old messages. */
    aguiBodyBytes: 2 * MIB,
    /** Some fifteen for each message of such a conversation. */
    aguiJsonValues: 80_000,
    /** A run in which no turn says when the agent is done: an agent asks its next question, if it has one, within moments. */
    aguiIdleSeconds: 10,

    /** In `timeouts`: more than there are kinds, and few enough for what is kept with each socket. */
    timeoutKinds: 16,

    /** A screen or two of a list. */
    pageDefault: 100,
    /** What is read and sent at once without keeping the session from others. */
    pageMax: PAGE_MAX,
    /** Proxies and platforms cut requests that are silent for a minute. */
    waitSeconds: WAIT_SECONDS,
    /** A hook of a coding agent: a minute less than the hour in the settings that the documents show. */
    hookWaitSeconds: 3_540,
    /** A longer wait is a deferral: a process that waits for days is often gone before the answer. */
    hookWaitMaxSeconds: DAY,
    /** No person answers sooner; deadlines are stored in whole seconds. */
    timeoutMinSeconds: 1,
    /** A longer wait is a wait without a deadline. */
    timeoutMaxSeconds: 365 * DAY,
    /** No token lives longer, so a revocation is stored no longer than this. */
    tokenMaxSeconds: 365 * DAY,
    /** Long enough for a client that was offline overnight to repeat its request. */
    idempotencyMs: DAY * 1_000,
    /** Those who look at a session: a line of names, with the number of the others. */
    presentPeople: 12,
    /** One may be an accident and two a bug in one message; a peer with three does not speak the protocol. */
    malformedFrames: 3,
    /** Refused frames of one root in ten seconds; a peer that continues after so many will not stop. */
    framesBeyondRate: 100,
    /** Requests and frames of one root, far above what a program does that waits as the documents say. */
    requests: 2_000,
    /** New sessions of one root: each is a file, an alarm and a report, in one shared process. */
    newSessions: 100,
    /** The period of both rates: short, so that a program which was too fast can soon continue. */
    ratePeriodMs: 10_000,
  }) as const)();
