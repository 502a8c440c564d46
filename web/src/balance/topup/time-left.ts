import { useEffect, useRef, useState } from 'react';

/** When the rest of the time is read out: a countdown that speaks every second helps nobody. */
const SPOKEN_SECONDS = [300, 60, 0] as const;
export type SpokenSeconds = (typeof SPOKEN_SECONDS)[number];

/** The mark that was passed since the last look. */
export function passedMark(before: number, now: number): SpokenSeconds | undefined {
  return SPOKEN_SECONDS.findLast((mark) => before > mark && now <= mark);
}

/** `4:05` */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The server rounds to seconds: a smaller difference is no news. */
const DRIFT_MS = 2_000;

/** The seconds left, second by second, from the answer of the server and the time it came. */
export function useSecondsLeft(answer: { secondsLeft: number; at: number }): number {
  const told = answer.at + answer.secondsLeft * 1_000;
  const end = useRef(told);
  if (Math.abs(end.current - told) > DRIFT_MS) end.current = told;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((end.current - now) / 1_000));
}
