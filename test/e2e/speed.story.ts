/**
 * Measures and prints how long a person waits. Only machine-independent values are asserted closely: bytes, and one
 * time against another. A bug looks like a page that gets slower with every day of use.
 */
import type { AppendedEvent } from '../../src/protocol/types.ts';
import { MAX_FIRST_LOAD } from '../../scripts/lib/web/first-load.ts';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { Agent } from './stage/agent.ts';
import { newPerson } from './stage/browser.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';
import { cpuUntil, tracePage } from './stage/trace-page.ts';

const ROUNDS = 5;
const SLOWER = 4;
/** The goal, on a machine without other work. */
const FIRST_CARD_MS = 1_000;
/** A press does not count before (UI-6). */
const GUARD_MS = 600;
/** By the clock a busy machine may take ten times as long, and in time of the processor half as long again. */
const BUSY = 10;
const SHARED_CORE = 1.5;
const MAX_RATIO = 3;
const MAX_FILES = 16;

story('the first load is under 60 KB of script and style', async ({ server }) => {
  const person = await newPerson();
  const debug = await person.page.context().newCDPSession(person.page);
  await debug.send('Network.enable');
  const heads = new Map<string, { path: string; headBytes: number }>();
  debug.on('Network.responseReceived', ({ requestId, response }) =>
    heads.set(requestId, {
      path: new URL(response.url).pathname,
      headBytes: response.encodedDataLength,
    }),
  );
  const loaded: { path: string; bytes: number; headBytes: number }[] = [];
  debug.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const { path, headBytes } = heads.get(requestId) ?? { path: '', headBytes: 0 };
    loaded.push({ path, bytes: encodedDataLength - headBytes, headBytes });
  });
  await person.opens(server.link);
  await person.sees('Scenarios to try');
  await person.page.waitForLoadState('networkidle');
  // Files named in the page arrive before the first draw; the rest follows.
  const html = await (await fetch(server.url)).text();
  const all = loaded.filter(({ path }) => /\.(?:js|css)$/.test(path));
  const first = all.filter(({ path }) => html.includes(path));
  const sum = (of: typeof all) => of.reduce((total, { bytes }) => total + bytes, 0);
  const heading = first.reduce((total, { headBytes }) => total + headBytes, 0);
  console.log(
    `First load: ${sum(first)} bytes of script and style in ${first.length} files, and ${heading} of headers; with what follows: ${sum(all)}`,
  );
  expect(first.length).toBeGreaterThan(1);
  expect(sum(first)).toBeLessThan(MAX_FIRST_LOAD);
  // Headers are not part of the sum; a load in many small files would hide in them.
  expect(first.length).toBeLessThan(MAX_FILES);
  await leavesWithoutProblems(person);
});

story('the first card appears soon on a slow device', async ({ agent }) => {
  const link = await linkToCommand(agent);
  const clock = [];
  const processor = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    clock.push(await timeToApprove(link));
    processor.push(await processorToView(link));
  }
  const [middle, least] = [median(clock), Math.min(...processor)];
  const goal = least * SLOWER + GUARD_MS;
  console.log(
    `First card answerable, ${SLOWER} times slower: ${ms(middle)} by the clock (of ${clock.map(ms).join(', ')}); ` +
      `by the processor ${ms(goal)}: ${SLOWER} × ${ms(least)} until its input is there, and ${ms(GUARD_MS)} of guard`,
  );
  expect(middle).toBeLessThan(FIRST_CARD_MS * BUSY);
  expect(goal).toBeLessThan((FIRST_CARD_MS - GUARD_MS) * SHARED_CORE + GUARD_MS);
});

story('a command is approved with the first load alone', async ({ agent, server }) => {
  const link = await linkToCommand(agent);
  const html = await (await fetch(server.url)).text();
  const person = await newPerson();
  const refused: string[] = [];
  await person.page.route(/\/assets\/.*\.js$/, (route) => {
    const { pathname } = new URL(route.request().url());
    if (html.includes(pathname)) return route.continue();
    refused.push(pathname);
    return route.abort();
  });
  await person.opens(link);
  await person.sees(person.card('Bash ls').getByRole('group', { name: 'Input of Bash' }));
  await person.sees(person.working('Approve'));
  await person.presses('Approve');
  const id = (await person.page.locator('.card').getAttribute('data-interaction')) ?? '';
  const outcome = await agent.receivesOutcome(person.sessionId, id);
  expect(outcome).toMatchObject({ outcome: 'approved' });
  // Otherwise nothing was left out, and the story would show nothing.
  expect(refused).not.toEqual([]);
  person.allowsProblems(/Failed to load|net::ERR_FAILED/);
  await leavesWithoutProblems(person);
});

