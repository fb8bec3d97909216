/**
 * Slack over real sockets: a server, a double of the API of Slack, and people who press buttons.
 *
 * A bug here looks like an approval that a stranger gave, a message that still has its buttons after the decision, or one
 * that shows less than what is approved. The file is long because its tests share one server and one double of Slack.
 */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { ask, expectRefused, send } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';
import {
  BOT_TOKEN,
  buttonsOf,
  CHANNEL,
  type PostedMessage,
  SIGNING_SECRET,
  SlackDouble,
  textOf,
} from '../support/slack/slack-double.ts';
import { inLongRun } from '../support/run-length.ts';
import { until } from '../support/until.ts';

const server = await startServer({ HOLDPOINT_PRIVATE_TOOLS: '1' }, { allowPrivateNetwork: true });
const agent = await keyWith('agent', 'read');
let slack = await SlackDouble.start();
afterAll(() => slack.close());
beforeEach(() => {
  slack.fault = () => undefined;
});

let sessions = 0;

interface Scene {
  readonly session: string;
  readonly target: string;
  readonly url: string;
}

async function begin(settings: JsonObject = {}): Promise<Scene> {
  const session = `slack-${(sessions += 1)}-x`;
  const json = {
    type: 'slack',
    botToken: BOT_TOKEN,
    channel: CHANNEL,
    signingSecret: SIGNING_SECRET,
    apiUrl: slack.apiUrl,
    filter: { sessions: session },
    ...settings,
  };
  const made = await ask(server, { method: 'POST', path: '/v1/targets', json });
  const { id } = made['target'] as { id: string };
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: session } });
  return { session, target: id, url: `${server.url}/v1/inbound/slack/${id}` };
}

let calls = 0;
const INPUT = { command: 'rm -rf build <!channel> ```' };

async function open(
  { session }: Scene,
  request: JsonObject = { kind: 'approval', toolName: 'Bash', input: INPUT },
): Promise<{ id: string; message: PostedMessage }> {
  const toolCallId = `call-${(calls += 1)}`;
  const path = `/v1/sessions/${session}/interactions`;
  const before = slack.messages.length;
  await ask(server, { method: 'POST', path, json: { toolCallId, ...request }, token: agent });
  const message = await until(() => slack.messages[before]);
  return { id: `${toolCallId}~1`, message };
}

async function record({ session }: Scene, id: string): Promise<JsonObject> {
  const path = `/v1/sessions/${session}/interactions/${id}`;
  return (await ask(server, { method: 'GET', path }))['interaction'] as JsonObject;
}

const settled = (scene: Scene, id: string) =>
  until(async () => {
    const found = await record(scene, id);
    return found['status'] === 'settled' ? found : undefined;
  });

const retired = (message: PostedMessage) =>
  until(() => (message.edits > 0 && buttonsOf(message).length === 0 ? message : undefined));

const actionsOf = (message: PostedMessage) =>
  buttonsOf(message).map(({ action_id: id }) => (id as string).slice('holdpoint.'.length));

async function dialog(scene: Scene, message: PostedMessage, action: string): Promise<JsonObject> {
  const before = slack.views.length;
  const response = await slack.press(scene.url, message, action);
  expect(response.status).toBe(200);
  return until(() => slack.views[before]);
}

async function deliveries({ target }: Scene): Promise<JsonObject[]> {
  const path = `/v1/targets/${target}/deliveries`;
  return (await ask(server, { method: 'GET', path }))['deliveries'] as JsonObject[];
}

