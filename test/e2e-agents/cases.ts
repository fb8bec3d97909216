/**
 * The cases of a convention. Each starts the agent as a process, answers as a person over HTTP, and counts what the
 * tool did in a file outside of the agent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Interaction, JsonObject } from '../../src/protocol/types.ts';
import { markOf, type Script } from '../e2e-claude/messages-api.ts';
import type { AgentStage, RunningAgent } from './agent-stage.ts';
import type { AgentProgram, AskedQuestion, CaseName, Convention, ProgramOf } from './convention.ts';

const QUESTIONS: readonly AskedQuestion[] = [
  {
    question: 'Which database?',
    header: 'Database',
    options: [
      { label: 'Postgres', description: 'Known' },
      { label: 'SQLite', description: 'Near' },
    ],
    multiSelect: false,
  },
  {
    question: 'Which features?',
    header: 'Features',
    options: [
      { label: 'Search', description: 'Finds things' },
      { label: 'Export, fast', description: 'Writes files' },
    ],
    multiSelect: true,
  },
];
const ANSWERS = { answers: { '0': 'SQLite', '1': ['Search', 'Export, fast'] } };
const REASON = 'use the staging copy';
const EXPIRES_SECONDS = 2;

/** The first JSON list after the words. */
function listAfter(text: string, words: string): unknown {
  const from = text.indexOf('[', text.indexOf(words) + words.length);
  if (!text.includes(words) || from < 0) return undefined;
  for (let end = from + 1; end <= text.length; end += 1) {
    if (text[end - 1] !== ']') continue;
    try {
      return JSON.parse(text.slice(from, end));
    } catch {
      // A bracket in a label.
    }
  }
  return undefined;
}

type PlayCase = (play: Scene) => Promise<void>;

/** One case of one convention: the steps that cases have in common. */
class Scene {
  readonly stage: AgentStage;
  readonly convention: Convention;
  readonly name: string;
  readonly #programOf: () => Promise<AgentProgram>;
  #program: Promise<AgentProgram> | undefined;
  readonly problems: string[] = [];

  constructor(
    stage: AgentStage,
    convention: Convention,
    name: string,
    programOf: () => Promise<AgentProgram>,
  ) {
    this.stage = stage;
    this.convention = convention;
    this.name = name;
    this.#programOf = programOf;
  }

  get approval(): JsonObject {
    return (this.convention.approveAnswer ?? { decision: 'approve' }) as JsonObject;
  }

  get denial(): JsonObject {
    return (this.convention.denyAnswer ?? { decision: 'deny' }) as JsonObject;
  }

  command(word: string): string {
    return `echo ${word} >> ${this.stage.effectsFile(this.name)}`;
  }

  play(script: Script): void {
    this.stage.play(this.name, script);
  }

  /** The model calls the tool once, and then ends. */
  playOneCall(): void {
    const call = this.convention.runCall(this.command('asked'));
    this.play(({ step }) => (step === 0 ? { text: 'I will.', tools: [call] } : { text: 'Done.' }));
  }

  /** Some programs begin a conversation first, which needs the server. */
  prepare(): Promise<AgentProgram> {
    this.#program ??= this.#programOf();
    return this.#program;
  }

  async start(token?: string): Promise<RunningAgent> {
    return this.stage.startAgent(this.name, await this.prepare(), token);
  }

  asked(): Promise<Interaction> {
    return this.stage.person.asked(this.name);
  }

  answer(asked: Interaction, answer: JsonObject): Promise<void> {
    const { giveAnswer } = this.convention;
    return giveAnswer === undefined
      ? this.stage.person.answer(this.name, asked, answer)
      : giveAnswer(this.stage, this.name, asked, answer);
  }

  check(what: string, isTrue: boolean, evidence?: unknown): void {
    this.stage.transcript.check(what, isTrue, evidence);
    if (!isTrue) this.problems.push(what);
  }

  async checkEnd(agent: RunningAgent): Promise<void> {
    const { code, output } = await agent.end();
    this.check('the agent ends well', code === 0, { code, output: output.slice(-500) });
  }

  checkEffects(...expected: readonly string[]): void {
    const effects = this.stage.effects(this.name);
    this.check(
      expected.length === 0 ? 'nothing ran' : `exactly ${expected.join()} ran, once`,
      JSON.stringify(effects) === JSON.stringify(expected),
      effects,
    );
  }

