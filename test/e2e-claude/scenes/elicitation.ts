/** An MCP server that wants to know something, in the middle of its tool. */
import path from 'node:path';
import { call, checks, done, listener, type Scene } from './scene.ts';

const SERVER = path.join(import.meta.dirname, '../elicitation-server.js');

export const ELICITATION: Scene = {
  name: 'elicitation',
  about: 'A tool of an MCP server asks where to deploy, and a person fills in its form',
  async play(stage) {
    const ear = listener();
    const run = stage.perform('elicitation', {
      mcpServers: { deploys: { command: process.execPath, args: [SERVER] } },
      script(conversation) {
        ear.hears(conversation);
        return conversation.step === 0 ? call('mcp__deploys__deploy', {}) : done();
      },
    });
    const first = await stage.person.answerNext('elicitation', { decision: 'approve' });
    const second = await stage.person.answerNext('elicitation', { values: { env: 'staging' } });
    const performed = await run;
    stage.transcript.line('model', `is told: ${ear.result?.text}`);
    const { check } = checks(stage);
    check('a person allowed the tool', first.toolName === 'mcp__deploys__deploy', first);
    check('and saw its form', second.kind === 'form' && second.toolName === 'mcp__deploys', second);
    check('the tool has the values', ear.result?.text === 'Deployed to staging', ear.result);
    check('the run ended', performed.result === 'Done.', performed.failure);
  },
};
