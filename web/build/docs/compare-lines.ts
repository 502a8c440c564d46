export type LineStep = { kind: 'both' | 'left' | 'right'; left?: number; right?: number };

/**
 * How to read two versions of a text side by side: the lines that both have, and those of one alone,
 * by their numbers. The longest common row of lines is kept.
 */
export function compareLines(left: readonly string[], right: readonly string[]): LineStep[] {
  const common = Array.from({ length: left.length + 1 }, () =>
    new Array<number>(right.length + 1).fill(0),
  );
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const row = common[i] as number[];
      row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const steps: LineStep[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      steps.push({ kind: 'both', left: i++, right: j++ });
    } else if (i < left.length && (j === right.length || at(i + 1, j) >= at(i, j + 1))) {
      steps.push({ kind: 'left', left: i++ });
    } else {
      steps.push({ kind: 'right', right: j++ });
    }
  }
  return steps;
}
