export class DeadlineExceeded extends Error {
  constructor(limitMs: number) {
    super(`no result within ${limitMs} ms`);
  }
}

/**
 * Runs the work with a signal that is aborted after `limitMs`; at once when that is negative, as the
 * rest of a longer deadline may be. Work that heeds the signal has `graceMs` more to return its
 * result. After that it rejects with `DeadlineExceeded`, and a later result is dropped.
 */
export async function withDeadline<T>(
  { limitMs, graceMs = 0 }: { limitMs: number; graceMs?: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    const expire = () => reject(new DeadlineExceeded(limitMs));
    timer = setTimeout(
      () => {
        deadline.abort();
        timer = setTimeout(expire, graceMs);
      },
      Math.max(limitMs, 0),
    );
  });
  try {
    return await Promise.race([work(deadline.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** The result of the promise, or undefined when it takes longer than the limit. */
export async function within<T>(limitMs: number, promise: Promise<T>): Promise<T | undefined> {
  return await withDeadline<T | undefined>({ limitMs }, () => promise).catch((error: unknown) => {
    if (error instanceof DeadlineExceeded) return undefined;
    throw error;
  });
}
