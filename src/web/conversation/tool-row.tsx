import { useState } from 'preact/hooks';
import type { ToolBlock, ToolCallResult, ToolGroup } from '../../client/timeline/index.ts';
import type { Interaction } from '../../protocol/types.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { useRecord } from '../hooks/use-record.ts';
import { visibleText } from '../../protocol/escapes.ts';
import { isLong, sizeOfText, startOfText } from '../model/folding.ts';
import {
  decidedWords,
  groupWords,
  resultText,
  statusWords,
  toolSubject,
  undeliveredApproval,
} from '../model/tool-words.ts';
import { Icon } from '../ui/icon.tsx';
import { JsonView, Literal } from '../ui/literal.tsx';
import type { CardContext } from './card-context.ts';

interface ToolRowProps {
  readonly block: ToolBlock;
  readonly context: CardContext;
}

/** A tool call in one line; input and result are folded. */
export function ToolRow({ block, context }: ToolRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { call } = block;
  const name = visibleText(call.toolName || 'Tool');
  return (
    <div class="tool-row">
      <details class="tool" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Icon name="tool" />
          <span class="name">{name}</span>
          <span class="subject">{toolSubject(call.input)}</span>
          <ToolStatus block={block} context={context} />
          <span class="turned">
            <Icon name="chevron" />
          </span>
        </summary>
        {/* Most rows are never opened. */}
        {isOpen && (
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
        )}
      </details>
      <DecisionNote block={block} context={context} />
    </div>
  );
}

/** The status of a tool call, in color and in words. */
function ToolStatus({ block, context }: ToolRowProps) {
  const { status } = block.call;
  const { transport, session, me, hasOwnAgent } = context;
  const record = useRecord({
    transport,
    sessionId: session.id,
    interactionId: undeliveredApproval(block, me),
    firstMs: 0,
    isEnough: isDelivered,
  });
  const hasApproval = record && isDelivered(record);
  const words = statusWords(block, { isBuiltIn: hasOwnAgent, hasApproval });
  return (
    <span class={`status ${status}`}>
      {words === 'Running' && <span class="dot" aria-hidden="true" />}
      {status === 'pending' && <Icon name="hand" />}
      {status === 'complete' && <Icon name="check" />}
      {status === 'error' && <Icon name="cross" />}
      {words}
    </span>
  );
}

function isDelivered({ deliveredAt }: Interaction): boolean {
  return deliveredAt !== undefined;
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

const FEW_CALLS = 3;

interface ToolGroupRowProps {
  readonly group: ToolGroup;
  readonly context: CardContext;
}

/** Calls that no person was asked about; more than a few are folded into one line. */
export function ToolGroupRow({ group, context }: ToolGroupRowProps) {
  const { tools } = group;
  const [isOpen, setOpen] = useState(false);
  const rows = tools.map((tool) => (
    <li key={tool.id}>
      <ToolRow block={tool} context={context} />
    </li>
  ));
  if (tools.length <= FEW_CALLS) return <ul class="tools">{rows}</ul>;
  return (
    <details class="tools-folded" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="tool" />
        <span class="name">
          {groupWords(tools, { isBuiltIn: context.hasOwnAgent, hasApproval: undefined })}
        </span>
        <span class="turned">
          <Icon name="chevron" />
        </span>
      </summary>
      {isOpen && <ul class="tools">{rows}</ul>}
    </details>
  );
}

/** Why a call was decided without a person, and a button to revoke the rule that allowed it. */
function DecisionNote({ block: { call, decided }, context }: ToolRowProps) {
  const { isBusy, failure, run } = useAsyncAction();
  const { session, transport, rules, me, canAnswer, isAnswerable } = context;
  if (decided === undefined) return null;
  const ruleId = 'rule' in decided.by ? decided.by.rule : undefined;
  const rule = rules.find(({ id }) => id === ruleId);
  return (
    <div class="decided">
      <span>{decidedWords(decided, rule, me.subject)}</span>
      {rule !== undefined && canAnswer && (
        <button
          type="button"
          class="link"
          disabled={isBusy || !isAnswerable}
          aria-label={`Revoke the rule for ${visibleText(call.toolName)}`}
          onClick={() => void run(() => transport.revokeRule(session.id, rule.id))}
        >
          Revoke
        </button>
      )}
      <FailureNote text={failure} />
    </div>
  );
}
