import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { Registry } from 'prom-client';
import { systemClock } from '../clock.ts';
import { readConfig } from '../config/config.ts';
import { connectProviders } from './connect.ts';
import { createProviderMetrics } from './provider-metrics.ts';

const HTTP = { URL: 'http://localhost:9/send', SECRET: `whsec_${'a'.repeat(32)}` };

function connect(env: Record<string, string>) {
  return connectProviders(readConfig(env).providers, {
    clock: systemClock,
    callbackUrl: () => 'http://localhost:9',
    findTelegramChat: async () => undefined,
    onContact: () => undefined,
    isWhatsappWindowOpen: async () => false,
    storeProviderIds: async () => true,
    log: pino({ level: 'silent' }),
    metrics: createProviderMetrics(new Registry()),
  });
}

test('the rates of the settings add up to the rate of a channel', async () => {
  const { channels, close } = connect({
    SMPP_HOST: 'localhost',
    SMPP_SYSTEM_ID: 'zhiber',
    SMPP_PASSWORD: 'secret',
    SMPP_SENDER: 'Zhiber',
    SMPP_RATE: '50',
    SMSC_API_KEY: 'k',
    SMSC_RATE: '20',
    MOBIZON_KEY: 'k',
    MOBIZON_RATE: '5',
    HTTP_SMS_URL: HTTP.URL,
    HTTP_SMS_SECRET: HTTP.SECRET,
    HTTP_SMS_RATE: '7',
    TELEGRAM_BOT_TOKEN: 't',
    TELEGRAM_BOT_SECRET: 's',
    HTTP_WHATSAPP_URL: HTTP.URL,
    HTTP_WHATSAPP_SECRET: HTTP.SECRET,
  });
  try {
    assert.equal(channels.sms?.ratePerSecond, 82);
    assert.equal(channels.telegram?.ratePerSecond, 30, 'of the FAQ of bots');
    assert.equal(channels.whatsapp?.ratePerSecond, undefined, 'no limit is known');
  } finally {
    await close();
  }
});

test('which channels carry broadcasts depends on their providers', async () => {
  const { channels, close } = connect({
    GREEN_API_INSTANCE: '1',
    GREEN_API_TOKEN: 't',
    GREEN_API_CALLBACK_TOKEN: 'c',
    TELEGRAM_GATEWAY_TOKEN: 't',
    HTTP_SMS_URL: HTTP.URL,
    HTTP_SMS_SECRET: HTTP.SECRET,
  });
  try {
    const carrying = Object.entries(channels).filter(([, { carries }]) => carries.has('broadcast'));
    assert.deepEqual(
      carrying.map(([name]) => name),
      ['sms'],
    );
  } finally {
    await close();
  }
});
