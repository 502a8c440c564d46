/** Kazakhstan has been on UTC+5 since 2024-03-01; older time-zone data still says +6. */
const ZONE = 'Asia/Almaty';
const RIGHT_OFFSET = '+05:00';

export type Zone = { name: string; offset: string; isRight: boolean; tzdata: string };

/** The offset of Almaty in this Node's time-zone data. */
export function readZone(at: Date = new Date()): Zone {
  const parts = new Intl.DateTimeFormat('en', { timeZone: ZONE, timeZoneName: 'longOffset' });
  const text = parts.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const offset = text.replace('GMT', '') || '+00:00';
  const tzdata = process.versions.tz ?? '?';
  return { name: ZONE, offset, isRight: offset === RIGHT_OFFSET, tzdata };
}
