import { isUniqueViolation } from '../db/sql-errors.ts';
import { Problem } from '../problem.ts';

/** A company has each name, and each chat, once in a messenger. */
export function refuseTwice(error: unknown): never {
  if (isUniqueViolation(error, 'messenger_group_name')) throw new Problem('name_taken');
  if (isUniqueViolation(error, 'messenger_group_company_id_channel_chat_id_key')) {
    throw new Problem('group_linked');
  }
  throw error;
}
