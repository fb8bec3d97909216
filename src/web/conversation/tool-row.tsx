import { useState } from 'preact/hooks';
import type { ToolBlock, ToolGroup } from '../../client/timeline/index.ts';
import type { Interaction } from '../../protocol/types.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { displayPlain } from '../../display/display-plain.ts';
import { useLaterParts } from '../hooks/use-later-parts.ts';
import { useRecord } from '../hooks/use-record.ts';
import { describePattern } from '../../protocol/rule-words.ts';
import { hasScope } from '../model/person.ts';
import { visibleText } from '../../protocol/escapes.ts';
import * as model from '../model/tool-words.ts';
import { t } from '../model/language.ts';
import { Icon } from '../ui/button.tsx';
import type { CardContext } from '../cards/card-props.ts';

interface ToolRowProps {
  readonly block: ToolBlock;
  readonly context: CardContext;
}

/** A tool call in one line; input and result are folded. */
export function ToolRow({ block, context }: ToolRowProps) {
  const [isOpen, setOpen] = useState(false);
  // Most rows are never opened.
  const later = useLaterParts(isOpen ? 'now' : 'never');
  const { call } = block;
  const name = visibleText(call.toolName || t('Tool'));
  return (
    <div class="tool-row">
      <details class="tool" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Icon name="tool" />
          <span class="name">{name}</span>
          <span class="subject">{shownSubject(call)}</span>
          <ToolStatus block={block} context={context} />
          <span class="turned">
            <Icon name="chevron" />
          </span>
        </summary>
        {isOpen && later !== undefined && <later.ToolDetails call={call} />}
      </details>
      {block.decided !== undefined && (
        <DecisionNote call={block.call} decided={block.decided} context={context} />
      )}
    </div>
  );
}

/** A command as the card shows it, also where the tool takes a list of words. */
function shownSubject({ toolName, input }: ToolBlock['call']): string {
  const parts = input === '' ? [] : (displayPlain(toolName, input)?.parts ?? []);
  const command = parts.find((part) => part.type === 'command');
  return model.toolSubject(command === undefined ? input : { command: command.text });
}

/** The status of a tool call, in color and in words. Nothing where `known` says the same. */
export function ToolStatus({ block, context, known }: ToolRowProps & { readonly known?: string }) {
  const { status } = block.call;
  const { transport, session, me, hasOwnAgent } = context;
  const record = useRecord({
    transport,
    sessionId: session.id,
    interactionId: model.undeliveredApproval(block, me),
    firstMs: 0,
    isEnough: isDelivered,
  });
  const hasApproval = record && isDelivered(record);
  const words = model.statusWords(block, { isBuiltIn: hasOwnAgent, hasApproval });
  if (words === known) return null;
  return (
    <span class={`status ${status}`}>
      {words === t('Running') && <span class="dot" aria-hidden="true" />}
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
          {model.groupWords(tools, { isBuiltIn: context.hasOwnAgent, hasApproval: undefined })}
        </span>
        <span class="turned">
          <Icon name="chevron" />
        </span>
      </summary>
      {isOpen && <ul class="tools">{rows}</ul>}
    </details>
  );
}

interface DecisionNoteProps extends Pick<ToolBlock, 'call'> {
  readonly decided: NonNullable<ToolBlock['decided']>;
  readonly context: CardContext;
}

/** Why a call was decided without a person, and a button to revoke the rule that allowed it. */
export function DecisionNote({ call, decided, context }: DecisionNoteProps) {
  const { isBusy, failure, run } = useAsyncAction();
  const { session, transport, rules, me, canAnswer, isAnswerable } = context;
  const ruleId = 'rule' in decided.by ? decided.by.rule : undefined;
  const rule = rules.find(({ id }) => id === ruleId);
  const [isRevoked, setRevoked] = useState(false);
  const isShared = 'rule' in decided.by && decided.by.scope === 'workspace' && ruleId !== undefined;
  const mayRevoke = isShared
    ? hasScope(me, 'admin') && !isRevoked
    : rule !== undefined && canAnswer;
  const revoke = async () => {
    if (ruleId === undefined) return;
    if (!isShared) return transport.revokeRule(session.id, ruleId);
    await transport.revokeWorkspaceRule(ruleId);
    setRevoked(true);
  };
  return (
    <div class="decided">
      <span>
        {model.decidedWords(
          decided,
          rule && { ...rule, pattern: describePattern(rule) },
          me.subject,
        )}
      </span>
      {isRevoked && <span>{t('Revoked')}</span>}
      {mayRevoke && (
        <button
          type="button"
          class="link"
          disabled={isBusy || !isAnswerable}
          aria-label={t('Revoke the rule for {toolName}', { toolName: visibleText(call.toolName) })}
          onClick={() => void run(revoke)}
        >
          {t('Revoke')}
        </button>
      )}
      <FailureNote text={failure} />
    </div>
  );
}
