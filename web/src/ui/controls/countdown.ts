import { useEffect, useState } from 'react';

/** The seconds left, and a function to restart the countdown. */
export function useCountdown(initial = 0): [left: number, start: (seconds: number) => void] {
  const [left, setLeft] = useState(initial);
  const isRunning = left > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return [left, setLeft];
}
