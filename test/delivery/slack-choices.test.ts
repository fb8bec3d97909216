/**
 * Choices of an approval in Slack. A bug here looks like a button that does something else than its choice, half of the
 * choices, or a denial that looks like an approval.
 */
import { describe, expect, it } from 'vitest';
import { choiceActionId, readChoiceIndex } from '../../src/delivery/surfaces/slack/slack-dialog.ts';
import { choiceAnswer } from '../../src/delivery/surfaces/slack/slack-choices.ts';
import { requestMessage } from '../../src/delivery/surfaces/slack/slack-message.ts';
import { readShownRequest } from '../../src/delivery/surfaces/slack/slack-request.ts';
import type { RequestedAnnouncement } from '../../src/delivery/surfaces/surface.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { messageProblem } from '../support/slack/block-kit.ts';
import { buttonsOf } from '../support/slack/slack-double.ts';
import { requested } from '../support/target-world.ts';

const CHOICES: readonly JsonObject[] = [
  { id: 'go', label: 'Go', tone: 'primary', decision: 'approve' },
  { id: 'all', label: 'Always', decision: 'approve', remember: 'tool' },
  { id: 'no', label: 'Never', tone: 'primary', decision: 'deny' },
  { id: 'halt', label: 'Stop', tone: 'danger', decision: 'deny', stop: true },
];

function announced(choices: readonly JsonObject[]): RequestedAnnouncement {
  const { announcement } = requested('demo', 1);
  const request = { input: { command: 'ls' }, choices: [...choices] };
  return { ...announcement, kind: 'approval', request } as RequestedAnnouncement;
}

function shown(choices: readonly JsonObject[]) {
  const message = requestMessage({
    deliveryId: 'msg_1_1',
    sessionId: 'demo',
    requested: announced(choices),
    openUrl: 'https://holdpoint.example/#session=demo',
    isoTime: (at) => new Date(at).toISOString(),
  });
  expect(messageProblem(message as unknown as JsonObject)).toBeUndefined();
  const buttons = buttonsOf({ blocks: message.blocks as unknown as JsonObject[] });
  return {
    text: JSON.stringify(message.blocks),
    buttons: buttons.map(({ action_id, text, style, confirm }) => ({
      action: action_id,
      label: (text as JsonObject)['text'],
      style,
      isConfirmed: confirm !== undefined,
    })),
  };
}

describe('a message', () => {
  it('[APR-6, SURF-1] has a button for each choice and no other, and says what each does', () => {
    const { buttons, text } = shown(CHOICES);
    expect(buttons).toEqual([
      { action: 'holdpoint.choice.0', label: 'Go', style: 'primary', isConfirmed: false },
      { action: 'holdpoint.choice.1', label: 'Always', style: undefined, isConfirmed: true },
      { action: 'holdpoint.choice.2', label: 'Never', style: undefined, isConfirmed: false },
      { action: 'holdpoint.choice.3', label: 'Stop', style: 'danger', isConfirmed: false },
      { action: 'holdpoint.open', label: 'Open', style: undefined, isConfirmed: false },
    ]);
    expect(text).toContain('Never: Denies this call.');
    expect(text).toContain('Stop: Denies this call and stops');
  });

  it('[APR-6] lets a person deny where no choice does', () => {
    expect(shown(CHOICES.slice(0, 1)).buttons.map(({ action }) => action)).toEqual([
      'holdpoint.choice.0',
      'holdpoint.deny',
      'holdpoint.open',
    ]);
  });

  it('[APR-6, SURF-1] has "Open" alone where a label does not fit on a button', () => {
    const long = { id: 'x', label: 'x'.repeat(76), decision: 'approve' };
    expect(shown([...CHOICES, long]).buttons.map(({ action }) => action)).toEqual([
      'holdpoint.open',
    ]);
  });

  it('[APR-6, SURF-1] shows a hostile label as it is', () => {
    const { text, buttons } = shown([
      { id: 'x', label: 'Deny\u202E\n<!channel>', decision: 'approve' },
    ]);
    expect(text).not.toContain('\u202E');
    expect(buttons[0]?.label).toContain('202E');
  });
});

describe('a press', () => {
  it('[APR-6, SURF-1] answers with the choice of its button', () => {
    const read = readShownRequest(announced(CHOICES));
    const answers = CHOICES.map((_, index) =>
      choiceAnswer(read, readChoiceIndex(choiceActionId(index)) ?? -1),
    );
    expect(answers).toEqual(CHOICES.map(({ id }) => ({ choice: id })));
  });

  it('[APR-6, SURF-1] of a button that the request does not have answers nothing', () => {
    const read = readShownRequest(announced(CHOICES));
    expect(choiceAnswer(read, 7)).toBeUndefined();
    expect(choiceAnswer({ kind: 'other' }, 0)).toBeUndefined();
    for (const id of [
      'holdpoint.choice.8',
      'holdpoint.choice.-1',
      'holdpoint.choice.',
      'choice.1',
    ]) {
      expect(readChoiceIndex(id)).toBeUndefined();
    }
  });
});
