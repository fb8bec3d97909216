/** What the objects of a server have counted since it started, through the route that only the counting bundle has. */
import type { HttpConnection } from '../client/http-connection.ts';

export interface ObjectCosts {
  /** How often an object was put into memory. */
  readonly wakes: number;
  /** Calls by the Worker or another object, upgrades included. */
  readonly requests: number;
  /** Calls by an isolate whose copy of the policies is old: a matter of time and isolates, and of no approval. */
  readonly refreshes: number;
  /** Messages on sockets, which the platform bills as a twentieth of a request. */
  readonly messages: number;
  readonly alarms: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  /** The platform bills a moved alarm as one row written. */
  readonly alarmMoves: number;
}

interface Costs {
  readonly session: ObjectCosts;
  readonly workspace: ObjectCosts;
}

/** A session that is dropped leaves memory first, as by an eviction. */
export function readCosts(connection: HttpConnection, dropped?: string): Promise<Costs> {
  const query = dropped === undefined ? '' : `?abort=main/${dropped}`;
  return connection.json('GET', `/bench/costs${query}`, 200);
}

/** The costs of all objects together between two readings. */
export function costsBetween(before: Costs, after: Costs): ObjectCosts {
  const spent = (name: keyof ObjectCosts) =>
    after.session[name] + after.workspace[name] - before.session[name] - before.workspace[name];
  return {
    wakes: spent('wakes'),
    requests: spent('requests'),
    refreshes: spent('refreshes'),
    messages: spent('messages'),
    alarms: spent('alarms'),
    rowsRead: spent('rowsRead'),
    rowsWritten: spent('rowsWritten') + spent('alarmMoves'),
    alarmMoves: spent('alarmMoves'),
  };
}
