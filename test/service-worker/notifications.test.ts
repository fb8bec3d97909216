/**
 * What the service worker shows, and what a press on it does.
 *
 * A bug here looks like an approval that was never pressed, or a press that seems to count and does not.
 */
import { expect, it } from 'vitest';
import {
  answerPress,
  type NotificationContent,
  type NotificationPorts,
  showMessage,
} from '../../src/service-worker/notifications.ts';

const REQUEST = {
  type: 'request',
  sessionId: 's',
  interactionId: 'c~1',
  title: 'Edit asks for approval',
  body: 'file_path: a.ts',
  digest: 'd1',
  onePress: true,
};

function played(
  answer: () => Promise<Response> = async () => new Response('{}'),
  isInView = false,
) {
  const seen = {
    shown: [] as NotificationContent[],
    closed: [] as string[],
    opened: [] as string[],
    sent: [] as { path: string; headers: unknown; body: unknown }[],
  };
  const ports: NotificationPorts = {
    show: async (content) => void seen.shown.push(content),
    close: async (tag) => void seen.closed.push(tag),
    isInView: async () => isInView,
    open: async (address) => void seen.opened.push(address),
    device: async () => ({ deviceId: 'tgt_1', subject: 'ada', token: 'hp_token' }),
    fetch: async (path, { headers, body }) => {
      seen.sent.push({ path, headers, body: JSON.parse(body as string) });
      return answer();
    },
  };
  return { seen, ports };
}

const refusal =
  (status: number, code: string, details: object = {}) =>
  async () =>
    Response.json({ error: { code, message: 'No.', details } }, { status });

async function shownData(more: object = {}): Promise<unknown> {
  const { seen, ports } = played();
  await showMessage(JSON.stringify({ ...REQUEST, ...more }), ports);
  return seen.shown[0]?.data;
}

it('[PUSH-1] offers one press only where the server calls it safe', async () => {
  for (const onePress of [true, false]) {
    const { seen, ports } = played();
    await showMessage(JSON.stringify({ ...REQUEST, onePress }), ports);
    expect(seen.shown).toMatchObject([{ title: REQUEST.title, body: REQUEST.body, tag: 's c~1' }]);
    expect(seen.shown[0]?.actions.map(({ action }) => action)).toEqual(
      onePress ? ['approve', 'deny'] : [],
    );
  }
});

it('[PUSH-1] shows nothing beside a page that shows the request', async () => {
  const { seen, ports } = played(undefined, true);
  await showMessage(JSON.stringify(REQUEST), ports);
  expect(seen.shown).toEqual([]);
});

it('[PUSH-1] closes the notification of a request that ended, or says how where it must', async () => {
  const end = { ...REQUEST, type: 'end', title: 'Approved by bo' };
  const closing = played();
  await showMessage(JSON.stringify({ ...end, mustShow: false }), closing.ports);
  expect(closing.seen).toMatchObject({ closed: ['s c~1'], shown: [] });
  const showing = played();
  await showMessage(JSON.stringify({ ...end, mustShow: true }), showing.ports);
  expect(showing.seen.shown).toMatchObject([
    { title: 'Approved by bo', tag: 's c~1', silent: true, actions: [] },
  ]);
});

it.each(['', 'no json', '[]', '{"type":"vote"}', '{"type":"request","sessionId":1}'])(
  'shows a plain notice for %j',
  async (text) => {
    const { seen, ports } = played();
    await showMessage(text, ports);
    expect(seen.shown).toMatchObject([{ title: 'Something is waiting for you', actions: [] }]);
  },
);

it.each(['approve', 'deny'])(
  '[PUSH-1] sends %s with the digest, as the person',
  async (decision) => {
    const { seen, ports } = played();
    await answerPress(decision, await shownData(), ports);
    expect(seen.sent).toEqual([
      {
        path: '/v1/sessions/s/interactions/c~1/answer',
        headers: { Authorization: 'Bearer hp_token', 'Content-Type': 'application/json' },
        body: { decision, inputDigest: 'd1' },
      },
    ]);
    expect([seen.shown, seen.opened]).toEqual([[], []]);
  },
);

it('[PUSH-1] opens the card for any other press, and answers nothing', async () => {
  for (const action of ['', 'approve ', 'cancel']) {
    const { seen, ports } = played();
    await answerPress(action, await shownData(), ports);
    expect(seen.opened).toEqual(['/#session=s&interaction=c%7E1']);
    expect(seen.sent).toEqual([]);
  }
});

it.each<[string, () => Promise<Response>, string]>([
  [
    'is late',
    refusal(409, 'already_settled', { outcome: 'denied', settledBy: { subject: 'bo' } }),
    'Too late: denied by bo',
  ],
  [
    'was for another input',
    refusal(409, 'input_changed'),
    'Not sent: the agent changed its request',
  ],
  [
    'comes after the sign-in ended',
    refusal(401, 'unauthenticated'),
    'Not sent: you are no longer signed in',
  ],
  ['may not be given', refusal(403, 'forbidden'), 'Not sent: No.'],
  ['finds a full disk', refusal(503, 'write_failed'), 'Not sent: the server could not store it'],
  [
    'meets a proxy',
    async () => new Response('<html>', { status: 502 }),
    'Not sent: the server could not store it',
  ],
  ['has no network', () => Promise.reject(new TypeError('no')), 'Not sent: there is no network'],
])('[PUSH-1] says so when the answer %s, and opens the card then', async (_, answer, title) => {
  const { seen, ports } = played(answer);
  await answerPress('approve', await shownData(), ports);
  expect(seen.shown).toMatchObject([{ title, tag: 's c~1', actions: [] }]);
  await answerPress('', seen.shown[0]?.data, ports);
  expect(seen.opened).toEqual(['/#session=s&interaction=c%7E1']);
});

it('says nothing when the reply to an earlier press was lost', async () => {
  const { seen, ports } = played(refusal(409, 'already_settled', { yours: true }));
  await answerPress('approve', await shownData(), ports);
  expect(seen.shown).toEqual([]);
});

it('[PUSH-1] sends nothing without a person, or without a request', async () => {
  const { seen, ports } = played();
  await answerPress('approve', await shownData(), { ...ports, device: async () => undefined });
  expect(seen.shown).toMatchObject([{ title: 'Not sent: you are not signed in on this device' }]);
  for (const data of [undefined, {}, { request: { sessionId: 's' } }]) {
    await answerPress('approve', data, ports);
  }
  expect(seen.sent).toEqual([]);
  expect(seen.opened).toEqual(['/', '/', '/']);
});
