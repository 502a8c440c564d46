import type { Actor } from '../../audit/audit-store.ts';
import type { Visitor } from '../../people/visitor.ts';
import { Problem } from '../../problem.ts';
import type { Origin } from './endpoint.ts';

/** Who makes a call, as the audit log names them. */
export function actorOf({ visitor, origin }: { visitor: Visitor; origin: Origin }): Actor {
  return { person: { id: visitor.personId, name: visitor.name }, origin };
}

/** The id in a path. What cannot be one names nothing. */
export function idIn({ id = '' }: Readonly<Record<string, string>>): number {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new Problem('not_found');
  return Number(id);
}
