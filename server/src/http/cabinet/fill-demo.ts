import { fillDemoBroadcasts } from '../../broadcasts/demo/fill-demo-broadcasts.ts';
import { type KeyId, newRequestId } from '../../ids.ts';
import { claimDemoSamples } from '../../installation/demo-company.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { addKey } from '../../keys/manage-keys.ts';
import { followShortLink } from '../../links/follow-short-link.ts';
import { createWebhook } from '../../webhooks/manage-webhooks.ts';
import { OPERATIONS } from '../api/operations.ts';
import { runAsApiCall } from '../api/run-as-api-call.ts';
import type { Cabinet } from './endpoint.ts';
import { SAMPLE_KEYS, SAMPLES, type Sample, type SampleKey } from './samples.ts';

const DEMO_EVENTS = [
  'message.delivered',
  'message.failed',
  'otp.verified',
  'link.clicked',
] as const;

const VISITS = {
  person: { method: 'GET', headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Safari/604.1' } },
  robot: { method: 'GET', headers: { 'user-agent': 'WhatsApp/2.24.20.89 A' } },
} as const;

/**
 * Fills the demo company on the first visit, so that none of its pages is empty. A day of a small
 * shop is sent through the sandbox by real operations; the virtual phone is cleared afterwards. Its
 * broadcasts ended on the days before.
 */
export async function fillDemo(cabinet: Cabinet): Promise<void> {
  const { ctx, sandbox } = cabinet;
  const demo = ctx.demo;
  if (demo === undefined || !ctx.channels.isSandbox) return;
  if (!(await claimDemoSamples(ctx))) return;

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
    keys[name] = await ctx.keys.read(keyId);
  }
  await fillDemoBroadcasts(ctx, demo.companyId);
  // The health endpoint takes any POST, so the demo needs no server of its own.
  await createWebhook(
    ctx,
    {},
    {
      companyId: demo.companyId,
      url: `${ctx.urls.publicUrl}/api/health`,
      events: [...DEMO_EVENTS],
      description: 'Интернет-магазин',
      showsPhones: false,
    },
  );
  for (const sample of SAMPLES) await playSample(cabinet, keys[sample.key], sample);
  for (const { id } of Object.values(keys)) sandbox.phone.clear({ keyId: id });
}

async function playSample(cabinet: Cabinet, key: ApiKey, sample: Sample): Promise<void> {
  const run = (operation: Sample['operation'], body: object) =>
    runAsApiCall(cabinet, {
      key,
      operation: OPERATIONS[operation],
      body,
      requestId: newRequestId(),
    });

  const { body: answer } = await run(sample.operation, sample.body);
  const { phone, purpose } = sample.body;
  if (sample.entered !== undefined && phone !== undefined) {
    const code = lastCode(cabinet, key.id, phone);
    const typed = sample.entered === 'wrong' ? mistype(code) : code;
    await run('otpVerify', { phone, purpose, code: typed });
  }
  const slug = String(answer.short_url ?? '')
    .split('/')
    .at(-1);
  for (const visitor of slug === '' ? [] : (sample.opened ?? [])) {
    await followShortLink(cabinet.ctx, slug as string, VISITS[visitor]);
  }
}

function lastCode({ sandbox }: Cabinet, keyId: KeyId, phone: string): string {
  return sandbox.phone.messages({ keyId, phone }).at(-1)?.code ?? '';
}

function mistype(code: string): string {
  return code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
}
