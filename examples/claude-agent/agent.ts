import { query } from '@anthropic-ai/claude-agent-sdk';
import { claude, EventQueue, mergeWithInteractions } from 'holdpoint/claude';
import { connect, type TurnEvent } from 'holdpoint/client';

const holdpoint = connect({ title: 'Claude' });
const events = new EventQueue<TurnEvent>();
const asksPeople = claude(holdpoint, { onEvent: (event) => events.push(event) });

const prompt = process.argv[2] ?? 'Which database should this project use? Ask me.';
// Without a mode it may be "auto", in which a model decides instead of a person.
const messages = query({ prompt, options: { permissionMode: 'default', ...asksPeople } });

try {
  for await (const message of mergeWithInteractions(messages, events)) {
    if (message.type === 'approval_required') console.log('waiting for', message.toolName);
    if (message.type === 'question_prompt') console.log('waiting for answers');
    if (message.type === 'interaction_resolved') console.log(message.outcome);
    if (message.type === 'result' && message.subtype === 'success') console.log(message.result);
  }
} finally {
  // Also after an abort: the agent cancels its open questions before the connection ends.
  await holdpoint.close();
}
