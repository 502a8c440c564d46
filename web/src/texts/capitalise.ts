/** `доставлено` → `Доставлено` */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function capitaliseAll<Name extends string>(
  texts: Readonly<Record<Name, string>>,
): Record<Name, string> {
  const entries = Object.entries<string>(texts).map(([name, text]) => [name, capitalise(text)]);
  return Object.fromEntries(entries) as Record<Name, string>;
}

/** The title of a step: `WhatsApp: доставлено`, or `Доставлено` where no channel is to be named. */
export function stepTitle(text: string): (channel?: string) => string {
  return (channel) => (channel === undefined ? capitalise(text) : `${channel}: ${text}`);
}
