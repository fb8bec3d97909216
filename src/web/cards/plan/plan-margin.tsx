/** Beside a plan: its headings to jump to, a button on each block to comment on it, and the comments. */
import { useId, useState, useLayoutEffect } from 'preact/hooks';
import type { RefObject } from 'preact';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { type PlanComment, shortQuote, linesOfBlocks } from '../../model/cards/plan-comments.ts';
import { t, tn } from '../../model/language.ts';
import { adoptStyle } from '../../styles/adopt-style.ts';
import { Button, Icon } from '../../ui/button.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import planTextStyle from '../../styles/plan-text.css?inline';
import planStyle from './plan.css?inline';
import { CommentField } from '../parts/comment-field.tsx';

adoptStyle(planTextStyle);
adoptStyle(planStyle);

const LEAST_HEADINGS = 3;

export function PlanOutline({ blocks }: { readonly blocks: readonly PlanBlock[] }) {
  const headings = blocks.filter(({ isHeading }) => isHeading);
  if (headings.length < LEAST_HEADINGS) return null;
  const top = Math.min(...headings.map(({ level }) => level));
  return (
    <details class="plan-outline">
      <summary>{tn(headings.length, '{count} heading', '{count} headings')}</summary>
      <ul>
        {headings.map(({ element, text, level }, at) => (
          <li key={at} style={{ '--level': level - top }}>
            <button
              type="button"
              class="link"
              dir="auto"
              onClick={() => {
                element.tabIndex = -1;
                element.focus({ preventScroll: true });
                element.scrollIntoView({ block: 'start' });
              }}
            >
              {escapeInvisible(text)}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface PlanMarginProps {
  readonly blocks: readonly PlanBlock[];
  readonly comments: readonly PlanComment[];
  readonly onComments: (comments: readonly PlanComment[]) => void;
}

/** A button beside each block. */
export function PlanMargin({ blocks, comments, onComments }: PlanMarginProps) {
  const [open, setOpen] = useState<Omit<PlanComment, 'text'>>();
  const begin = (block: PlanBlock) => {
    const { line } = block;
    setOpen({ quote: selectedIn(block.element) ?? block.text, line });
  };
  return (
    <div class="plan-margin">
      {blocks.map((block, at) => {
        const count = comments.filter((one) => isAbout(one, block)).length;
        return (
          <button
            key={at}
            type="button"
            class={count > 0 ? 'comment-on has-comments' : 'comment-on'}
            style={{ insetBlockStart: `${block.top}px` }}
            aria-label={t('Comment on “{quote}”', { quote: startOf(block.text) })}
            // A press on the button would end the selection that it is about.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => begin(block)}
          >
            <Icon name={count > 0 ? 'check' : 'plus'} />
          </button>
        );
      })}
      {open !== undefined && (
        <CommentSheet
          about={open}
          text=""
          onClose={() => setOpen(undefined)}
          onSave={(text) => onComments([...comments, { ...open, text }])}
        />
      )}
    </div>
  );
}

const START_CHARS = 60;

function startOf(text: string): string {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  return escapeInvisible(words.length > START_CHARS ? `${words.slice(0, START_CHARS)}…` : words);
}

function isAbout({ quote, line }: PlanComment, block: PlanBlock): boolean {
  return line === block.line && block.text.includes(quote);
}

/** The selected text, if all of it is in the block. */
function selectedIn(block: HTMLElement): string | undefined {
  const selection = getSelection();
  const text = selection?.toString().trim() ?? '';
  if (selection === null || text === '' || selection.rangeCount === 0) return undefined;
  const { commonAncestorContainer } = selection.getRangeAt(0);
  return block.contains(commonAncestorContainer) ? text : undefined;
}

interface CommentListProps extends Omit<PlanMarginProps, 'blocks'> {
  readonly isBusy: boolean;
}

/** The comments that go to the agent with the feedback. */
export function CommentList({ comments, onComments, isBusy }: CommentListProps) {
  const [edited, setEdited] = useState<number>();
  const comment = edited === undefined ? undefined : comments[edited];
  if (comments.length === 0) return null;
  return (
    <section class="plan-comments" aria-label={t('Your comments')}>
      <h3>{t('Your comments')}</h3>
      <ul>
        {comments.map((one, at) => (
          <li key={at}>
            <Quote about={one} />
            <p dir="auto">{escapeInvisible(one.text)}</p>
            <div class="card-actions">
              <Button kind="quiet" disabled={isBusy} onClick={() => setEdited(at)}>
                {t('Edit the comment')}
              </Button>
              <Button
                kind="quiet"
                disabled={isBusy}
                onClick={() => onComments(comments.toSpliced(at, 1))}
              >
                {t('Remove the comment')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {edited !== undefined && comment !== undefined && (
        <CommentSheet
          about={comment}
          text={comment.text}
          onClose={() => setEdited(undefined)}
          onSave={(text) => onComments(comments.with(edited, { ...comment, text }))}
        />
      )}
    </section>
  );
}

function Quote({ about: { quote, line } }: { readonly about: Omit<PlanComment, 'text'> }) {
  return (
    <blockquote dir="auto">
      {line !== undefined && <span class="card-hint">{t('Line {line}', { line })}: </span>}
      {escapeInvisible(shortQuote(quote))}
    </blockquote>
  );
}

interface CommentSheetProps {
  readonly about: Omit<PlanComment, 'text'>;
  readonly text: string;
  readonly onSave: (text: string) => void;
  readonly onClose: () => void;
}

const COMMENT_CHARS = 2_000;

function CommentSheet({ about, text, onSave, onClose }: CommentSheetProps) {
  const [written, setWritten] = useState(text);
  const id = useId();
  const save = () => {
    if (written.trim() === '') return;
    onSave(written.trim());
    onClose();
  };
  return (
    <Sheet title={t('Comment on the plan')} side="middle" onClose={onClose}>
      <div class="comment-form">
        <Quote about={about} />
        <CommentField
          {...{ id, text: written, onText: setWritten, onSave: save }}
          maxLength={COMMENT_CHARS}
        />
        <div class="card-actions">
          <Button kind="primary" disabled={written.trim() === ''} onClick={save}>
            {t('Save the comment')}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}

/** A heading, a paragraph, an item of a list, a row of a table or a piece of code. */
interface PlanBlock {
  readonly element: HTMLElement;
  readonly text: string;
  readonly line: number | undefined;
  /** Pixels below the top of the plan. */
  readonly top: number;
  readonly isHeading: boolean;
  /** Of a heading, from 1. */
  readonly level: number;
}

const BLOCK_TAGS = 'h1, h2, h3, h4, h5, h6, p, li, pre, tr';
/** A plan of thousands of lines is commented on as a whole. */
const MAX_BLOCKS = 400;

/** The blocks of the drawn plan, and where they stand. */
export function usePlanBlocks(
  plan: RefObject<HTMLElement | null>,
  text: string,
): readonly PlanBlock[] {
  const [blocks, setBlocks] = useState<readonly PlanBlock[]>([]);
  useLayoutEffect(() => {
    const shown = plan.current;
    if (shown === null) return;
    const read = () => setBlocks((before) => sameOr(before, readBlocks(shown, text)));
    read();
    const resized = new ResizeObserver(read);
    resized.observe(shown);
    // Markdown is drawn once its parser is there.
    const drawn = new MutationObserver(read);
    drawn.observe(shown, { childList: true, subtree: true });
    return () => {
      resized.disconnect();
      drawn.disconnect();
    };
  }, [text]);
  return blocks;
}

function readBlocks(plan: HTMLElement, text: string): readonly PlanBlock[] {
  const elements = [...plan.querySelectorAll<HTMLElement>(BLOCK_TAGS)].filter(
    // An item with paragraphs is commented on by them.
    (one) => one.querySelector(BLOCK_TAGS) === null,
  );
  if (elements.length > MAX_BLOCKS) return [];
  const lines = linesOfBlocks(
    text,
    elements.map((one) => one.textContent),
  );
  const { top } = plan.getBoundingClientRect();
  return elements.map((element, at) => ({
    element,
    text: element.textContent,
    line: lines[at],
    top: element.getBoundingClientRect().top - top,
    isHeading: /^H[1-6]$/.test(element.tagName),
    level: Number(element.tagName.charAt(1)) || 0,
  }));
}

/** Unchanged blocks draw nothing again, which would be observed again. */
function sameOr(before: readonly PlanBlock[], now: readonly PlanBlock[]): readonly PlanBlock[] {
  const isSame =
    before.length === now.length &&
    now.every(({ element, top, text }, at) => {
      const was = before[at];
      return was?.element === element && was.top === top && was.text === text;
    });
  return isSame ? before : now;
}