describe('an approval', () => {
  it('[SURF-1] is posted whole, approved by a button, and retired with the name of the person', async () => {
    const scene = await begin();
    const { id, message } = await open(scene);
    const text = textOf(message);
    expect(text).toContain('May Bash run?');
    // Literal, in a code block that no input can end.
    expect(text).toContain(JSON.stringify(INPUT, null, 2));
    expect(message.blocks.map(({ type }) => type)).toContain('rich_text');
    expect(text).toContain('Asked by');
    expect(actionsOf(message)).toEqual(['approve', 'deny', 'open']);
    const response = await slack.press(scene.url, message, 'approve');
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(await settled(scene, id)).toMatchObject({
      outcome: 'approved',
      settledBy: { subject: 'slack:T0001/U0001', via: 'chat', credential: scene.target },
    });
    expect(textOf(await retired(message))).toMatch(/\*Approved\* by\n<@U0001>/);
    expect(textOf(message)).toContain('rm -rf build');
    await server.expectUnharmed();
  });

  inLongRun(() => {
    it('[SURF-1] is denied with the reason of a dialog, by the subject that the settings name', async () => {
      const scene = await begin({ people: { U0002: 'Grace', 'T0009/U0003': 'Guest' } });
      const { id, message } = await open(scene);
      const view = await dialog(scene, message, 'deny');
      const text = { text: { value: 'Not on Fridays' } };
      const response = await slack.submit(scene.url, view, text, { user: 'U0002' });
      expect([response.status, await response.text()]).toEqual([200, '']);
      expect(await settled(scene, id)).toMatchObject({
        outcome: 'denied',
        reason: 'Not on Fridays',
        settledBy: { subject: 'Grace' },
      });
      expect(textOf(await retired(message))).toContain('Not on Fridays');
    });

    it('[SURF-1] has no approve button when its input is cut, or too large for an announcement', async () => {
      const scene = await begin();
      for (const size of [4_000, 20_000]) {
        const input = { text: 'x'.repeat(size) };
        const { message } = await open(scene, { kind: 'approval', toolName: 'Write', input });
        expect(actionsOf(message)).toEqual(['open']);
        expect(textOf(message)).toContain('This is not the whole request. Open it to answer.');
        expect(buttonsOf(message)[0]?.['url']).toContain(`#session=${scene.session}`);
      }
    });

    it('[SURF-1] shows characters that hide others as escapes', async () => {
      const scene = await begin();
      const input = { command: 'echo \u202E\u200B' };
      const { message } = await open(scene, { kind: 'approval', toolName: 'Bash', input });
      expect(textOf(message)).toContain(String.raw`echo \u202E\u200B`);
    });
  });
});

