/** One request, valid or not, made from the schemas and examples of a route. */
import { type BodyExample, type Target, validRequest } from '../support/http/examples.ts';
import type { Json } from '../../src/protocol/json.ts';
import type { Random } from '../support/random.ts';
import type { FuzzRequest, Framing } from './fuzz-request.ts';
import { mutateJson } from './mutate-json.ts';
import { mutateText } from './mutate-text.ts';
import { anyJson } from './odd-values.ts';
import type { Plot } from './plot.ts';
import { makeHeaders } from './request-headers.ts';
import { makeTarget } from './request-target.ts';
import { ROUTE_BODIES } from './route-schemas.ts';
import { valueOf } from './values-of-schema.ts';

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
] as const;

/** Just as often, the unchanged valid request: a route that only refuses is not tested, and no state would change. */
const PLAIN = 0.2;

/** Most requests are sent once; a request with a key is also repeated, unchanged or with another body. */
export function makeRequests(target: Target, plot: Plot, random: Random): FuzzRequest[] {
  const request = makeRequest(target, plot, random);
  const hasKey = request.headers.some(([name]) => name === 'Idempotency-Key');
  if (!hasKey || random.chance(0.4)) return [request];
  const other = makeBody(target, plot, random);
  const isSame = other === undefined || request.body === undefined || random.chance(0.6);
  return [request, isSame ? request : { ...request, body: other }];
}

export function makeRequest(target: Target, plot: Plot, random: Random): FuzzRequest {
  if (random.chance(PLAIN)) return plainRequest(target, plot, random);
  const isOther = random.chance(0.06);
  const method = isOther ? random.pick(METHODS) : target.method;
  const body = makeBody(target, plot, random);
  const { headers, isOdd } = makeHeaders(plot, random);
  const framing = body === undefined ? 'length' : makeFraming(random);
  return {
    method,
    target: makeTarget(target, plot, random),
    headers: body === undefined ? headers : [...headers, contentType(random)],
    ...(body !== undefined && { body }),
    framing,
    // A wrong length turns the rest of the body into another request, or makes the connection unusable.
    isOdd: isOdd || framing !== 'length',
  };
}

function plainRequest(target: Target, plot: Plot, random: Random): FuzzRequest {
  const example = random.pick(target.example.bodies ?? []);
  const sample = plot.samples[random.int(0, 1)] ?? plot.samples[0];
  const { method, path, json } = validRequest(target, sample, example);
  return {
    method,
    target: path,
    headers: [
      ['Connection', 'close'],
      ['Authorization', `Bearer ${plot.credentials.admin}`],
    ],
    ...(json !== undefined && { body: Buffer.from(JSON.stringify(json)) }),
    framing: 'length',
    isOdd: false,
  };
}

function makeFraming(random: Random): Framing {
  return random.weighted({ length: 88, chunked: 6, short: 2, long: 2, cut: 2 });
}

function contentType(random: Random): readonly [string, string] {
  const other = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''];
  return ['Content-Type', random.chance(0.9) ? 'application/json' : (random.pick(other) ?? '')];
}

function makeBody(target: Target, plot: Plot, random: Random): Buffer | undefined {
  const examples = target.example.bodies;
  if (examples === undefined && !random.chance(0.1)) return undefined;
  if (target.example.bodyOptional === true && random.chance(0.3)) return undefined;
  let value = startingPoint(target, random.pick(examples ?? []), plot, random);
  const changes = random.weighted({ 0: 35, 1: 30, 2: 20, 3: 15 });
  for (let left = Number(changes); left > 0; left -= 1) value = mutateJson(value, random);
  const text = JSON.stringify(value);
  return random.chance(0.2) ? mutateText(text, random) : Buffer.from(text);
}

function startingPoint(
  { key }: Target,
  example: BodyExample | undefined,
  plot: Plot,
  random: Random,
): Json {
  const schema = ROUTE_BODIES.get(key);
  switch (random.weighted({ example: 10, nonsense: 2, schema: 8, anything: 2 })) {
    case 'example':
      return example?.body(plot.samples[0]) ?? {};
    case 'nonsense':
      return random.pick(example?.nonsense ?? [{}]) ?? {};
    case 'schema':
      return schema === undefined ? {} : valueOf(schema, random, plot.hints);
    case 'anything':
      return anyJson(random);
  }
}
