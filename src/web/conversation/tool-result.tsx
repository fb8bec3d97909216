import { useState } from 'preact/hooks';
import type { ToolResult as Result } from '../../client/timeline/index.ts';
import { beginningOf, isLong } from '../model/input-lines.ts';
import { byteCount, byteLength } from '../model/sizes.ts';
import { resultText } from '../model/tool-words.ts';
import { JsonView } from '../ui/json-view.tsx';
import { Literal } from '../ui/literal.tsx';

/** What a tool gave back, letter by letter. */
export function ToolOutput({ result }: { readonly result: Result }) {
  const [isWhole, setWhole] = useState(false);
  const text = resultText(result.output);
  const label = result.isError ? 'Error' : 'Result';
  if (text === undefined) {
    return result.output === undefined ? (
      <p class="muted">Nothing came back.</p>
    ) : (
      <JsonView value={result.output} label={label} />
    );
  }
  const isFolded = !isWhole && isLong(text);
  return (
    <div class="literal" role="group" aria-label={label}>
      <pre class={`raw${isFolded ? ' clipped' : ''}`}>
        <Literal text={isFolded ? beginningOf(text) : text} />
      </pre>
      {isFolded && (
        <div class="bar">
          <button type="button" class="link" onClick={() => setWhole(true)}>
            Show all {byteCount(byteLength(text))}
          </button>
        </div>
      )}
    </div>
  );
}