describe('the other kinds', () => {
  it('[SURF-1] questions are answered in a dialog, which stays open until each has an answer', async () => {
    const scene = await begin();
    const options = [{ label: 'Red', description: 'warm' }, { label: 'Blue' }];
    const questions = [
      { header: 'Color', question: 'Which color?', options },
      { header: 'Parts', question: 'Which parts?', options, multiSelect: true },
    ];
    const request = { kind: 'question', toolName: 'Ask', questions };
    const { id, message } = await open(scene, request);
    expect(actionsOf(message)).toEqual(['answer', 'decline', 'open']);
    const view = await dialog(scene, message, 'answer');
    const missing = await slack.submit(scene.url, view, {});
    expect(await missing.json()).toEqual({
      response_action: 'errors',
      errors: { 'choice.0': expect.any(String), 'choice.1': expect.any(String) },
    });
    const values = {
      'choice.0': { selected_option: { value: '1' } },
      'choice.1': { selected_options: [{ value: '0' }] },
      'words.1': { value: 'Green' },
    };
    expect(await (await slack.submit(scene.url, view, values)).text()).toBe('');
    expect(await settled(scene, id)).toMatchObject({
      outcome: 'answered',
      answers: { 0: 'Blue', 1: ['Red', 'Green'] },
    });
    expect(textOf(await retired(message))).toContain('*Answered* by');
  });

  inLongRun(() => {
    it('[SURF-1] forms have every type of field, and the sentence of the session at the field', async () => {
      const scene = await begin();
      const schema = {
        type: 'object',
        properties: {
          name: { type: 'string', title: 'Name', pattern: '^[a-z]+$' },
          mail: { type: 'string', format: 'email' },
          site: { type: 'string', format: 'uri' },
          day: { type: 'string', format: 'date', default: '2026-11-19' },
          time: { type: 'string', format: 'date-time' },
          size: { type: 'integer', minimum: 0.5, maximum: 10 },
          share: { type: 'number', minimum: 0, default: 0.5 },
          sure: { type: 'boolean', default: false },
          color: { type: 'string', enum: ['red', 'blue'], default: 'blue' },
          parts: { type: 'array', items: { enum: ['a', 'b'] }, default: ['a'] },
          many: {
            type: 'array',
            items: { enum: Array.from({ length: 40 }, (_, at) => `choice ${at}`) },
            maxItems: 3,
          },
        },
        required: ['name'],
      };
      const { id, message } = await open(scene, {
        kind: 'form',
        toolName: 'Ask',
        title: 'Order',
        schema,
      });
      const view = await dialog(scene, message, 'answer');
      const values = {
        'field.0': { value: 'ADA' },
        'field.1': { value: 'ada@example.com' },
        'field.2': { value: 'https://example.com/' },
        'field.3': { selected_date: '2026-12-01' },
        'field.4': { selected_date_time: 1_700_000_000 },
        'field.5': { value: '7' },
        'field.6': { value: '0.25' },
        'field.7': { selected_option: { value: 'true' } },
        'field.8': { selected_option: { value: '0' } },
        'field.9': { selected_options: [{ value: '0' }, { value: '1' }] },
        'field.10': { selected_options: [{ value: '39' }] },
      };
      const refused = await slack.submit(scene.url, view, values);
      expect(await refused.json()).toEqual({
        response_action: 'errors',
        errors: { 'field.0': expect.any(String) },
      });
      const corrected = { ...values, 'field.0': { value: 'ada' } };
      expect(await (await slack.submit(scene.url, view, corrected)).text()).toBe('');
      expect(await settled(scene, id)).toMatchObject({
        values: {
          name: 'ada',
          mail: 'ada@example.com',
          site: 'https://example.com/',
          day: '2026-12-01',
          time: '2023-11-14T22:13:20.000Z',
          size: 7,
          share: 0.25,
          sure: true,
          color: 'red',
          parts: ['a', 'b'],
          many: ['choice 39'],
        },
      });
    });

    it('[SURF-1] plans are decided by buttons, or sent back with words', async () => {
      const scene = await begin();
      const request = {
        kind: 'plan_review',
        toolName: 'ExitPlanMode',
        plan: '1. *Do* it\n2. <Test>',
      };
      const first = await open(scene, request);
      expect(actionsOf(first.message)).toEqual(['edit', 'clean_edit', 'default', 'adjust', 'open']);
      await slack.press(scene.url, first.message, 'clean_edit');
      expect(await settled(scene, first.id)).toMatchObject({
        outcome: 'approved',
        decision: { clearContext: true, targetMode: 'edit' },
      });
      const second = await open(scene, request);
      const view = await dialog(scene, second.message, 'adjust');
      await slack.submit(scene.url, view, { text: { value: 'Test first' } });
      expect(await settled(scene, second.id)).toMatchObject({ reason: 'Test first' });
      await retired(second.message);
    });

    it('[SURF-1] what a dialog has no room for is answered through the link alone', async () => {
      const scene = await begin();
      const long = Array.from({ length: 2 }, (_, at) => ({
        label: `${at}`,
        preview: 'x'.repeat(3_500),
      }));
      const questions = [{ header: 'Look', question: 'Which?', options: long }];
      const { message } = await open(scene, { kind: 'question', toolName: 'Ask', questions });
      expect(actionsOf(message)).toEqual(['open']);
    });
  });
});

