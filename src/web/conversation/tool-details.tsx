import { useState } from 'preact/hooks';
import type { ToolCallResult, ToolCallState } from '../../client/timeline/index.ts';
import { visibleText } from '../../protocol/escapes.ts';
import { InputView } from '../cards/input/input-view.tsx';
import { isLong, sizeOfText, startOfText } from '../model/folding.ts';
import { resultText } from '../model/tool-result.ts';
import { t } from '../model/language.ts';
import { JsonView } from '../ui/json-view.tsx';
import { Literal } from '../ui/literal.tsx';

/** The input and the result of a tool call. */
export function ToolDetails({ call }: { readonly call: ToolCallState }) {
  const name = visibleText(call.toolName || t('Tool'));
  return (
    <div class="inside">
      <h3>{t('Input')}</h3>
      {call.input === '' ? (
        <p class="muted">{t('Input not reported')}</p>
      ) : (
        <InputView
          toolName={call.toolName}
          input={call.input}
          label={t('Input of {name}', { name })}
        />
      )}
      {call.result !== undefined && <ToolResultPart result={call.result} />}
    </div>
  );
}

export function ToolResultPart({ result }: { readonly result: ToolCallResult }) {
  return (
    <>
      <h3 class={result.isError ? 'bad' : ''}>{result.isError ? t('Error') : t('Result')}</h3>
      <ToolResultView result={result} />
    </>
  );
}

/** The result of a tool, with invisible characters escaped. */
function ToolResultView({ result }: { readonly result: ToolCallResult }) {
  const [isWhole, setWhole] = useState(false);
  const text = resultText(result.output);
  const label = result.isError ? t('Error') : t('Result');
  if (text === undefined) {
    return result.output === undefined ? (
      <p class="muted">{t('No result')}</p>
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
            {t('Show all {size}', { size: sizeOfText(text) })}
          </button>
        </div>
      )}
    </div>
  );
}
