/** The most alike of the names, or undefined when none is like the text. */
export function findNearest(text: string, names: readonly string[]): string | undefined {
  const asked = text.toLowerCase();
  let nearest: string | undefined;
  // Half of the letters may differ; whatever is further away is another word.
  let least = Math.max(2, Math.ceil(asked.length / 2));
  for (const name of names) {
    const distance = name.includes(asked) || asked.includes(name) ? 1 : distanceOf(asked, name);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

/** How many letters have to be added, removed or replaced. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (letter === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
