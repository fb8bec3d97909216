import { useState } from 'preact/hooks';
import type { ToolGroup as Group } from '../../client/timeline/index.ts';
import { groupWords } from '../model/tool-words.ts';
import type { CardContext } from './card-context.ts';
import { Icon } from '../ui/icon.tsx';
import { ToolRow } from './tool-row.tsx';

const FEW = 3;

interface ToolGroupRowProps {
  readonly group: Group;
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
  if (tools.length <= FEW) return <ul class="tools">{rows}</ul>;
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
