/** ACP: an editor and an agent of the real SDK, with `holdpoint acp` between them. */
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../../scripts/lib/paths.ts';
import type { AskedQuestion, Convention } from '../convention.ts';
import { installPackages } from '../install-packages.ts';

const CLI = path.join(ROOT, 'src/cli/main.ts');

export const ACP: Convention = {
  name: 'acp',
  title: 'ACP 2.4.0 (`holdpoint acp`)',
  async prepare(stage) {
    const folder = installPackages('acp', { '@agentclientprotocol/sdk': '2.4.0', zod: '4.6.7' });
    // Beside the real package, so that the programs find it by its name.
    const [editor, agent] = ['editor.js', 'agent.js'].map((name) => {
      const copy = path.join(folder, name);
      copyFileSync(path.join(import.meta.dirname, 'acp', name), copy);
      return copy;
    });
    if (editor === undefined || agent === undefined)
      throw new Error('The programs were not copied');
    const proxy = [process.execPath, '--disable-warning=ExperimentalWarning', CLI, 'acp', '--'];
    return (scene, prompt) => ({
      file: process.execPath,
      args: [editor, prompt, stage.effectsFile(scene), ...proxy, process.execPath, agent],
    });
  },
  runCall: (command) => ({ name: 'run', input: { command } }),
  questionCall: (questions) => ({
    name: 'ask_human',
    input: { requestedSchema: formOf(questions) },
  }),
  answerQuestions: () => ({ values: { Database: 'SQLite', Features: ['Search', 'Export, fast'] } }),
  approveAnswer: { choice: 'allow' },
  denyAnswer: { choice: 'reject' },
  impossible: { edit: 'a permission of ACP is one of its options, so no edit is offered' },
  carriesReason: true,
};

/** As claude-agent-acp asks the questions of AskUserQuestion. */
function formOf(questions: readonly AskedQuestion[]): object {
  const fields = questions.map(({ header, question, options, multiSelect }) => {
    const choices = options.map(({ label, description }) => ({
      const: label,
      title: label,
      description,
    }));
    const field = multiSelect
      ? { type: 'array', items: { anyOf: choices } }
      : { type: 'string', oneOf: choices };
    return [header, { title: header, description: question, ...field }] as const;
  });
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: fields.map(([name]) => name),
  };
}
