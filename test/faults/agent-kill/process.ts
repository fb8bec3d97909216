/**
 * One process of an agent that asks before it acts: `node process.ts <url> <token> <session> <input> <file>`.
 *
 * It asks once, without an id for its call, as a model does that is asked again. An approval appends a line to the file,
 * which stands for the effect; every end appends one to `<file>.ends`.
 */
import { appendFileSync } from 'node:fs';
import { connect } from '../../../src/client/agent/connect.ts';

const [url = '', token = '', session = '', input = '', file = ''] = process.argv.slice(2);
const holdpoint = connect({ url, token, session, timing: { baseMs: 20, capMs: 200 } });
const outcome = await holdpoint.approve({ toolName: 'Bash', input: { command: input } });
if (outcome.outcome === 'approved') appendFileSync(file, `${input}\n`);
appendFileSync(`${file}.ends`, `${input} ${outcome.outcome}\n`);
await holdpoint.close();
