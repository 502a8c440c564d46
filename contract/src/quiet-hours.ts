export type QuietRules = { quietFrom: number; quietTo: number; skipsDaysOff: boolean };

/** The first instant from `at` on when sending is allowed. */
export function nextSendingTime(at: Date, { quietFrom, quietTo }: QuietRules): Date {
  const local = new Date(at.getTime() + 5 * 3_600_000);
  const hour = local.getUTCHours();
  const isQuiet =
    quietFrom < quietTo
      ? hour >= quietFrom && hour < quietTo
      : quietFrom > quietTo && (hour >= quietFrom || hour < quietTo);
  if (!isQuiet) return at;
  const end = new Date(local);
  end.setUTCHours(quietTo, 0, 0, 0);
  if (end <= local) end.setUTCDate(end.getUTCDate() + 1);
  return new Date(end.getTime() - 5 * 3_600_000);
}
