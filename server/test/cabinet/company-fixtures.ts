import assert from 'node:assert/strict';
import { domainToASCII as toASCII } from 'node:url';
import { type CompanyId, newId } from '../../src/ids.ts';
import { monthOf } from '../../src/papers/month.ts';
import { NO_INTERFERENCE } from '../../src/sandbox/test-numbers.ts';
import { insertOrder } from '../../src/topups/order-store.ts';
import { newReference } from '../../src/topups/reference.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { webhookIdOf } from '../../src/webhooks/event-body.ts';
import { newWebhookSecret } from '../../src/webhooks/webhook-secret.ts';
import type { useService } from '../harness.ts';
import type { createCabinetClient, TestPerson } from './cabinet-client.ts';
import { type Belongings, SAMPLE_LINK_URL } from './sample-requests.ts';

/** A word in all data of one company, which no answer to another company may contain. */
export const CANARY = 'Канарейка';

/** Creates companies with one of everything, and detects changes of their rows. */
export function createCompanyFixtures(
  service: ReturnType<typeof useService>,
  { person }: ReturnType<typeof createCabinetClient>,
) {
  async function createBelongings(owner: TestPerson): Promise<Belongings> {
    // Without receipts the data of the company does not change in the background.
    service.sandbox.switches = { ...NO_INTERFERENCE, offline: true };
    const companyId = owner.companyId as Belongings['companyId'];
    const key = await service.key({ companyId, name: CANARY, isTest: true });
    const phone = service.phone();
    const { body, headers } = await service.call('/links/send', sampleLink(phone), key);
    const slug = String(body.short_url).split('/').at(-1) as string;
    const member = await person({ companyId, role: 'developer' });
    // The papers of past months are those of a company that existed then.
    await service.sql(
      `update company set created_at = created_at - interval '70 days' where id = $1`,
      [companyId],
    );
    const insert = async (text: string, ...values: unknown[]) =>
      (await service.sql<{ id: number }>(`${text} returning id`, [companyId, ...values]))[0]?.id;
    return {
      companyId,
      keyId: key.keyId,
      messageId: String(body.message_id),
      requestId: String(headers['x-request-id']),
      slug,
      memberId: member.personId,
      pastMonth: monthOf(new Date(Date.now() - 35 * 24 * 3_600_000)),
      ...(await createPapers(companyId)),
      ...(await createRecipients(companyId, owner)),
      endedBroadcastId: await createEndedBroadcast(companyId, key.keyId),
      broadcastsBy: {
        asked: await createBroadcast(companyId, 'draft', member.personId),
        scheduled: await createBroadcast(companyId, 'scheduled'),
        running: await createBroadcast(companyId, 'running'),
        paused: await createBroadcast(companyId, 'paused'),
      },
      broadcastName: CANARY,
      groupId: (await insert(
        `insert into messenger_group (company_id, channel, name, chat_id) values ($1, 'telegram', $2, '-1001')`,
        CANARY,
      )) as number,
      invitationId: (await insert(
        `insert into invitation (company_id, role, token_hash, invited_by, ends_at, note)
         values ($1, 'viewer', decode(md5(random()::text), 'hex'), $2, clock_timestamp() + interval '1 day', $3)`,
        owner.personId,
        CANARY,
      )) as number,
      templateId: (await insert(
        `insert into broadcast_template (company_id, name, text) values ($1, $2, $2)`,
        CANARY,
      )) as number,
      ...(await createWebhook(companyId)),
      viewId: (await insert(
        `insert into message_view (company_id, person_id, name, filter) values ($1, $2, $3, '{}')`,
        owner.personId,
        CANARY,
      )) as number,
    };
  }

  /** With an event that was tried once, and refused. */
  async function createWebhook(companyId: CompanyId) {
    const url = `https://${toASCII(CANARY.toLowerCase())}.kz/hook`;
    const [endpoint] = await service.sql<{ id: number }>(
      `insert into webhook_endpoint (company_id, url, events, description, secret)
       values ($1, $2, '{message.sent}', $3, $4) returning id`,
      [companyId, url, CANARY, service.ctx.secrets.seal(newWebhookSecret())],
    );
    const webhookId = endpoint?.id as number;
    const event = newId(Date.now());
    await service.sql(
      `insert into webhook_event (id, company_id, type, at, is_test, phone, data)
       values ($1, $2, 'message.sent', clock_timestamp(), true, 77019990000, jsonb_build_object('reason', $3::text))`,
      [event, companyId, CANARY],
    );
    await service.sql(
      `insert into webhook_delivery (company_id, endpoint_id, event_id, type, state, tries, tries_ever)
       values ($1, $2, $3, 'message.sent', 'failed', 8, 8)`,
      [companyId, webhookId, event],
    );
    await service.sql(
      `insert into webhook_try (company_id, endpoint_id, event_id, number, at, url, has_phone, signed_at, signature, outcome,
         error, status, duration_ms, answer)
       values ($1, $2, $3, 8, clock_timestamp(), $4, true, 1763164800, 'v1,x', 'refused', 'status', 500, 12, $5)`,
      [companyId, webhookId, event, url, CANARY],
    );
    return { webhookId, eventId: webhookIdOf(event) };
  }

  /** One without recipients, as far as it goes with that. */
  async function createBroadcast(
    companyId: CompanyId,
    state: string,
    askedBy: string | null = null,
  ): Promise<string> {
    const id = newId(Date.now());
    await service.sql(
      `insert into broadcast (id, company_id, name, state, pause_reason, recipients, approval_asked_by, approval_asked_at)
       values ($1, $2, $3, $4::text::broadcast_state, case $4 when 'paused' then 'person' end::pause_reason, 0, $5::text,
         case when $5::text is not null then clock_timestamp() end)`,
      [id, companyId, CANARY, state, askedBy],
    );
    return id;
  }

  async function createEndedBroadcast(companyId: CompanyId, keyId: number): Promise<string> {
    const id = newId(Date.now());
    await service.sql(
      `insert into broadcast (id, company_id, name, state, columns, phone_column, recipients, started_at, ended_at)
       values ($1, $2, $3, 'done', '{Телефон}', 1, 1, clock_timestamp() - interval '1 hour', clock_timestamp())`,
      [id, companyId, CANARY],
    );
    await service.sql(
      `with failed as (
         insert into message (company_id, id, key_id, kind, is_test, recipient, state, channel, created_at, settled_at,
           next_check_at, reason, body, request_id)
         values ($1, $2, $3, 'broadcast', false, 77019990000, 'failed', 'sms', clock_timestamp(), clock_timestamp(),
           'infinity', $4, $4, $5) returning *)
       insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict, message_id)
       select $5::uuid, 2, company_id, array[$4], recipient, 'send', id from failed`,
      [companyId, newId(Date.now()), keyId, CANARY, id],
    );
    return id;
  }

  /** A payment with its receipt, and an order that waits for one. */
  async function createPapers(companyId: CompanyId) {
    const orderId = newId(Date.now());
    await insertOrder(service.ctx.db, {
      id: orderId,
      company_id: companyId,
      reference: newReference(),
      provider: 'transfer',
      amount: 5_000,
      payer_name: CANARY,
      payer_business_id: null,
      provider_id: null,
      qr: null,
      pay_url: null,
      created_by: null,
      expires_at: new Date(Date.now() + 3_600_000),
      next_check_at: null,
    });
    const topUpOutcome = await topUp(service.ctx, { companyId, amount: 1_000 });
    assert(topUpOutcome.result === 'credited');
    return { orderId, receiptNumber: topUpOutcome.receiptNumber };
  }

  /** A draft with one row, a list with one member, and a phone that gets no broadcasts. */
  async function createRecipients(companyId: CompanyId, owner: TestPerson) {
    const broadcastId = newId(Date.now());
    const phone = service.phone();
    const unsubscribedPhone = service.phone();
    await service.sql(
      `insert into broadcast (id, company_id, name, source, columns, phone_column, rows_state, rows_count, text, channels,
         consent_basis, created_by)
       values ($1, $2, $3, 'text', '{Телефон}', 1, 'checked', 1, $3, '{sms}', 'form', $4)`,
      [broadcastId, companyId, CANARY, owner.personId],
    );
    await service.sql(
      `insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict)
       values ($1, 1, $2, array[$3], $4, 'send')`,
      [broadcastId, companyId, CANARY, phone.slice(1)],
    );
    const [list] = await service.sql<{ id: number }>(
      `insert into recipient_list (company_id, name, columns, members) values ($1, $2, array[$2], 1) returning id`,
      [companyId, CANARY],
    );
    const listId = list?.id as number;
    await service.sql(
      `insert into list_member (list_id, company_id, phone, cells) values ($1, $2, $3, array[$4])`,
      [listId, companyId, phone.slice(1), CANARY],
    );
    await service.sql(
      `insert into unsubscribed (phone, company_id, source) values ($1, $2, 'company')`,
      [unsubscribedPhone.slice(1), companyId],
    );
    return { broadcastId, listId, listPhone: phone, unsubscribedPhone };
  }

  const sampleLink = (phone: string) => ({
    phone,
    url: SAMPLE_LINK_URL,
    channel: 'auto',
    text: `${CANARY} :link`,
  });

  let snapshotQuery: Promise<string> | undefined;

  /**
   * Builds one query that hashes the rows of a company in every table that has a company id. The use of
   * a key is written a moment after its call.
   */
  async function buildSnapshotQuery(): Promise<string> {
    const tables = await service.sql<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where a.attname = 'company_id' and c.relkind in ('r', 'p') and not c.relispartition
         and c.relnamespace = 'public'::regnamespace and c.relname not in ('session', 'key_use')`,
    );
    const parts = tables.map(
      ({
        name,
      }) => `select '${name}' as name, md5(string_agg(t::text, ',' order by t::text)) as rows
        from ${name} t where company_id = $1`,
    );
    return parts.join(' union all ');
  }

  /** A hash of the company's rows per table, to detect changes. */
  async function snapshotCompany(companyId: number): Promise<Map<string, string>> {
    snapshotQuery ??= buildSnapshotQuery();
    const rows = await service.sql<{ name: string; rows: string }>(await snapshotQuery, [
      companyId,
    ]);
    return new Map(rows.map((row) => [row.name, row.rows]));
  }

  async function assertUnchanged(
    companyId: number,
    before: Map<string, string>,
    mayChange: (table: string) => boolean = () => false,
  ): Promise<void> {
    const now = await snapshotCompany(companyId);
    const changed = [...now].filter(
      ([name, rows]) => before.get(name) !== rows && !mayChange(name),
    );
    assert.deepEqual(
      changed.map(([name]) => name),
      [],
    );
  }

  return { createBelongings, snapshotCompany, assertUnchanged };
}