story(
  '5,000 events open in at most three times the time of 50',
  { timeout: 180_000 },
  async ({ agent }) => {
    const token = await agent.linkFor('ada');
    const [few, many] = [await sessionOf(agent, 50), await sessionOf(agent, 5_000)];
    const times: Record<'few' | 'many', number[]> = { few: [], many: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      times.few.push(await timeTo('End of turn 4.', `${token}&session=${few}`));
      times.many.push(await timeTo('End of turn 499.', `${token}&session=${many}`));
    }
    const [short, long] = [median(times.few), median(times.many)];
    const figures = `50 events: ${ms(short)}, 5,000 events: ${ms(long)}, ratio ${(long / short).toFixed(2)}`;
    console.log(figures);
    expect(long / short, figures).toBeLessThanOrEqual(MAX_RATIO);
  },
);

async function linkToCommand(agent: Agent): Promise<string> {
  const session = await agent.opensSession('Slow device');
  await agent.asks(session, { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } });
  return `${await agent.linkFor('ada')}&session=${session}`;
}

const INPUT = '.card .input-view';
const WORKING_APPROVE = '.card button.primary:enabled:not([aria-disabled])';

/** By the clock, from the start of the navigation until Approve of the first card is drawn and handles a press. */
async function timeToApprove(link: string): Promise<number> {
  const person = await newPerson();
  const debug = await person.page.context().newCDPSession(person.page);
  await debug.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await markWhenThere(person.page, WORKING_APPROVE);
  const drawn = logged(person.page, DRAWN);
  await person.opens(link);
  await drawn;
  const at = await person.page.evaluate(
    (mark) => performance.getEntriesByName(mark)[0]?.startTime,
    DRAWN,
  );
  await leavesWithoutProblems(person);
  return at ?? Number.NaN;
}

/** What the page takes of the processor until the input of its first card is there, in milliseconds. */
async function processorToView(link: string): Promise<number> {
  const person = await newPerson();
  await markWhenThere(person.page, INPUT);
  const drawn = logged(person.page, DRAWN);
  const trace = await tracePage(person.page, async () => {
    await person.opens(link);
    await drawn;
  });
  await leavesWithoutProblems(person);
  return cpuUntil(trace, THERE);
}

const THERE = 'it is there';
const DRAWN = 'it is drawn';

/** The page itself notes the time: a locator would bring a script into it, which takes as long as the page. */
async function markWhenThere(page: Page, selector: string): Promise<void> {
  await page.addInitScript(
    ([wanted, there, drawn]) => {
      const watch = new MutationObserver(() => {
        if (document.querySelector(wanted) === null) return;
        watch.disconnect();
        performance.mark(there);
        requestAnimationFrame(() =>
          setTimeout(() => {
            performance.mark(drawn);
            console.debug(drawn);
          }),
        );
      });
      watch.observe(document, { subtree: true, childList: true, attributes: true });
    },
    [selector, THERE, DRAWN] as const,
  );
}

async function logged(page: Page, text: string): Promise<void> {
  await page.waitForEvent('console', { predicate: (message) => message.text() === text });
}

/** From the start of the navigation until the text is there and the page responds. */
async function timeTo(text: string, link: string): Promise<number> {
  const person = await newPerson();
  const { page } = person;
  await person.opens(link);
  await page.getByText(text).first().waitFor();
  // Drawn, and ready to handle a key.
  const took = await page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))),
      ),
  );
  await leavesWithoutProblems(person);
  return took;
}

/** Turns of ten events, as an agent makes them. */
async function sessionOf(agent: Agent, events: number): Promise<string> {
  const session = await agent.opensSession(`${events} events`);
  const turns = Array.from({ length: events / 10 }, (_, at) => turn(at));
  await agent.appends(session, turns.flat());
  return session;
}

function turn(at: number): AppendedEvent[] {
  const turnId = `t${at}`;
  const call = (id: string, toolName: string) =>
    [
      {
        type: 'tool_call',
        turnId,
        toolCallId: id,
        payload: { toolName, input: { path: `${at}.md` } },
      },
      { type: 'tool_result', turnId, toolCallId: id, payload: { output: 'x'.repeat(200) } },
    ] as const;
  const says = (text: string) => ({ type: 'assistant_text', turnId, payload: { text } }) as const;
  return [
    { type: 'turn_started', turnId },
    says(`Here is **step ${at}**, with a [link](https://example.com) and \`code\`.`),
    ...call(`a${at}`, 'Read'),
    ...call(`b${at}`, 'Write'),
    says(`- one\n- two\n- three ${at}`),
    { type: 'thinking', turnId, payload: { text: 'Hm.' } },
    says(`End of turn ${at}.`),
    { type: 'turn_ended', turnId, payload: { reason: 'completed' } },
  ];
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`;
}