describe('the end of a request', () => {
  it('[SURF-1] retires the message when it was answered elsewhere', async () => {
    const scene = await begin();
    const { id, message } = await open(scene);
    const path = `/v1/sessions/${scene.session}/interactions/${id}/answer`;
    const old = { ...message, blocks: message.blocks };
    await ask(server, { method: 'POST', path, json: { decision: 'approve' } });
    expect(textOf(await retired(message))).toContain('*Approved* by');
    // A press that was under way reaches the person as a sentence.
    await slack.press(scene.url, old, 'approve', { user: 'U0007' });
    const said = await until(() => slack.whispers.find(({ user }) => user === 'U0007'));
    expect(said.text).toContain('already settled');
    const view = await dialog(scene, old, 'deny');
    const late = await slack.submit(scene.url, view, {});
    expect(await late.text()).toContain('already settled');
  });

  inLongRun(() => {
    it('[SURF-1] retires the message when the request expires', async () => {
      const scene = await begin();
      const request = { kind: 'approval', toolName: 'Bash', input: INPUT, timeoutSeconds: 1 };
      const { message } = await open(scene, request);
      expect(textOf(message)).toContain('Expires <!date^');
      expect(textOf(await retired(message))).toContain('*Expired*');
    });

    it('[SURF-1] a changed request is a message of its own, and the old one says so', async () => {
      const scene = await begin();
      const { id, message } = await open(scene);
      const toolCallId = id.split('~')[0] ?? '';
      const old = { ...message, blocks: message.blocks };
      const input = { command: 'ls' };
      const next = await open(scene, { kind: 'approval', toolCallId, toolName: 'Bash', input });
      expect(textOf(await retired(message))).toContain('Replaced by a changed request');
      // The digest of what was shown goes with the answer, so that nothing unseen is approved.
      await slack.press(scene.url, old, 'approve');
      await slack.press(scene.url, next.message, 'approve');
      expect(await settled(scene, `${toolCallId}~2`)).toMatchObject({ outcome: 'approved' });
      expect(await record(scene, id)).toMatchObject({ outcome: 'superseded' });
    });

    it('[SURF-1] reaches a target that was disabled, or whose filter was changed, in the meantime', async () => {
      const scene = await begin();
      const path = `/v1/targets/${scene.target}`;
      const first = await open(scene);
      await ask(server, { method: 'PATCH', path, json: { filter: { tools: ['Other'] } } });
      const answer = (id: string) =>
        ask(server, {
          method: 'POST',
          path: `/v1/sessions/${scene.session}/interactions/${id}/answer`,
          json: { decision: 'deny' },
        });
      await answer(first.id);
      await retired(first.message);
      await ask(server, { method: 'PATCH', path, json: { filter: { sessions: scene.session } } });
      const second = await open(scene);
      await ask(server, { method: 'PATCH', path, json: { enabled: false } });
      await slack.press(scene.url, second.message, 'approve', { user: 'U0008' });
      const said = await until(() => slack.whispers.find(({ user }) => user === 'U0008'));
      expect(said.text).toContain('disabled');
      await answer(second.id);
      await ask(server, { method: 'PATCH', path, json: { enabled: true } });
      await retired(second.message);
    });

    it('[SURF-1] an extended deadline is shown, and a message that was deleted ends the delivery', async () => {
      const scene = await begin();
      const request = { kind: 'approval', toolName: 'Bash', input: INPUT, timeoutSeconds: 3_600 };
      const { id, message } = await open(scene, request);
      const before = textOf(message);
      const base = `/v1/sessions/${scene.session}/interactions/${id}`;
      await ask(server, { method: 'POST', path: `${base}/extend`, json: {} });
      await until(() => message.edits > 0 && textOf(message) !== before);
      expect(actionsOf(message)).toContain('approve');
      slack.messages.splice(slack.messages.indexOf(message), 1);
      await ask(server, { method: 'POST', path: `${base}/answer`, json: { decision: 'deny' } });
      await until(async () => {
        const found = (await deliveries(scene)).find(({ type }) => type === 'interaction.resolved');
        return found?.['status'] === 'delivered' || undefined;
      });
    });
  });
});

