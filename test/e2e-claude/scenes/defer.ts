/** Calls that end the run instead of waiting, and the run that goes on with them. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Script, ToolResult } from '../messages-api.ts';
import type { Stage } from '../stage.ts';
import { call, checks, done, eventually, keepLastRequest, linesOf, type Scene } from './scene.ts';

const SHORTLY = { defer: { afterSeconds: 1 } };

export const DEFER: Scene = {
  name: 'defer',
  about: 'The run ends without an answer; Holdpoint restarts; the resumed run finds the answer',
  async play(stage) {
    let everything = '';
    const script: Script = ({ step, all }) => {
      everything = all;
      return step === 0 ? call('Bash', { command: 'echo asked >> deferred.txt' }) : done();
    };
    const { check } = checks(stage);
    const first = await stage.perform('defer', { script, hooks: SHORTLY });
    check('the run ended as deferred', first.stopReason === 'tool_deferred', first);
    check('nothing ran', linesOf(stage, 'deferred.txt').length === 0);
    const asked = await stage.person.asked('defer');
    await stage.restart(() => sleep(500));
    const early = await stage.perform('defer', { script, hooks: SHORTLY, resume: first });
    check('resumed too early, it is deferred again', early.stopReason === 'tool_deferred', early);
    const updatedInput = { command: 'echo edited >> deferred.txt' };
    await stage.person.answer('defer', asked, { decision: 'approve', updatedInput });
    const last = await stage.perform('defer', { script, hooks: SHORTLY, resume: early });
    const ran = linesOf(stage, 'deferred.txt');
    check('the edited command ran, once', ran.join() === 'edited', { ran, last });
    check('a person was asked once', (await stage.person.countAsked('defer')) === 1);
    check(
      'the model is told of the edit',
      everything.includes('A person changed the input'),
      everything,
    );
    check('and goes on', last.result === 'Done.', last);
  },
};

export const DEFER_QUESTION: Scene = {
  name: 'defer-question',
  about: 'The same for questions, whose answers reach the model',
  async play(stage) {
    const requests = keepLastRequest();
    const options = [
      { label: 'Rust', description: 'Fast' },
      { label: 'Go', description: 'Small' },
    ];
    const questions = [{ question: 'Which one?', header: 'Lang', options, multiSelect: false }];
    const performance = {
      hooks: SHORTLY,
      script(conversation: Parameters<typeof requests.keep>[0]) {
        requests.keep(conversation);
        return conversation.step === 0 ? call('AskUserQuestion', { questions }) : done();
      },
    };
    const { check } = checks(stage);
    const first = await stage.perform('defer-question', performance);
    check('the run ended as deferred', first.stopReason === 'tool_deferred', first);
    await stage.person.answerNext('defer-question', { answers: { 0: 'Go' } });
    await stage.perform('defer-question', { ...performance, resume: first });
    const told = requests.result?.text ?? '';
    check('the model is told', told.includes('"Which one?"="Go"'), requests.result);
  },
};

const writing = ({ work }: Stage, file: string) => ({
  name: 'Write',
  input: { file_path: path.join(work, file), content: 'written' },
});

export const DEFER_SEVERAL: Scene = {
  name: 'defer-several',
  about:
    'Two calls are deferred: one goes on, and the other finds its answer when the model repeats it',
  async play(stage) {
    const { check } = checks(stage);
    const files = () => ['first.txt', 'second.txt'].map((file) => linesOf(stage, file).length);
    const performance = {
      // Claude Code by itself would allow both.
      permissionMode: 'acceptEdits',
      hooks: SHORTLY,
      script: (({ step }) => {
        const [first, second] = [writing(stage, 'first.txt'), writing(stage, 'second.txt')];
        if (step === 0) return { text: 'I will.', tools: [first, second] };
        return step === 1 ? { text: 'Once more.', tools: [first] } : done();
      }) satisfies Script,
    };
    const first = await stage.perform('defer-several', performance);
    check('the run ended as deferred', first.stopReason === 'tool_deferred', first);
    await stage.person.answerNext('defer-several', { decision: 'approve' });
    await stage.person.answerNext('defer-several', { decision: 'approve' });
    check('neither ran without an answer', files().join() === '0,0', files());
    const resumed = await stage.perform('defer-several', { ...performance, resume: first });
    check('both ran', files().join() === '1,1', files());
    const count = await stage.person.countAsked('defer-several');
    check('a person was asked twice', count === 2, count);
    check('the run came to its end', resumed.result === 'Done.', resumed);
  },
};

export const DEFER_TOGETHER: Scene = {
  name: 'defer-together',
  about:
    'Claude Code ignores a deferral in a message of several calls: each one waits, and none runs unasked',
  async play(stage) {
    const results: ToolResult[] = [];
    const run = stage.perform('defer-together', {
      permissionMode: 'acceptEdits',
      hooks: SHORTLY,
      script(conversation) {
        results.push(...conversation.results);
        if (conversation.step > 0) return done();
        const tools = [writing(stage, 'third.txt'), writing(stage, 'fourth.txt')];
        return { text: 'I will.', tools, isWhole: true };
      },
    });
    const { check } = checks(stage);
    const files = () => ['third.txt', 'fourth.txt'].map((file) => linesOf(stage, file).length);
    const first = await stage.person.asked('defer-together');
    // The agent listens again once `canUseTool` waits, after the deferral that was ignored.
    await eventually(
      () => stage.person.transport.interaction('defer-together', first.interactionId),
      ({ agentWaiting }) => agentWaiting === true,
    );
    await sleep(3_000);
    check('neither ran without an answer', files().join() === '0,0', files());
    await stage.person.answer('defer-together', first, { decision: 'approve' });
    const second = await eventually(
      () => stage.person.asked('defer-together'),
      ({ interactionId }) => interactionId !== first.interactionId,
    );
    await stage.person.answer('defer-together', second, { decision: 'deny' });
    const performed = await run;
    check('the approved one ran, and the denied one did not', files().join() === '1,0', files());
    check(
      'the model hears both',
      results.map(({ isError }) => isError).join() === 'false,true',
      results,
    );
    const count = await stage.person.countAsked('defer-together');
    check('each was asked once', count === 2, count);
    check('the run came to its end', performed.result === 'Done.', performed);
  },
};

export const DEFER_AWAY: Scene = {
  name: 'defer-away',
  about: 'Holdpoint is away: a deferrable call is denied, also in a mode that would allow it',
  async play(stage) {
    const requests = keepLastRequest();
    const file_path = path.join(stage.work, 'defer-away.txt');
    await stage.restart(async () => {
      await stage.perform('defer-away', {
        permissionMode: 'acceptEdits',
        settings: { giveUpAfterSeconds: 1, onDenied: () => undefined },
        hooks: SHORTLY,
        script(conversation) {
          requests.keep(conversation);
          return conversation.step === 0 ? call('Write', { file_path, content: 'x' }) : done();
        },
      });
    });
    const { check } = checks(stage);
    check('nothing ran', !existsSync(file_path));
    const told = requests.result?.text ?? '';
    check('the model hears why', told.includes('Nobody could be asked'), requests.result);
  },
};
