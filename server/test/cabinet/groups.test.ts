import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GROUP_ENDPOINTS } from '@zhiber/contract/cabinet/links.ts';
import type { CompanyId, KeyId } from '../../src/ids.ts';
import { until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';

const service = useService();
const { person, as } = createCabinetClient(service);
const CHAT = { name: 'Дежурные', channel: 'telegram' as const, chat_id: '-1001' };

/** A signed-in member with calls for the groups of their company. */
async function openCabinet(role: 'developer' | 'viewer' = 'developer', companyId?: CompanyId) {
  const who = await person({ role, ...(companyId && { companyId }) });
  const { call } = as(who);
  return {
    companyId: who.companyId as CompanyId,
    personId: who.personId,
    call,
    link: (body: object = {}) =>
      call(GROUP_ENDPOINTS.linkGroup, { body: { ...CHAT, ...body } as typeof CHAT }),
    groups: async () => (await call(GROUP_ENDPOINTS.groups)).ok(),
  };
}

const auditEvents = (companyId: CompanyId) =>
  service.sql(
    'select person_id, action, object, before, after from audit_record where company_id = $1 order by id',
    [companyId],
  );

describe('a group', () => {
  test('is linked by its chat id, renamed and unlinked, with audit log entries', async () => {
    const { companyId, personId, call, link, groups } = await openCabinet();
    const { id } = (await link({ name: ' Дежурные ' })).ok();
    const listed = await groups();
    assert.deepEqual(
      listed.groups.map(({ created_at: _, ...group }) => group),
      [{ id, ...CHAT, has_bot: null, posted_at: null }],
    );
    const name = 'Ночная смена';
    (await call(GROUP_ENDPOINTS.renameGroup, { params: { id }, body: { name } })).ok();
    assert.equal((await groups()).groups[0]?.name, name);
    (await call(GROUP_ENDPOINTS.unlinkGroup, { params: { id } })).ok();
    assert.deepEqual((await groups()).groups, []);
    const chat = { channel: 'telegram', chat_id: '-1001' };
    const by = { person_id: personId };
    assert.deepEqual(await auditEvents(companyId), [
      { ...by, action: 'group.linked', object: 'Дежурные', before: null, after: chat },
      {
        ...by,
        action: 'group.renamed',
        object: name,
        before: { name: 'Дежурные' },
        after: { name },
      },
      { ...by, action: 'group.unlinked', object: name, before: chat, after: null },
    ]);
  });

  test('has a unique name per messenger, ignoring case', async () => {
    const { companyId, call, link } = await openCabinet();
    (await link()).ok();
    const taken = (await link({ name: 'ДЕЖУРНЫЕ', chat_id: '-2' })).refused('name_taken');
    assert.deepEqual(Object.keys(taken.errors as object), ['name']);
    (await link({ name: 'Вторые' })).refused('group_linked');
    (await link({ channel: 'whatsapp' as never, chat_id: '1@g.us' })).ok();
    const { id } = (await link({ name: 'Вторые', chat_id: '-2' })).ok();
    const rename = (name: string) =>
      call(GROUP_ENDPOINTS.renameGroup, { params: { id }, body: { name } });
    (await rename('дежурные')).refused('name_taken');
    (await rename('ВТОРЫЕ')).ok();
    const actions = (await auditEvents(companyId)).map(({ action }) => action);
    assert.deepEqual(actions, ['group.linked', 'group.linked', 'group.linked', 'group.renamed']);
  });

  test('of another company is not found', async () => {
    const theirs = await openCabinet();
    const { id } = (await theirs.link()).ok();
    const mine = await openCabinet();
    for (const params of [{ id }, { id: 999_999 }, { id: '0' }, { id: 'x' }, { id: '1e3' }]) {
      const body = { name: 'Моя' };
      (await mine.call(GROUP_ENDPOINTS.renameGroup, { params, body })).refused('not_found');
      (await mine.call(GROUP_ENDPOINTS.unlinkGroup, { params })).refused('not_found');
      (await mine.call(GROUP_ENDPOINTS.testGroup, { params })).refused('not_found');
    }
    assert.equal((await theirs.groups()).groups.length, 1);
  });

  test('cannot be changed by a viewer', async () => {
    const { companyId, link } = await openCabinet();
    (await link()).ok();
    const viewer = await openCabinet('viewer', companyId);
    assert.equal((await viewer.groups()).groups.length, 1);
    (await viewer.link({ chat_id: '-3' })).refused('no_right');
    (await viewer.call(GROUP_ENDPOINTS.groupInvitation)).refused('no_right');
  });

  test('gets a test post with the oldest active key that has its channel, in the sandbox a test key first', async () => {
    const { companyId, call, link, groups } = await openCabinet();
    const { id } = (await link()).ok();
    // The name of another group equals the id of this one.
    (await link({ name: String(id), chat_id: '-7' })).ok();
    const post = () => call(GROUP_ENDPOINTS.testGroup, { params: { id } });
    (await post()).refused('key_needed');
    await service.key({ companyId, channels: ['sms'] });
    await service.key({ companyId, expiresAt: new Date(Date.now() - 60_000) });
    (await post()).refused('key_needed');
    const live = await service.key({ companyId });
    await service.key({ companyId });
    (await post()).refused('insufficient_tokens');
    await service.markPaid(companyId);
    const assertPostedWith = async ({ keyId }: { keyId: KeyId }) => {
      const { message_id } = (await post()).ok();
      const [message] = service.sandbox.phone.messages({ keyId });
      assert.deepEqual([message?.messageId, message?.phone], [message_id, CHAT.chat_id]);
      assert.match(message?.text ?? '', /Проверка связи/);
    };
    await assertPostedWith(live);
    await assertPostedWith(await service.key({ companyId, isTest: true }));
    const postedAt = async () =>
      (await groups()).groups.find((group) => group.id === id)?.posted_at ?? null;
    await until('the post is recorded', async () => (await postedAt()) !== null);
  });
});

test('without a provider of groups there are no invitations', async () => {
  const { call, groups } = await openCabinet();
  for (const channel of ['whatsapp', 'telegram'] as const) {
    (await call(GROUP_ENDPOINTS.groupInvitation, { body: { channel } })).refused(
      'groups_not_connected',
    );
  }
  assert.deepEqual((await groups()).by_word, []);
});
