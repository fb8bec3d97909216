/** The Worker of the example, behind the address at which a started workerd is asked whether it serves. */
import worker from '../../examples/worker/worker.ts';

export default {
  fetch(request: Request, env: Parameters<typeof worker.fetch>[1]) {
    const isProbe = new URL(request.url).pathname === '/health';
    return isProbe ? new Response('ok') : worker.fetch(request, env);
  },
};
