import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { openEmbedded } from '../../src/db/embedded.ts';
import { IS_FULL } from '../is-full.ts';
import { createEmptyHome, createSql, postmasterPid, type Settings } from './serve-harness.ts';

type Json = Record<string, unknown>;

/** Runs a command with --json and returns the one object that it printed. */
async function runJson(
  home: ReturnType<typeof createEmptyHome>,
  line: string,
  settings?: Settings,
) {
  const { code, out, err } = await home.run([...line.split(' '), '--json'], settings);
  assert.equal(err, '', line);
  assert.equal(out.trimEnd().split('\n').length, 1, `one line of JSON from: ${line}`);
  return { code, json: JSON.parse(out) as Json };
}

describe('without a data folder', { concurrency: false }, () => {
  const home = createEmptyHome();
  after(() => home.remove());

  test('wrong usage exits with 2, and help exits with 0', async () => {
    const wrong = await home.run(['key', 'revoke']);
    assert.equal(wrong.code, 2);
    assert.equal(wrong.err, 'ID is missing.\nUsage: zhiber key revoke ID\n');
    assert.equal((await home.run(['help'])).code, 0);
  });

  test('send fails when no server is running', async () => {
    const line = 'send +77000000000 --key k --url http://localhost:1';
    const { code, json } = await runJson(home, line);
    assert.equal(code, 1);
    assert.match(json.error as string, /No server answers at http:\/\/localhost:1\/api/);
  });

  test('doctor passes without a data folder and does not create one', async () => {
    const { code, json } = await runJson(home, 'doctor');
    assert.equal(code, 0, JSON.stringify(json.checks));
    assert.match(JSON.stringify(json.checks), /new, will be created/);
    assert.equal(existsSync(home.dataDir), false);
  });

  test('doctor names invalid settings and masks secrets', async () => {
    const ended = await home.run(['doctor'], { PORT: 'x', SECRET: 'tooshort' });
    assert.equal(ended.code, 1);
    assert.match(ended.out, /✗ Setting +PORT:[\s\S]*✗ Setting +SECRET:/);
    assert.match(ended.out, /SECRET +•••• \(8 chars\)/);
    assert.doesNotMatch(ended.out, /tooshort/);
  });
});

