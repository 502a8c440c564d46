import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ALL_SETTINGS, BadConfig, describeSettings, readConfig } from './config.ts';
import { PROVIDER_BLOCKS } from './provider-settings.ts';

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof BadConfig);
    return error.problems;
  }
  return [];
}

test('nothing set gives a server for this machine alone', () => {
  assert.deepEqual(readConfig({}), {
    port: 3000,
    isPortSet: false,
    host: 'localhost',
    publicUrl: undefined,
    shortLinkBase: undefined,
    mode: 'sandbox',
    isSandboxPublic: false,
    dataDir: path.resolve('data/sandbox'),
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databaseReadUrl: undefined,
    databaseTimeoutMs: 1500,
    isAutoMigrate: true,
    secret: undefined,
    smsCountries: ['KZ'],
    smsRouting: 'order',
    smsRoutes: [],
    isSmsPricedPerPart: false,
    role: 'all',
    processes: 1,
    pumpingGuard: 'record',
    topupMin: 1000,
    correctionLimit: 10_000,
    apiRatePerMinute: undefined,
    signInCodesPerHour: 200,
    requireSecondFactor: 'nobody',
    mail: undefined,
    securityContact: undefined,
    supportContact: undefined,
    termsFile: undefined,
    privacyFile: undefined,
    trustProxy: [],
    geoDatabases: [],
    backupDir: undefined,
    backupKeepDays: 14,
    keepDays: {
      messages: 400,
      clicks: 400,
      requestLog: 30,
      providerIds: 7,
      guardDecisions: 90,
      pageCounts: 400,
      broadcastRecipients: 400,
      securityEvents: 365,
      statusDays: 120,
      webhookLog: 14,
    },
    archive: undefined,
    logLevel: 'info',
    opsPort: undefined,
    opsHost: 'localhost',
    traces: undefined,
    providers: [],
    payments: {},
  });
});

