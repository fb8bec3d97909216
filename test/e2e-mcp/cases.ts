/** What both official clients are put through: a server under workerd, and a person who answers over HTTP. */
import type { Interaction, JsonObject } from '../../src/protocol/types.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentStage } from '../e2e-agents/agent-stage.ts';
import { stateOf, type ToolReply } from '../support/mcp-wire.ts';
import type { ClientKind, McpClient } from './clients.ts';

const QUESTIONS = [
  {
    question: 'Which database?',
    header: 'Database',
    options: [{ label: 'Postgres' }, { label: 'SQLite' }],
  },
  {
    question: 'Which features?',
    header: 'Features',
    options: [{ label: 'Search' }, { label: 'Export, fast' }],
    multiple: true,
  },
];
const ANSWERS = { answers: { '0': 'SQLite', '1': ['Search', 'Export, fast'] } };
const ONE = { question: 'Deploy?', options: [{ label: 'Yes' }, { label: 'No' }] };
const PARTS = ['a, b', 'c', 'say "d"', 'two\nlines'];
const YES = { answers: { '0': 'Yes' } };
const BASH = { tool_name: 'Bash', input: { command: 'make deploy' }, tool_use_id: 'toolu_e2e' };
const REASON = 'use the staging copy';
const ROUND_MS = 50_000;
/** A question whose client went away is cancelled within half a minute; the rest is for a slow machine. */
const CANCELLED_MS = 60_000;

export const CASES = {
  answer: 'several questions, answered',
  edit: '`approve` with an edit',
  deny: '`approve`, denied with a reason',
  expiry: '`approve`, expired',
  wait: 'an answer after more than one round',
  between: 'server killed between two rounds',
  within: 'server killed within a round',
  disconnect: 'client disconnects',
  cancel: 'client cancels a call, and stays',
  texts: 'options as texts, several chosen and own words',
  parallel: 'three calls at once',
  credential: 'wrong credential',
} as const;
export type CaseName = keyof typeof CASES;

class Scene {
  readonly stage: AgentStage;
  readonly kind: ClientKind;
  readonly name: string;
  readonly problems: string[] = [];
  /** Requests that called a tool: the rounds. */
  calls = 0;
  /** Runs before each of them. */
  beforeCall: (calls: number) => Promise<void> = () => Promise.resolve();

  constructor(stage: AgentStage, kind: ClientKind, name: string) {
    this.stage = stage;
    this.kind = kind;
    this.name = name;
  }

  connect(token = this.stage.token): Promise<McpClient> {
    return this.kind.connect({
      url: this.stage.url,
      headers: { Authorization: `Bearer ${token}`, 'Holdpoint-Session': this.name },
      fetch: async (input, init) => {
        if (typeof init?.body === 'string' && init.body.includes('"tools/call"')) {
          this.calls += 1;
          await this.beforeCall(this.calls);
        }
        return fetch(input, init);
      },
    });
  }

  asked(): Promise<Interaction> {
    return this.stage.person.asked(this.name);
  }

  async answerNext(answer: JsonObject): Promise<Interaction> {
    const asked = await this.asked();
    await this.answer(asked, answer);
    return asked;
  }

  answer(asked: Interaction, answer: JsonObject): Promise<void> {
    return this.stage.person.answer(this.name, asked, answer);
  }

  check(what: string, isTrue: boolean, evidence?: unknown): void {
    this.stage.transcript.check(`${this.name}: ${what}`, isTrue, evidence);
    if (!isTrue) this.problems.push(what);
  }

  checkState(reply: ToolReply, wanted: JsonObject): void {
    const state = stateOf(reply);
    const isAsWanted = Object.entries(wanted).every(
      ([name, value]) => JSON.stringify(state[name]) === JSON.stringify(value),
    );
    this.check(`the client gets ${JSON.stringify(wanted)}`, isAsWanted, state);
  }

  async checkCancelled({ interactionId }: Interaction): Promise<void> {
    const since = Date.now();
    const { transport } = this.stage.person;
    const look = () => transport.interaction(this.name, interactionId);
    let record = await look();
    while (record.status === 'open' && Date.now() - since < CANCELLED_MS) {
      await sleep(200);
      record = await look();
    }
    this.check('the question is cancelled', record.outcome === 'cancelled', record);
    this.stage.transcript.line('Holdpoint', `cancelled after ${Date.now() - since} ms`);
  }

