/** A word from the cabinet that links the group in which somebody posts it, alone in a message. */
export const GROUP_WORD = /group-[A-Za-z0-9]{24}/;

/** In Telegram it follows a command, because a bot may see nothing but commands. */
const ALONE = new RegExp(`^\\s*(?:/start(?:@\\w+)?\\s+)?(${GROUP_WORD.source})\\s*$`);

export function readGroupWord(text: unknown): string | undefined {
  return typeof text === 'string' ? ALONE.exec(text)?.[1] : undefined;
}