test('every setting is read', () => {
  const config = readConfig({
    PORT: '8080',
    HOST: '::',
    PUBLIC_URL: 'https://zhiber.example/',
    SHORT_LINK_BASE: 'https://zh.example',
    SANDBOX: 'public',
    DATA_DIR: '/srv/zhiber',
    DATABASE_URL: 'postgres://zhiber:pass@db/zhiber',
    DATABASE_DIRECT_URL: 'postgres://zhiber:pass@direct/zhiber',
    DATABASE_READ_URL: 'postgres://zhiber:pass@replica/zhiber',
    DATABASE_TIMEOUT_MS: '4000',
    AUTO_MIGRATE: 'no',
    SECRET: 's'.repeat(32),
    SMS_ROUTING: 'delivery',
    SMS_PRICE_PER_PART: 'yes',
    SMS_COUNTRIES: 'kz, KG',
    ROLE: 'worker',
    PROCESSES: '4',
    PUMPING_GUARD: 'Block',
    TOPUP_MIN: '500',
    CORRECTION_LIMIT: '0',
    API_RATE_PER_MINUTE: '600',
    SIGN_IN_CODES_PER_HOUR: '50',
    REQUIRE_SECOND_FACTOR: 'owners',
    SMTP_URL: 'smtps://zhiber:pass@mail.example',
    MAIL_FROM: 'hello@zhiber.example',
    SECURITY_CONTACT: 'mailto:security@zhiber.example',
    SUPPORT_CONTACT: 'https://zhiber.example/help',
    TERMS_FILE: '/srv/terms.md',
    PRIVACY_FILE: 'privacy.md',
    TRUST_PROXY: '127.0.0.1, 10.0.0.0/8, ::1',
    GEO_DATABASE: 'city-ipv4.mmdb, /srv/city-ipv6.mmdb',
    KEEP_MESSAGES_DAYS: '800',
    KEEP_CLICKS_DAYS: '100',
    KEEP_REQUEST_LOG_DAYS: '60',
    KEEP_PROVIDER_IDS_DAYS: '3',
    KEEP_GUARD_DECISIONS_DAYS: '365',
    BACKUP_DIR: 'backups',
    BACKUP_KEEP_DAYS: '30',
    KEEP_PAGE_COUNTS_DAYS: '900',
    KEEP_BROADCAST_RECIPIENTS_DAYS: '90',
    KEEP_SECURITY_EVENTS_DAYS: '30',
    KEEP_STATUS_DAYS: '91',
    KEEP_WEBHOOK_LOG_DAYS: '15',
    ARCHIVE_URL: 's3://zhiber/months/live',
    ARCHIVE_ENDPOINT: 'https://storage.example.kz',
    ARCHIVE_REGION: 'kz-1',
    ARCHIVE_KEY_ID: 'id',
    ARCHIVE_SECRET: 'secret',
    LOG_LEVEL: 'WARN',
    OPS_PORT: '9100',
    OPS_HOST: '10.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20one,x-tenant=two',
    OTEL_SERVICE_NAME: 'codes',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  });
  assert.deepEqual(config, {
    port: 8080,
    isPortSet: true,
    host: '::',
    publicUrl: 'https://zhiber.example',
    shortLinkBase: 'https://zh.example',
    mode: 'sandbox',
    isSandboxPublic: true,
    dataDir: path.resolve('/srv/zhiber'),
    databaseUrl: 'postgres://zhiber:pass@db/zhiber',
    databaseDirectUrl: 'postgres://zhiber:pass@direct/zhiber',
    databaseReadUrl: 'postgres://zhiber:pass@replica/zhiber',
    databaseTimeoutMs: 4000,
    isAutoMigrate: false,
    secret: 's'.repeat(32),
    smsCountries: ['KZ', 'KG'],
    smsRouting: 'delivery',
    smsRoutes: [],
    isSmsPricedPerPart: true,
    role: 'worker',
    processes: 4,
    pumpingGuard: 'block',
    topupMin: 500,
    correctionLimit: 0,
    apiRatePerMinute: 600,
    signInCodesPerHour: 50,
    requireSecondFactor: 'owners',
    mail: { server: 'smtps://zhiber:pass@mail.example', from: 'hello@zhiber.example' },
    securityContact: 'mailto:security@zhiber.example',
    supportContact: 'https://zhiber.example/help',
    termsFile: path.resolve('/srv/terms.md'),
    privacyFile: path.resolve('privacy.md'),
    trustProxy: ['127.0.0.1', '10.0.0.0/8', '::1'],
    geoDatabases: [path.resolve('city-ipv4.mmdb'), path.resolve('/srv/city-ipv6.mmdb')],
    backupDir: path.resolve('backups'),
    backupKeepDays: 30,
    keepDays: {
      messages: 800,
      clicks: 100,
      requestLog: 60,
      providerIds: 3,
      guardDecisions: 365,
      pageCounts: 900,
      broadcastRecipients: 90,
      securityEvents: 30,
      statusDays: 91,
      webhookLog: 15,
    },
    archive: {
      kind: 's3',
      endpoint: 'https://storage.example.kz',
      region: 'kz-1',
      bucket: 'zhiber',
      prefix: ['months', 'live'],
      keyId: 'id',
      secret: 'secret',
    },
    logLevel: 'warn',
    opsPort: 9100,
    opsHost: '10.0.0.1',
    traces: {
      endpoint: 'http://collector:4318',
      headers: { authorization: 'Bearer one', 'x-tenant': 'two' },
      serviceName: 'codes',
      ratio: 0.25,
    },
    providers: [],
    payments: {},
  });
});

const wrongValues: [string, string][] = [
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '3000x'],
  ['HOST', 'not a host'],
  ['PUBLIC_URL', 'example.kz'],
  ['PUBLIC_URL', 'ftp://example.kz'],
  ['PUBLIC_URL', 'https://example.kz/?a=1'],
  ['SHORT_LINK_BASE', '/s'],
  ['DATABASE_URL', 'mysql://db/zhiber'],
  ['DATABASE_TIMEOUT_MS', '1499'],
  ['AUTO_MIGRATE', 'later'],
  ['SECRET', 'short'],
  ['SMS_COUNTRIES', 'KZ,Russia'],
  ['SMS_COUNTRIES', 'KZ,'],
  ['ROLE', 'queue'],
  ['PROCESSES', '17'],
  ['PUMPING_GUARD', 'off'],
  ['TOPUP_MIN', '0'],
  ['TOPUP_MIN', '1e3'],
  ['CORRECTION_LIMIT', '-1'],
  ['API_RATE_PER_MINUTE', '0'],
  ['SECURITY_CONTACT', 'security@zhiber.example'],
  ['SECURITY_CONTACT', 'http://zhiber.example/security'],
  ['SECURITY_CONTACT', 'mailto:a@b.kz\nExpires: 2000-01-01T00:00:00Z'],
  ['SECURITY_CONTACT', 'mailto:'],
  ['SUPPORT_CONTACT', 'javascript:alert(1)'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['KEEP_MESSAGES_DAYS', '34'],
  ['KEEP_CLICKS_DAYS', 'ever'],
  ['KEEP_REQUEST_LOG_DAYS', '29'],
  ['KEEP_PROVIDER_IDS_DAYS', '0'],
  ['KEEP_GUARD_DECISIONS_DAYS', '0'],
  ['BACKUP_KEEP_DAYS', '0'],
  ['KEEP_PAGE_COUNTS_DAYS', '34'],
  ['KEEP_BROADCAST_RECIPIENTS_DAYS', '0'],
  ['KEEP_SECURITY_EVENTS_DAYS', '0'],
  ['KEEP_STATUS_DAYS', '89'],
  ['KEEP_WEBHOOK_LOG_DAYS', '13'],
  ['ARCHIVE_ENDPOINT', 'storage'],
  ['LOG_LEVEL', 'loud'],
  ['OPS_PORT', 'x'],
  ['SMS_PROVIDERS', 'smsc'],
];