  async checkAsked(times: number): Promise<void> {
    const asked = await this.stage.timesAsked(this.name);
    this.check(`a person was asked ${times} times`, asked === times, asked);
  }

  /** The choices as a parser finds them after their question, whatever is in a label. */
  checkLists(): void {
    const texts: string[] = [];
    JSON.parse(this.stage.lastRequest(this.name), (_key, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
    const read = texts.map((text) => listAfter(text, 'Which features?'));
    const wanted = JSON.stringify(ANSWERS.answers['1']);
    const isRead = read.some((list) => JSON.stringify(list) === wanted);
    this.check('a parser finds each choice in what the model reads', isRead, texts.slice(-2));
  }

  checkModelRead(...words: readonly string[]): void {
    const last = this.stage.lastRequest(this.name);
    for (const word of words) {
      this.check(`the model reads "${word}"`, last.includes(word), last.slice(-600));
    }
  }
}

const PLAYS: Readonly<Record<CaseName, PlayCase>> = {
  async approve(scene) {
    scene.playOneCall();
    const agent = await scene.start();
    await scene.answer(await scene.asked(), scene.approval);
    await scene.checkEnd(agent);
    scene.checkEffects('asked');
    await scene.checkAsked(1);
  },

  async edit(scene) {
    scene.playOneCall();
    const agent = await scene.start();
    const asked = await scene.asked();
    const { impossible } = scene.convention;
    const updatedInput = { command: scene.command('edited') };
    const edit = scene.answer(asked, { ...scene.approval, updatedInput });
    if (impossible.edit === undefined) {
      await edit;
      await scene.checkEnd(agent);
      scene.checkEffects('edited');
      return;
    }
    const isRefused = await edit.then(
      () => false,
      () => true,
    );
    scene.check('an edit that cannot be carried is not offered', isRefused);
    await scene.answer(asked, scene.denial);
    await scene.checkEnd(agent);
    scene.checkEffects();
  },

  async deny(scene) {
    scene.playOneCall();
    const agent = await scene.start();
    await scene.answer(await scene.asked(), { ...scene.denial, reason: REASON });
    await scene.checkEnd(agent);
    scene.checkEffects();
    if (scene.convention.carriesReason) scene.checkModelRead(REASON);
  },

  async question(scene) {
    const call = scene.convention.questionCall?.(QUESTIONS);
    if (call === undefined) throw new Error('The convention has no questions');
    scene.play(({ step }) => (step === 0 ? { text: 'I ask.', tools: [call] } : { text: 'Done.' }));
    const agent = await scene.start();
    const { answerQuestions = () => ANSWERS } = scene.convention;
    await scene.answer(await scene.asked(), answerQuestions() as JsonObject);
    await scene.checkEnd(agent);
    scene.checkModelRead('SQLite', 'Search', 'Export, fast');
    if (scene.convention.readsLists === true) scene.checkLists();
    await scene.checkAsked(1);
  },

  async expiry(scene) {
    await scene.stage.createSession(scene.name, { approval: EXPIRES_SECONDS });
    scene.playOneCall();
    const agent = await scene.start();
    const asked = await scene.asked();
    await scene.checkEnd(agent);
    scene.checkEffects();
    const { transport } = scene.stage.person;
    const { outcome } = await transport.interaction(scene.name, asked.interactionId);
    scene.check('the request expired', outcome === 'expired', outcome);
  },

  async 'server-restart'(scene) {
    scene.playOneCall();
    const agent = await scene.start();
    const asked = await scene.asked();
    await scene.stage.restartServer();
    if (scene.convention.impossible['server-restart'] !== undefined) {
      await scene.checkEnd(agent);
      scene.checkEffects();
      return;
    }
    await scene.answer(asked, scene.approval);
    await scene.checkEnd(agent);
    scene.checkEffects('asked');
    await scene.checkAsked(1);
  },

  async 'agent-killed'(scene) {
    scene.playOneCall();
    const first = await scene.start();
    const asked = await scene.asked();
    await untilRecord(scene, asked, isWaitedFor);
    await first.kill();
    scene.checkEffects();
    const second = await scene.start();
    // Under its own id a call waits again, and the record does not show which process does.
    if (scene.convention.keepsIds !== true) await untilRecord(scene, asked, isReassigned);
    await scene.answer(asked, scene.approval);
    await scene.checkEnd(second);
    scene.checkEffects('asked');
    await scene.checkAsked(1);
  },

  async 'answer-between'(scene) {
    scene.playOneCall();
    const first = await scene.start();
    const asked = await scene.asked();
    await untilRecord(scene, asked, isWaitedFor);
    await first.kill();
    // The request of a hook acknowledges the answer for its program, also for a dead one.
    if (scene.convention.isHeldByServer === true) {
      await untilRecord(scene, asked, (record) => !isWaitedFor(record));
    }
    await scene.answer(asked, scene.approval);
    scene.checkEffects();
    await scene.checkEnd(await scene.start());
    scene.checkEffects('asked');
    await scene.checkAsked(1);
  },

  async 'wrong-credential'(scene) {
    scene.playOneCall();
    const agent = await scene.start('hp_wrong.credential');
    await agent.end();
    scene.checkEffects();
    await scene.checkAsked(0);
  },

  async 'server-away'(scene) {
    const requestedAt: number[] = [];
    const call = scene.convention.runCall(scene.command('asked'));
    scene.play(({ step }) => {
      requestedAt[step] ??= performance.now();
      return step < 2 ? { text: 'I will.', tools: [call] } : { text: 'Done.' };
    });
    await scene.prepare();
    const away = await scene.stage.killServer();
    try {
      await (await scene.start()).end();
    } finally {
      await away.start();
    }
    scene.checkEffects();
    const [began = 0, first, second] = requestedAt;
    if (!scene.convention.carriesReason || first === undefined || second === undefined) return;
    const seconds = { first: (first - began) / 1_000, second: (second - first) / 1_000 };
    scene.stage.transcript.line('agent', `was refused after ${JSON.stringify(seconds)}`);
    scene.checkModelRead('Nobody could be asked, so this was not run');
    scene.check('the first call is refused in half a minute', seconds.first < 30, seconds);
    if (scene.convention.remembersAway !== true) return;
    scene.check('the second call is refused sooner', seconds.second < seconds.first, seconds);
  },

  async parallel(scene) {
    const words = ['one', 'two', 'three'];
    const calls = words.map((word) => scene.convention.runCall(scene.command(word)));
    scene.play(({ step }) => (step === 0 ? { text: 'All.', tools: calls } : { text: 'Done.' }));
    const agent = await scene.start();
    for (let left = words.length; left > 0; left -= 1)
      await scene.answer(await scene.asked(), scene.approval);
    await scene.checkEnd(agent);
    const effects = scene.stage.effects(scene.name).toSorted();
    const isEach = JSON.stringify(effects) === JSON.stringify(words.toSorted());
    scene.check('each of the three ran, once', isEach, effects);
    await scene.checkAsked(words.length);
  },
};

const isWaitedFor = ({ agentWaiting = false }: Interaction) => agentWaiting;
const isReassigned = ({ reassignedTo }: Interaction) => reassignedTo !== undefined;

async function untilRecord(
  scene: Scene,
  { interactionId }: Interaction,
  isIt: (record: Interaction) => boolean,
): Promise<void> {
  const { transport } = scene.stage.person;
  for (let tries = 0; tries < 900; tries += 1) {
    if (isIt(await transport.interaction(scene.name, interactionId))) return;
    await sleep(100);
  }
  throw new Error(`The question did not come to that: ${isIt.toString()}`);
}

/** Returns the problems; none if the case passed. */
export async function playCase(
  stage: AgentStage,
  convention: Convention,
  name: CaseName,
  programOf: ProgramOf,
  round = 0,
): Promise<readonly string[]> {
  const title = `${convention.name}-${name}${round === 0 ? '' : `-${round}`}`;
  stage.transcript.scene(title);
  const scene = new Scene(stage, convention, title, async () =>
    programOf(title, `${markOf(title)} Please go on.`),
  );
  await PLAYS[name](scene).catch((cause: unknown) => {
    scene.check('the scene came to its end', false, String(cause));
  });
  const faults = (await convention.check?.(stage, title)) ?? [];
  for (const fault of faults) scene.check(fault, false);
  return scene.problems;
}
