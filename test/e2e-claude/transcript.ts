/** Prints the conversation for a person, and counts the passed and failed checks. */
export class Transcript {
  #passed = 0;
  #failed = 0;

  scene(name: string): void {
    console.log(`\n── ${name}`);
  }

  line(who: string, text: string): void {
    const [first = '', ...rest] = text.trim().split('\n');
    console.log(`   ${who.padEnd(9)} │ ${first.slice(0, 150)}`);
    for (const more of rest.slice(0, 4)) console.log(`   ${''.padEnd(9)} │ ${more.slice(0, 150)}`);
  }

  check(what: string, isTrue: boolean, evidence?: unknown): void {
    if (isTrue) this.#passed += 1;
    else this.#failed += 1;
    console.log(`   ${isTrue ? 'ok  ' : 'FAIL'}      ${what}`);
    if (!isTrue)
      console.log(`             ${(JSON.stringify(evidence) ?? 'nothing').slice(0, 600)}`);
  }

  end(): number {
    console.log(`\n${this.#passed} passed, ${this.#failed} failed`);
    return this.#failed;
  }
}
