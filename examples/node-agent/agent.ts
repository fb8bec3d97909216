import { connect } from 'holdpoint/client';

const holdpoint = connect({ session: 'deploys', title: 'Deploys' });
const call = { toolName: 'Bash', input: { command: 'make deploy' } };

const outcome = await holdpoint.approve(call, { toolCallId: 'deploy-42' });

if (outcome.outcome === 'approved') console.log('running', outcome.updatedInput);
else console.log(outcome.outcome, outcome.message);
await holdpoint.close();
