/** A session on the screen, as the product draws it, over real sessions. */
import type { AgentModel } from '../../../src/in-process/index.ts';
import type { AgentSettings } from '../../../src/protocol/schema/agent-settings.ts';
import type { Person } from '../../../src/web/model/person.ts';
import type { KeyValueStore } from '../../../src/web/model/key-value-store.ts';
import { SessionScreen } from '../../../src/web/session/session-screen.tsx';
import { fetchLaterParts } from '../../../src/web/hooks/use-later-parts.ts';
import { loadMarkdown } from '../../../src/web/markdown/markdown.tsx';
import { startServerClock } from '../../../src/web/clock.ts';
import { memoryStore } from './memory-store.ts';
import { type Mounted, mount } from './mount.ts';
import { ADA } from './person.ts';
import { type InPageServer, startInPageServer } from './in-page-server.ts';
import { type Wire, wireOf } from './wire.ts';

export interface Stage extends InPageServer, Mounted {
  readonly id: string;
  readonly wire: Wire;
  /** Draws the session after the test has prepared it. */
  open(): void;
  readonly deleted: string[];
}

export async function startStage({
  person: who = ADA,
  store = memoryStore(),
  model,
  agent,
}: {
  person?: Person;
  store?: KeyValueStore;
  /** Of the built-in agent that the session then has. */
  model?: AgentModel;
  agent?: AgentSettings;
} = {}): Promise<Stage> {
  await Promise.all([loadMarkdown(), fetchLaterParts()]);
  const made = startInPageServer(who.scopes as ('read' | 'answer' | 'send' | 'admin')[], model);
  const wire = wireOf(made.person);
  const { id } = await made.owner.createSession({
    title: 'Move the notes',
    ...(agent && { agent }),
  });
  const clock = startServerClock();
  const mounted = mount(null);
  const deleted: string[] = [];
  const open = () =>
    mounted.show(
      <div class="chat alone">
        <div class="stage">
          <SessionScreen
            sessionId={id}
            person={who}
            transport={made.person}
            clock={clock}
            store={store}
            onDeleted={() => deleted.push(id)}
          />
        </div>
      </div>,
    );
  return { ...made, ...mounted, id, wire, open, deleted };
}