for (const [name, value] of wrongValues) {
  test(`${name}=${value} is refused with its name`, () => {
    const problems = problemsOf({ [name]: value });
    assert.equal(problems.length, 1);
    assert.ok(problems[0]?.startsWith(`${name}: should `));
  });
}

test('a mail server and the address of its letters need each other', () => {
  const server = 'smtp://u:hunter2@mail.example';
  assert.deepEqual(problemsOf({ SMTP_URL: server }), [
    'MAIL_FROM: should be set, because SMTP_URL is',
  ]);
  assert.deepEqual(problemsOf({ MAIL_FROM: 'a@b.kz' }), [
    'SMTP_URL: should be set, because MAIL_FROM is',
  ]);
  assert.equal(problemsOf({ SMTP_URL: server, MAIL_FROM: 'nobody' }).length, 1);
  assert.deepEqual(problemsOf({ SMTP_URL: 'http://u:hunter2@mail', MAIL_FROM: 'a@b.kz' }), [
    'SMTP_URL: should be an address like smtps://user:password@host:465',
  ]);
});

test('all problems come in one message', () => {
  const problems = problemsOf({ PORT: 'x', SECRET: 'short', LOG_LEVEL: 'loud' });
  assert.deepEqual(
    problems.map((problem) => problem.split(':')[0]),
    ['PORT', 'SECRET', 'LOG_LEVEL'],
  );
});

test('a wrong secret or database address is not repeated', () => {
  const text = problemsOf({ SECRET: 'hunter2', DATABASE_URL: 'mysql://u:hunter2@db' }).join();
  assert.doesNotMatch(text, /hunter2/);
});

test('an empty value is the same as none', () => {
  assert.equal(readConfig({ PORT: '', SECRET: ' ' }).isPortSet, false);
});

test('the description says where each value comes from and hides secrets', () => {
  const rows = describeSettings({ SECRET: 's'.repeat(32), HOST: '::' });
  const found = Object.fromEntries(rows.map(({ name, value, source }) => [name, [value, source]]));
  assert.deepEqual(found.HOST, ['::', 'environment']);
  assert.deepEqual(found.SECRET, ['•••• (32 chars)', 'environment']);
  assert.deepEqual(found.DATA_DIR, [undefined, 'not set']);
  assert.deepEqual(found.PUBLIC_URL, [undefined, 'not set']);
});

test('a provider is configured by its settings, with its defaults', () => {
  const { providers } = readConfig({
    MOBIZON_KEY: 'k',
    SMPP_HOST: 'smsc.example',
    SMPP_SENDER: 'Z',
    SMPP_SYSTEM_ID: 'z',
    SMPP_PASSWORD: 'p',
  });
  assert.deepEqual(
    providers.map(({ name, channel }) => [name, channel]),
    [
      ['smpp', 'sms'],
      ['mobizon', 'sms'],
    ],
  );
  assert.deepEqual(providers[1]?.values, { apiKey: 'k', url: 'https://api.mobizon.kz' });
});

test('a second account of a provider has settings and a name of its own', () => {
  const link = { HOST: 'smsc.example', SENDER: 'Z', SYSTEM_ID: 'z', PASSWORD: 'p' };
  const account = (prefix: string) =>
    Object.fromEntries(Object.entries(link).map(([name, text]) => [`${prefix}_${name}`, text]));
  const both: Record<string, string> = {
    ...account('SMPP'),
    ...account('SMPP_3'),
    SMPP_3_PORT: '3550',
  };
  const { providers } = readConfig(both);
  assert.deepEqual(
    providers.map(({ kind, name, values }) => [kind, name, values.port]),
    [
      ['smpp', 'smpp', '2775'],
      ['smpp', 'smpp-3', '3550'],
    ],
  );
  const ordered = readConfig({ ...both, SMS_PROVIDERS: 'smpp-3,smpp' }).providers;
  assert.deepEqual(
    ordered.map(({ name }) => name),
    ['smpp-3', 'smpp'],
  );
  const { SMPP_3_HOST: _host, ...incomplete } = both;
  assert.deepEqual(problemsOf(incomplete), ['SMPP_3_HOST: should be set, because smpp-3 needs it']);
  const shown = describeSettings(both).find(({ name }) => name === 'SMPP_3_PASSWORD');
  assert.equal(shown?.value, '•••• (1 chars)');
});

