/**
 * POST /<release>: deploys it once a person has approved.
 *
 * The request waits as long as its caller does. Whoever comes back later, or in another data center,
 * finds the same question by the name of the release, and its answer.
 */
import { ClientError, connect } from 'holdpoint/client';

interface Env {
  readonly HOLDPOINT_URL: string;
  readonly HOLDPOINT_TOKEN: string;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const release = new URL(request.url).pathname.slice(1);
    const holdpoint = connect({
      url: env.HOLDPOINT_URL,
      token: env.HOLDPOINT_TOKEN,
      session: 'releases',
      giveUpAfterSeconds: 10,
    });
    try {
      const call = { toolName: 'deploy', input: { release } };
      const outcome = await holdpoint.approve(call, { toolCallId: `deploy-${release}` });
      if (outcome.outcome !== 'approved') return new Response(outcome.message, { status: 403 });
      return Response.json({ deployed: outcome.updatedInput });
    } catch (cause) {
      if (!(cause instanceof ClientError)) throw cause;
      // Nobody could be asked: nothing is deployed.
      return new Response(cause.message, { status: 503 });
    } finally {
      await holdpoint.close();
    }
  },
};
