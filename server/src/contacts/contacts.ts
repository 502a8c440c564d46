import type { Contact } from '../channels/provider.ts';
import type { Database } from '../db/database.ts';
import { recordContact } from './contact-store.ts';

/** Stores a change in who can be reached. Repeating it is harmless. */
export async function storeContact({ db }: { db: Database }, contact: Contact): Promise<void> {
  await recordContact(db, contact);
}
