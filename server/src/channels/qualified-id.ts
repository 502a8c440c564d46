/** The id of a message as it is stored: two providers may give the same. */
export function qualifiedId(provider: string, id: string): string {
  return `${provider}:${id}`;
}
