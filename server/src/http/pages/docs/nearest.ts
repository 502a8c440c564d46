import { editDistance } from '../edit-distance.ts';

/** The most alike of the names, or undefined when none is like the text. */
export function findNearest(text: string, names: readonly string[]): string | undefined {
  const asked = text.toLowerCase();
  let nearest: string | undefined;
  // Half of the letters may differ; whatever is further away is another word.
  let least = Math.max(2, Math.ceil(asked.length / 2));
  for (const name of names) {
    const distance = name.includes(asked) || asked.includes(name) ? 1 : editDistance(asked, name);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}
