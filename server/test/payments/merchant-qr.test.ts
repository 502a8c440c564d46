import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { systemClock } from '../../src/clock.ts';
import type { PaymentConfig } from '../../src/config/payment-settings.ts';
import { openMerchantQr } from '../../src/payments/merchant-qr.ts';
import { openPayments } from '../../src/payments/open-payments.ts';
import type { OrderToPay } from '../../src/payments/payment.ts';
import { openTransfer } from '../../src/payments/transfer.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { useService } from '../harness.ts';

const ORDER: OrderToPay = {
  reference: 'ZB-7K3M9QXW',
  amount: 5_000,
  description: 'Пополнение баланса',
  language: 'ru',
};
const service = useService();
const live = useService({ providers: { sms: createSandbox(systemClock).adapters.sms } });
const DAY_SECONDS = 24 * 3600;
const soon = () => AbortSignal.timeout(1_000);

test('the QR of a merchant is shown as it is, and opens the bank where it is an address', async () => {
  const qr = 'https://pay.example.kz/m/123';
  const provider = openMerchantQr({ qr });
  assert.deepEqual(await provider.create(ORDER, soon()), {
    result: 'created',
    providerId: 'ZB-7K3M9QXW',
    qr,
    payUrl: qr,
  });
  assert.equal(provider.confirmation, 'operator');
  for (const text of ['000201010211', 'javascript:alert(1)', 'http://pay.example.kz']) {
    const created = await openMerchantQr({ qr: text }).create(ORDER, soon());
    assert.partialDeepStrictEqual(created, { qr: text });
    assert.equal('payUrl' in created && created.payUrl, undefined);
  }
});

test('a bank transfer needs the account of the seller, has no QR, and waits for 30 days', async () => {
  assert.equal(openTransfer({}), undefined);
  const provider = openTransfer({ iban: 'KZ123456789012345678' });
  assert.deepEqual(await provider?.create(ORDER, soon()), {
    result: 'created',
    providerId: 'ZB-7K3M9QXW',
    qr: undefined,
    payUrl: undefined,
  });
  assert.equal(provider?.lifetimeSeconds, 30 * DAY_SECONDS);
  assert.equal(provider?.confirmation, 'operator');
});

test('what only a statement shows can neither be asked nor refund by itself', () => {
  for (const provider of [openMerchantQr({ qr: 'x' }), openTransfer({ iban: 'KZ' })]) {
    assert.deepEqual(
      [provider?.readStatus, provider?.readNotice, provider?.refund],
      [undefined, undefined, undefined],
    );
  }
});

async function names(config: PaymentConfig, isSandbox = false): Promise<string[]> {
  const { providers, close } = await openPayments(config, {
    isSandbox,
    log: pino({ level: 'silent' }),
    publicUrl: () => 'http://localhost:3000',
    bank: service.ctx,
  });
  await close();
  return providers.map(({ name }) => name);
}

test('each way to pay is open where it is configured, and the bank of the sandbox only there', async () => {
  const seller = { name: 'ТОО', businessId: '1', address: 'Алматы' };
  assert.deepEqual(await names({}), []);
  assert.deepEqual(await names({ seller }), []);
  const all: PaymentConfig = {
    'merchant-qr': { qr: 'x', bank: 'Банк' },
    seller: { ...seller, iban: 'KZ123456789012345678' },
    kaspi: { url: 'http://127.0.0.1:1', apiKey: 'k', deviceId: 'd', tradePointId: '1' },
  };
  assert.deepEqual(await names(all), ['kaspi', 'merchant-qr', 'transfer']);
  assert.deepEqual(await names(all, true), ['sandbox-bank']);
});

test('a live installation has no bank of the sandbox', async () => {
  const url = '/sandbox/bank/ZB-7K3M9QXW';
  assert.equal((await live.http.inject({ method: 'GET', url })).statusCode, 404);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const posted = await live.http.inject({ method: 'POST', url, headers, payload: 'act=pay' });
  assert.equal(posted.statusCode, 404);
});
