import { newId } from '../../ids.ts';
import { maskPhone } from '../../phone.ts';
import type { People } from '../people.ts';
import { findOrAddByPhone } from '../person-store.ts';
import { checkPhoneCode } from '../phone-codes.ts';
import { type Caller, openSession, type Started, startSession } from '../session/start-session.ts';

/** A phone that is new here gets its account with the first right code. */
export async function signInByPhone(
  people: People,
  typed: { phone: string; code: string },
  caller: Caller,
): Promise<Started> {
  const { ctx } = people;
  const phone = await checkPhoneCode(ctx, { ...typed, use: 'cabinet' });
  const id = newId(ctx.clock.now().getTime());
  const personId = await findOrAddByPhone(ctx.db, { id, phone, name: maskPhone(phone) });
  return await startSession(people, caller, openSession(personId));
}
