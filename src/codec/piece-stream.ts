/** Makes pieces of output out of chunks of input. What it throws ends the stream. */
export interface PieceSource {
  push(chunk: Uint8Array): Iterator<Uint8Array>;
  /** What is left at the end of the input. */
  end(): Iterator<Uint8Array>;
}

/**
 * A pair of streams around a source of pieces. The constructor of TransformStream would not do: what it has not handed on when
 * it fails it drops, and it takes all that a chunk gives at once. Here a piece waits until the reader asks for it, an
 * error waits behind the pieces before it, and meanwhile no further chunk is taken.
 */
export function createPieceStream(source: PieceSource): TransformStream<Uint8Array, Uint8Array> {
  const demand = new Demand();
  let input: WritableStreamDefaultController;
  let output: ReadableStreamDefaultController<Uint8Array>;
  const give = async (pieces: Iterator<Uint8Array>): Promise<void> => {
    for (;;) {
      const step = attempt(() => pieces.next());
      if ("value" in step && step.value.done === true) return;
      await demand.wait();
      if ("error" in step) {
        output.error(step.error);
        throw step.error;
      }
      // Before the piece is there: to hand it on may make the reader ask for the next at once.
      demand.isAsked = false;
      output.enqueue(step.value.value);
    }
  };
  return {
    readable: new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          output = controller;
        },
        pull: () => demand.ask(),
        cancel: (reason) => {
          input.error(reason);
          demand.end(reason);
        },
      },
      // Without a queue of its own, so that a piece is asked for when somebody reads.
      { highWaterMark: 0 },
    ),
    writable: new WritableStream<Uint8Array>({
      start: (controller) => {
        input = controller;
      },
      write: (chunk) => give(source.push(chunk)),
      close: async () => {
        await give(source.end());
        if (!demand.isEnded) output.close();
      },
      abort: (reason) => output.error(reason),
    }),
  };
}

/** Whether the reader waits for a piece. */
class Demand {
  isAsked = false;
  isEnded = false;
  #reason: unknown;
  #wake: (() => void) | undefined;

  ask(): void {
    this.isAsked = true;
    this.#wake?.();
  }

  /** The reader has gone. */
  end(reason: unknown): void {
    this.isEnded = true;
    this.#reason = reason;
    this.#wake?.();
  }

  async wait(): Promise<void> {
    while (!this.isAsked && !this.isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.isEnded) throw this.#reason;
  }
}

function attempt<T>(run: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}