describe('who may answer', () => {
  it('[SURF-1] forged, old, altered and doubled signatures are refused, and those of another target', async () => {
    const scene = await begin();
    const other = await begin({ signingSecret: 'f'.repeat(32) });
    const { id, message } = await open(scene);
    const now = Date.now();
    const refused = [
      await slack.press(scene.url, message, 'approve', { secret: '0'.repeat(32) }),
      await slack.press(scene.url, message, 'approve', { secret: 'f'.repeat(32) }),
      await slack.press(scene.url, message, 'approve', { at: now - 301_000 }),
      await slack.press(scene.url, message, 'approve', { at: now + 302_000 }),
      await slack.press(scene.url, message, 'approve', { alter: (body) => `${body}%20` }),
      await slack.press(scene.url, message, 'approve', { headers: { 'x-slack-signature': '' } }),
      await slack.press(scene.url, message, 'approve', {
        headers: { 'x-slack-signature': `v0=${'0'.repeat(64)}` },
      }),
      await slack.press(other.url, message, 'approve'),
      // Signed for the other target, about a request of the first: both must verify it.
      await slack.press(other.url, message, 'approve', { secret: 'f'.repeat(32) }),
    ];
    for (const response of refused) {
      const text = await response.text();
      expectRefused(
        { status: response.status, headers: response.headers, text },
        'unauthenticated',
      );
    }
    expect(await record(scene, id)).toMatchObject({ status: 'open' });
  });

  inLongRun(() => {
    it('[SURF-1] a copy of a message changes nothing, and no message without a payload does', async () => {
      const scene = await begin();
      const { id, message } = await open(scene);
      const view = await dialog(scene, message, 'deny');
      const at = Date.now();
      const before = slack.calls.length;
      const copies = await Promise.all(
        [1, 2, 3].map(() => slack.submit(scene.url, view, { text: { value: 'No' } }, { at })),
      );
      expect(await Promise.all(copies.map((copy) => copy.text()))).toEqual(['', '', '']);
      expect(await settled(scene, id)).toMatchObject({ reason: 'No' });
      await retired(message);
      const updates = slack.calls.slice(before).filter(({ method }) => method !== 'chat.update');
      expect(updates).toEqual([]);
      for (const payload of [null, 'text', { type: 'block_actions' }, { actions: [] }]) {
        expect((await slack.send(scene.url, payload)).status).toBe(400);
      }
      expect((await slack.send(scene.url, { type: 'view_closed' })).status).toBe(200);
    });

    it('[SURF-1] one app serves several targets: each checks its own requests', async () => {
      const first = await begin();
      const second = await begin();
      const { id, message } = await open(second);
      expect((await slack.press(first.url, message, 'approve')).status).toBe(200);
      expect(await settled(second, id)).toMatchObject({
        outcome: 'approved',
        settledBy: { credential: second.target },
      });
    });

    it('[SURF-1] a person of another team is not taken for one of the settings', async () => {
      const scene = await begin({ people: { U0001: 'Ada' } });
      const { id, message } = await open(scene);
      await slack.press(scene.url, message, 'approve', { team: 'T0666' });
      expect(await settled(scene, id)).toMatchObject({
        settledBy: { subject: 'slack:T0666/U0001' },
      });
    });
  });

  it('[SURF-1] the credential that made the target may not have its own requests approved by it', async () => {
    const admin = await keyWith('admin');
    const session = `slack-own-${(sessions += 1)}`;
    const json = {
      type: 'slack',
      botToken: BOT_TOKEN,
      channel: CHANNEL,
      signingSecret: SIGNING_SECRET,
      apiUrl: slack.apiUrl,
      filter: { sessions: session },
    };
    const made = await ask(server, { method: 'POST', path: '/v1/targets', json, token: admin });
    const { id: target } = made['target'] as { id: string };
    await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: session } });
    const path = `/v1/sessions/${session}/interactions`;
    const before = slack.messages.length;
    const request = { kind: 'approval', toolCallId: 'own', toolName: 'Bash', input: INPUT };
    await ask(server, { method: 'POST', path, json: request, token: admin });
    const message = await until(() => slack.messages[before]);
    const url = `${server.url}/v1/inbound/slack/${target}`;
    await slack.press(url, message, 'approve', { user: 'U0009' });
    const said = await until(() => slack.whispers.find(({ user }) => user === 'U0009'));
    expect(said.text).toContain('Not sent');
    const { interaction } = await ask(server, { method: 'GET', path: `${path}/own~1` });
    expect(interaction).toMatchObject({ status: 'open' });
  });

  it('[SURF-1] secrets are listed nowhere, and another API only where private targets are allowed', async () => {
    const scene = await begin();
    const { message } = await open(scene);
    await slack.press(scene.url, message, 'approve');
    await retired(message);
    const listed = await Promise.all(
      [
        '/v1/targets',
        `/v1/targets/${scene.target}`,
        `/v1/targets/${scene.target}/deliveries`,
        '/v1/audit',
      ].map((path) => send(server, { method: 'GET', path })),
    );
    const all = `${listed.map(({ text }) => text).join()}${server.output()}`;
    expect(all).not.toContain(BOT_TOKEN);
    expect(all).not.toContain(SIGNING_SECRET);
    const rotated = await send(server, {
      method: 'POST',
      path: `/v1/targets/${scene.target}/rotate`,
    });
    expectRefused(rotated, 'invalid_request');
    const foreign = await send(server, {
      method: 'PATCH',
      path: `/v1/targets/${scene.target}`,
      json: { url: 'https://hooks.example.com/' },
    });
    expectRefused(foreign, 'invalid_request');
  });
});

