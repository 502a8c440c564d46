/** The addresses that somebody typed or pasted: separated by commas, semicolons or spaces. */
export function readEmails(text: string): string[] {
  return text.split(/[\s,;]+/).filter((address) => address !== '');
}
