/**
 * Messages and dialogs of Slack for requests of every kind, within the limits that Slack documents. A bug here looks like a
 * request that Slack refuses to show, or one that shows less than its buttons approve.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialogFor } from '../../src/delivery/surfaces/slack/slack-dialog.ts';
import {
  requestMessage,
  settledMessage,
  type SlackMessage,
} from '../../src/delivery/surfaces/slack/slack-message.ts';
import { readShownRequest } from '../../src/delivery/surfaces/slack/slack-request.ts';
import type { RequestedAnnouncement } from '../../src/delivery/surfaces/surface.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { countFor } from '../support/run-length.ts';
import { messageProblem, viewProblem } from '../support/slack/block-kit.ts';
import { buttonsOf, textOf } from '../support/slack/slack-double.ts';

const DELIVERY = 'msg_1_1';
const isoTime = (at: number) => new Date(at).toISOString();

function announced(kind: string, request: JsonObject | null): RequestedAnnouncement {
  return {
    type: 'interaction.requested',
    seq: 1,
    at: 1_700_000_000_000,
    interactionId: 'call_1~1',
    toolCallId: 'call_1',
    toolName: 'Bash',
    kind,
    presentation: 'tool',
    request,
    inputDigest: 'a'.repeat(64),
    openedBy: { credential: 'key_agent', subject: 'Agent <!here>' },
    expiresAt: 1_700_000_600_000,
  };
}

function shown(kind: string, request: JsonObject | null): SlackMessage {
  return requestMessage({
    deliveryId: DELIVERY,
    sessionId: 'demo',
    requested: announced(kind, request),
    openUrl: 'https://holdpoint.example/#session=demo',
    isoTime,
  });
}

const partsOf = ({ blocks }: SlackMessage) => ({ blocks: blocks as unknown as JsonObject[] });
const actionsOf = (message: SlackMessage) =>
  buttonsOf(partsOf(message)).map(({ action_id: id }) => (id as string).slice('holdpoint.'.length));
const problemOf = (message: SlackMessage) => messageProblem(message as unknown as JsonObject);

const words = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength }),
    fc
      .constantFrom('<!channel>', '```', '&amp;', '\u202E', '🙂'.repeat(40), ' ', '\n')
      .map((text) => text.repeat(Math.max(1, Math.floor(maxLength / text.length / 2)))),
  );

describe('the message of a link', () => {
  it('[LNK-3, SURF-1] shows the address as text, and has only the button that leads to the request', () => {
    const url = 'https://evil.example/<!here>';
    const message = shown('link', { url, message: 'Sign *in*', title: 'Drive' });
    expect(actionsOf(message)).toEqual(['open']);
    expect(JSON.stringify(buttonsOf(partsOf(message)))).not.toContain('evil.example');
    expect(textOf(partsOf(message))).toContain('https://evil.example/');
    expect(problemOf(message)).toBeUndefined();
  });
});

describe('every message and dialog', () => {
  it('[SURF-1] is within the limits of Slack, and never formats what an agent wrote', () => {
    const offered = fc
      .uniqueArray(
        fc.record({
          id: words(128),
          label: words(200),
          tone: fc.constantFrom('primary', 'danger', 'neutral'),
          decision: fc.constantFrom('approve', 'deny'),
        }),
        { minLength: 1, maxLength: 8, selector: ({ id }) => id },
      )
      .map((choices) =>
        choices.map((one, at) => ({ ...one, label: `${at}${one.label}`.slice(0, 200) })),
      );
    const chosen = fc.record({ input: fc.dictionary(words(40), words(400)), choices: offered });
    const approvals = fc.record({ input: fc.dictionary(words(40), words(4_000), { maxKeys: 3 }) });
    const questions = fc.record({
      questions: fc.array(
        fc
          .record({
            header: fc.option(words(40), { nil: null }),
            question: words(2_000),
            options: fc.uniqueArray(
              fc.record({ label: words(200), description: words(2_000), preview: words(3_500) }),
              { maxLength: 12, selector: ({ label }) => label.trim() },
            ),
            isSeveral: fc.boolean(),
          })
          .map(({ isSeveral, header, ...one }) => ({
            ...one,
            ...(header !== null && { header }),
            multiSelect: isSeveral && one.options.length > 0,
          })),
        { minLength: 1, maxLength: 4 },
      ),
    });
    const labels = { title: words(200), description: words(2_000) };
    const choices = fc.uniqueArray(words(200), { minLength: 1, maxLength: 100 });
    const field = fc.oneof(
      fc.record({ type: fc.constant('string'), ...labels, maxLength: fc.nat(10_000) }),
      fc.record({
        type: fc.constant('string'),
        ...labels,
        format: fc.constantFrom('email', 'uri', 'date', 'date-time'),
      }),
      fc.record({ type: fc.constant('string'), ...labels, enum: choices }),
      fc.record({ type: fc.constant('array'), ...labels, items: fc.record({ enum: choices }) }),
      fc.record({
        type: fc.constantFrom('number', 'integer'),
        ...labels,
        minimum: fc.double({ noNaN: true, noDefaultInfinity: true }),
      }),
      fc.record({
        type: fc.constant('string'),
        ...labels,
        oneOf: fc.uniqueArray(
          fc.record({ const: words(200), title: words(200), description: words(120) }),
          { minLength: 1, maxLength: 20, selector: (choice) => choice.const },
        ),
      }),
      fc.record({ type: fc.constant('boolean'), ...labels, default: fc.boolean() }),
    );
    const forms = fc.record({
      title: words(200),
      description: words(4_000),
      schema: fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(words(64), field, { maxKeys: 30 }),
      }),
    });
    const plans = fc.record({ plan: words(4_000) });
    const links = fc.record({
      url: fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }),
      message: words(4_000),
      title: words(200),
    });
    const requests = fc.oneof(
      approvals.map((request) => ['approval', request] as const),
      chosen.map((request) => ['approval', request as unknown as JsonObject] as const),
      questions.map((request) => ['question', request] as const),
      forms.map((request) => ['form', request] as const),
      plans.map((request) => ['plan_review', request] as const),
      links.map((request) => ['link', request] as const),
    );
    fc.assert(
      fc.property(requests, ([kind, request]) => {
        const message = shown(kind, request);
        expect(problemOf(message)).toBeUndefined();
        const read = readShownRequest(announced(kind, request));
        for (const action of ['deny', 'decline', 'adjust', 'answer'] as const) {
          if (!actionsOf(message).includes(action)) continue;
          const context = { deliveryId: DELIVERY, inputDigest: 'a'.repeat(64), channel: 'C1' };
          const view = dialogFor(action, read, context);
          expect(viewProblem(view as unknown as JsonObject)).toBeUndefined();
        }
      }),
      { numRuns: countFor({ quick: 40, long: 2_000 }) },
    );
  });

  it('[SURF-1] a cut input has no button but the link, at the character where it begins to be cut', () => {
    const room = 2_900 - JSON.stringify({ text: '' }, null, 2).length;
    const whole = shown('approval', { input: { text: 'x'.repeat(room) } });
    expect(actionsOf(whole)).toEqual(['approve', 'deny', 'open']);
    const cut = shown('approval', { input: { text: 'x'.repeat(room + 1) } });
    expect(actionsOf(cut)).toEqual(['open']);
    expect(textOf(partsOf(cut))).toContain('…');
    expect(actionsOf(shown('approval', null))).toEqual(['open']);
    expect(actionsOf(shown('rating', { subject: 'x' }))).toEqual(['open']);
    // What is invisible takes the room of its escape.
    const hidden = shown('approval', { input: { text: '\u200B'.repeat(600) } });
    expect(actionsOf(hidden)).toEqual(['open']);
  });

  it('[SURF-1] an offer for the session alone is named so', () => {
    const request = { input: { a: 1 }, offers: ['session'] };
    expect(textOf(partsOf(shown('approval', request)))).toContain('Approve for this session');
  });

  it('[SURF-1] every outcome is said with its time, and leaves no button', () => {
    const requested = announced('approval', { input: { command: 'ls' } });
    const outcomes = [
      'approved',
      'denied',
      'answered',
      'cancelled',
      'expired',
      'superseded',
    ] as const;
    for (const outcome of outcomes) {
      for (const about of [requested, undefined]) {
        const message = settledMessage(
          about,
          {
            type: 'interaction.resolved',
            seq: 2,
            at: 1_700_000_100_000,
            interactionId: 'call_1~1',
            toolCallId: 'call_1',
            toolName: 'Bash',
            kind: 'approval',
            outcome,
            settledBy: { subject: 'slack:T1/U12', via: 'chat' },
            reason: 'Because <!here>',
            inputDigest: 'a'.repeat(64),
          },
          isoTime,
        );
        expect(problemOf(message)).toBeUndefined();
        expect(actionsOf(message)).toEqual([]);
        expect(textOf(partsOf(message))).toContain('<!date^1700000100^');
        expect(textOf(partsOf(message)).includes('<@U12>')).toBe(
          outcome !== 'expired' && outcome !== 'superseded',
        );
      }
    }
  });
});

it('[HAND-2, SURF-1] a message of a request that was handed over has no buttons, and says by whom', () => {
  const requested = announced('approval', { input: { command: 'ls' } });
  for (const about of [requested, undefined]) {
    const message = settledMessage(
      about,
      {
        type: 'interaction.handed_over',
        seq: 2,
        at: 1_700_000_100_000,
        interactionId: 'call_1~1',
        toolCallId: 'call_1',
        toolName: 'Bash',
        kind: 'approval',
        to: { subjects: ['bo <!here>'] },
        by: { subject: 'olga <!here>', via: 'web' },
      },
      isoTime,
    );
    expect(problemOf(message)).toBeUndefined();
    expect(actionsOf(message)).toEqual([]);
    expect(textOf(partsOf(message))).toContain('*Handed over to others* by');
  }
});
