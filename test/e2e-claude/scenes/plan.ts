/** A plan that is sent back, and a plan that is approved. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { call, checks, done, type Scene } from './scene.ts';

export const PLAN: Scene = {
  name: 'plan',
  about: 'A plan is sent back, then approved; what follows may edit without asking',
  async play(stage) {
    const resultTexts: string[] = [];
    const file = path.join(stage.work, 'from-plan.txt');
    const run = stage.perform('plan', {
      permissionMode: 'plan',
      script({ step, results, all }) {
        for (const { text } of results) resultTexts.push(text);
        const planFile = /[^\s"'`]+\/plans\/[^\s"'`]+\.md/.exec(all)?.[0] ?? '';
        const write = (content: string) => call('Write', { file_path: planFile, content });
        if (step === 0) return write('1. Write the file');
        if (step === 1 || step === 3) return call('ExitPlanMode', {});
        if (step === 2)
          return call('Bash', {
            command: `printf '1. Write the file\\n2. Test it' > '${planFile}'`,
          });
        if (step === 4) return call('Write', { file_path: file, content: 'planned' });
        return done();
      },
    });
    const first = await stage.person.answerNext('plan', {
      decision: 'adjust',
      feedback: 'Add tests',
    });
    const between = await stage.person.asked('plan');
    const isBash = between.toolName === 'Bash';
    if (isBash) await stage.person.answer('plan', between, { decision: 'approve' });
    const second = isBash ? await stage.person.asked('plan') : between;
    await stage.person.answer('plan', second, { decision: 'edit' });
    const performed = await run;
    const { check } = checks(stage);
    check('the person saw the plan', first.request.plan === '1. Write the file', first.request);
    check(
      'the model heard the feedback',
      resultTexts.some((text) => text.includes('Add tests')),
      resultTexts,
    );
    check(
      'and then that the plan was approved',
      resultTexts.some((text) => /approved/i.test(text)),
      resultTexts,
    );
    check(
      'the edit after it ran without being asked',
      existsSync(file) && performed.result === 'Done.',
      performed,
    );
    const mode = (await stage.person.transport.snapshot('plan')).session.permissionMode;
    check('the session is in the mode that was chosen', mode === 'acceptEdits', mode);
  },
};
