/**
 * The faults: each would break a promise to users, and a small slip in the code could cause it.
 * The file is long because each fault stands with the code that it changes.
 */
import type { Mutant, Suite } from './mutant.ts';

// Whole paths, so that a file that is moved is found here by its name.
const node = (file: string): Suite => ({ type: 'node', file });
const worker = (file: string): Suite => ({ type: 'worker', file });
const SIMULATION: Suite = { type: 'simulation', seeds: 100 };
const CRASH: Suite = { type: 'crash', kills: 20 };
const QUORUM: Suite = { type: 'quorum', races: 20 };
const agentCrash = (only: string, kills = 2): Suite => ({ type: 'agent-crash', kills, only });

const SESSION = 'src/session/session.ts';
const SESSION_STORE = 'src/platform/sqlite/session-store.ts';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'no compare-and-set in storage',
    breaks: 'INT-6: of two answers the first one wins, whatever memory says',
    file: 'src/platform/sqlite/interaction-rows.ts',
    find: 'if (before === undefined && (!begins || this.#isStored(id))) {',
    replace: 'if (before === undefined && begins && this.#isStored(id)) {',
    caughtBy: [node('test/contract/node-sqlite-session-store.test.ts')],
  },
  {
    name: 'idempotency keys are not read',
    breaks: 'API-2: a repeated request has its first result',
    file: SESSION,
    find: 'const earlier = findEarlierResult(store, command, context, now);',
    replace: 'const earlier = undefined as ReturnType<typeof findEarlierResult>;',
    caughtBy: [node('test/session/idempotency.test.ts'), SIMULATION, CRASH],
  },
  {
    name: 'a command that changed nothing is forgotten',
    breaks: 'API-2: a repeated "cancel all" that found nothing cancels nothing later',
    file: SESSION,
    find: 'const unwritten = save && this.#write(save);',
    replace: 'const unwritten = save && (undefined as Rejection | undefined);',
    caughtBy: [node('test/session/idempotency.test.ts'), SIMULATION],
  },
  {
    name: 'published before it is written',
    breaks: 'LOG-8: a write that fails leaves nothing behind, and no client learns of it',
    file: SESSION,
    find: `    try {
      this.ports.store.commit({
        ...changes,
        records,
        now,
        events,
        eventsJson,
        reportedSeq: this.outbox.reportedSeq,
        ...(fileName !== undefined && { incarnation: fileName }),
        ...(change !== undefined && { agent: change }),
        ...(keyedResult !== undefined && { keyedResult }),
        ...beside,
      });
    } catch (cause) {
      this.ports.warn('A commit failed; the session goes on from what is stored', cause);
      this.#readBack();
      return COMMIT_FAILED;
    }
    this.#state = after;
    if (fileName !== undefined) this.#incarnation.begin(fileName);
    const written = { json: eventsJson, count: events.length, lastSeq: events.at(-1)?.seq ?? 0 };
    if (events.length > 0) this.subscribers.publish(written);
`,
    replace: `    const written = { json: eventsJson, count: events.length, lastSeq: events.at(-1)?.seq ?? 0 };
    if (events.length > 0) this.subscribers.publish(written);
    try {
      this.ports.store.commit({
        ...changes,
        records,
        now,
        events,
        eventsJson,
        reportedSeq: this.outbox.reportedSeq,
        ...(fileName !== undefined && { incarnation: fileName }),
        ...(change !== undefined && { agent: change }),
        ...(keyedResult !== undefined && { keyedResult }),
        ...beside,
      });
    } catch (cause) {
      this.ports.warn('A commit failed; the session goes on from what is stored', cause);
      this.#readBack();
      return COMMIT_FAILED;
    }
    this.#state = after;
    if (fileName !== undefined) this.#incarnation.begin(fileName);
`,
    caughtBy: [node('test/session/commit-failure.test.ts'), SIMULATION],
  },
  {
    name: 'a failed write is acknowledged',
    breaks: 'LOG-8: what could not be written is not acknowledged',
    file: SESSION,
    find: `      this.#readBack();
      return COMMIT_FAILED;
`,
    replace: '',
    caughtBy: [node('test/session/commit-failure.test.ts'), SIMULATION],
  },
  {
    name: 'records are written outside the transaction',
    breaks: 'LOG-3: log and records are written together or not at all',
    file: SESSION_STORE,
    find: `        this.#database.transaction(() => {
          if (!applied.isNoted) this.#migrate();
          if (row !== undefined) this.#writeLog(commit, changes);
          for (const write of writes) write();
        });`,
    replace: `        this.#database.transaction(() => {
          if (!applied.isNoted) this.#migrate();
          if (row !== undefined) this.#writeLog(commit, changes);
        });
        for (const write of writes) write();`,
    caughtBy: [node('test/contract/node-sqlite-session-store.test.ts')],
  },
  {
    name: 'replay begins one event late',
    breaks: 'WS-1: replay has no gap',
    file: 'src/platform/sqlite/read-log.ts',
    find: 'rows.at(-1)?.last_seq ?? after;',
    replace: 'rows.at(-1)?.last_seq ?? after + 1;',
    caughtBy: [node('test/contract/node-sqlite-session-store.test.ts'), SIMULATION],
  },
  {
    name: 'the alarm is not armed again on wake',
    breaks: 'TIME-3: every deadline is kept, even in a session that no client touches',
    file: SESSION,
    find: `    const reporting = this.outbox.reportNow();
    this.#arm();
    await reporting;`,
    replace: '    await this.outbox.reportNow();',
    caughtBy: [node('test/session/alarm.test.ts'), SIMULATION],
  },
  {
    name: 'expired early',
    breaks: 'TIME-2: an answer before the deadline is in time',
    file: 'src/core/deadlines.ts',
    find: 'const isOver = expiresAt !== null && expiresAt <= now;',
    replace: 'const isOver = expiresAt !== null && expiresAt - 300 <= now;',
    caughtBy: [node('test/core/deadlines.test.ts'), SIMULATION],
  },
  {
    name: 'the deadline is not looked at before an answer',
    breaks: 'TIME-2: a settled or overdue interaction takes no answer, however late the alarm',
    file: SESSION,
    find: `    const stuck = this.#runDue();
    if (stuck !== undefined) return stuck;
`,
    replace: '',
    caughtBy: [node('test/session/expiry.test.ts'), SIMULATION],
  },
  {
    name: 'the digest of what was shown is not compared',
    breaks: 'INT-12: an answer counts only for what was shown',
    file: 'src/core/decisions/answer.ts',
    find: 'if (seenDigest !== undefined && seenDigest !== record.inputDigest) {',
    replace: 'if (seenDigest !== undefined && record.inputDigest === undefined) {',
    caughtBy: [node('test/core/digest/digests.test.ts')],
  },
  {
    name: 'the reported seq is stored too high',
    breaks: 'INBOX-1: a crash loses no report',
    file: SESSION,
    find: '        reportedSeq: this.outbox.reportedSeq,',
    replace: '        reportedSeq: after.head,',
    caughtBy: [node('test/session/reporting.test.ts'), SIMULATION],
  },
  {
    name: 'a settled interaction stays open',
    breaks: 'INT-6: an interaction settles once',
    file: 'src/core/evolve.ts',
    find: '  else open.delete(record.interactionId);\n',
    replace: '',
    caughtBy: [node('test/core/evolve.test.ts'), SIMULATION],
  },
  {
    name: 'sockets are forgotten with the memory',
    breaks: 'INT-8: a waiter receives the outcome after an eviction of the session',
    file: 'src/platform/cloudflare/hibernating-sockets.ts',
    find: '.filter((one) => one.readyState === readyState)',
    replace: '.filter((one) => this.#known.has(one))',
    caughtBy: [worker('test/worker/waiting-is-free.test.ts')],
  },
  {
    name: 'the workspace takes reports in any order',
    breaks: 'INBOX-1: what is settled does not come back, what is open does not go',
    file: 'src/workspace/session-index.ts',
    find: 'if (report.head <= head || report.after > head)',
    replace: 'if (report.head < 0)',
    caughtBy: [node('test/workspace/reports.test.ts'), SIMULATION],
  },
  {
    name: 'an agent may answer',
    breaks: 'AUTH-6: an agent answers nothing',
    file: 'src/core/authority.ts',
    find: "'interaction.answer': ['answer'],",
    replace: "'interaction.answer': ['answer', 'agent'],",
    caughtBy: [node('test/core/authority.test.ts')],
  },
  {
    name: 'a revoked rule still counts',
    breaks: 'APR-3: after a rule is revoked the tool asks again',
    file: 'src/core/evolve.ts',
    find: 'rules = rules.filter((rule) => rule.id !== ruleRevoked)',
    replace: 'rules = rules.filter((rule) => rule.id !== undefined)',
    caughtBy: [node('test/core/kinds/approval.test.ts')],
  },
  {
    name: 'an unknown tool needs no person',
    breaks: 'GATE-1: a tool that is in no table asks',
    file: 'src/core/gate.ts',
    find: "default: { read: 'ask', edit: 'ask', execute: 'ask', unknown: 'ask' },",
    replace: "default: { read: 'ask', edit: 'ask', execute: 'ask', unknown: 'allow' },",
    caughtBy: [node('test/core/gate.test.ts')],
  },
  {
    name: 'a cancelled call stays pending',
    breaks: 'PEND-3: `pending: false` follows every ending',
    file: 'src/core/settle.ts',
    find: `    ...(at.elsewhere !== undefined && { elsewhere: at.elsewhere }),
  };
  const kind = findKind(kinds, interaction);
  return [
    responseEvent(interaction, { ...settlement, ...settledDenial(kind, interaction, settlement) }),
    pendingEvent(interaction, false),
  ];`,
    replace: `    ...(at.elsewhere !== undefined && { elsewhere: at.elsewhere }),
  };
  const kind = findKind(kinds, interaction);
  return [
    responseEvent(interaction, { ...settlement, ...settledDenial(kind, interaction, settlement) }),
  ];`,
    caughtBy: [node('test/core/decisions/cancel.test.ts'), SIMULATION, CRASH],
  },
  {
    name: 'a token of one session opens another',
    breaks: 'AUTH-2: another session looks like none at all',
    file: 'src/http/authenticate.ts',
    find: "    if (isOther) return reject('not_found', 'There is no such session');\n",
    replace: '',
    caughtBy: [worker('test/worker/auth.test.ts')],
  },
  {
    name: 'no waiter receives the outcome',
    breaks: 'INT-8: a waiter receives the outcome',
    file: SESSION,
    find: '    this.#release(records, changes.reassigned);\n',
    replace: '',
    caughtBy: [node('test/session/waiters.test.ts'), SIMULATION, CRASH],
  },
  {
    name: 'each call may acknowledge an outcome',
    breaks: 'ADP-2: of several calls that hold an answer, one acts',
    file: 'src/session/acknowledge.ts',
    find: '  if (lost !== undefined) return lost;\n',
    replace: '',
    caughtBy: [node('test/session/reassign.test.ts')],
  },
  {
    name: 'agent: a tool is called before that is noted',
    breaks: 'RUN-4: what may have run is not run again unseen',
    file: 'src/session/turn-runner.ts',
    find: `      if (!handle({ type: 'tool.began', turnId, toolCallId })) throw new Error(START_NOT_WRITTEN);
      const began = this.#ports.current()?.run.calls.find((one) => one.toolCallId === toolCallId);
      if (began?.status !== 'started') return undefined;
`,
    replace: '',
    caughtBy: [
      node('test/session/agent-tools.test.ts'),
      agentCrash('tool has its effect, no answer'),
    ],
  },
  {
    name: 'agent: what may have run runs again unasked',
    breaks: 'RUN-4: a tool that is not idempotent is run again only if a person says so',
    file: 'src/agent/run/tool-progress.ts',
    find: "if (tool?.runBy === 'http' && tool.idempotent) {",
    replace: "if (tool?.runBy === 'http') {",
    caughtBy: [node('test/session/agent-tools.test.ts'), agentCrash('while the tool runs')],
  },
  {
    name: 'agent: one yes is for every run',
    breaks: 'RUN-3: a turn that waits for a person shows the question',
    file: 'src/core/decisions/open.ts',
    find: 'mustAsk ||\n    latest?.requestDigest',
    replace: 'latest?.requestDigest',
    caughtBy: [node('test/session/agent-tools.test.ts'), agentCrash('killed again')],
  },
  {
    name: 'agent: results go back without the last',
    breaks: 'RUN-2: all results of one message go back together',
    file: 'src/agent/run/decide-run.ts',
    find: 'const results = toResultsContent(run.calls);',
    replace: 'const results = toResultsContent(run.calls.slice(0, -1));',
    caughtBy: [node('test/session/agent-turn.test.ts'), agentCrash('calls logged')],
  },
  {
    name: 'agent: no instance resumes a turn',
    breaks: 'RUN-3: a turn resumes from storage without a client',
    file: 'src/session/alarm-schedule.ts',
    find: '[due, retry, lease, erasure]',
    replace: '[due, retry, erasure]',
    caughtBy: [
      node('test/session/agent-tools.test.ts'),
      agentCrash('in the middle of the answer', 5),
    ],
  },
  {
    name: 'agent: a repeat is not marked as one',
    breaks: 'RUN-4: a repeat is marked as one, for the tool and the model',
    file: 'src/agent/run/tool-progress.ts',
    find: "replaceCall(run, { ...call, status: 'claimed', isRepeat: true })",
    replace: "replaceCall(run, { ...call, status: 'claimed' })",
    caughtBy: [node('test/session/agent-tools.test.ts'), agentCrash('idempotent tool')],
  },
  {
    name: 'agent: the pause before the next try is forgotten',
    breaks: 'RUN-7: a busy model is asked again after a pause, which a crash does not shorten',
    file: 'src/agent/run/pause-before-retry.ts',
    find: 'retryAt: facts.now + pauseMs }',
    replace: 'retryAt: facts.now }',
    caughtBy: [node('test/session/agent-turn-end.test.ts'), agentCrash('pause before')],
  },
  {
    name: 'agent: a summary takes a call and leaves its result',
    breaks: 'COMPACT-2: the API would refuse every later request of the session',
    file: 'src/agent/conversation.ts',
    find: 'const isCut = toolResultsIn(messages[index]).length > 0;',
    replace: 'const isCut = false;',
    caughtBy: [node('test/agent/conversation.test.ts'), agentCrash('summary asked for')],
  },
  {
    name: 'agent: a summary is kept in memory alone',
    breaks: 'COMPACT-3: after an eviction the model would read the whole conversation again',
    file: 'src/platform/sqlite/agent-rows.ts',
    find: 'else if (summary !== undefined) this.#meta.put(summaryKey(summary), summary);',
    replace: '',
    caughtBy: [node('test/session/agent-compaction.test.ts'), agentCrash('summary written')],
  },
  {
    name: 'agent: a summary is taken back in memory alone',
    breaks: 'COMPACT-6: after a crash the model would read the summary again',
    file: 'src/platform/sqlite/agent-rows.ts',
    find: "if (summary === 'restored') this.#meta.remove(summaryKey(this.#lastSummary()));",
    replace: "if (summary === 'restored') this.#lastSummary();",
    caughtBy: [
      node('test/session/agent-restore.test.ts'),
      agentCrash('undo of the summary acknowledged'),
    ],
  },
  {
    name: 'a frame whose bytes were no text is taken',
    breaks: 'INT-12: what a person approves is what was sent',
    file: 'src/session/frames-in.ts',
    find: '  if (data.includes(REPLACEMENT)) return withFrameId(json.value, NOT_UTF8);\n',
    replace: '',
    caughtBy: [node('test/session/frames-in.test.ts')],
  },
  {
    name: 'a number that is read as 0 is taken',
    breaks: 'INT-12: every program reads the same number',
    file: 'src/protocol/json.ts',
    find: 'if (value === 0 && /^-?[0.]*[1-9]/.test(text)) {',
    replace: "if (value === 0 && text === '') {",
    caughtBy: [node('test/protocol/json.test.ts'), node('test/protocol/json-texts.test.ts')],
  },
  {
    name: 'names that every object inherits count as given',
    breaks: "APR-2: an edit has what the tool's schema requires",
    file: 'src/core/tools/schema/judge-value.ts',
    find: "    Object.hasOwn(value, name)\n      ? 'fits'",
    replace: "    name in value\n      ? 'fits'",
    caughtBy: [node('test/core/tools/tool-schema.test.ts')],
  },
  {
    name: 'what a schema leaves to the tool refuses',
    breaks: 'APR-2: what is left to the tool refuses nothing',
    file: 'src/core/tools/schema/judge-value.ts',
    find: "pattern === undefined ? 'fits' : 'unknown'",
    replace: "pattern === undefined ? 'fits' : 'fits'",
    caughtBy: [node('test/core/tools/tool-schema.test.ts')],
  },
  {
    name: 'a deadline gives consent',
    breaks: 'INT-10: silence is never consent',
    file: 'src/core/decisions/open.ts',
    find: '  const problem = kind.defaultAnswerProblem?.(opened.request);',
    replace: '  const problem = undefined as string | undefined;',
    caughtBy: [node('test/core/kinds/form.test.ts')],
  },
  {
    name: 'a tool call says by itself what was seen',
    breaks: 'INT-12: nothing is approved that was not shown',
    file: 'src/core/decisions/answer.ts',
    find: "record.status === 'open' && replacesUndecided(record) && inputDigest === undefined",
    replace: "record.status === 'open' && replacesUndecided(record) && inputDigest === null",
    caughtBy: [node('test/core/decisions/swapped-input.test.ts')],
  },
  {
    name: 'what was withdrawn counts as seen',
    breaks: 'INT-12: a reprompt in two steps is one',
    file: 'src/core/decisions/open.ts',
    find: "const isUndecided = latest.outcome === 'cancelled' || latest.outcome === 'expired';",
    replace: "const isUndecided = latest.outcome === 'expired';",
    caughtBy: [node('test/core/decisions/swapped-input.test.ts')],
  },
  {
    name: 'another decision of the same person is a repeat',
    breaks: "TRN-3: nobody takes another's denial for their approval",
    file: 'src/core/repeated-answer.ts',
    find: "effect.ok && effect.type === 'settle' && matchesSettlement(effect, record)",
    replace: "effect.ok && effect.type === 'settle'",
    caughtBy: [node('test/core/repeated-answer.test.ts')],
  },
  {
    name: 'a length beside chunks is followed',
    breaks: 'LIM-1: where a request ends is clear, or it is refused',
    file: 'src/http/body.ts',
    find: "if (!headers.has('transfer-encoding') || !headers.has('content-length')) return undefined;",
    replace:
      "if (!headers.has('transfer-encoding') || headers.has('content-length')) return undefined;",
    caughtBy: [node('test/http/body.test.ts')],
  },
  {
    name: 'a body is read for as long as it comes',
    breaks: 'LIM-1: a body is limited by what arrives',
    file: 'src/http/body.ts',
    find: 'readUntilFull(body, claimed >= 0 ? claimed : maxBytes + 1, mayGrow);',
    replace: 'readUntilFull(body, claimed >= 0 ? claimed : 64 * maxBytes, () => true);',
    caughtBy: [node('test/http/body.test.ts')],
  },
  {
    name: 'a report ends what another agent asked',
    breaks: 'APR-5: only who opened it, its root or an administrator ends it by a report',
    file: 'src/core/authority.ts',
    find: "  return mayAct(caller, 'admin') || isOwnedBy(caller, opener);",
    replace: "  return mayAct(caller, 'agent') || isOwnedBy(caller, opener);",
    caughtBy: [node('test/core/decisions/another-agent.test.ts'), SIMULATION],
  },
  {
    name: 'a run that ends leaves its questions open',
    breaks: 'PEND-9: an end without a name cancels what its agent asked in the run',
    file: 'src/core/decisions/end-run.ts',
    find: '    (one.turnId === undefined || endedTurnId === undefined);',
    replace: '    one.turnId !== undefined && endedTurnId === undefined;',
    caughtBy: [node('test/core/decisions/append.test.ts'), SIMULATION],
  },
  {
    name: 'what opens and settles at once is not announced',
    breaks: 'OUT-2: what must be announced is reported event by event',
    file: 'src/core/report.ts',
    find: '    if (announcement !== undefined) announcements.push(announcement);',
    replace: `    const isOpen = interactionId === undefined || state.open.has(interactionId);
    if (announcement !== undefined && isOpen) announcements.push(announcement);`,
    caughtBy: [
      node('test/core/announcements.test.ts'),
      node('test/session/reporting.test.ts'),
      SIMULATION,
    ],
  },
  {
    name: 'a result follows the end of its turn',
    breaks: 'RUN-6: no result of a turn is logged after its end',
    file: 'src/agent/run/settle-calls.ts',
    find: '  const end = isActiveRun(draft.run) ? draft.events.findIndex(endsTurn) : -1;',
    replace: '  const end = -1 as number;',
    caughtBy: [node('test/session/agent-turn-end.test.ts')],
  },
  {
    name: 'a request of a batch replaces another one of it',
    breaks: 'INT-20: a request that would replace what the same batch opened is refused',
    file: 'src/core/decisions/open-batch.ts',
    find: 'const decided = given.ok && earlier.isOpenedBefore(given) ? ASKED_BEFORE : given;',
    replace: 'const decided = given.ok && earlier.isOpenedBefore(given) ? given : given;',
    caughtBy: [node('test/core/decisions/open-batch.test.ts'), SIMULATION],
  },
  {
    name: 'a refused request ends its batch',
    breaks: 'INT-20: a refused request neither undoes nor stops the others',
    file: 'src/core/decisions/open-batch.ts',
    find: '    if (!decided.ok) continue;',
    replace: '    if (!decided.ok) break;',
    caughtBy: [node('test/core/decisions/open-batch.test.ts'), SIMULATION, CRASH],
  },
  {
    name: 'the answers of one request have one key',
    breaks: 'BOX-3: a repeat of answers for several sessions gives each its first result',
    file: 'src/http/decide-inbox.ts',
    find: 'key: `${idempotency.key} ${index}` } };',
    replace: 'key: idempotency.key } };',
    caughtBy: [node('test/simulation/simulation.test.ts'), SIMULATION],
  },
  {
    name: 'the alarm of a target sends nothing',
    breaks: 'OUT-1: a failed attempt is repeated, also when nothing else happens',
    file: 'src/delivery/target.ts',
    find: `        await this.#reportDisabled();
        this.#send();`,
    replace: '        await this.#reportDisabled();',
    caughtBy: [node('test/delivery/queue.test.ts')],
  },
  {
    name: 'a delivery waits for no earlier one',
    breaks: 'OUT-1: the announcements of a session arrive in the order of seq',
    file: 'src/delivery/delivery-queue.ts',
    find: 'return store.hasDue(sessionId, ATTEMPTS_IN_ORDER) || store.firstBehind(sessionId) !== undefined;',
    replace: 'return store.hasDue(sessionId, 0);',
    caughtBy: [node('test/delivery/queue.test.ts')],
  },
  {
    name: 'nothing is handed over again after a crash',
    breaks: 'OUT-2: a crash between the report and the target loses no announcement',
    file: 'src/workspace/target-outbox.ts',
    find: 'await Promise.all([...this.#load().keys()].map((id) => this.send(id)));',
    replace: 'await Promise.all<boolean>([]);',
    caughtBy: [node('test/workspace/target-outbox.test.ts')],
  },
  {
    name: 'a looked-up address is not judged',
    breaks: 'OUT-3: no name leads a request into a private network',
    file: 'src/platform/node/public-fetch.ts',
    find: '!found.every(({ address }) => isPublic(address))',
    replace: 'found.length === 0',
    caughtBy: [node('test/platform/public-fetch.test.ts')],
  },
  {
    name: 'each device of a person has a vote',
    breaks: 'VOTE-2: a vote counts once per person, whatever device it comes from',
    file: 'src/core/votes.ts',
    find: 'const isOwn = (vote: Vote) => isSameName(vote.by.subject, by.subject);',
    replace: 'const isOwn = (vote: Vote) => vote.by.credential === by.credential;',
    caughtBy: [QUORUM],
  },
  {
    name: 'a vote that was taken back still counts',
    breaks: 'VOTE-6: until the last vote a voter may withdraw',
    file: 'src/core/decisions/withdraw.ts',
    find: "votesEvent(record, 'vote_withdrawn', left, settlerOf(caller))",
    replace: "votesEvent(record, 'vote_withdrawn', votes, settlerOf(caller))",
    caughtBy: [node('test/core/votes.test.ts'), QUORUM],
  },
  {
    name: 'the export of an administrator is not noted',
    breaks: 'TEAM-9: a session that must be exported first is deleted once it was',
    file: 'src/http/routes/log.ts',
    find: "if (mayAct(identity.caller, 'admin')) await workspace.noteExport(params.id, head);",
    replace: 'void [mayAct, workspace, head];',
    caughtBy: [node('test/http/export-log.test.ts')],
  },
  {
    name: 'a deleted session is not erased',
    breaks: 'LOG-9: the file of a deleted session holds no text of it',
    file: SESSION_STORE,
    find: 'const erased = this.#database.replaceAll(() => {',
    replace: 'const erased = (async (_: () => void) => undefined)(() => {',
    caughtBy: [node('test/in-process/erasure.test.ts')],
  },
];

/** For every day: a different layer each, and tests that take no time. */
export const QUICK: readonly string[] = [
  'published before it is written',
  'replay begins one event late',
  'the deadline is not looked at before an answer',
  'an agent may answer',
];
