/**
 * The message of a request: what is asked, and the buttons that answer it.
 *
 * A button stands only below a request that the message, or the dialog behind the button, shows whole. Anything else is
 * answered through "Open". A settled request keeps its text and loses its buttons.
 */
import type { ActionsBlock, Button, KnownBlock } from '@slack/types';
import type { Announcement } from '../../../protocol/schema/announcement.ts';
import type { RequestedAnnouncement } from '../surface.ts';
import { buttonValue, choiceActionId, fitsQuestions } from './slack-dialog.ts';
import { describeChoices, type MakeButton } from './slack-choices.ts';
import { fitsForm } from './slack-form.ts';
import { readShownRequest, type SlackRequest } from './slack-request.ts';
import {
  codeBlock,
  cutForSlack,
  escapeMarkdown,
  isWhole,
  markdownText,
  plainText,
  SLACK_LIMITS,
  slackTime,
} from './slack-text.ts';

export interface SlackMessage {
  /** What a notification shows. */
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}

interface MessageContext {
  readonly deliveryId: string;
  readonly sessionId: string;
  readonly requested: RequestedAnnouncement;
  /** Where the request can be opened; undefined where no address leads to this service. */
  readonly openUrl: string | undefined;
  readonly isoTime: (at: number) => string;
}

const NOTIFICATION_CHARS = 250;
const DIGEST_CHARS = 12;

export function requestMessage(context: MessageContext): SlackMessage {
  const { requested, deliveryId } = context;
  const { blocks, buttons } = requestBlocks(requested, deliveryId);
  const hint = buttons.length > 0 ? [] : [notWhole(context.openUrl)];
  const actions = [...buttons, ...openButton(context.openUrl)];
  return {
    text: notificationText(requested),
    blocks: [
      ...blocks,
      ...hint,
      askedBy(context),
      ...(actions.length === 0 ? [] : [actionsBlock(actions)]),
    ],
  };
}

type ResolvedAnnouncement = Extract<Announcement, { type: 'interaction.resolved' }>;
type EndingAnnouncement =
  | ResolvedAnnouncement
  | Extract<Announcement, { type: 'interaction.handed_over' }>;

/** The message after the end of its request, wherever that was decided, or after others are asked in the place of this channel. */
export function settledMessage(
  requested: RequestedAnnouncement | undefined,
  ending: EndingAnnouncement,
  isoTime: (at: number) => string,
): SlackMessage {
  const { at } = ending;
  const { outcome, by, reason } = describeEnding(ending);
  const asked = requested === undefined ? [] : requestBlocks(requested, '').blocks;
  const who = by === undefined ? [] : [personText(by)];
  const why = reason === undefined ? [] : [sectionBlock(`Reason: ${reason}`)];
  const heading = headingOf(ending);
  return {
    text: escapeMarkdown(cutForSlack(`${outcome}: ${heading}`, NOTIFICATION_CHARS)),
    blocks: [
      ...(asked.length === 0 ? [headerBlock(heading)] : asked),
      ...why,
      {
        type: 'context',
        elements: [
          markdownText(`*${outcome}*${who.length > 0 ? ' by' : ''}`),
          ...who,
          markdownText(slackTime(at, isoTime)),
        ],
      },
    ],
  };
}

function describeEnding(ending: EndingAnnouncement) {
  if (ending.type === 'interaction.handed_over') {
    return { outcome: 'Handed over to others', by: ending.by?.subject };
  }
  const { outcome, settledBy, reason } = ending;
  const by = BY_PERSON.has(outcome) ? settledBy.subject : undefined;
  return { outcome: OUTCOMES[outcome], by, reason };
}

const OUTCOMES = {
  approved: 'Approved',
  denied: 'Denied',
  answered: 'Answered',
  cancelled: 'Cancelled',
  expired: 'Expired',
  superseded: 'Replaced by a changed request',
} as const satisfies Record<ResolvedAnnouncement['outcome'], string>;
const BY_PERSON: ReadonlySet<ResolvedAnnouncement['outcome']> = new Set([
  'approved',
  'denied',
  'answered',
  'cancelled',
]);

/** A person of Slack is drawn as Slack draws people. */
function personText(subject: string) {
  const user = /^slack:[A-Z0-9]+\/([UW][A-Z0-9]+)$/.exec(subject)?.[1];
  return user === undefined ? plainText(subject, NOTIFICATION_CHARS) : markdownText(`<@${user}>`);
}

interface Description {
  readonly blocks: readonly KnownBlock[];
  /** None: it cannot be answered here. */
  readonly buttons: readonly Button[];
}

function requestBlocks(requested: RequestedAnnouncement, deliveryId: string): Description {
  const heading = headerBlock(headingOf(requested));
  const shown = readShownRequest(requested);
  const value = buttonValue({ deliveryId, inputDigest: requested.inputDigest });
  const { blocks, buttons } = describeByKind(shown, requested.toolName, (action, words, style) => ({
    type: 'button',
    action_id: typeof action === 'number' ? choiceActionId(action) : `holdpoint.${action}`,
    text: plainText(words, SLACK_LIMITS.buttonText),
    value,
    ...(style !== undefined && { style }),
  }));
  return { blocks: [heading, ...blocks], buttons };
}

