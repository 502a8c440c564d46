import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { describeSchema } from '../../src/db/describe-schema.ts';
import { useService } from '../harness.ts';

const service = useService();

test('schema.sql describes a fresh database; `npm run schema` updates it', async () => {
  const file = readFileSync(new URL('../../schema/schema.sql', import.meta.url), 'utf8');
  const described = await describeSchema(service.ctx.db);
  assert.equal(file.slice(file.indexOf('create type')), described);
});

test('no function is overloaded', async () => {
  const overloaded = await service.sql(
    `select proname from pg_proc where pronamespace = 'public'::regnamespace
     group by proname having count(*) > 1`,
  );
  assert.deepEqual(overloaded, []);
});
