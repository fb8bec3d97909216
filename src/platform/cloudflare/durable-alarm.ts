/** The one alarm of a Durable Object. Its time is kept in memory, so that the alarm is moved only when necessary. */
export interface DurableAlarm {
  readonly armedAt: number | null;
  /** Moves since the object woke; each move is another commit. */
  readonly moves: number;
  arm(at: number): void;
  /** Call it before the object reads itself for an alarm that runs: what is due now needs no other one. */
  markFiring(now: number): void;
  /** Call it when the alarm runs: the platform has removed the alarm. */
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
    markFiring(now) {
      armedAt = now;
    },
    markFired() {
      armedAt = null;
    },
  };
}