function describeByKind(shown: SlackRequest, toolName: string, button: MakeButton): Description {
  switch (shown.kind) {
    case 'approval': {
      const { description, input, choices, offers = ['once'] } = shown.request;
      const code = codeBlock(JSON.stringify(input, null, 2));
      if (choices !== undefined) {
        const isCut = code.isCut || isTooLong(description);
        const list = describeChoices(choices, toolName, button);
        return {
          blocks: [...titleBlock(description), code.block, ...list.blocks],
          buttons: isCut ? [] : list.buttons,
        };
      }
      const words = offers.includes('once') ? 'Approve' : 'Approve for this session';
      const buttons = [button('approve', words, 'primary'), button('deny', 'Deny…', 'danger')];
      return {
        blocks: [...titleBlock(description), code.block],
        buttons: code.isCut || isTooLong(description) ? [] : buttons,
      };
    }
    case 'plan_review': {
      const code = codeBlock(shown.plan);
      const buttons = [
        button('edit', 'Approve, auto-accept edits', 'primary'),
        button('clean_edit', 'Approve with a fresh context'),
        button('default', 'Approve, ask before each edit'),
        button('adjust', 'Request changes…'),
      ];
      return { blocks: [code.block], buttons: code.isCut ? [] : buttons };
    }
    case 'question': {
      const { questions } = shown.request;
      const text = questions.map(({ question }) => question).join('\n\n');
      const buttons = [button('answer', 'Answer…', 'primary'), button('decline', 'Decline…')];
      return { blocks: [sectionBlock(text)], buttons: fitsQuestions(shown.request) ? buttons : [] };
    }
    case 'form': {
      const { title, description } = shown.request;
      const buttons = [button('answer', 'Fill in…', 'primary'), button('decline', 'Decline…')];
      return {
        blocks: [...titleBlock(title), ...titleBlock(description)],
        buttons: fitsForm(shown.request) ? buttons : [],
      };
    }
    // The card shows where it leads before it opens; a button here would open it at once.
    case 'link': {
      const { title, message, url } = shown.request;
      const words = [...titleBlock(title), sectionBlock(message)];
      return { blocks: [...words, codeBlock(url).block], buttons: [] };
    }
    case 'other':
      return { blocks: [], buttons: [] };
  }
}

function headingOf({
  kind,
  toolName,
}: {
  readonly kind: string;
  readonly toolName: string;
}): string {
  switch (kind) {
    case 'approval':
      return `May ${toolName} run?`;
    case 'plan_review':
      return 'A plan to review';
    case 'question':
      return `${toolName} has a question`;
    case 'link':
      return `${toolName} asks you to open a link`;
    default:
      return `${toolName} asks`;
  }
}

function notificationText(requested: RequestedAnnouncement): string {
  return escapeMarkdown(
    cutForSlack(`${headingOf(requested)} (${requested.openedBy.subject})`, NOTIFICATION_CHARS),
  );
}

function headerBlock(text: string): KnownBlock {
  return { type: 'header', text: plainText(text.replaceAll(/\s+/g, ' '), SLACK_LIMITS.header) };
}

function sectionBlock(text: string): KnownBlock {
  return { type: 'section', text: plainText(text, SLACK_LIMITS.section) };
}

function titleBlock(text: string | undefined): KnownBlock[] {
  return text === undefined || text.trim() === '' ? [] : [sectionBlock(text)];
}

function isTooLong(text: string | undefined): boolean {
  return text !== undefined && !isWhole(text, SLACK_LIMITS.section);
}

function notWhole(openUrl: string | undefined): KnownBlock {
  const where = openUrl === undefined ? 'Answer it in the chat.' : 'Open it to answer.';
  return { type: 'context', elements: [markdownText(`This is not the whole request. ${where}`)] };
}

function askedBy({ requested, sessionId, isoTime }: MessageContext): KnownBlock {
  const { openedBy, expiresAt, inputDigest } = requested;
  const expires =
    expiresAt === null ? [] : [markdownText(`Expires ${slackTime(expiresAt, isoTime)}`)];
  return {
    type: 'context',
    elements: [
      plainText(`Asked by ${openedBy.subject}`, NOTIFICATION_CHARS),
      plainText(`Session ${sessionId}`, NOTIFICATION_CHARS),
      ...expires,
      plainText(`Input ${inputDigest.slice(0, DIGEST_CHARS)}`, NOTIFICATION_CHARS),
    ],
  };
}

function openButton(openUrl: string | undefined): Button[] {
  if (openUrl === undefined) return [];
  const text = plainText('Open', SLACK_LIMITS.buttonText);
  return [{ type: 'button', action_id: 'holdpoint.open', text, url: openUrl }];
}

function actionsBlock(elements: Button[]): ActionsBlock {
  return { type: 'actions', block_id: 'holdpoint', elements };
}
