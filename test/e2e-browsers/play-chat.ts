/** A person approves, denies with a reason, answers from the inbox and returns, in a browser that is not Chromium. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transcript } from '../e2e-claude/transcript.ts';
import { agentOf } from '../e2e/stage/agent.ts';
import type { RunningServer } from '../e2e/stage/start-holdpoint.ts';
import type { Tab } from './tab.ts';

interface Chat {
  readonly tab: Tab;
  readonly server: RunningServer;
  readonly transcript: Transcript;
  readonly keep: (what: string) => Promise<void>;
}

const APPEARS_MS = 20_000;
const BETWEEN_MS = 100;

export async function playChat({ tab, server, transcript, keep }: Chat): Promise<void> {
  const agent = agentOf(server);
  const session = await agent.opensSession('In another browser');
  const asks = (command: string) =>
    agent.asks(session, { kind: 'approval', toolName: 'Bash', input: { command } });
  const outcomeOf = async (id: string) => (await agent.receivesOutcome(session, id)).outcome;

  const first = await asks('make deploy');
  await tab.resize(1280, 800);
  await tab.open(`${server.link}&session=${session}`);
  const approve = button('Approve');
  transcript.check('the card is there', await appears(tab, approve));
  await keep('card');
  await pressed(tab, approve);
  transcript.check('one press approves', (await outcomeOf(first)) === 'approved');

  const second = await asks('make publish');
  const deny = button('Deny…');
  transcript.check('the next card comes by itself', await appears(tab, deny));
  await pressed(tab, deny);
  await appears(tab, `document.querySelector('article textarea')`);
  await tab.type('Not on a Friday');
  await pressed(tab, button('Deny'));
  const denied = await agent.receivesOutcome(session, second);
  transcript.check('a reason is written and sent', denied.reason === 'Not on a Friday', denied);

  await tab.resize(390, 800);
  await tab.open(`${server.url}/inbox`);
  transcript.check('the inbox is empty and says so', await says(tab, 'You’re all caught up'));
  const third = await asks('make test');
  transcript.check('what opens appears in it', await says(tab, 'make test'));
  await keep('inbox');
  await pressed(tab, `document.querySelector('.inbox-row a')`);
  await pressed(tab, approve);
  transcript.check('it is decided there', (await outcomeOf(third)) === 'approved');
  const wide = await tab.evaluate('document.documentElement.scrollWidth - innerWidth');
  transcript.check('nothing is wider than the window', wide === 0, wide);

  await tab.open(`${server.url}/#session=${session}`);
  const log = ['make deploy', 'make publish', 'make test'];
  for (const command of log) {
    transcript.check(`${command} is there after a reload`, await says(tab, command));
  }
  await keep('session');
}

/** The visible button with this name. */
function button(name: string): string {
  return `[...document.querySelectorAll('article button')].find((one) => one.checkVisibility() && one.textContent.trim() === ${JSON.stringify(name)})`;
}

/** As soon as it can be pressed: a card that was just shown ignores presses for a moment. */
async function pressed(tab: Tab, expression: string): Promise<void> {
  const isReady = `(${expression}) && (${expression}).matches(':enabled, a') && (${expression}).getAttribute('aria-disabled') !== 'true'`;
  if (!(await appears(tab, isReady))) throw new Error(`Nothing to press: ${expression}`);
  await tab.press(expression);
}

function says(tab: Tab, text: string): Promise<boolean> {
  return appears(tab, `document.body.innerText.includes(${JSON.stringify(text)})`);
}

async function appears(tab: Tab, expression: string): Promise<boolean> {
  const until = Date.now() + APPEARS_MS;
  for (;;) {
    if ((await tab.evaluate(`Boolean(${expression})`)) === true) return true;
    if (Date.now() > until) return false;
    await sleep(BETWEEN_MS);
  }
}
