import { Literal } from '../../ui/literal.tsx';
import type { CodeToken } from './highlight.ts';
import { lineSegments } from './line-segments.ts';
import type { TextRange } from './mark-words.ts';

interface CodeTextProps {
  readonly text: string;
  readonly tokens?: readonly CodeToken[] | undefined;
  readonly marks?: readonly TextRange[];
}

/** One line of code: its colors and marks are around the text, which stays letter for letter. */
export function CodeText({ text, tokens, marks = [] }: CodeTextProps) {
  if (tokens === undefined && marks.length === 0)
    return (
      <code class="code">
        <Literal text={text} />
      </code>
    );
  return (
    <code class="code">
      {lineSegments(text, tokens, marks).map(({ text: piece, kind, isMarked }, at) => {
        if (kind === '' && !isMarked) return <Literal key={at} text={piece} />;
        const Tag = isMarked ? 'mark' : 'span';
        return (
          <Tag key={at} class={kind === '' ? undefined : `of-${kind}`}>
            <Literal text={piece} />
          </Tag>
        );
      })}
    </code>
  );
}
