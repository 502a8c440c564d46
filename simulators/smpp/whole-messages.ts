import type { Journal } from '../frame/journal.ts';
import type { Joint } from './short-message.ts';

/** A part that reaches the phone. */
export type TakenPart = {
  id: string;
  from: string;
  to: string;
  text: string;
  joint: Joint | undefined;
  details: Record<string, unknown>;
};

/** Joins parts as a phone does, and writes each whole message to the journal as `taken`. */
export function createWholeMessages(journal: Journal) {
  const incomplete = new Map<string, TakenPart[]>();

  return {
    take(part: TakenPart): void {
      const { id, to, text, joint, details } = part;
      if (joint === undefined || joint.total === 1) {
        journal.write({ event: 'taken', id, to, text, details });
        return;
      }
      journal.write({ event: 'part', id, to, text, details: { ...details, ...joint } });
      const key = [part.from, to, joint.by, joint.reference, joint.total].join(' ');
      const parts = [...(incomplete.get(key) ?? []), part];
      incomplete.set(key, parts);
      const numbers = new Set(parts.map((one) => one.joint?.number));
      if (numbers.size < joint.total) return;
      incomplete.delete(key);
      const inOrder = parts.toSorted((a, b) => (a.joint?.number ?? 0) - (b.joint?.number ?? 0));
      journal.write({
        event: 'taken',
        id: (inOrder[0] as TakenPart).id,
        to,
        text: inOrder.map((one) => one.text).join(''),
        details: { ...details, partIds: inOrder.map((one) => one.id) },
      });
    },
  };
}
