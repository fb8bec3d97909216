import { useState } from 'preact/hooks';
import type { ToolCallResult, ToolCallState } from '../../client/timeline/index.ts';
import { visibleText } from '../../protocol/escapes.ts';
import { isLong, sizeOfText, startOfText } from '../model/folding.ts';
import { resultText } from '../model/tool-result.ts';
import { JsonView, Literal } from '../ui/literal.tsx';

/** The input and the result of a tool call. */
export function ToolDetails({ call }: { readonly call: ToolCallState }) {
  const name = visibleText(call.toolName || 'Tool');
  return (
    <div class="inside">
      <h3>Input</h3>
      {call.input === '' ? (
        <p class="muted">Input not reported</p>
      ) : (
        <JsonView value={call.input} label={`Input of ${name}`} />
      )}
      {call.result !== undefined && (
        <>
          <h3 class={call.result.isError ? 'bad' : ''}>
            {call.result.isError ? 'Error' : 'Result'}
          </h3>
          <ToolResultView result={call.result} />
        </>
      )}
    </div>
  );
}

/** The result of a tool, with invisible characters escaped. */
function ToolResultView({ result }: { readonly result: ToolCallResult }) {
  const [isWhole, setWhole] = useState(false);
  const text = resultText(result.output);
  const label = result.isError ? 'Error' : 'Result';
  if (text === undefined) {
    return result.output === undefined ? (
      <p class="muted">No result</p>
    ) : (
      <JsonView value={result.output} label={label} />
    );
  }
  const isFolded = !isWhole && isLong(text);
  return (
    <div class="literal" role="group" aria-label={label}>
      <pre class={`raw${isFolded ? ' clipped' : ''}`}>
        <Literal text={isFolded ? startOfText(text) : text} />
      </pre>
      {isFolded && (
        <div class="bar">
          <button type="button" class="link" onClick={() => setWhole(true)}>
            Show all {sizeOfText(text)}
          </button>
        </div>
      )}
    </div>
  );
}
