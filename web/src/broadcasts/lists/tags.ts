const TAG_LENGTH_MAX = 50;
const TAGS_MAX = 20;

/** Tags as they are typed, between commas; each once, whatever its letter case. */
export function readTags(text: string): string[] {
  const tags = new Map<string, string>();
  for (const part of text.split(/[,;\n]/)) {
    const tag = part.trim().replaceAll(/\s+/g, ' ').slice(0, TAG_LENGTH_MAX).trim();
    if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
  }
  return [...tags.values()].slice(0, TAGS_MAX);
}
