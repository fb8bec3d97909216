/** Runs that end early, and servers that go down. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  call,
  checks,
  count,
  done,
  eventually,
  kinds,
  keepLastRequest,
  type Scene,
} from './scene.ts';

export const ABORT: Scene = {
  name: 'abort',
  about: 'The run is aborted while a person is asked: the question is taken back',
  async play(stage) {
    const abortController = new AbortController();
    const run = stage.perform('abort', {
      abortController,
      script: ({ step }) => (step === 0 ? call('Bash', { command: 'touch aborted.txt' }) : done()),
    });
    const asked = await stage.person.asked('abort');
    stage.transcript.line('host', 'aborts the run');
    abortController.abort();
    const performed = await run;
    const { check } = checks(stage);
    const record = await eventually(
      () => stage.person.transport.interaction('abort', asked.interactionId),
      ({ status }) => status === 'settled',
    );
    stage.transcript.line('Holdpoint', `${record.outcome}: ${record.reason}`);
    check('the question was cancelled', record.outcome === 'cancelled', record);
    check('nothing ran', !existsSync(path.join(stage.work, 'aborted.txt')));
    check(
      'the host hears that it was aborted',
      performed.failure === 'Operation aborted',
      performed,
    );
  },
};

export const RESTART: Scene = {
  name: 'restart',
  about: 'Holdpoint is killed while a person is asked: the agent hears the answer all the same',
  async play(stage) {
    const run = stage.perform('restart', {
      script: ({ step }) =>
        step === 0 ? call('Bash', { command: 'touch restarted.txt' }) : done(),
    });
    const asked = await stage.person.asked('restart');
    await stage.restart(() => sleep(1_500));
    await stage.person.answer('restart', asked, { decision: 'approve' });
    const performed = await run;
    const { check } = checks(stage);
    check('the command ran', existsSync(path.join(stage.work, 'restarted.txt')), performed);
    check('a person was asked once', count(performed, 'approval_required') === 1, kinds(performed));
  },
};

export const AWAY: Scene = {
  name: 'away',
  about: 'Holdpoint is away: the tool is denied, never allowed',
  async play(stage) {
    const requests = keepLastRequest();
    await stage.restart(async () => {
      await stage.perform('away', {
        settings: { giveUpAfterSeconds: 1, onDenied: () => undefined },
        script(conversation) {
          requests.keep(conversation);
          return conversation.step === 0 ? call('Bash', { command: 'touch away.txt' }) : done();
        },
      });
    });
    stage.transcript.line('model', `is told: ${requests.result?.text}`);
    const { check } = checks(stage);
    check('nothing ran', !existsSync(path.join(stage.work, 'away.txt')));
    check(
      'the model hears that nobody could be asked',
      requests.result?.text.includes('Nobody could be asked') === true,
      requests.result,
    );
  },
};
