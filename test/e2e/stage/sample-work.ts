/** Sample work for the pictures: a release that two people approve, an edit, some notes and some mail. */
import type { JsonObject } from '../../../src/protocol/types.ts';
import type { Agent } from './agent.ts';
import type { Person } from './person.ts';

/** A release that waits for an approval. */
export async function showWaitingRelease(
  person: Person,
  agent: Agent,
  session: string,
): Promise<void> {
  await person.sees('To the agent');
  await person.says('Prepare release 2.4 and put it on staging.');
  await person.sees(person.page.locator('.message'));
  const turnId = 'turn_1';
  const call = (id: string, toolName: string, input: JsonObject, output: string) =>
    [
      { type: 'tool_call', turnId, toolCallId: id, payload: { toolName, input } },
      { type: 'tool_result', turnId, toolCallId: id, payload: { output } },
    ] as const;
  const says = (text: string) => ({ type: 'assistant_text', turnId, payload: { text } }) as const;
  await agent.appends(session, [
    { type: 'turn_started', turnId },
    says('All **214 tests** pass, and the changelog is written. One thing is yours to choose.'),
    ...call('c1', 'Read', { path: 'CHANGELOG.md' }, '2.4.0'),
    ...call('c2', 'Grep', { pattern: 'TODO' }, 'No matches'),
  ]);
  await agent.asks(session, {
    kind: 'question',
    toolName: 'AskUserQuestion',
    turnId,
    questions: [
      {
        header: 'Database',
        question: 'Migrate the database with it?',
        options: [{ label: 'Before the deploy' }, { label: 'After the deploy' }],
      },
    ],
  });
  await person.chooses('Before the deploy');
  await person.presses('Submit');
  await person.sees('Selected: Before the deploy');
  await agent.appends(session, [says('Then this is what I would run:')]);
  const approval = await agent.asks(session, {
    kind: 'approval',
    toolName: 'Bash',
    turnId,
    input: { command: 'make migrate deploy ENV=staging' },
    description: 'Migrates the database and replaces three instances, one at a time.',
    allowEdit: true,
    quorum: { approvals: 2 },
    timeoutSeconds: 1_800,
  });
  await agent.answersAs('bob', session, approval, { decision: 'approve' });
  agent.waits(session, approval);
}

const OLD = `export const LIMITS = {
  /** A person presses at most twice in a second. */
  answersPerMinute: 120,
  /** A loop must not fill the inbox. */
  requestsPerMinute: 60,
  sessionsPerHour: 200,
} as const;
`;

/** Other open requests: an edit that is due first, a plan, and two approvals of one tool. */
export async function othersWait(agent: Agent): Promise<void> {
  const limits = await agent.opensSession('Raise the limits');
  const edit = await agent.asks(limits, {
    kind: 'approval',
    toolName: 'Edit',
    input: {
      file_path: 'src/limits.ts',
      old_string: OLD,
      new_string: OLD.replace('requestsPerMinute: 60', 'requestsPerMinute: 600').replace(
        'sessionsPerHour: 200,',
        'sessionsPerHour: 200,\n  bytesPerRequest: 65_536,',
      ),
    },
    description: 'The nightly run asks more than 60 times in a minute.',
    offers: ['once', 'session'],
    allowEdit: true,
    timeoutSeconds: 900,
  });
  agent.waits(limits, edit);
  const notes = await agent.opensSession('Tidy the notes');
  const plan = '# Tidy the notes\n\n1. Sort them by year.\n2. Remove doubles.\n';
  await agent.asks(notes, {
    kind: 'plan_review',
    toolName: 'ExitPlanMode',
    plan,
    timeoutSeconds: 7_500,
  });
  const mail = await agent.opensSession('Answer the mail');
  for (const to of ['lena@example.com', 'omar@example.com'])
    await agent.asks(mail, {
      kind: 'approval',
      toolName: 'SendMail',
      input: { to, subject: 'Thursday at 9', body: 'We meet on Thursday at 9.' },
      timeoutSeconds: null,
    });
}
