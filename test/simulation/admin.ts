/** An administrator, who creates keys and revokes credentials. */
import type { Workspace } from '../../src/workspace/workspace.ts';
import type { Simulation } from './simulation.ts';

const OLGA = { subject: 'olga', via: 'cli' } as const;

interface Changed {
  readonly ok: boolean;
}

export class Admin {
  /** The acknowledged changes, which must stay in the audit list. */
  readonly acknowledged = new Set<string>();
  /** The keys that she knows. */
  readonly keys: string[] = [];
  readonly #simulation: Simulation;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  revoke(credential: string): void {
    this.#change(`${credential} revoked`, (workspace) =>
      workspace.credentials.revoke(credential, null, OLGA).then(() => ({ ok: true })),
    );
  }

  createKey(name: string): void {
    const id = `key_${name}`;
    const wanted = { name, scopes: ['read' as const] };
    this.#change(`${id} created`, (workspace) => {
      const made = workspace.credentials.createKey(wanted, OLGA, name);
      return 'ok' in made ? made : { ok: true };
    });
    this.keys.push(id);
  }

  revokeKey(id: string): void {
    this.#change(`${id} revoked`, (workspace) => workspace.credentials.revokeKey(id, OLGA));
  }

  #change(what: string, work: (workspace: Workspace) => Changed | Promise<Changed>): void {
    const { network, workspace } = this.#simulation;
    this.#simulation.note(() => `  olga wants ${what}`);
    network.call<Changed>(
      `olga: ${what}`,
      'client',
      (answer, fail) => workspace.host.serve(work, answer, fail),
      { reply: ({ ok }) => ok && this.acknowledged.add(what), fail: () => undefined },
    );
  }
}
