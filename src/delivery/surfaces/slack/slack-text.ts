/**
 * Text in a message of Slack, within the limits of Block Kit.
 *
 * What an agent sent is always `plain_text` or a preformatted part of rich text: Slack shows both as they are, so that no
 * input can mention a channel, draw a link or end its own code block. Only the words of this service are `mrkdwn`.
 */
import type { MrkdwnElement, PlainTextElement, RichTextBlock } from '@slack/types';
import { escapeInvisible, visibleText } from '../../../protocol/escapes.ts';

export const SLACK_LIMITS = {
  header: 150,
  section: 3_000,
  buttonText: 75,
  optionText: 75,
  options: 100,
  /** Of checkboxes and radio buttons. */
  boxes: 10,
  label: 2_000,
  input: 3_000,
  viewTitle: 24,
  viewBlocks: 100,
  /** No limit of Slack is documented for preformatted text; that of a section is certain to be taken. */
  code: 2_900,
} as const;

const MARK = '…';

/** By characters as a person counts them, so that no emoji is cut in half. */
export function cutForSlack(text: string, max: number): string {
  if (text.length <= max) return text;
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length + MARK.length > max) break;
    kept += character;
  }
  return `${kept}${MARK}`;
}

/** Whether `plainText` shows all of it. */
export function isWhole(text: string, max: number): boolean {
  return escapeInvisible(text).length <= max;
}

/** On one or several lines, never empty: Slack refuses a text without characters. */
export function plainText(text: string, max: number): PlainTextElement {
  const shown = cutForSlack(escapeInvisible(text), max);
  return { type: 'plain_text', text: shown.trim() === '' ? '–' : shown, emoji: false };
}

/** Of this service alone: it is not escaped. */
export function markdownText(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text };
}

export function escapeMarkdown(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export interface CodeBlock {
  readonly block: RichTextBlock;
  /** Something is missing at the end. */
  readonly isCut: boolean;
}

/** Every character that would not show as itself is written as an escape. */
export function codeBlock(text: string): CodeBlock {
  const visible = visibleText(text);
  const shown = cutForSlack(visible, SLACK_LIMITS.code);
  const block: RichTextBlock = {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_preformatted',
        elements: [{ type: 'text', text: shown === '' ? '–' : shown }],
      },
    ],
  };
  return { block, isCut: shown !== visible };
}

/** In the time zone of each reader; the ISO text is for clients that do not know the form. */
export function slackTime(at: number, isoTime: (at: number) => string): string {
  return `<!date^${Math.floor(at / 1_000)}^{date_short_pretty} {time}|${isoTime(at)}>`;
}
