import { rememberFact } from '../../../company/company-store.ts';
import { CABINET_DEMO_FACT, findDemo } from '../../../company/demo-company.ts';
import { type KeyId, newId, newRequestId } from '../../../ids.ts';
import type { ApiKey } from '../../../keys/api-key.ts';
import { readKey } from '../../../keys/find-key.ts';
import { addKey } from '../../../keys/manage-keys.ts';
import { openLink } from '../../../links/open-link.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { runOutside } from '../../api/run-outside.ts';
import type { Cabinet } from '../frame/endpoint.ts';
import { SAMPLE_KEYS, SAMPLES, type Sample, type SampleKey } from './samples.ts';

const VISITS = {
  person: { method: 'GET', headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Safari/604.1' } },
  robot: { method: 'GET', headers: { 'user-agent': 'WhatsApp/2.24.20.89 A' } },
} as const;

/**
 * So that no page of the demo company is empty: with the first visit, a day of a small shop is played
 * through the sandbox, by real sends. What has arrived in the virtual phone is cleared away again.
 */
export async function fillDemo(cabinet: Cabinet): Promise<void> {
  const { ctx, sandbox } = cabinet;
  const demo = findDemo(ctx);
  if (demo === undefined || !ctx.channels.isSandbox) return;
  const mark = newId(ctx.clock.now().getTime());
  if ((await rememberFact(ctx.db, CABINET_DEMO_FACT, mark)) !== mark) return;

  const keys = {} as Record<SampleKey, ApiKey>;
  for (const name of Object.keys(SAMPLE_KEYS) as SampleKey[]) {
    const { brand, ...settings } = SAMPLE_KEYS[name];
    const { keyId } = await addKey(
      ctx,
      {},
      {
        ...settings,
        companyId: demo.companyId,
        brand: brand ?? undefined,
      },
    );
    keys[name] = await readKey(ctx.db, keyId);
  }
  for (const sample of SAMPLES) await play(cabinet, keys[sample.key], sample);
  for (const { id } of Object.values(keys)) sandbox.phone.clear({ keyId: id });
}

async function play(cabinet: Cabinet, key: ApiKey, sample: Sample): Promise<void> {
  const run = (operation: Sample['operation'], body: object) =>
    runOutside(cabinet, { key, operation: OPERATIONS[operation], body, requestId: newRequestId() });

  const { body: answer } = await run(sample.operation, sample.body);
  const { phone, purpose } = sample.body;
  if (sample.entered !== undefined && phone !== undefined) {
    const code = codeAt(cabinet, key.id, phone);
    const typed = sample.entered === 'wrong' ? mistyped(code) : code;
    await run('otpVerify', { phone, purpose, code: typed });
  }
  const slug = String(answer.short_url ?? '')
    .split('/')
    .at(-1);
  for (const visitor of slug === '' ? [] : (sample.opened ?? [])) {
    await openLink(cabinet.ctx, slug as string, VISITS[visitor]);
  }
}

function codeAt({ sandbox }: Cabinet, keyId: KeyId, phone: string): string {
  return sandbox.phone.messages({ keyId, phone }).at(-1)?.code ?? '';
}

function mistyped(code: string): string {
  return code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
}
