/** The service about itself: its health, its reference, and where to start. */
import * as z from 'zod';
import { route } from '../route.ts';

export const metaRoutes = [
  route({
    method: 'GET',
    path: '/health',
    tag: 'Service',
    summary: 'Whether it serves, and which version',
    access: 'public',
    answers: {
      200: { description: 'It does', schema: z.looseObject({ ok: z.literal(true) }) },
    },
    handle: async ({ ports }) => ({
      status: 200,
      json: { ok: true, version: ports.config.version, agent: 'none' },
    }),
  }),
  route({
    method: 'GET',
    path: '/',
    tag: 'Service',
    summary: 'Where to start',
    access: 'public',
    answers: { 302: { description: 'To the reference' } },
    handle: async () => new Response(null, { status: 302, headers: { Location: '/docs' } }),
  }),
];
