/**
 * The built Worker with one more door: what its objects have cost since they woke, as they count it themselves.
 * Only the count of rows is run through it; nothing that is timed is.
 */
import worker from './worker.js';

export * from './worker.js';

export default {
  async fetch(request, env, ctx) {
    const url = new URL(request.url);
    if (url.pathname !== '/bench/costs') return worker.fetch(request, env, ctx);
    const session = env.SESSION.getByName(url.searchParams.get('session'));
    const workspace = env.WORKSPACE.getByName(url.searchParams.get('workspace'));
    return Response.json({ session: await session.costs(), workspace: await workspace.costs() });
  },
};
