import { findDemo } from '../../company/demo-company.ts';
import { Problem } from '../../problem.ts';
import type { People } from '../people.ts';
import { addDemoOwner } from '../person-store.ts';
import { type Caller, openSession, type Started, startSession } from '../session/start-session.ts';

/** As the owner of the demo company; there is none unless this is a sandbox. */
export async function enterDemo(people: People, caller: Caller): Promise<Started> {
  const { ctx } = people;
  const demo = ctx.channels.isSandbox ? findDemo(ctx) : undefined;
  if (demo === undefined) throw new Problem('not_found');
  const personId = await addDemoOwner(ctx.db, demo.companyId);
  return await startSession(people, caller, openSession(personId));
}