describe('with a data folder', { concurrency: false }, () => {
  const home = createEmptyHome();
  let server: Awaited<ReturnType<typeof home.serve>>;
  let api: Settings;
  const run = (line: string, settings?: Settings) => runJson(home, line, settings);

  before(async () => {
    server = await home.serve();
    const key = server.facts.keys?.test;
    api = { ZHIBER_URL: `http://localhost:${server.facts.port}`, ZHIBER_KEY: key };
  });
  after(() => home.remove());

  /** Runs every command that works on the data, and asserts its documented answer. */
  async function useEveryCommand(slug: string): Promise<void> {
    const made = await run('company create --name Тест');
    const id = made.json.company_id as number;
    assert.deepEqual(made, { code: 0, json: { company_id: id, balance: 50 } });

    const created = await run(
      `key create --company ${id} --name Site --test --domain пример.kz --channels sms,whatsapp ` +
        '--code-length 4 --code-ttl 60 --fallback 15 --language both --brand Shop --rate 100 ' +
        '--expires-in-days 30',
    );
    const keyId = created.json.key_id as number;
    const daysLeft = (Date.parse(created.json.expires_at as string) - Date.now()) / 86_400_000;
    assert.ok(daysLeft > 29.9 && daysLeft <= 30);
    const listed = (await run(`key list --company ${id}`)).json.keys as { expires_at: string }[];
    assert.equal(listed[0]?.expires_at, created.json.expires_at);
    assert.match(created.json.key as string, /^zk_test_\w{38}$/);
    assert.equal(created.code, 0);

    const rotated = await run(`key rotate ${keyId}`);
    assert.match(rotated.json.key as string, /^zk_test_/);
    assert.notEqual(rotated.json.key, created.json.key);
    const hoursLeft = (Date.parse(rotated.json.old_key_until as string) - Date.now()) / 3_600_000;
    assert.ok(hoursLeft > 23.9 && hoursLeft <= 24);
    assert.equal((await run(`key rotate ${keyId} --overlap 0`)).json.old_key_until, null);
    assert.deepEqual(await run(`key revoke ${keyId}`), {
      code: 0,
      json: { key_id: keyId, revoked: true },
    });

    const first = (await run(`topup --company ${id} --amount 5000 --reference pay-${id}`)).json;
    const receipt = first.receipt as number;
    assert.deepEqual(first, { company_id: id, balance: 6050, bonus: 1000, receipt });
    assert.deepEqual(
      (await run(`topup --company ${id} --amount 5000 --reference pay-${id}`)).json,
      { company_id: id, already: true, receipt },
    );
    assert.deepEqual((await run(`topup --company ${id} --amount 1000`)).json, {
      company_id: id,
      balance: 7050,
      bonus: 0,
      receipt: receipt + 1,
    });
    const { id: _price, from: _from, ...price } = (await run('price set sms 9')).json;
    assert.deepEqual(price, { channel: 'sms', tokens: 9, company_id: null });
    const group = `group add --company ${id} --channel telegram --name Team --chat -100500`;
    assert.deepEqual(Object.keys((await run(group)).json), ['group_id']);
    const { groups } = (await run(`group list --company ${id}`)).json as { groups: Json[] };
    assert.partialDeepStrictEqual(groups, [{ chat_id: '-100500', company_id: id, name: 'Team' }]);
    assert.deepEqual((await run(`link disable --company 1 ${slug}`)).json, {
      slug,
      disabled: true,
    });

    const suspended = { company_id: id, suspended: true };
    const suspend = await run(`company suspend ${id} --reason спам`);
    assert.deepEqual(suspend, { code: 0, json: suspended });
    const resumed = { company_id: id, suspended: false };
    assert.deepEqual((await run(`company resume ${id}`)).json, resumed);
    const person = `${slug}@example.kz`;
    await createSql(home.dataDir)('insert into person (id, name, email) values ($1, $2, $3)', [
      slug,
      'Кто-то',
      person,
    ]);
    const block = await run(`person block ${person.toUpperCase()} --reason обман`);
    assert.deepEqual(block.json, { person: person.toUpperCase(), blocked: true });
    assert.deepEqual((await run(`person unblock ${person}`)).json, { person, blocked: false });
    await checkOperators(`operator.${slug}@zhiber.kz`);
    const host = `${slug}.evil.kz`;
    const barred = await run(`host bar ${host.toUpperCase()}. --reason обман`);
    assert.deepEqual(barred.json, { host, barred: true });
    const { hosts } = (await run('host list')).json as { hosts: Json[] };
    assert.partialDeepStrictEqual(hosts, [{ host, reason: 'обман' }]);
    assert.deepEqual((await run(`host unbar ${host}`)).json, { host, barred: false });

    assert.deepEqual((await run('migrate')).json, {
      applied: 0,
      total: server.facts.migrations.applied,
    });
    assert.deepEqual((await run(`guard list --company ${id}`)).json, { decisions: [] });
    const audit = await run('audit');
    assert.equal(audit.code, 0, JSON.stringify(audit.json));
    assert.ok(Object.keys(audit.json.violations as Json).length >= 15);
    const doctor = await run('doctor');
    assert.equal(doctor.code, 0, JSON.stringify(doctor.json));
  }

  async function checkOperators(email: string) {
    const created = await run(`operator create --email ${email.toUpperCase()} --name Айгуль`);
    assert.equal(created.json.email, email);
    assert.match(String(created.json.link), /\/admin\/welcome#[\w-]{43}$/);
    const renewed = await run(`operator create --email ${email} --name Айгуль`);
    assert.notEqual(renewed.json.link, created.json.link);
    const listed = (await run('operator list')).json as { operators: Json[] };
    assert.deepEqual(
      listed.operators.filter((one) => one.email === email),
      [{ email, name: 'Айгуль', has_joined: false, has_second_factor: false }],
    );
    const removed = await run(`operator remove --email ${email}`);
    assert.deepEqual(removed.json, { email, removed: true });
    assert.doesNotMatch(JSON.stringify((await run('operator list')).json), new RegExp(email));
  }

  test('send, verify and shorten call the running server', async () => {
    const sent = await run('send +77000000000', api);
    assert.deepEqual([sent.code, sent.json.success], [0, true], JSON.stringify(sent.json));
    const wrong = await run('verify +77000000000 111111', api);
    assert.deepEqual([wrong.code, wrong.json.error_code], [1, 'invalid_code']);
    assert.equal((await run('verify +77000000000 000000', api)).code, 0);
    for (const alias of ['one', 'two']) {
      const made = await run(`shorten https://a.kz --alias ${alias} --expires-in 600`, api);
      assert.equal(made.code, 0, JSON.stringify(made.json));
    }
  });

  test('every command works while the server runs', () => useEveryCommand('one'));

  const refused: [string, RegExp][] = [
    ['key create --company 999 --name A', /There is no company 999/],
    ['group add --company 999 --channel telegram --name A --chat 1', /There is no company 999/],
    ['topup --company 999 --amount 1000', /There is no company 999/],
    ['topup --company 1 --amount 999', /smallest top-up is 1000/],
    ['key revoke 999', /There is no key 999/],
    ['guard list --company 999', /There is no company 999/],
    ['group list --company 999', /There is no company 999/],
    ['key rotate 999', /There is no key 999/],
    ['link disable --company 1 nothing', /has no short link "nothing"/],
    ['company suspend 999 --reason a', /There is no company 999/],
    ['company resume 1', /Company 1 is not suspended/],
    ['company show 999', /There is no company 999/],
    ['key list --company 999', /There is no company 999/],
    ['balance --company 999', /There is no company 999/],
    ['price list --company 999', /There is no company 999/],
    ['price set sms 5 --company 999', /There is no company 999/],
    ['price withdraw 999', /There is no price 999/],
    ['sender clear --company 999', /There is no company 999/],
    ['payment list --company 999', /There is no company 999/],
    ['person block nobody@example.kz --reason a', /nobody@example.kz/],
    ['person unblock one@example.kz', /one@example.kz is not blocked/],
    ['operator remove --email nobody@zhiber.kz', /nobody@zhiber.kz is no operator/],
    ['host unbar evil.kz', /evil.kz is not barred/],
    ['group add --company 2 --channel telegram --name Other --chat -100500', /-100500 already/],
    ['group add --company 2 --channel telegram --name team --chat 7', /group named "team"/],
  ];
  test('impossible requests exit with 1 and one sentence', async () => {
    const checks = refused.map(async ([line, pattern]) => {
      const { code, json } = await run(line);
      assert.equal(code, 1, line);
      assert.match(json.error as string, pattern);
    });
    await Promise.all(checks);
  });

  test('audit finds a balance that differs from its entries', async () => {
    await createSql(home.dataDir)('update account set balance = balance + 1 where company_id = 1');
    const { code, json } = await run('audit');
    assert.equal(code, 1);
    const { violations } = json as { violations: Record<string, number> };
    assert.equal(violations.balance_is_not_sum_of_entries, 1);
    assert.equal(violations.balance_chain_is_broken, 1);
    assert.equal(violations.held_is_not_sum_of_holds, 0);
    await createSql(home.dataDir)('update account set balance = balance - 1 where company_id = 1');
  });

  // One that needs the database and finds none starts it: a few are tried below.
  test('every command works while the server is stopped', { skip: !IS_FULL }, async () => {
    await server.stop('SIGTERM');
    // Holds the database open, because starting PostgreSQL for each command takes a second.
    const { dataDir } = home;
    const database = await openEmbedded({ dataDir, as: 'visitor', log: () => undefined });
    try {
      await useEveryCommand('two');
    } finally {
      await database.stop();
    }
  });

  test('a command starts the database when it is stopped, and leaves no process running', async () => {
    await server.stop('SIGTERM');
    for (const line of ['company create --name Тест', 'migrate', 'audit', 'doctor']) {
      const { code, json } = await run(line);
      assert.equal(code, 0, `${line}: ${JSON.stringify(json)}`);
      assert.equal(postmasterPid(home.dataDir), undefined, line);
    }
  });
});
