/** One caller of each sort, as an authenticated request has it. */
import type { Scope, Via } from '../../src/protocol/schema/actor.ts';
import type { Caller } from '../../src/protocol/caller.ts';

function caller(name: string, via: Via, scopes: readonly Scope[]): Caller {
  return { credential: `cred-${name}`, subject: name, via, scopes };
}

/** An agent that runs elsewhere; another name is another credential. */
export function agent(name = 'agent'): Caller {
  return caller(name, 'api', ['agent', 'read']);
}

/** A person at the hosted chat: reads, answers and writes. */
export function person(name = 'ada'): Caller {
  return caller(name, 'web', ['read', 'answer', 'send']);
}

/** May write messages, may not answer. */
export function sender(name = 'sam'): Caller {
  return caller(name, 'api', ['read', 'send']);
}

export function reader(name = 'rita'): Caller {
  return caller(name, 'web', ['read']);
}

export function admin(name = 'olga'): Caller {
  return caller(name, 'cli', ['admin']);
}

/** Exactly these scopes, for tables over scopes. */
export function holding(...scopes: readonly Scope[]): Caller {
  return caller(`holder of ${scopes.join(', ')}`, 'api', scopes);
}

/** The session itself, when its alarm fires. */
export const system: Caller = caller('system', 'system', ['admin']);