inLongRun(() => {
  describe('a Slack that fails', () => {
    it('[SURF-1] Retry-After is honored, and a refusal that lasts is listed and not repeated', async () => {
      const scene = await begin();
      let limited = 0;
      slack.fault = ({ method }) =>
        method === 'chat.postMessage' && (limited += 1) === 1
          ? { status: 429, retryAfter: '8' }
          : undefined;
      const { message } = await open(scene);
      const [first, second] = slack.calls.filter(
        ({ method, content }) =>
          method === 'chat.postMessage' && JSON.stringify(content).includes(scene.session),
      );
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(7_900);
      expect(actionsOf(message)).toContain('approve');
      slack.fault = () => ({ error: 'channel_not_found' });
      const path = `/v1/sessions/${scene.session}/interactions`;
      const json = { kind: 'approval', toolCallId: 'dead', toolName: 'Bash', input: INPUT };
      await ask(server, { method: 'POST', path, json, token: agent });
      const dead = await until(async () =>
        (await deliveries(scene)).find(({ status }) => status === 'dead'),
      );
      expect(dead).toMatchObject({
        attempts: 1,
        last: { problem: 'Slack refused: channel_not_found' },
      });
      slack.fault = () => undefined;
      const test = await ask(server, { method: 'POST', path: `/v1/targets/${scene.target}/test` });
      expect(test['delivery']).toMatchObject({ status: 'delivered' });
    });

    it('[SURF-1] a response that is lost posts no second message', async () => {
      const scene = await begin();
      let isLost = false;
      slack.fault = ({ method }) => {
        if (method !== 'chat.postMessage' || isLost) return undefined;
        isLost = true;
        return 'lost';
      };
      const before = slack.messages.length;
      const { id, message } = await open(scene);
      await until(
        () => slack.calls.some(({ method }) => method === 'conversations.history') || undefined,
      );
      await slack.press(scene.url, message, 'approve');
      await settled(scene, id);
      await retired(message);
      expect(slack.messages.length - before).toBe(1);
    });

    it('[SURF-1] a button is acknowledged while a dialog stalls, and the decision stands', async () => {
      const scene = await begin();
      const { id, message } = await open(scene);
      slack.fault = ({ method }) => (method === 'views.open' ? 'stall' : undefined);
      const started = Date.now();
      expect((await slack.press(scene.url, message, 'deny')).status).toBe(200);
      expect(Date.now() - started).toBeGreaterThanOrEqual(1_900);
      slack.fault = ({ method }) => (method === 'chat.update' ? 'stall' : undefined);
      expect((await slack.press(scene.url, message, 'approve')).status).toBe(200);
      expect(await settled(scene, id)).toMatchObject({ outcome: 'approved' });
      slack.fault = () => undefined;
      await retired(message);
    });

    it('[SURF-1] a kill between a post and its result posts no second message, and nothing is forgotten', async () => {
      const scene = await begin();
      slack.fault = ({ method }) => (method === 'chat.postMessage' ? 'lost' : undefined);
      const before = slack.messages.length;
      const { id, message } = await open(scene);
      await server.restart('kill');
      slack.fault = () => undefined;
      const path = `/v1/sessions/${scene.session}/interactions/${id}/answer`;
      await ask(server, { method: 'POST', path, json: { decision: 'approve' } });
      expect(textOf(await retired(message))).toContain('*Approved* by');
      expect(slack.messages.length - before).toBe(1);
    });
  });
});
