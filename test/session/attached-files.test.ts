/**
 * Files of people in a session. A bug here looks like a message that the agent reads without its picture, a file that
 * nothing ever deletes, or a refused answer whose files are lost.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { AttachedFile } from '../../src/protocol/schema/attached-file.ts';
import type { Command } from '../../src/protocol/schema/command.ts';
import {
  attachFile,
  readAttachedPart,
  readAttachedText,
} from '../../src/session/attached-files.ts';
import { askApproval, askForm, askLink, askPlan, askQuestion, choice } from '../support/asks.ts';
import { agent, person } from '../support/callers.ts';
import { overrideStore } from '../support/override-store.ts';
import { attachmentIdOf, attachPicture, attachSample } from '../support/sample-files.ts';
import { memoryStorage, startedSession } from '../support/session-storage.ts';
import { SessionWorld } from '../support/session-world.ts';

const DAY = LIMITS.unusedAttachmentMs;

async function inMemory(): Promise<SessionWorld> {
  const world = new SessionWorld(memoryStorage());
  await world.ask({ type: 'session.create' });
  return world;
}

const idsIn = ({ store }: SessionWorld) =>
  store.attachedFiles.list().map(({ attachmentId }) => attachmentId);
const say = (text: string, ...files: readonly AttachedFile[]): Command => ({
  type: 'message.send',
  text,
  attachments: files.map(({ attachmentId }) => attachmentId),
});
const answering = (
  interactionId: string,
  answer: JsonObject,
  ...files: readonly AttachedFile[]
): Command => ({
  type: 'interaction.answer',
  target: { interactionId },
  answer: { ...answer, attachments: files.map(({ attachmentId }) => attachmentId) },
});
const settledOf = (world: SessionWorld, id: string) => {
  const [toolCallId = '', step] = id.split('~');
  return world.store.record(toolCallId, Number(step));
};

describe.each([
  ['SQLite', startedSession],
  ['memory', inMemory],
])('[ATT-1, ATT-2] in %s', (_, begin) => {
  it('a file is read back as it was, in parts that are decoded by themselves', async () => {
    const world = await begin();
    const content = Uint8Array.from({ length: 900_001 }, (_byte, at) => (at * 7 + at / 255) % 256);
    const file = attachSample(world, { content });
    const parts: Uint8Array[] = [];
    for (let part = 0, isLast = false; !isLast; part += 1) {
      const read = readAttachedPart(world.session, file.attachmentId, part);
      if (!read.ok) throw new Error(read.code);
      parts.push(Buffer.from(read.value.base64, 'base64'));
      ({ isLast } = read.value);
    }
    expect(parts).toHaveLength(3);
    expect(Buffer.concat(parts).equals(content)).toBe(true);
    expect(readAttachedPart(world.session, file.attachmentId, 3)).toMatchObject({ ok: false });
    expect(readAttachedPart(world.session, attachmentIdOf(999_999), 0)).toMatchObject({
      code: 'not_found',
    });
  });

  it('the same file again is the same attachment, and has another day', async () => {
    const world = await begin();
    const file = attachSample(world, { attachmentId: attachmentIdOf(77) });
    world.now += DAY - 1;
    expect(attachSample(world, { attachmentId: attachmentIdOf(77) })).toEqual(file);
    world.now += DAY - 1;
    attachSample(world);
    expect(idsIn(world)).toContain(file.attachmentId);
  });

  it('one that nothing names is deleted with the next file after a day, a named one stays', async () => {
    const world = await begin();
    const [named, unnamed] = [attachSample(world), attachSample(world)];
    world.must(say('Look', named));
    world.now += DAY;
    const next = attachSample(world);
    expect(idsIn(world)).toEqual([named.attachmentId, next.attachmentId].toSorted());
    expect(readAttachedText(world.store, unnamed.attachmentId)).toBeUndefined();
  });

  it('the alarm deletes one that nothing names, and wakes nothing without one', async () => {
    const world = await begin();
    await world.quiet();
    const before = world.alarm.armedAt;
    const file = attachSample(world);
    expect(world.alarm.armedAt).toBe(before ?? world.now + DAY);
    world.now += DAY;
    await world.fire();
    expect(idsIn(world)).not.toContain(file.attachmentId);
  });

  it('deleting the session erases all of them', async () => {
    const world = await begin();
    const file = attachSample(world);
    world.must(say('Look', file));
    await world.ask({ type: 'session.delete' });
    await world.quiet();
    expect(idsIn(world)).toEqual([]);
    expect(world.store.attachedFiles.part(file.attachmentId, 0)).toBeUndefined();
    expect(readAttachedPart(world.session, file.attachmentId, 0)).toMatchObject({ ok: false });
  });

  it('a deleted session wakes for none of them again', async () => {
    const world = await begin();
    attachSample(world);
    await world.ask({ type: 'session.delete' });
    await world.quiet();
    world.now += DAY;
    await world.fire();
    expect(world.alarm.armedAt).toBeNull();
  });

  it('a message that cannot be written leaves its file unnamed', async () => {
    const world = await begin();
    const file = attachSample(world);
    world.beforeCommit = () => {
      throw new Error('disk full');
    };
    expect(world.handle(say('Look', file))).toMatchObject({ code: 'write_failed' });
    expect(world.store.attachedFiles.find(file.attachmentId)?.isUsed).toBeUndefined();
    world.beforeCommit = () => undefined;
    world.must(say('Look', file));
    expect(world.store.attachedFiles.find(file.attachmentId)?.isUsed).toBe(true);
  });
});

describe('[ATT-1, ATT-2] a session', () => {
  it('keeps nothing of a file that cannot be written', async () => {
    const world = await startedSession();
    const { attachedFiles } = world.store;
    const broken = {
      list: () => attachedFiles.list(),
      find: () => undefined,
      add: () => {
        throw new Error('disk full');
      },
    };
    const store = overrideStore(world.store, { attachedFiles: broken as never });
    Object.assign(world.session.ports, { store });
    const file = { attachmentId: attachmentIdOf(1), name: 'a', mediaType: 'a/b', bytes: 1 };
    expect(attachFile(world.session, file, 'YQ==', person())).toMatchObject({
      code: 'write_failed',
    });
    expect(attachedFiles.list()).toEqual([]);
    expect(world.warned.join()).toContain('attached file');
  });

  it('goes on when a deletion fails, and tries it later', async () => {
    const world = await startedSession();
    attachSample(world);
    const { attachedFiles } = world.store;
    const broken = Object.assign(Object.create(attachedFiles) as typeof attachedFiles, {
      list: () => attachedFiles.list(),
      remove: () => {
        throw new Error('disk full');
      },
    });
    Object.assign(world.session.ports, {
      store: overrideStore(world.store, { attachedFiles: broken }),
    });
    world.now += DAY;
    await world.fire();
    expect(world.alarm.armedAt).toBeGreaterThan(world.now + 60_000);
    world.must(say('Still there?'));
  });

  it('refuses a credential that neither sends nor answers', async () => {
    const world = await startedSession();
    const file = { attachmentId: attachmentIdOf(1), name: 'a', mediaType: 'a/b', bytes: 1 };
    expect(attachFile(world.session, file, 'YQ==', agent())).toMatchObject({ code: 'forbidden' });
    const reader = { ...person(), scopes: ['read'] as const };
    expect(attachFile(world.session, file, 'YQ==', reader)).toMatchObject({ code: 'forbidden' });
    expect(idsIn(world)).toEqual([]);
  });

  it.each([
    ['attachmentsBytes', [{ bytes: LIMITS.attachmentsBytes }]],
    ['attachmentsPerSession', Array.from({ length: LIMITS.attachmentsPerSession }, () => ({}))],
  ])('refuses one beyond %s, and keeps what it has', async (limit, stored) => {
    const world = await startedSession();
    const { attachedFiles } = world.store;
    const full = Object.assign(Object.create(attachedFiles) as typeof attachedFiles, {
      list: () => stored.map((one) => ({ bytes: 1, isUsed: true, ...one })),
      find: () => undefined,
    });
    Object.assign(world.session.ports, {
      store: overrideStore(world.store, { attachedFiles: full }),
    });
    const file = { attachmentId: attachmentIdOf(1), name: 'a', mediaType: 'a/b', bytes: 1 };
    expect(attachFile(world.session, file, 'YQ==', person())).toMatchObject({
      code: 'limit_reached',
      details: { limit },
    });
    expect(attachedFiles.list()).toEqual([]);
  });

  it('still has its files after it was evicted', async () => {
    const world = await startedSession();
    const file = attachPicture(world);
    world.restart();
    world.must(say('Look', file));
    expect(world.log().at(-1)?.payload).toMatchObject({ attachments: [{ name: 'screen.png' }] });
  });
});

describe('[ATT-4] a message', () => {
  it('has its files in the event, in their order, and in the queue', async () => {
    const world = await startedSession();
    const [first, second] = [attachPicture(world), attachSample(world)];
    world.must(say('Look', second, first));
    expect(world.log().at(-1)).toMatchObject({
      type: 'user_message',
      payload: { text: 'Look', attachments: [second, first] },
    });
    world.must(askApproval());
    world.must(say('Later', first));
    expect(world.state?.info.queued).toMatchObject([{ text: 'Later', attachments: [first] }]);
    world.must(answering('call-1~1', { decision: 'approve' }));
    expect(world.log().at(-1)).toMatchObject({ payload: { text: 'Later', attachments: [first] } });
  });

  it('with an id that the session does not have changes nothing', async () => {
    const world = await startedSession();
    const file = attachSample(world);
    const gone = { ...file, attachmentId: attachmentIdOf(888_888) };
    const head = world.state?.head;
    expect(world.handle(say('Look', file, gone))).toMatchObject({
      code: 'unknown_attachment',
      details: { attachments: [gone.attachmentId] },
    });
    expect(world.state?.head).toBe(head);
    expect(world.store.attachedFiles.find(file.attachmentId)?.isUsed).toBeUndefined();
  });

  it('that is a command takes none', async () => {
    const world = await startedSession();
    const file = attachSample(world);
    for (const text of ['/clear', ' /cancel ']) {
      expect(world.handle(say(text, file))).toMatchObject({ code: 'invalid_request' });
    }
  });

  it('that answers a question gives its files to the answer', async () => {
    const world = await startedSession();
    const file = attachPicture(world);
    world.must(askQuestion());
    world.must(say('Red', file));
    expect(settledOf(world, 'call-1~1')).toMatchObject({
      outcome: 'answered',
      attachments: [file],
    });
  });
});

const choose = { answers: { '0': 'Red' } };

describe('[ATT-5] an answer', () => {
  it.each([
    ['an approval', askApproval(), { decision: 'approve' }, 'allow'],
    ['a denial', askApproval(), { decision: 'deny', reason: 'See the picture' }, 'deny'],
    ['answers', askQuestion(), choose, 'allow'],
    ['a declined question', askQuestion(), { decline: true, reason: 'See' }, 'deny'],
    ['an approved plan', askPlan(), { decision: 'edit' }, 'allow'],
    ['feedback on a plan', askPlan(), { decision: 'adjust', feedback: 'See' }, 'deny'],
    ['values', askForm(), { values: { host: 'a.example' } }, 'allow'],
    ['an opened link', askLink(), { opened: true }, 'allow'],
  ])('that is %s carries files to the agent', async (_, ask, answer, behavior) => {
    const world = await startedSession();
    const [picture, note] = [attachPicture(world), attachSample(world)];
    world.must(ask);
    const handled = world.must(answering('call-1~1', answer, picture, note));
    const response = world.log().findLast(({ type }) => type === 'interaction_response');
    expect(response?.payload).toMatchObject({ attachments: [picture, note] });
    const { interaction } = handled.body as { interaction: JsonObject };
    expect(interaction).toMatchObject({
      status: 'settled',
      attachments: [picture, note],
      reply: { behavior, attachments: [picture, note] },
    });
    const { message } = interaction['reply'] as { message: string };
    expect(message).toContain(`- screen.png (image/png, 33 B): GET ${picture.path}`);
    expect(message).toContain(`- note.txt (text/plain, 14 B): GET ${note.path}`);
  });

  it('keeps the words of a reply as they are where nothing is attached', async () => {
    const world = await startedSession();
    world.must(askApproval());
    const { body } = world.must({
      type: 'interaction.answer',
      target: { interactionId: 'call-1~1' },
      answer: { decision: 'deny', reason: 'No' },
    });
    const { reply } = (body as { interaction: JsonObject }).interaction as { reply?: JsonObject };
    expect(reply).toEqual({
      behavior: 'deny',
      message: 'User denied tool execution. Reason: No',
    });
  });

  it('of several steps adds its files to those before', async () => {
    const world = await startedSession();
    const [first, second] = [attachPicture(world), attachSample(world)];
    world.must(askQuestion({}, [choice('One?', ['a', 'b']), choice('Two?', ['a', 'b'])]));
    world.must(answering('call-1~1', { question: 0, option: 0 }, first));
    expect(world.state?.open.get('call-1~1')?.attachments).toEqual([first]);
    world.must(answering('call-1~1', { question: 1, option: 0 }, second, first));
    expect(settledOf(world, 'call-1~1')?.attachments).toEqual([first, second]);
  });

  it('that asks to write feedback keeps its files for the feedback', async () => {
    const world = await startedSession();
    const [first, second] = [attachPicture(world), attachSample(world)];
    world.must(askPlan());
    world.must(answering('call-1~1', { decision: 'adjust' }, first));
    world.must(answering('call-1~1', { decision: 'adjust' }, second));
    world.must({ type: 'message.send', text: 'Shorter' });
    expect(settledOf(world, 'call-1~1')?.attachments).toEqual([first, second]);
  });

  it('that is a vote keeps its files for the settlement, and a second one of the same person none', async () => {
    const world = await startedSession();
    const [first, second] = [attachPicture(world), attachSample(world)];
    const voter = (subject: string) => ({
      caller: { ...person(subject), isVouched: true } as ReturnType<typeof person>,
    });
    world.must(askApproval({ quorum: { approvals: 2 } }));
    const vote = world.handle(answering('call-1~1', { decision: 'approve' }, first), voter('mia'));
    if (!vote.ok) throw new Error(vote.message);
    expect(world.state?.open.get('call-1~1')?.attachments).toEqual([first]);
    expect(
      world.handle(answering('call-1~1', { decision: 'approve' }, second), voter('mia')),
    ).toMatchObject({ code: 'invalid_answer' });
    world.handle(answering('call-1~1', { decision: 'approve' }, second), voter('ben'));
    expect(settledOf(world, 'call-1~1')?.attachments).toEqual([first, second]);
  });

  it.each<[string, JsonObject['attachments']]>([
    ['at most 10 attachments', Array.from({ length: 11 }, (_, at) => attachmentIdOf(at))],
    ['use a list, not an object', { first: attachmentIdOf(1) }],
  ])('with wrong files is refused with “%s”', async (message, attachments) => {
    const world = await startedSession();
    world.must(askApproval());
    const answer = { decision: 'approve', attachments };
    const command = { ...answering('call-1~1', {}), answer } as Command;
    expect(world.handle(command)).toMatchObject({ message: `attachments: ${message}` });
  });

  it('with an id that the session does not have, or too many, leaves the request open', async () => {
    const world = await startedSession();
    const files = Array.from({ length: 11 }, () => attachSample(world));
    world.must(askQuestion({}, [choice('One?', ['a', 'b']), choice('Two?', ['a', 'b'])]));
    const first = { question: 0, option: 0 };
    const gone = { ...(files[0] as AttachedFile), attachmentId: attachmentIdOf(888_889) };
    const refusals: [Command, string][] = [
      [answering('call-1~1', first, gone), 'unknown_attachment'],
      [answering('call-1~1', first, ...files), 'invalid_answer'],
      [
        { ...answering('call-1~1', first), answer: { ...first, attachments: 'all' } } as Command,
        'invalid_answer',
      ],
    ];
    for (const [command, code] of refusals) {
      expect(world.handle(command)).toMatchObject({ ok: false, code });
    }
    world.must(answering('call-1~1', first, ...files.slice(0, 10)));
    expect(
      world.handle(answering('call-1~1', { question: 1, option: 0 }, files[10] as AttachedFile)),
    ).toMatchObject({ code: 'limit_reached', details: { limit: 'attachmentsPerMessage' } });
    expect(world.state?.open.get('call-1~1')?.status).toBe('open');
  });
});

it('[ATT-2, LOG-3] a file that nothing names does not keep a lost report from being sent', async () => {
  const world = await startedSession();
  attachSample(world);
  world.must(askApproval({ timeoutSeconds: null }));
  expect(world.alarm.armedAt).toBeLessThanOrEqual(world.now + 600_000);
  world.restart();
  await world.fire();
  await world.quiet();
  expect(world.session.outbox.reportedSeq).toBe(world.state?.head);
  expect(world.alarm.armedAt).toBeGreaterThan(world.now + 600_000);
});
