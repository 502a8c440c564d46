import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LINK_ENDPOINTS } from '@zhiber/contract/cabinet/links.ts';
import { barHost } from '../../src/links/bar-host.ts';
import { disableLinkPermanently } from '../../src/links/link-store.ts';
import { advanceProcessClock, runConcurrently, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { createLinkFixtures, isProblem, TARGET } from './link-fixtures.ts';

const service = useService();
const { create, change, listSlugs, read } = createLinkFixtures(service);
const { person, as } = createCabinetClient(service);

const NEW = 'https://new.example.kz/';

async function open(slug: string): Promise<string | number> {
  const reply = await service.http.inject({ url: `/s/${slug}` });
  return reply.headers.location === undefined ? reply.statusCode : String(reply.headers.location);
}

describe('the address of a link', () => {
  test('is changed on a node that has it in memory within a second', async () => {
    const companyId = await service.company();
    await create(companyId, 'moved');
    assert.equal(await open('moved'), TARGET);
    await change(companyId, 'moved', { url: NEW });
    advanceProcessClock();
    assert.equal(await open('moved'), NEW);
  });

  test('is changed after it was sent in a message', async () => {
    const key = await service.key();
    const body = { phone: service.phone(), url: TARGET, channel: 'auto' };
    const sent = await service.call('/links/send', body, key);
    const slug = String(sent.body.short_url).split('/').at(-1) as string;
    await change(key.companyId, slug.toUpperCase(), { url: NEW });
    assert.equal(await open(slug), NEW);
    const link = await read(key.companyId, slug);
    assert.deepEqual([link.url, link.source, link.message_id], [NEW, 'link', sent.body.message_id]);
  });

  test('keeps who changed it, when, from where and to where, also in the audit log', async () => {
    const marketer = await person({ role: 'marketer' });
    const companyId = marketer.companyId as never;
    await create(companyId, 'history');
    const params = { slug: 'history' };
    const put = (url_before: string, url: string) =>
      as(marketer).call(LINK_ENDPOINTS.changeLink, { params, body: { url_before, url } });
    (await put(TARGET, 'https://one.example.kz')).ok();
    // The parsed form is stored, so that is what the next change has to name.
    (await put('https://one.example.kz', NEW)).refused('changed_meanwhile');
    (await put('https://one.example.kz/', NEW)).ok();
    // The same again changes nothing.
    (await put(NEW, NEW)).ok();
    const { changes } = (await as(marketer).call(LINK_ENDPOINTS.link, { params })).ok();
    assert.deepEqual(
      changes.map(({ url_before, url_after }) => [url_before, url_after]),
      [
        ['https://one.example.kz/', NEW],
        [TARGET, 'https://one.example.kz/'],
      ],
    );
    const [{ name } = {}] = await service.sql('select name from person where id = $1', [
      marketer.personId,
    ]);
    assert.deepEqual(new Set(changes.map((each) => each.person)), new Set([name]));
    const events = await service.sql(
      `select object, before, after from audit_record where company_id = $1 and action = 'link.changed' order by id`,
      [companyId],
    );
    assert.deepEqual(events.at(-1), {
      object: 'http://localhost:3000/s/history',
      before: { url: 'https://one.example.kz/' },
      after: { url: NEW },
    });
    assert.equal(events.length, 2);
  });

  test('is checked like that of a new link', async () => {
    const companyId = await service.company();
    await create(companyId, 'checked');
    await barHost(service.ctx, { host: 'barred.example.kz', reason: 'test' });
    advanceProcessClock();
    const bad = [
      'javascript:alert(1)',
      'not an address',
      'https://user:password@shop.kz/',
      'http://localhost:3000/s/checked',
      'https://barred.example.kz/',
    ];
    for (const url of bad) {
      await assert.rejects(change(companyId, 'checked', { url }), isProblem('invalid_url'), url);
    }
    assert.equal(await open('checked'), TARGET);
  });

  test('is changed by one of several people who have seen the same', async () => {
    const companyId = await service.company();
    await create(companyId, 'raced');
    const tried = await runConcurrently(8, (n) =>
      change(companyId, 'raced', { url: `https://example.kz/${n}` }).then(
        () => 'changed',
        (error) => error.code,
      ),
    );
    assert.deepEqual(tried.toSorted(), ['changed', ...Array(7).fill('changed_meanwhile')]);
    assert.equal((await read(companyId, 'raced')).changes.length, 1);
  });

  test('of another company, or closed by the operator, stays as it is', async () => {
    const companyId = await service.company();
    await create(companyId, 'steady');
    const foreign = await service.company();
    await assert.rejects(change(foreign, 'steady', { url: NEW }), isProblem('not_found'));
    await disableLinkPermanently(service.ctx.db, companyId, 'steady');
    await assert.rejects(change(companyId, 'steady', { url: NEW }), isProblem('link_closed'));
    assert.equal((await read(companyId, 'steady')).url, TARGET);
  });
});

describe('the expiry of a link', () => {
  test('is set, taken away and left alone', async () => {
    const companyId = await service.company();
    await create(companyId, 'timed', { expiresInSeconds: 60 });
    const expiry = async () => {
      const { expires_at } = await read(companyId, 'timed');
      const [{ now } = {}] = await service.sql<{ now: Date }>('select clock_timestamp() as now');
      return expires_at && Math.round((expires_at.getTime() - Number(now)) / 1_000);
    };
    await change(companyId, 'timed', { url: NEW });
    assert.ok(Number(await expiry()) <= 60);
    await change(companyId, 'timed', { urlBefore: NEW, url: NEW, expiresInSeconds: 3_600 });
    assert.ok(Math.abs(Number(await expiry()) - 3_600) < 30);
    await change(companyId, 'timed', { urlBefore: NEW, url: NEW, expiresInSeconds: null });
    assert.equal(await expiry(), null);
    const { changes } = await read(companyId, 'timed');
    assert.deepEqual(
      changes.map((each) => [each.expires_before !== null, each.expires_after !== null]),
      [
        [true, false],
        [true, true],
        [true, true],
      ],
    );
  });

  test('that has passed is set again, and the link works', async () => {
    const companyId = await service.company();
    await create(companyId, 'revived', { expiresInSeconds: 60 });
    await service.passTime(61);
    advanceProcessClock();
    assert.equal(await open('revived'), 410);
    await change(companyId, 'revived', { url: TARGET, expiresInSeconds: 3_600 });
    advanceProcessClock();
    assert.equal(await open('revived'), TARGET);
  });
});

describe('tags', () => {
  test('are kept once each, found again and replaced', async () => {
    const owner = await person({ role: 'owner' });
    const who = as(owner);
    const companyId = owner.companyId as never;
    const body = { url: TARGET, alias: 'tagged', tags: [' Весна ', 'весна', 'Instagram  Ads'] };
    (await who.call(LINK_ENDPOINTS.createLink, { body })).ok();
    await create(companyId, 'plain');
    const foreign = await service.company();
    await create(foreign, 'foreign', { tags: ['чужая'] });
    const tags = async () => (await who.call(LINK_ENDPOINTS.linkOptions, {})).ok().tags.toSorted();
    assert.deepEqual(await tags(), ['Instagram Ads', 'Весна'].toSorted());
    assert.deepEqual(await listSlugs(companyId, { tag: 'Весна' }), ['tagged']);
    assert.deepEqual(await listSlugs(companyId, { tag: 'чужая' }), []);
    assert.deepEqual(await listSlugs(companyId), ['plain', 'tagged']);
    const params = { slug: 'tagged' };
    (await who.call(LINK_ENDPOINTS.tagLink, { params, body: { tags: ['лето'] } })).ok();
    assert.deepEqual((await read(companyId, 'tagged')).tags, ['лето']);
    assert.deepEqual(await listSlugs(companyId, { tag: 'Весна' }), []);
    (await who.call(LINK_ENDPOINTS.tagLink, { params, body: { tags: [] } })).ok();
    assert.deepEqual(await tags(), []);
    const events = await service.sql(
      `select before, after from audit_record where company_id = $1 and action = 'link.tagged' order by id`,
      [companyId],
    );
    assert.deepEqual(events, [
      { before: { tags: ['Весна', 'Instagram Ads'] }, after: { tags: ['лето'] } },
      { before: { tags: ['лето'] }, after: { tags: [] } },
    ]);
  });

  test('are at most five, not empty and not too long', async () => {
    const who = as(await person({ role: 'owner' }));
    const body = { url: TARGET, alias: 'limits' };
    (await who.call(LINK_ENDPOINTS.createLink, { body })).ok();
    const params = { slug: 'limits' };
    for (const tags of [[...'abcdef'], [''], ['  '], ['x'.repeat(31)]]) {
      const answer = await who.call(LINK_ENDPOINTS.tagLink, { params, body: { tags } });
      answer.refused('validation_error');
    }
  });
});
