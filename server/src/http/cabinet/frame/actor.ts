import type { PersonId } from '../../../ids.ts';
import type { Visitor } from '../../../people/visitor.ts';
import type { Origin } from './endpoint.ts';

/** Who does something, as the audit log keeps it. */
export function actorOf(
  visitor: Visitor,
  origin: Origin,
): { person: { id: PersonId; name: string }; origin: Origin } {
  return { person: { id: visitor.personId, name: visitor.name }, origin };
}
