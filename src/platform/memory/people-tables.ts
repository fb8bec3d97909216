/** The people of one workspace and their sign-ins, in memory. */
import type * as tables from '../../workspace/store.ts';
import { compareText } from './credential-tables.ts';

export class MemoryPersonTable implements tables.PersonTable {
  readonly #rows = new Map<string, string>();

  list(): string[] {
    return [...this.#rows.values()];
  }

  put(subject: string, entry: string): void {
    this.#rows.set(subject, entry);
  }

  remove(subject: string): void {
    this.#rows.delete(subject);
  }
}

export class MemorySignInTable implements tables.SignInTable {
  readonly #rows = new Map<string, tables.StoredSignIn>();

  list(): tables.StoredSignIn[] {
    return [...this.#rows.values()].sort((a, b) => compareText(a.id, b.id));
  }

  listOf(subject: string): tables.StoredSignIn[] {
    return this.list().filter((signIn) => signIn.subject === subject);
  }

  put(signIn: tables.StoredSignIn): void {
    this.#rows.set(signIn.id, signIn);
  }

  remove(_subject: string, id: string): void {
    this.#rows.delete(id);
  }

  removeExpired(now: number): void {
    for (const { id, expiresAt } of this.list()) if (expiresAt <= now) this.#rows.delete(id);
  }
}
