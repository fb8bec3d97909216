/**
 * Every limit has one place and one reason, and the documents list the enforced value. The file is long because every
 * limit has a row.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';

type Limits = { readonly [name in keyof typeof LIMITS]: number };

const read = new Set<string>();
const noting = new Proxy<Limits>(LIMITS, {
  get(limits, name) {
    read.add(String(name));
    return limits[name as keyof typeof LIMITS];
  },
});

const count = (value: number) => value.toLocaleString('en-US');
const characters = (value: number) => `${count(value)} characters`;
const seconds = (value: number) => `${value} second${value === 1 ? '' : 's'}`;
const days = (value: number) => `${value / 86_400} days`;
const bytes = (value: number) =>
  value < 1_048_576 ? `${value / 1_024} KiB` : `${value / 1_048_576} MiB`;

/** Limits that the documents give one number for. */
function same(write: (value: number) => string, ...values: readonly number[]): string {
  return [...new Set(values.map(write))].join(' and ');
}

/** The table of `docs/protocol.md`, made from the code. */
const ROWS: readonly [label: string, value: (limits: Limits) => string][] = [
  ['request body; inbound frame', (one) => same(bytes, one.bodyBytes, one.inboundFrameBytes)],
  [
    'body of an opening, a reported call, a hook, an MCP message',
    (one) =>
      `${bytes(one.wholeInputBytes)} and ${bytes(one.wholeInputBodyBytes - one.wholeInputBytes)}`,
  ],
  ['such bodies over 256 KiB of one root, at once', (one) => count(one.largeBodies)],
  [
    'a body that does not go on; a whole body',
    (one) => {
      const [quiet, whole] = [one.bodyQuietMs / 1_000, one.bodyMs / 60_000];
      return `${quiet} to ${2 * quiet} seconds; ${whole} minutes`;
    },
  ],
  [
    'a small body that names its length; a whole one',
    (one) => `${bytes(one.smallBodyBytes)}; ${seconds(one.smallBodyMs / 1_000)}`,
  ],
  [
    'input beside its record; all of a session; the view of one',
    (one) => [one.wholeInputBytes, one.wholeInputsBytes, one.inputViewBytes].map(bytes).join('; '),
  ],
  ['JSON levels; values', (one) => `${one.jsonDepth}; ${count(one.jsonValues)}`],
  [
    'open interactions in a session; their requests together',
    (one) => `${count(one.openInteractions)}; ${bytes(one.openRequestBytes)}, or one`,
  ],
  ['`command` of `correlate`', (one) => bytes(one.commandBytes)],
  [
    'age of an unacknowledged answer that another instance of its agent finds',
    (one) => `${one.unacknowledgedAnswerMs / 3_600_000} hours`,
  ],
  [
    'wait of `correlate` for its tool call; age of the call; calls it may be; end of the log that is searched',
    (one) =>
      [
        `${count(one.rendezvousMs)} ms`,
        seconds(one.rendezvousCallMs / 1_000),
        one.rendezvousCalls,
        bytes(one.rendezvousLogBytes),
      ].join('; '),
  ],
  [
    'reprompts of one tool call, decisions that were taken back included',
    (one) => count(one.repromptsPerToolCall),
  ],
  [
    'age of a decision that can be taken back; end of the log in which it must stand',
    (one) => `${one.undoMs / 60_000} minutes; ${bytes(one.undoLogBytes)}`,
  ],
  [
    'turns of different credentials at once',
    (one) => `${one.runningTurns}; the oldest is forgotten`,
  ],
  [
    'events from an agent: in one batch; in one session',
    (one) => `${count(one.eventsPerBatch)}; ${count(one.eventsPerSession)}`,
  ],
  ['sockets on a session', (one) => count(one.sockets)],
  [
    'welcome and replay of one connection; of all connections of one root on a session',
    (one) => `${bytes(one.replayBytes)}; ${bytes(one.rootReplayBytes)}`,
  ],
  ['streams and waits on a session', (one) => count(one.waiters)],
  [
    'of one root on a session, or on the inbox: sockets; streams; waits of its agents',
    (one) => [one.rootSockets, one.rootStreams, one.rootWaits].map(count).join('; '),
  ],
  [
    'sockets, and streams and waits, that are kept for those who answer and for agents',
    (one) => count(one.keptPlaces),
  ],
  ['downloads of one root at once; exports', (one) => `${one.downloads}; ${one.exports}`],
  [
    'replayed events in a frame; a frame of several events',
    (one) => `${one.eventsPerFrame}; ${bytes(one.eventFrameBytes)}`,
  ],
  [
    'queued messages; their characters together',
    (one) => `${one.queuedMessages}; ${count(one.queuedChars)}`,
  ],
  [
    'rules in a session; of a workspace',
    (one) => `${count(one.rules)}; ${count(one.workspaceRules)}`,
  ],
  [
    'a rule: command; its words; path; host; reason',
    (one) =>
      [
        one.ruleCommandChars,
        one.ruleCommandWords,
        one.rulePatternChars,
        one.ruleHostChars,
        characters(one.ruleReasonChars),
      ].join('; '),
  ],
  [
    'what rules read: a command; a path',
    (one) => `${count(one.ruleCommandLineChars)}; ${characters(one.rulePathChars)}`,
  ],
  [
    'requests on which a rule is tried; what is kept of the input of one',
    (one) => `${count(one.triedRequests)}; ${bytes(one.triedInputBytes)}`,
  ],
  ['tokens of one root that have not expired', (one) => count(one.tokens)],
  ['credentials that a token descends from', (one) => count(one.tokenLine)],
  ['places of one root in front of the inbox', (one) => count(one.inboxShare)],
  ['open requests that one page of a search looks through', (one) => count(one.inboxSearchRows)],
  ['answers in one `decide`', (one) => count(one.decisionsPerBatch)],
  [
    'requests in one batch; its body; JSON values',
    (one) =>
      `${count(one.openingsPerBatch)}; ${bytes(one.batchBodyBytes)}; ${count(one.batchJsonValues)}`,
  ],
  ['text of an event, `plan`', (one) => characters(one.eventTextChars)],
  ['`text`, `description`, option `preview`', (one) => characters(one.textChars)],
  ['`reason`, `errorSummary`', (one) => characters(one.reasonChars)],
  ['`feedback`, text that answers a question', (one) => characters(one.feedbackChars)],
  ['`title`', (one) => characters(one.titleChars)],
  ['`subject` of a token, `name` of a key', (one) => characters(one.nameChars)],
  ['tool name', (one) => characters(one.toolNameChars)],
  ['`inputDigest` of an answer', (one) => characters(one.digestChars)],
  [
    '`metadata` as JSON; a name in it; a text',
    (one) =>
      `${bytes(one.metadataBytes)}; ${one.metadataNameChars}; ${characters(one.metadataTextChars)}`,
  ],
  ['`url` of a link', (one) => characters(one.linkUrlChars)],
  ['`code` of an error', (one) => characters(one.errorCodeChars)],
  ['`request` in the inbox, as JSON', (one) => characters(one.inboxRequestChars)],
  ['people who must approve one request', (one) => `1 to ${one.quorumApprovals}`],
  ['times that a request is handed over', (one) => `${one.handovers}`],
  ['time of a claim', (one) => `${one.claimMs / 60_000} minutes`],
  [
    'choices of an approval; `id`; `label`',
    (one) =>
      `1 to ${one.approvalChoices}; ${count(one.choiceIdChars)}; ${characters(one.optionLabelChars)}`,
  ],
  [
    'questions in a request; options of a question',
    (one) => `1 to ${one.questions}; up to ${one.questionOptions}`,
  ],
  [
    '`header`; `question`; `label` of an option; its `description`',
    (one) =>
      [one.questionHeaderChars, one.questionChars, one.optionLabelChars]
        .map(count)
        .join('; ')
        .concat(`; ${characters(one.optionDescriptionChars)}`),
  ],
  [
    'form or field: `title`; `description`; name of a field; choice; `$schema`',
    (one) =>
      [one.formTitleChars, one.formDescriptionChars, one.formFieldNameChars]
        .map(count)
        .join('; ')
        .concat(`; ${one.formChoiceChars}; ${characters(one.formSchemaUrlChars)}`),
  ],
  [
    'form fields; choices of a field; pattern',
    (one) => `${one.formFields}; ${one.formChoices}; ${characters(one.patternChars)}`,
  ],
  [
    'states of all patterns of a form; steps of matching them',
    (one) => `${count(one.patternStates)}; ${count(one.patternSteps)}`,
  ],
  ['text field of a form', (one) => characters(one.formTextChars)],
  [
    '`inputSchema`: values in it; steps of a check',
    (one) => `${count(one.schemaParts)}; ${count(one.schemaSteps)}`,
  ],
  [
    'errors of a check; characters of each',
    (one) => `${one.schemaErrors}; ${one.schemaErrorChars}`,
  ],
  [
    "`agent` as JSON; its tools; a tool's description; its schema",
    (one) =>
      [
        bytes(one.agentSettingsBytes),
        one.agentTools,
        characters(one.toolDescriptionChars),
        bytes(one.toolSchemaBytes),
      ].join('; '),
  ],
  ['name of a model', (one) => characters(one.modelNameChars)],
  ['address of an HTTP tool', (one) => characters(one.toolUrlChars)],
  [
    'time of an HTTP tool; of a client tool',
    (one) => `${seconds(one.httpToolSeconds)}; ${days(one.clientToolSeconds)}`,
  ],
  [
    'output of a tool; of all tools of one answer',
    (one) => `${count(one.toolOutputChars)}; ${characters(one.toolOutputsChars)}`,
  ],
  [
    'a file; its path; files in a session; together',
    (one) =>
      [
        bytes(one.fileBytes),
        characters(one.filePathChars),
        one.filesPerSession,
        bytes(one.filesBytes),
      ].join('; '),
  ],
  [
    'an attached file; its name; files of a message or of the answers to a request',
    (one) =>
      [
        bytes(one.attachmentBytes),
        characters(one.attachmentNameChars),
        one.attachmentsPerMessage,
      ].join('; '),
  ],
  [
    'attached files of a session; together; age of one that nothing names',
    (one) =>
      [
        one.attachmentsPerSession,
        bytes(one.attachmentsBytes),
        `${one.unusedAttachmentMs / 3_600_000} hours`,
      ].join('; '),
  ],
  [
    'pictures that a model sees: each; its side; in a conversation; together',
    (one) =>
      [
        bytes(one.modelImageBytes),
        `${count(one.modelImageSide)} pixels`,
        one.modelImages,
        bytes(one.modelImagesBytes),
      ].join('; '),
  ],
  [
    'text files that a model reads: each; in a conversation',
    (one) => [one.modelFileBytes, one.modelFilesBytes].map(bytes).join('; '),
  ],
  [
    'page of imported history: body; JSON values; entries',
    (one) =>
      [
        bytes(one.historyBodyBytes),
        count(one.historyJsonValues),
        count(one.historyPageEntries),
      ].join('; '),
  ],
  [
    'entry of imported history, as the readers of transcripts cut it',
    (one) => bytes(one.historyEntryBytes),
  ],
  [
    'imported history of a session; `id` of an entry',
    (one) => `${bytes(one.historyBytes)}; ${characters(one.historyIdChars)}`,
  ],
  [
    'CLI sessions of a session; `cliSessionId`; `cwd`',
    (one) => `${one.cliSessions}; ${one.cliSessionIdChars}; ${characters(one.cliFolderChars)}`,
  ],
  ['API keys of a workspace that have not expired', (one) => count(one.keys)],
  ['workspaces of a deployment', (one) => count(one.workspaces)],
  ['days of a retention', (one) => count(one.retentionDays)],
  [
    'targets of a workspace; kinds or tools in a filter; people of a Slack target',
    (one) => `${count(one.targets)}; ${one.targetFilterNames}; ${one.slackPeople}`,
  ],
  [
    'devices of a person; of a workspace',
    (one) => `${one.devicesPerPerson}; ${count(one.devices)}`,
  ],
  [
    'push message: title; text; input that one press may decide on',
    (one) =>
      `${one.pushTitleChars}; ${one.pushBodyChars}; ${characters(one.onePressChars)} and ${one.onePressLines} lines`,
  ],
  [
    'life of a push message; of a test',
    (one) =>
      `until the deadline, at most ${days(one.pushMaxSeconds)}; ${one.pushTestSeconds} seconds`,
  ],
  [
    'subjects, groups and targets of one audience; audience rules of a workspace',
    (one) => `${one.audienceEntries}; ${one.audienceRules}`,
  ],
  [
    'models with a price; US dollars for a million tokens',
    (one) => `${one.modelPrices}; ${count(one.dollarsPerMillionTokens)}`,
  ],
  [
    'groups of a workspace; members of all together',
    (one) => `${one.groups}; ${count(one.groupMembers)}`,
  ],
  ['people of a workspace with quiet hours', (one) => count(one.quietHours)],
  [
    'people of a workspace; sign-ins of a person, of which the oldest makes room',
    (one) => `${count(one.people)}; ${one.signIns}`,
  ],
  [
    "life of a sign-in; of an invitation; of the token it hands out; of an administrator's link; of a login under way",
    (one) =>
      [
        days(one.signInMs / 1_000),
        days(one.invitationMs / 1_000),
        days(one.invitedTokenMs / 1_000),
        `${one.adminLinkMs / 3_600_000} hour`,
        `${one.loginMs / 60_000} minutes`,
      ].join('; '),
  ],
  ['pinned sessions of a person', (one) => count(one.pins)],
  [
    'words of a search; sessions, or bytes of a log, that one request compares',
    (one) =>
      `${characters(one.searchChars)}; ${count(one.sessionsPerSearch)}; ${bytes(one.searchBytes)}`,
  ],
  ['last line of a session in the list', (one) => characters(one.lastLineChars)],
  ['labels of a session; characters of a value', (one) => `${one.labels}; ${one.labelChars}`],
  [
    'time of a webhook; its response, as read; as listed',
    (one) =>
      [
        seconds(one.webhookMs / 1_000),
        bytes(one.webhookReplyBytes),
        characters(one.deliveryBodyChars),
      ].join('; '),
  ],
  [
    'deliveries that have ended',
    (one) =>
      `listed for ${days(one.deliveryMs / 1_000)}; ${count(one.redelivered)} sent again with one request`,
  ],
  [
    'age of a signed message; both secrets after a rotation',
    (one) => `${seconds(one.messageAgeMs / 1_000)}; ${one.secretOverlapMs / 86_400_000} day`,
  ],
  [
    'answer link that a target sends; addresses in `to` of a mail target',
    (one) => `${days(one.targetLinkMs / 1_000)}; ${one.mailRecipients}`,
  ],
  ['answers of the model in a turn', (one) => `${one.turnSteps} (up to ${one.turnStepsMax})`],
  [
    'tokens in an answer of the model',
    (one) =>
      `${count(one.answerTokens)} (${count(one.answerTokensMin)} to ${count(one.answerTokensMax)})`,
  ],
  [
    'window of the model in tokens; the share of it from which on a conversation is summarized, in percent',
    (one) =>
      `${count(one.contextTokens)} (${count(one.contextTokensMin)} to ${count(one.contextTokensMax)}); ` +
      `${one.compactAtPercent} (0 for never, up to ${one.compactAtPercentMax})`,
  ],
  [
    'summary of a conversation; tokens of the answer with it; summaries that can be taken back',
    (one) =>
      `${count(one.summaryChars)} characters; ${count(one.summaryTokens)}; ${one.restorableSummaries}`,
  ],
  ['page', (one) => `${one.pageDefault} by default, ${count(one.pageMax)} at most`],
  ['page of the log', (one) => `${bytes(one.pageBytes)}, or one event`],
  ['wait', (one) => seconds(one.waitSeconds)],
  [
    'hook: the time that it is held; the longest `wait`',
    (one) => `${count(one.hookWaitSeconds)}; ${count(one.hookWaitMaxSeconds)} seconds`,
  ],
  [
    'input of an AG-UI run: body; JSON values; time without an event after which a run outside of a turn ends',
    (one) =>
      `${bytes(one.aguiBodyBytes)}; ${count(one.aguiJsonValues)}; ${seconds(one.aguiIdleSeconds)}`,
  ],
  ['kinds in `timeouts`', (one) => count(one.timeoutKinds)],
  [
    'deadline, with its extension',
    (one) => `${seconds(one.timeoutMinSeconds)} to ${days(one.timeoutMaxSeconds)}`,
  ],
  ['life of a token', (one) => days(one.tokenMaxSeconds)],
  ['idempotency key', (one) => `${one.idempotencyMs / 3_600_000} hours`],
  ['people that `presence` names', (one) => count(one.presentPeople)],
  ['frames in a row that cannot be read', (one) => count(one.malformedFrames)],
  ['frames beyond the rate before a socket is closed', (one) => count(one.framesBeyondRate)],
  [
    'requests and frames of a root; sessions it begins',
    (one) =>
      `${count(one.requests)}; ${one.newSessions} in ${one.ratePeriodMs / 1_000} seconds by default`,
  ],
];

describe('the published limits', () => {
  it('are in the documents as enforced', () => {
    const page = readFileSync('docs/protocol.md', 'utf8');
    const section = page.slice(page.indexOf('\n## Limits\n'));
    const rows = [...section.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].map((row) => [row[1], row[2]]);
    const wanted = ROWS.map(([label, value]) => [label, value(noting)]);
    expect(rows).toEqual([['limit', 'value'], ...wanted]);
    expect([...read].toSorted()).toEqual(Object.keys(LIMITS).toSorted());
  });

  it('have a reason each', () => {
    const source = readFileSync('src/protocol/limits.ts', 'utf8');
    const entries = [...source.matchAll(/^(.*)\n {4}(\w+): /gm)];
    expect(entries.map((entry) => entry[2])).toEqual(Object.keys(LIMITS));
    const without = entries.filter(([, above = '']) => !/^ {4}\/?\*.{20,}\*\/$/.test(above));
    expect(without.map((entry) => entry[2])).toEqual([]);
  });
});
