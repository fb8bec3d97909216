/** The inbox over a server in the page, and what a person sees and presses in it. */
import { useState } from 'preact/hooks';
import { expect } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { Inbox, type InboxProps } from '../../../src/web/inbox/inbox.tsx';
import { addressOf, type Location } from '../../../src/web/model/location.ts';
import { armed } from '../../support/web/armed.ts';
import { handClock } from '../../support/web/hand-clock.ts';
import { memoryStore } from '../../support/web/memory-store.ts';
import { mount } from '../../support/web/mount.ts';
import { personWith } from '../../support/web/person.ts';
import type { InPageServer } from '../../support/web/in-page-server.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Of vitest.config.ts. */
    restPointer(): Promise<void>;
  }
}

export const ADA = personWith('read', 'answer');

export const button = (name: string) => page.getByRole('button', { name, exact: true });

export const rows = () => [...document.querySelectorAll<HTMLElement>('.inbox-row')];

/** A wide window, and no pointer over its list. */
export async function openWindow(): Promise<void> {
  await page.viewport(1280, 800);
  await commands.restPointer();
}

let calls = 0;

export async function ask(
  made: InPageServer,
  title: string,
  request: Record<string, unknown> = {},
  labels: Readonly<Record<string, string>> = {},
) {
  const { id } = await made.owner.createSession({ title, labels });
  const more = async (another: Record<string, unknown> = request) => {
    calls += 1;
    const body = { kind: 'approval', toolName: 'Bash', input: { command: `ls ${calls}` } };
    const toolCallId = `call-${calls}`;
    await made.agent.open(id, { ...body, toolCallId, ...another });
    return `${toolCallId}~1`;
  };
  return { id, interactionId: await more(), more };
}

export type Shown = Partial<Omit<InboxProps, 'onGo'>>;

export function show(made: InPageServer, more: Shown = {}) {
  // The time of the server would pass between two presses of a test on a busy machine.
  const clock = { ...handClock(), setServerTime: () => undefined };
  const visited: string[] = [];
  const props = { transport: made.person, clock, person: ADA, store: memoryStore() };
  function Place({ location: start = { page: 'inbox' }, ...rest }: Shown) {
    const [location, setLocation] = useState<Location>(start);
    const go = (next: Location, how = 'push') => {
      visited.push(`${how} ${addressOf(next)}`);
      setLocation(next);
    };
    return <Inbox {...props} {...rest} location={location} onGo={go} />;
  }
  const { element } = mount(<Place {...more} />);
  return { element, clock, visited, arm: () => armed(element, clock) };
}

export const press = (key: string) => userEvent.keyboard(key);

/** The request of this session is beside the list. */
export async function seesShown(title: string): Promise<void> {
  await expect.poll(() => document.querySelector('.inbox-session')?.textContent).toContain(title);
}
