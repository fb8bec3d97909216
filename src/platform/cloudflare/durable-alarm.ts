/** The one alarm of a Durable Object, remembered so that it is moved only when it must be. */
export interface DurableAlarm {
  readonly armedAt: number | null;
  /** How often it was moved since the object woke; each move is one more commit. */
  readonly moves: number;
  arm(at: number): void;
  /** The platform used the alarm up by firing it. */
  markFired(): void;
}

export async function durableAlarm(
  storage: DurableObjectStorage,
  warn: (message: string, evidence: unknown) => void,
): Promise<DurableAlarm> {
  let armedAt = await storage.getAlarm();
  let moves = 0;
  return {
    get armedAt() {
      return armedAt;
    },
    get moves() {
      return moves;
    },
    arm(at) {
      armedAt = at;
      moves += 1;
      storage.setAlarm(at).catch((cause: unknown) => {
        armedAt = null;
        warn('The alarm could not be moved', cause);
      });
    },
    markFired() {
      armedAt = null;
    },
  };
}
