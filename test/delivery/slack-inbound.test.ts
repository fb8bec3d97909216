/** What the surface of Slack does with signed messages that no Slack would send. */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { slackSurface } from '../../src/delivery/surfaces/slack/slack-surface.ts';
import type {
  ReceivingPorts,
  SurfaceAnswer,
  SurfaceRequest,
} from '../../src/delivery/surfaces/surface.ts';
import { reject } from '../../src/protocol/errors.ts';
import { CONFIG, requested } from '../support/target-world.ts';

const NOW = 1_700_000_000_000;
const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
const VALUE = `msg_1_1 ${'d'.repeat(64)}`;
const settings = {
  type: 'slack',
  botToken: 'xoxb-1234567890-abc',
  channel: 'C0123456789',
  signingSecret: SECRET,
} as const;
const target = { ...CONFIG, settings };

async function receive(payload: unknown, isEnabled = true, people: Record<string, string> = {}) {
  const sent: SurfaceRequest[] = [];
  const answers: SurfaceAnswer[] = [];
  const ports: ReceivingPorts = {
    now: () => NOW,
    isoTime: (at) => new Date(at).toISOString(),
    send: async (request) => {
      sent.push(request);
      return { status: 200, text: '{"ok": true}', retryAfter: null };
    },
    isEnabled,
    isOwn: (id) => id.startsWith('msg_1_'),
    addReceived: () => true,
    findRequested(id) {
      const { sessionId, announcement } = requested('demo', 1);
      const isKnown = id === 'msg_1_1' && announcement.type === 'interaction.requested';
      return isKnown ? { sessionId, requested: announcement } : undefined;
    },
    answer: async (answer) => {
      answers.push(answer);
      return reject('already_settled', 'This interaction is already settled: denied');
    },
    within: (_ms, work) => work,
  };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const timestamp = String(NOW / 1_000);
  const mac = createHmac('sha256', SECRET).update(`v0:${timestamp}:${body}`).digest('hex');
  const headers = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${mac}` };
  const known = { ...target, settings: { ...settings, people } };
  const reply = await slackSurface.receive?.(known, { headers, body }, ports);
  return { reply, sent, answers };
}

const press = (more: object = {}, action = 'approve', value = VALUE) => ({
  type: 'block_actions',
  user: { id: 'U0001', team_id: 'T0001' },
  team: { id: 'T0001' },
  channel: { id: 'C0123456789' },
  trigger_id: 'trigger',
  actions: [{ action_id: `holdpoint.${action}`, value }],
  ...more,
});

describe('a signed message', () => {
  it('[SURF-1] has its refusal said at an address of Slack, and at no other', async () => {
    const hook = 'https://hooks.slack.com/actions/T0001/1/x';
    const fine = await receive(press({ response_url: hook }));
    expect(fine.sent.map(({ url }) => url)).toEqual([hook]);
    for (const response_url of [
      'http://127.0.0.1:8787/',
      'https://hooks.slack.com.example.org/',
      'https://example.org/https://hooks.slack.com/',
      'http://hooks.slack.com/',
    ]) {
      const { sent } = await receive(press({ response_url }));
      expect(sent.map(({ url }) => url)).toEqual(['https://slack.com/api/chat.postEphemeral']);
    }
  });

  it('[SURF-1] carries the digest of the button, and a subject that no body chooses', async () => {
    const { answers } = await receive(press({ subject: 'admin', user_name: 'admin' }));
    expect(answers).toEqual([
      {
        deliveryId: 'msg_1_1',
        inputDigest: 'd'.repeat(64),
        answer: { decision: 'approve' },
        subject: 'slack:T0001/U0001',
      },
    ]);
  });

  it.each<[string, object, string]>([
    ['of the team of the app', {}, 'mia'],
    ['that names no team', { user: { id: 'U0001' } }, 'mia'],
    ['of another team', { user: { id: 'U0001', team_id: 'T0666' } }, 'slack:T0666/U0001'],
    [
      'of another team, and without a team of the app',
      { team: null, user: { id: 'U0001', team_id: 'T0666' } },
      'slack:T0666/U0001',
    ],
    ['without any team', { team: null, user: { id: 'U0001' } }, 'slack:unknown/U0001'],
    [
      'of the organization of the app',
      { team: null, enterprise: { id: 'E0001' }, user: { id: 'U0001', team_id: 'E0001' } },
      'mia',
    ],
    [
      'of another organization',
      { team: null, enterprise: { id: 'E0001' }, user: { id: 'U0001', team_id: 'E0666' } },
      'slack:E0666/U0001',
    ],
    [
      'whose organization nothing names',
      { team: null, enterprise: { id: 'E0001' }, user: { id: 'U0001' } },
      'slack:unknown/U0001',
    ],
  ])(
    '[SURF-1] a user id %s is the person of that id only where it is one of the app',
    async (_, more, subject) => {
      const { answers } = await receive(press(more), true, { U0001: 'mia' });
      expect(answers).toMatchObject([{ subject }]);
    },
  );

  it('[SURF-1] about an unknown request, action or value answers nothing, and says so', async () => {
    const payloads = [
      press({}, 'approve', `msg_1_2 ${'d'.repeat(64)}`),
      press({}, 'approve', 'msg_1_1'),
      press({}, 'approve', ''),
      press({}, 'answer'),
    ];
    for (const payload of payloads) {
      const { reply, answers, sent } = await receive(payload);
      expect(reply).toEqual({ status: 200, text: '' });
      expect(answers).toEqual([]);
      expect(JSON.stringify(sent)).toContain('no longer known');
    }
    expect((await receive(press({}, 'explode'))).sent).toEqual([]);
    expect((await receive(press({}, 'choice.8'))).sent).toEqual([]);
    expect(JSON.stringify((await receive(press({}, 'choice.0'))).sent)).toContain(
      'no longer known',
    );
    expect((await receive(press({}, 'open'))).sent).toEqual([]);
  });

  it('[SURF-1] names the other target that a request belongs to', async () => {
    const { reply, answers } = await receive(press({}, 'approve', `msg_2_1 ${'d'.repeat(64)}`));
    expect(reply).toEqual({ forwardTo: 'msg_2_1' });
    expect(answers).toEqual([]);
  });

  it('[SURF-1] is answered for nobody while the target is disabled', async () => {
    const { answers, sent } = await receive(press(), false);
    expect(answers).toEqual([]);
    expect(JSON.stringify(sent)).toContain('disabled');
  });
});
