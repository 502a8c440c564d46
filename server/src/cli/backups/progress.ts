import type { Progress } from '../../db/dump/dump-database.ts';
import type { Call } from '../grammar/command.ts';

export type ProgressBar = {
  /** Begins a step. */
  step(title: string): void;
  update(progress: Progress): void;
  end(): void;
};

const WIDTH = 30;
const REDRAW_MS = 100;

/** A bar in a terminal, one line for each step elsewhere, and nothing beside --json. */
export function createProgressBar({ isJson }: Pick<Call, 'isJson'>): ProgressBar {
  const isTerminal = process.stderr.isTTY === true;
  let title = '';
  let drawnAt = Number.NEGATIVE_INFINITY;
  const clear = () => {
    if (isTerminal && title !== '') process.stderr.write('\r\x1b[K');
  };
  return {
    step(next) {
      if (isJson) return;
      clear();
      title = next;
      process.stderr.write(isTerminal ? `${title}…` : `${title}…\n`);
    },
    update({ done, total }) {
      if (isJson || !isTerminal || performance.now() - drawnAt < REDRAW_MS) return;
      drawnAt = performance.now();
      const share = total === 0 ? 1 : Math.min(done / total, 1);
      const filled = Math.round(share * WIDTH);
      const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
      process.stderr.write(`\r\x1b[K${title} ${bar} ${Math.floor(share * 100)} %`);
    },
    end() {
      clear();
      title = '';
    },
  };
}
