import type { Interaction, JsonObject } from '../../../protocol/types.ts';
import { Literal } from '../../ui/literal.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { readApproval, targetOf } from '../../model/cards/approval-input.ts';
import { escapeInvisible } from '../../model/escapes.ts';
import type { CardBodyProps } from '../card-props.ts';
import { AgentExplanation } from '../parts/agent-explanation.tsx';
import { ApprovalActions } from './approval-actions.tsx';

/** The tool and its target; the full input is in the body. */
export function ApprovalTitle({ record }: { readonly record: Interaction }) {
  const target = targetOf(readApproval(record.request)?.input ?? {});
  return (
    <>
      <code class="tool-name">
        <Literal text={record.toolName} />
      </code>{' '}
      {target !== undefined && (
        <code class="tool-target">
          <Literal text={target} />
        </code>
      )}
    </>
  );
}

/** The body of an approval, open or settled. */
export function ToolApproval(props: CardBodyProps) {
  const { record } = props.answering;
  const request = readApproval(record.request);
  if (request === undefined) return null;
  if (record.status === 'open') return <ApprovalActions {...props} request={request} />;
  return <SettledApproval record={record} input={request.input} words={request.description} />;
}

interface SettledApprovalProps {
  readonly record: Interaction;
  readonly input: JsonObject;
  readonly words: string | undefined;
}

function SettledApproval({ record, input, words }: SettledApprovalProps) {
  const { toolName, reason, updatedInput, outcome } = record;
  const isEdited =
    outcome === 'approved' &&
    updatedInput !== undefined &&
    JSON.stringify(updatedInput) !== JSON.stringify(input);
  return (
    <>
      {reason !== undefined && (
        <p class="said-why" dir="auto">
          {escapeInvisible(reason)}
        </p>
      )}
      <details class="card-more">
        <summary>{isEdited ? 'Approved with edits' : 'Show the input'}</summary>
        {isEdited && <JsonView value={updatedInput} label={`Input of ${toolName}, as approved`} />}
        {isEdited && <p class="card-hint">Asked for</p>}
        <JsonView value={input} label={`Input of ${toolName}`} />
        {words !== undefined && <AgentExplanation text={words} />}
      </details>
    </>
  );
}
