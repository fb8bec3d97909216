/**
 * The built Worker with one more route, which returns the costs that its objects have counted since they woke.
 * Only the count of rows uses this Worker; no timed block does.
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
