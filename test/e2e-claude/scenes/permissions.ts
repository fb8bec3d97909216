/** Permissions: changed, told, kept for the session, denied. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Conversation, ToolResult } from '../messages-api.ts';
import { call, checks, count, done, kinds, keepLastRequest, linesOf, type Scene } from './scene.ts';

export const APPROVAL: Scene = {
  name: 'approval',
  about: 'A command runs as the person changed it, and nothing else',
  async play(stage) {
    const requests = keepLastRequest();
    const run = stage.perform('approval', {
      script(conversation) {
        requests.keep(conversation);
        return conversation.step === 0 ? call('Bash', { command: 'touch asked.txt' }) : done();
      },
    });
    const updatedInput = { command: 'touch edited.txt' };
    await stage.person.answerNext('approval', { decision: 'approve', updatedInput });
    await run;
    const { check } = checks(stage);
    check('the edited command ran', existsSync(path.join(stage.work, 'edited.txt')));
    check('the one that was asked for did not', !existsSync(path.join(stage.work, 'asked.txt')));
    check('the model has a result', requests.result?.isError === false, requests.result);
  },
};

export const EDITED: Scene = {
  name: 'edited',
  about: 'The model learns what the person changed, whether the tool then works or fails',
  async play(stage) {
    const { check } = checks(stage);
    for (const [session, command, isError] of [
      ['edited-works', 'echo edited >> told.txt', false],
      ['edited-fails', 'echo edited >> told.txt; exit 3', true],
    ] as const) {
      let last: Conversation | undefined;
      const run = stage.perform(session, {
        hooks: { defer: false },
        script(conversation) {
          last = conversation;
          return conversation.step === 0 ? call('Bash', { command: 'touch untold.txt' }) : done();
        },
      });
      const updatedInput = { command };
      await stage.person.answerNext(session, { decision: 'approve', updatedInput });
      const performed = await run;
      const all = last?.all ?? '';
      const told = all.slice(all.indexOf('A person changed')).slice(0, 300);
      stage.transcript.line('model', `is told: ${told}`);
      const isTold = ['A person changed', '/command', 'touch untold.txt', command];
      check(
        'the model is told of the change',
        isTold.every((text) => told.includes(text)),
        all,
      );
      check('with the result', last?.results[0]?.isError === isError, last?.results);
      check('and the run goes on', performed.result === 'Done.', performed);
    }
    const ran = linesOf(stage, 'told.txt');
    check('the edited commands ran', ran.join() === 'edited,edited', ran);
    check('the one that was asked for did not', !existsSync(path.join(stage.work, 'untold.txt')));
  },
};

export const SESSION_RULE: Scene = {
  name: 'session-rule',
  about: '"Allow for session": a like call is not asked again, and no settings file is written',
  async play(stage) {
    const results: ToolResult[] = [];
    const run = stage.perform('session-rule', {
      script(conversation) {
        results.push(...conversation.results);
        const { step } = conversation;
        return step < 2 ? call('Bash', { command: `touch again-${step}.txt` }) : done();
      },
    });
    const asked = await stage.person.answerNext('session-rule', {
      decision: 'approve',
      offer: 'session',
      rule: { command: 'touch' },
    });
    const performed = await run;
    const { check } = checks(stage);
    const offers = JSON.stringify(asked.request.offers);
    check('the person was offered it', offers === '["once","session"]', asked.request);
    check('a person was asked once', count(performed, 'approval_required') === 1, kinds(performed));
    const isWell = results.length === 2 && results.every(({ isError }) => !isError);
    check('both calls ran', isWell, results);
    const rules = await stage.person.transport.rules('session-rule');
    check('Holdpoint keeps the rule', rules.length === 1 && rules[0]?.toolName === 'Bash', rules);
    const file = path.join(stage.work, '.claude/settings.local.json');
    check('Claude Code wrote no settings file', !existsSync(file));
  },
};

export const DENY: Scene = {
  name: 'deny',
  about: 'A command is denied, and the model hears why',
  async play(stage) {
    const requests = keepLastRequest();
    const run = stage.perform('deny', {
      script(conversation) {
        requests.keep(conversation);
        return conversation.step === 0 ? call('Bash', { command: 'touch denied.txt' }) : done();
      },
    });
    await stage.person.answerNext('deny', { decision: 'deny', reason: 'use the cache' });
    await run;
    stage.transcript.line('model', `is told: ${requests.result?.text}`);
    const { check } = checks(stage);
    check('nothing ran', !existsSync(path.join(stage.work, 'denied.txt')));
    check('the model hears an error', requests.result?.isError === true, requests.result);
    check(
      'with the reason',
      requests.result?.text.includes('Reason: use the cache') === true,
      requests.result,
    );
  },
};
