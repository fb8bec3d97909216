/** Codex: its real program as `codex app-server`, driven by the example. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleExample } from '../../support/bundle-example.ts';
import type { Convention } from '../convention.ts';
import { installPackages } from '../install-packages.ts';
import { makeHome } from './hook-home.ts';

export const CODEX_PINS = { '@openai/codex': '0.169.0' };

export const CODEX: Convention = {
  name: 'codex',
  title: 'Codex app-server 0.169.0',
  async prepare(stage) {
    const folder = installPackages('codex', CODEX_PINS);
    const { file } = await bundleExample('examples/codex/agent.ts', {
      folder: path.join(folder, 'example'),
    });
    const home = makeHome(stage, 'codex-home');
    writeFileSync(path.join(home, 'config.toml'), configFor(stage.model.url));
    const bin = path.join(folder, 'node_modules/.bin');
    const env = { CODEX_HOME: home, PATH: `${bin}:${process.env.PATH}` };
    return (_scene, prompt) => ({ file: process.execPath, args: [file, prompt], env });
  },
  runCall: (command) => ({ name: 'exec_command', input: { cmd: command } }),
  questionCall: (questions) => ({
    name: 'request_user_input',
    input: {
      questions: questions.map(({ header, question, options }) => ({
        id: header.toLowerCase(),
        header,
        question,
        options,
      })),
    },
  }),
  // Codex has no multiple choice; a person can still write several.
  answerQuestions: () => ({ answers: { '0': 'SQLite', '1': 'Search and Export, fast' } }),
  approveAnswer: { choice: 'accept' },
  denyAnswer: { choice: 'decline' },
  impossible: {
    edit: 'a decision of Codex has no place for a changed command, so no edit is offered',
  },
  carriesReason: false,
};

export const configFor = (url: string) => `model = "scripted"
model_provider = "scripted"
[features]
default_mode_request_user_input = true
[model_providers.scripted]
name = "scripted"
base_url = "${url}"
wire_api = "responses"
requires_openai_auth = false
`;