test('routes name operators or digits, and SMS providers that are configured', () => {
  const keys = { MOBIZON_KEY: 'k', SMSC_API_KEY: 's', TELEGRAM_GATEWAY_TOKEN: 't' };
  const { smsRoutes, smsRouting } = readConfig({
    ...keys,
    SMS_ROUTES: 'beeline=mobizon, 77471 = smsc',
    SMS_ROUTING: 'price',
  });
  assert.deepEqual(
    [smsRouting, smsRoutes],
    [
      'price',
      [
        { to: 'beeline', provider: 'mobizon' },
        { to: '77471', provider: 'smsc' },
      ],
    ],
  );
  assert.deepEqual(
    problemsOf({
      ...keys,
      SMS_ROUTES:
        'megafon=smsc,beeline,beeline=smpp,kcell=telegram-gateway,7701=smsc,7701=mobizon,0=smsc',
      SMS_ROUTING: 'best',
    }),
    [
      'SMS_ROUTING: should be one of order, price, delivery, not "best"',
      'SMS_ROUTES: should be like beeline=smpp,77471=smsc, not "megafon=smsc"',
      'SMS_ROUTES: should name SMS providers, and "" is not configured',
      'SMS_ROUTES: should name SMS providers, and "smpp" is not configured',
      'SMS_ROUTES: should name SMS providers, and "telegram-gateway" is not configured',
      'SMS_ROUTES: should name "7701" once',
      'SMS_ROUTES: should be like beeline=smpp,77471=smsc, not "0=smsc"',
    ],
  );
});

test('the order of the providers of a channel can be set', () => {
  const keys = { MOBIZON_KEY: 'k', SMSC_API_KEY: 's', TELEGRAM_GATEWAY_TOKEN: 't' };
  const namesOf = (env: Record<string, string>) =>
    readConfig(env).providers.map(({ name }) => name);
  assert.deepEqual(namesOf(keys), ['telegram-gateway', 'smsc', 'mobizon']);
  const order = { SMS_PROVIDERS: 'mobizon, smsc' };
  assert.deepEqual(namesOf({ ...keys, ...order }), ['telegram-gateway', 'mobizon', 'smsc']);
  assert.deepEqual(namesOf({ ...keys, SMS_PROVIDERS: 'smsc' }), ['telegram-gateway', 'smsc']);
});

test('a provider is named once in the order', () => {
  const env = { SMSC_API_KEY: 's', SMS_PROVIDERS: 'smsc, smsc' };
  assert.deepEqual(problemsOf(env), ['SMS_PROVIDERS: should name "smsc" once']);
});

test('words of settings may be in capitals', () => {
  const smpp = { SMPP_HOST: 'h', SMPP_SYSTEM_ID: 'z', SMPP_PASSWORD: 'p', SMPP_SENDER: 'Z' };
  const { providers } = readConfig({ ...smpp, SMPP_TLS: 'YES' });
  assert.equal(providers[0]?.values.tls, 'yes');
});

test('half a provider is refused with what is missing, and without its secrets', () => {
  const problems = problemsOf({ SMPP_PASSWORD: 'hunter2', GREEN_API_INSTANCE: '1101' });
  assert.deepEqual(problems, [
    'GREEN_API_TOKEN: should be set, because green-api needs it',
    'GREEN_API_CALLBACK_TOKEN: should be set, because green-api needs it',
    'SMPP_HOST: should be set, because smpp needs it',
    'SMPP_SYSTEM_ID: should be set, because smpp needs it',
    'SMPP_SENDER: should be set, because smpp needs it',
  ]);
});

