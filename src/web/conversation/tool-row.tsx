import { useState } from 'preact/hooks';
import type { ToolBlock, ToolGroup } from '../../client/timeline/index.ts';
import { displayPlain } from '../../display/display-plain.ts';
import { useLaterParts } from '../hooks/use-later-parts.ts';
import { useRecord } from '../hooks/use-record.ts';
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
        <DecisionLine call={call} decided={block.decided} context={context} />
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
  const { transport, session, me, hasOwnAgent, agents, isAnswerable } = context;
  const undelivered = model.undeliveredApproval(block, me);
  const isDelivered = agents.get(undelivered ?? '')?.deliveredAt !== undefined;
  const record = useRecord({
    transport,
    sessionId: session.id,
    interactionId: isDelivered ? undefined : undelivered,
    isConnected: isAnswerable,
  });
  const hasApproval = isDelivered || (record && record.deliveredAt !== undefined);
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

interface DecisionLineProps extends Pick<ToolBlock, 'call'> {
  readonly decided: NonNullable<ToolBlock['decided']>;
  readonly context: CardContext;
}

/** Its height is reserved, so that nothing moves when the words arrive. */
export function DecisionLine(props: DecisionLineProps) {
  const later = useLaterParts();
  return <div class="decided">{later && <later.DecisionNote {...props} />}</div>;
}
