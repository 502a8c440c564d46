/** A word from the cabinet that links the group in which somebody posts it, alone in a message. */
export const GROUP_WORD = /group-[A-Za-z0-9]{24}/;

const ALONE = new RegExp(`^\\s*(${GROUP_WORD.source})\\s*$`);

export function readGroupWord(text: unknown): string | undefined {
  return typeof text === 'string' ? ALONE.exec(text)?.[1] : undefined;
}
