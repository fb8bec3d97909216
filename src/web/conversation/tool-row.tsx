import { useState } from 'preact/hooks';
import type { ToolBlock } from '../../client/timeline/index.ts';
import { visibleText } from '../model/escapes.ts';
import { toolSubject } from '../model/tool-words.ts';
import type { CardContext } from './card-context.ts';
import { DecidedBy } from './decided-by.tsx';
import { Icon } from '../ui/icon.tsx';
import { JsonView } from '../ui/json-view.tsx';
import { ToolOutput } from './tool-result.tsx';
import { ToolStatus } from './tool-status.tsx';

interface ToolRowProps {
  readonly block: ToolBlock;
  readonly world: CardContext;
}

/** A tool call in one line, with what went in and what came out behind it. */
export function ToolRow({ block, world }: ToolRowProps) {
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
          <ToolStatus block={block} world={world} />
          <span class="turned">
            <Icon name="chevron" />
          </span>
        </summary>
        {/* Most are never opened. */}
        {isOpen && (
          <div class="inside">
            <h3>Input</h3>
            {call.input === '' ? (
              <p class="muted">Nobody said what it was called with.</p>
            ) : (
              <JsonView value={call.input} label={`Input of ${name}`} />
            )}
            {call.result !== undefined && (
              <>
                <h3 class={call.result.isError ? 'bad' : ''}>
                  {call.result.isError ? 'Error' : 'Result'}
                </h3>
                <ToolOutput result={call.result} />
              </>
            )}
          </div>
        )}
      </details>
      <DecidedBy block={block} world={world} />
    </div>
  );
}
