import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../config/config.ts';
import { readSmppSettings } from './read-settings.ts';

const ACCOUNT = {
  SMPP_HOST: 'smsc.example',
  SMPP_SYSTEM_ID: 'zhiber',
  SMPP_PASSWORD: 'k9-Wq2xZ',
  SMPP_SENDER: '1414',
};

function read(env: Record<string, string>) {
  const [config] = readConfig({ ...ACCOUNT, ...env }).providers;
  assert.ok(config !== undefined && config.kind !== 'file');
  return readSmppSettings(config.values, 'smpp');
}

test('an account with the defaults', () => {
  assert.deepEqual(read({}), {
    name: 'smpp',
    host: 'smsc.example',
    hostUse: 'all',
    port: 2_775,
    tls: false,
    bind: 'transceiver',
    binds: 1,
    systemId: 'zhiber',
    password: 'k9-Wq2xZ',
    sender: '1414',
    destinationTon: 1,
    destinationNpi: 1,
    hasValidity: true,
    alphabet: 'gsm',
    concatenation: 'udh',
    idForm: 'same',
    window: 10,
    enquireSeconds: 30,
    responseTimeoutMs: 3_500,
  });
});

test('numbers, switches and statuses are read from their texts', () => {
  const settings = read({
    SMPP_TLS: 'yes',
    SMPP_VALIDITY: 'no',
    SMPP_BINDS: '3',
    SMPP_SOURCE_TON: '6',
    SMPP_SOURCE_NPI: '9',
    SMPP_DESTINATION_TON: '2',
    SMPP_DESTINATION_NPI: '8',
    SMPP_RATE: '50',
    SMPP_ENQUIRE_SECONDS: '10',
    SMPP_RESPONSE_MS: '2000',
    SMPP_STATUSES: '0x401:refused,0X4FF:THROTTLED',
  });
  assert.partialDeepStrictEqual(settings, {
    tls: true,
    hasValidity: false,
    binds: 3,
    sourceTon: 6,
    sourceNpi: 9,
    destinationTon: 2,
    destinationNpi: 8,
    ratePerSecond: 50,
    enquireSeconds: 10,
    responseTimeoutMs: 2_000,
    statuses: new Map([
      [0x401, 'refused'],
      [0x4ff, 'throttled'],
    ]),
  });
});
