/** Buttons and dialogs: which action they are, and which request with which input they belong to. */

const SLACK_ACTIONS = [
  'approve',
  'deny',
  'answer',
  'decline',
  'edit',
  'clean_edit',
  'default',
  'adjust',
  'open',
] as const;
export type SlackAction = (typeof SLACK_ACTIONS)[number];

/** The delivery that showed the request, and the digest of the input in it. */
export interface AnsweredRequest {
  readonly deliveryId: string;
  readonly inputDigest: string;
}

const VALUE = /^(msg_[A-Za-z0-9]{1,64}_\d{1,15}) ([0-9a-f]{64})(?: ([A-Z0-9]{2,32}))?$/;

export function buttonValue({ deliveryId, inputDigest }: AnsweredRequest): string {
  return `${deliveryId} ${inputDigest}`;
}

export function readButtonValue(value: string): AnsweredRequest | undefined {
  const [, deliveryId, inputDigest] = VALUE.exec(value) ?? [];
  return deliveryId === undefined || inputDigest === undefined
    ? undefined
    : { deliveryId, inputDigest };
}

/** Of an approval with choices: which one, counted from 0. A delivery shows one request, so its place is enough. */
export function choiceActionId(index: number): string {
  return `holdpoint.choice.${index}`;
}

export function readChoiceIndex(actionId: string): number | undefined {
  const [, digit] = /^holdpoint\.choice\.([0-7])$/.exec(actionId) ?? [];
  return digit === undefined ? undefined : Number(digit);
}

export function readAction(actionId: string): SlackAction | undefined {
  return SLACK_ACTIONS.find((action) => actionId === `holdpoint.${action}`);
}
