/** The inputs of each route as JSON schemas, by method and path. Computed once, because it is slow. */
import { ROUTES } from '../../src/http/routes/index.ts';
import { type Schema, schemaOf } from './values-of-schema.ts';

const entries = (part: 'query' | 'body') =>
  ROUTES.flatMap((route) => {
    const type = part === 'body' ? (route.documentedBody ?? route.body) : route.query;
    return type === undefined || (part === 'body' && route.bodyIsBytes === true)
      ? []
      : [[`${route.method} ${route.path}`, schemaOf(type)] as const];
  });

export const ROUTE_QUERIES: ReadonlyMap<string, Schema> = new Map(entries('query'));
export const ROUTE_BODIES: ReadonlyMap<string, Schema> = new Map(entries('body'));