  async checkAsked(times: number): Promise<void> {
    const asked = await this.stage.timesAsked(this.name);
    this.check(`a person was asked ${times} times`, asked === times, asked);
  }

  /** A model whose call ended without an outcome waits on; the client of the new revision has done so itself. */
  async waitOn(client: McpClient, reply: ToolReply): Promise<ToolReply> {
    const { status, question_id: id } = stateOf(reply);
    return status === 'waiting' ? client.call('ask_human', { question_id: id }) : reply;
  }
}

const PLAYS: Readonly<Record<CaseName, (scene: Scene) => Promise<void>>> = {
  async answer(scene) {
    const client = await scene.connect();
    const reply = client.call('ask_human', { questions: QUESTIONS });
    await scene.answerNext(ANSWERS);
    scene.checkState(await reply, {
      status: 'answered',
      answers: { 'Which database?': ['SQLite'], 'Which features?': ['Search', 'Export, fast'] },
    });
    await scene.checkAsked(1);
    await client.close();
  },

  async edit(scene) {
    const client = await scene.connect();
    const reply = client.call('approve', BASH);
    const updatedInput = { command: 'make deploy DRY=1' };
    const { toolCallId } = await scene.answerNext({ decision: 'approve', updatedInput });
    scene.checkState(await reply, { behavior: 'allow', updatedInput });
    scene.check('the question has the id of the call', toolCallId === 'toolu_e2e', toolCallId);
    await client.close();
  },

  async deny(scene) {
    const client = await scene.connect();
    const reply = client.call('approve', BASH);
    await scene.answerNext({ decision: 'deny', reason: REASON });
    const state = stateOf(await reply);
    scene.check('the client gets a denial', state.behavior === 'deny', state);
    scene.check('with the reason', JSON.stringify(state).includes(REASON), state);
    await client.close();
  },

  async expiry(scene) {
    await scene.stage.createSession(scene.name, { approval: 2 });
    const client = await scene.connect();
    const state = stateOf(await client.call('approve', BASH));
    scene.check('the client gets a denial', state.behavior === 'deny', state);
    await scene.checkAsked(1);
    await client.close();
  },

  async wait(scene) {
    const client = await scene.connect();
    let progress = 0;
    const onprogress = () => void (progress += 1);
    const reply = client.call('ask_human', ONE, { onprogress });
    const asked = await scene.asked();
    if (scene.kind.era === 'legacy') {
      const waiting = stateOf(await reply);
      scene.check('one round ends as "waiting"', waiting.status === 'waiting', waiting);
      const look = () => client.call('check_answer', { question_id: waiting.question_id });
      scene.checkState(await look(), { status: 'waiting' });
      await scene.answer(asked, YES);
      scene.checkState(await look(), { status: 'answered', answers: { 'Deploy?': ['Yes'] } });
    } else {
      await sleep(ROUND_MS + 10_000);
      await scene.answer(asked, YES);
      scene.checkState(await reply, { status: 'answered', answers: { 'Deploy?': ['Yes'] } });
      scene.check('it took two rounds', scene.calls === 2, scene.calls);
    }
    scene.check('progress came three times in a round', progress >= 3, progress);
    await scene.checkAsked(1);
    await client.close();
  },

  async between(scene) {
    const client = await scene.connect();
    // The new client begins the next round by itself, the model behind the old one with the next call.
    scene.beforeCall = async (calls) => {
      if (calls !== 2) return;
      await scene.stage.restartServer();
      await scene.answerNext(YES);
    };
    const reply = await scene.waitOn(client, await client.call('ask_human', ONE));
    scene.checkState(reply, { status: 'answered', answers: { 'Deploy?': ['Yes'] } });
    scene.check('it took two rounds', scene.calls === 2, scene.calls);
    await scene.checkAsked(1);
    await client.close();
  },

  async within(scene) {
    const client = await scene.connect();
    const broken = client.call('ask_human', ONE).then(
      (reply) => `returned ${JSON.stringify(reply)}`,
      (cause: unknown) => (cause instanceof Error ? undefined : 'threw no error'),
    );
    const asked = await scene.asked();
    const since = Date.now();
    await scene.stage.restartServer();
    const problem = await broken;
    scene.check('the call ends with an error', problem === undefined, problem);
    scene.stage.transcript.line('client', `gave up after ${Date.now() - since} ms`);
    await client.close();
    const next = await scene.connect();
    const reply = next.call('ask_human', ONE);
    await sleep(1_000);
    const again = await scene.asked();
    scene.check(
      'the same call finds the same question',
      again.interactionId === asked.interactionId,
      [asked.interactionId, again.interactionId],
    );
    await scene.answer(again, YES);
    scene.checkState(await reply, { status: 'answered', answers: { 'Deploy?': ['Yes'] } });
    await scene.checkAsked(1);
    await next.close();
  },

  async disconnect(scene) {
    const client = await scene.connect();
    const leaving = new AbortController();
    const left = client.call('ask_human', ONE, { signal: leaving.signal }).catch(() => undefined);
    const asked = await scene.asked();
    leaving.abort('The user left');
    await client.close();
    await left;
    await scene.checkCancelled(asked);
  },

  /** Nothing is closed here: a close would hide a cancel that is ignored. */
  async cancel(scene) {
    const client = await scene.connect();
    const cancelling = new AbortController();
    const { signal } = cancelling;
    const cancelled = client.call('ask_human', ONE, { signal }).then(
      () => 'returned',
      () => 'cancelled',
    );
    const asked = await scene.asked();
    cancelling.abort('The user pressed Escape');
    scene.check('the call ends at the client', (await cancelled) === 'cancelled');
    await scene.checkCancelled(asked);
    const next = client.call('ask_human', { ...ONE, question: 'And now?' });
    await scene.answerNext(YES);
    scene.checkState(await next, { status: 'answered', answers: { 'And now?': ['Yes'] } });
    await client.close();
  },

  async texts(scene) {
    const client = await scene.connect();
    const question = { question: 'Which parts?', multiple: true };
    const reply = client.call('ask_human', { ...question, options: PARTS });
    await scene.answerNext({ answers: { '0': [...PARTS, 'mine, too'] } });
    const [content] = (await reply).content ?? [];
    // What a model reads is this text; a parser must find each choice in it, whatever is in a label.
    const { answers } = JSON.parse(content?.text ?? '{}') as { answers?: JsonObject };
    const read = JSON.stringify(answers?.['Which parts?']);
    const isWhole = read === JSON.stringify([...PARTS, { ownWords: 'mine, too' }]);
    scene.check('a parser reads each choice, and the own words as such', isWhole, read);
    await client.close();
  },

  async parallel(scene) {
    const client = await scene.connect();
    const names = ['One?', 'Two?', 'Three?'];
    const replies = names.map((question) => client.call('ask_human', { ...ONE, question }));
    const { transport } = scene.stage.person;
    const since = Date.now();
    let open: readonly Interaction[] = [];
    while (open.length < names.length && Date.now() - since < CANCELLED_MS) {
      await sleep(200);
      open = (await transport.snapshot(scene.name)).open;
    }
    scene.check('all are open at once', open.length === names.length, open.length);
    await Promise.all(open.map((asked) => scene.answer(asked, YES)));
    for (const [at, question] of names.entries()) {
      const answers = { [question]: ['Yes'] };
      scene.checkState((await replies[at]) ?? {}, { status: 'answered', answers });
    }
    await client.close();
  },

  async credential(scene) {
    const refused = await scene.connect('hp_wrong.credential').then(
      () => 'connected',
      (cause: unknown) => String(cause),
    );
    scene.check(
      'the client is refused',
      /401|unauthorized|unauthenticated/i.test(refused),
      refused,
    );
    await scene.checkAsked(0);
  },
};

/** Returns the problems; none if the case passed. */
export async function playCase(
  stage: AgentStage,
  kind: ClientKind,
  name: CaseName,
): Promise<readonly string[]> {
  const scene = new Scene(stage, kind, `${kind.era}-${name}`);
  await PLAYS[name](scene).catch((cause: unknown) => {
    scene.check('the scene came to its end', false, String(cause));
  });
  return scene.problems;
}
