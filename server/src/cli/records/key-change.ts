import { OVERLAP_HOURS } from '@zhiber/contract/api/limits.ts';
import type { KeyId } from '../../ids.ts';
import type { ApiKey, RotationOverlapHours } from '../../keys/api-key.ts';
import { findKeyById, findOwnKey } from '../../keys/key-store.ts';
import { renewKey, revokeKey } from '../../keys/manage-keys.ts';
import { type Command, Refusal } from '../grammar/command.ts';
import { idOf, oneOf } from '../grammar/values.ts';
import { type Tools, withStorage } from '../with-storage.ts';

const HOUR_MS = 3_600_000;
/** The audit log records no person for a change from the command line. */
const OPERATOR = {};

export const keyRotate: Command = {
  name: 'key rotate',
  usage: 'ID [--overlap 0|1|24|168]',
  summary: {
    en: 'Gives a key a new secret; the old one keeps working for some hours',
    ru: 'Даёт ключу новый секрет; старый работает ещё несколько часов',
  },
  options: { overlap: 'text' },
  operands: ['ID'],
  async run({ given, env, texts }) {
    const keyId = idOf('ID', given.operands[0] as string) as KeyId;
    const overlapHours = parseOverlap(given.text('overlap') ?? '24');
    const { key, oldUntil } = await withStorage(env, (tools) => rotate(tools, keyId, overlapHours));
    return {
      facts: { key_id: keyId, key, old_key_until: oldUntil },
      lines: [
        texts.keyRotated(keyId),
        `  ${key}`,
        oldUntil === null ? texts.oldKeyOver : texts.oldKeyUntil(oldUntil),
      ],
    };
  },
};

function parseOverlap(text: string): RotationOverlapHours {
  const hours = oneOf('--overlap', text, OVERLAP_HOURS.map(String));
  return Number(hours) as RotationOverlapHours;
}

async function rotate(tools: Tools, keyId: KeyId, overlapHours: RotationOverlapHours) {
  const { companyId, isRevoked } = await requireKey(tools, keyId);
  if (isRevoked) throw new Refusal((texts) => texts.keyRevoked(keyId));
  const { key } = await renewKey(tools, OPERATOR, { companyId, keyId, overlapHours });
  const until = new Date(tools.clock.now().getTime() + overlapHours * HOUR_MS);
  return { key, oldUntil: overlapHours === 0 ? null : until.toISOString() };
}

async function requireKey({ db }: Tools, keyId: KeyId): Promise<ApiKey> {
  const known = await findKeyById(db, keyId);
  // Not the hidden one by which broadcasts are sent.
  const key = known && (await findOwnKey(db, known.companyId, keyId));
  if (key === undefined) throw new Refusal((texts) => texts.noKey(keyId));
  return key;
}

export const keyRevoke: Command = {
  name: 'key revoke',
  usage: 'ID',
  summary: {
    en: 'Revokes a key permanently, within a second',
    ru: 'Отзывает ключ навсегда, за секунду',
  },
  operands: ['ID'],
  async run({ given, env, texts }) {
    const keyId = idOf('ID', given.operands[0] as string) as KeyId;
    await withStorage(env, async (tools) => {
      const { companyId } = await requireKey(tools, keyId);
      await revokeKey(tools, OPERATOR, { companyId, keyId });
    });
    return { facts: { key_id: keyId, revoked: true }, lines: [texts.keyIsRevoked(keyId)] };
  },
};
