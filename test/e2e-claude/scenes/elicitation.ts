/** An MCP server that asks the user in the middle of its tool. */
import path from 'node:path';
import { call, checks, done, keepLastRequest, type Scene } from './scene.ts';

const SERVER = path.join(import.meta.dirname, '../elicitation-server.js');

export const ELICITATION: Scene = {
  name: 'elicitation',
  about: 'A tool of an MCP server asks where to deploy, and a person fills in its form',
  async play(stage) {
    const requests = keepLastRequest();
    const run = stage.perform('elicitation', {
      mcpServers: { deploys: { command: process.execPath, args: [SERVER] } },
      script(conversation) {
        requests.keep(conversation);
        return conversation.step === 0 ? call('mcp__deploys__deploy', {}) : done();
      },
    });
    const first = await stage.person.answerNext('elicitation', { decision: 'approve' });
    const second = await stage.person.answerNext('elicitation', { values: { env: 'staging' } });
    const performed = await run;
    stage.transcript.line('model', `is told: ${requests.result?.text}`);
    const { check } = checks(stage);
    check('a person allowed the tool', first.toolName === 'mcp__deploys__deploy', first);
    check('and saw its form', second.kind === 'form' && second.toolName === 'mcp__deploys', second);
    check(
      'the tool has the values',
      requests.result?.text === 'Deployed to staging',
      requests.result,
    );
    check('the run ended', performed.result === 'Done.', performed.failure);
  },
};