const wrongProviderValues: Record<string, string> = {
  WHATSAPP_CLOUD_URL: 'graph.facebook.com',
  TELEGRAM_BOT_SECRET: 'with a space',
  SMPP_PORT: '0',
  SMPP_TLS: 'maybe',
  SMPP_HOST: 'a.example, b.example',
  SMPP_HOST_USE: 'last',
  SMPP_BIND: 'twice',
  SMPP_BINDS: '21',
  SMPP_WINDOW: 'x',
  SMPP_SYSTEM_ID: 'Жібер',
  SMPP_PASSWORD: 'пароль',
  SMPP_SOURCE_TON: '256',
  SMPP_VALIDITY: 'maybe',
  SMPP_ALPHABET: 'utf8',
  SMPP_CONCATENATION: 'glue',
  SMPP_STATUSES: '0x401=refused',
  SMPP_RESPONSE_MS: '3.5',
  SMPP_SENDER: 'Жібер',
  SMPP_ID_FORM: 'octal',
  HTTP_SMS_URL: 'ftp://example.kz',
  HTTP_SMS_SECRET: 'whsec_short',
  HTTP_SMS_CARRIES: 'code,voice',
  WHATSAPP_CLOUD_RATE: '0',
  SMSC_RATE: '1.5',
  HTTP_SMS_RATE: 'fast',
};
for (const [name, value] of Object.entries(wrongProviderValues)) {
  test(`${name}=${value} is refused with its name`, () => {
    const problems = problemsOf({ [name]: value });
    const own = problems.filter((problem) => problem.startsWith(`${name}: should `));
    assert.equal(own.length, 1, problems.join());
    if (/SECRET|PASSWORD/.test(name)) assert.ok(!own[0]?.includes(value));
  });
}

test('SMSC takes a login with a password, or an API key', () => {
  assert.deepEqual(problemsOf({ SMSC_API_KEY: 'k' }), []);
  assert.deepEqual(problemsOf({ SMSC_LOGIN: 'l', SMSC_PASSWORD: 'p' }), []);
  assert.deepEqual(problemsOf({ SMSC_LOGIN: 'l' }), [
    'SMSC_PASSWORD: should be set, because smsc needs it, or SMSC_API_KEY',
  ]);
});

test('months go to a folder, or to a bucket with a key', () => {
  assert.deepEqual(readConfig({ ARCHIVE_DIR: 'months' }).archive, {
    kind: 'folder',
    folder: path.resolve('months'),
  });
  const key = { ARCHIVE_KEY_ID: 'id', ARCHIVE_SECRET: 'secret' };
  const found = readConfig({ ARCHIVE_URL: 's3://zhiber', ...key }).archive;
  assert(found?.kind === 's3');
  assert.deepEqual([found.endpoint, found.prefix], ['https://s3.us-east-1.amazonaws.com', []]);
  assert.deepEqual(problemsOf({ ARCHIVE_URL: 's3://zhiber' }), [
    'ARCHIVE_KEY_ID: should be set, because ARCHIVE_URL is',
    'ARCHIVE_SECRET: should be set, because ARCHIVE_URL is',
  ]);
  assert.deepEqual(problemsOf({ ARCHIVE_URL: 'https://zhiber.s3.example', ...key }), [
    'ARCHIVE_URL: should be like s3://bucket/folder',
  ]);
  assert.deepEqual(problemsOf({ ARCHIVE_URL: 's3://zhiber', ARCHIVE_DIR: '/srv', ...key }), [
    'ARCHIVE_URL: should not be set together with ARCHIVE_DIR',
  ]);
});

test('.env.example has every setting, with its sentence and its default', () => {
  const file = path.join(import.meta.dirname, '../../../.env.example');
  const example = readFileSync(file, 'utf8');
  const expected = ALL_SETTINGS.map((setting) => `#${setting.name}=${setting.default ?? ''}`);
  const written = example.match(/^#?[A-Z_]+=.*$/gm);
  assert.deepEqual(written, expected);
  // Comments are wrapped, so the words are compared without the line ends.
  const words = example.replaceAll(/\n# /g, ' ');
  for (const { sentence } of ALL_SETTINGS) assert.ok(words.includes(sentence), sentence);
  for (const { title } of PROVIDER_BLOCKS) assert.ok(words.includes(title), title);
});

test('traces need a share from 0 to 1 and whole headers', () => {
  for (const ratio of ['1.5', '-1', 'all']) {
    assert.deepEqual(problemsOf({ OTEL_TRACES_SAMPLER_ARG: ratio }), [
      `OTEL_TRACES_SAMPLER_ARG: should be a number from 0 to 1, not "${ratio}"`,
    ]);
  }
  for (const headers of ['secret-token', 'a=%zz', 'a=b,c']) {
    assert.deepEqual(problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: headers }), [
      'OTEL_EXPORTER_OTLP_HEADERS: should be headers like authorization=Bearer%20TOKEN, separated by commas',
    ]);
  }
});
