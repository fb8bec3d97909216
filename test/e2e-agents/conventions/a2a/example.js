/** The example as the agent, and a client that sends it the prompt, in one process that can be killed. */
import { driveTask } from './drive-task.js';

await import('../../../../examples/a2a/agent.ts');
await driveTask(`http://127.0.0.1:${process.env.PORT}`, process.argv[2]);
process.exit(0);
