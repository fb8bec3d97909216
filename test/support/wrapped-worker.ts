/** The Worker of the example, with the route at which the harness checks that a started workerd serves. */
import worker from '../../examples/worker/worker.ts';

export default {
  fetch(request: Request, env: Parameters<typeof worker.fetch>[1]) {
    const isProbe = new URL(request.url).pathname === '/health';
    return isProbe ? new Response('ok') : worker.fetch(request, env);
  },
};
