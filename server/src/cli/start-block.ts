import path from 'node:path';
import { CHANNEL_TITLES, CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import type { Lang } from './grammar/language.ts';
import { START_TEXTS, type StartTexts } from './start-texts.ts';
import type { Zone } from './time-zone.ts';

/** The facts that a start reports, independent of the language. */
export type StartFacts = {
  version: string;
  isEmbedded: boolean;
  serverVersion: string;
  dataDir: string;
  applied: number;
  migrations: number;
  /** How many processes answer on the port. */
  processes: number;
  zone: Zone;
  isSandbox: boolean;
  isSandboxPublic: boolean;
  /** The configured providers of each channel, in the order in which they are tried. */
  providers: readonly { channel: Channel; name: string }[];
  port: number;
  /** The configured port, when another program uses it. */
  busyPort: number | undefined;
  publicUrl: string;
  /** The server's address on this machine. */
  localUrl: string;
  /** Set only on the very first start. */
  demoKeys: { live: string; test: string } | undefined;
  demoCompanyId: number | undefined;
};

type Look = { lang: Lang; hasColour: boolean };
type Paint = (colour: keyof typeof COLOURS, text: string) => string;

const COLOURS = { bold: 1, green: 32, yellow: 33, dim: 2 } as const;
const LABEL_WIDTH = 15;

/** The test number whose code is always the same. */
const FIXED_PHONE = '+77000000000';
const FIXED_CODE = '000000';

/** The lines that a start prints: at most twenty, without the second line of each curl command. */
export function startBlock(facts: StartFacts, { lang, hasColour }: Look): string[] {
  const texts = START_TEXTS[lang];
  const paint: Paint = (colour, text) =>
    hasColour ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text;
  return [
    `  ${paint('bold', `zhiber ${facts.version}`)}   ${describeMode(facts, texts)}`,
    '',
    ...checkLines(facts, texts, paint),
    '',
    ...addressLines(facts, texts),
    '',
    ...keyLines(facts, texts, paint),
  ];
}

function describeMode(facts: StartFacts, texts: StartTexts): string {
  const { isSandbox, isSandboxPublic, processes } = facts;
  const sandbox = isSandboxPublic ? texts.publicSandbox : texts.sandbox;
  const mode = isSandbox ? sandbox : texts.live;
  return processes === 1 ? mode : `${mode}, ${texts.processes(processes)}`;
}

function simulatedText(texts: StartTexts): string {
  return `${Object.values(CHANNEL_TITLES).join(' · ')}: ${texts.simulated}`;
}

/** Each channel that has a provider, with its providers in the order in which they are tried. */
function providersText({ providers }: StartFacts): string {
  return CHANNELS.flatMap((channel) => {
    const names = providers.filter((one) => one.channel === channel).map((one) => one.name);
    return names.length === 0 ? [] : [`${CHANNEL_TITLES[channel]}: ${names.join(', ')}`];
  }).join(' · ');
}

function checkLines(facts: StartFacts, texts: StartTexts, paint: Paint): string[] {
  const { zone } = facts;
  const good = (label: string, text: string) => `  ${paint('green', '✓')} ${row(label, text)}`;
  const bad = (text: string) => `  ${paint('yellow', '!')} ${text}`;
  const zoneText = `${zone.name} = UTC${zone.offset}`;
  const lines = [
    good(
      texts.database,
      facts.isEmbedded
        ? texts.embedded(facts.serverVersion, shortPath(facts.dataDir))
        : texts.external(facts.serverVersion),
    ),
    good(texts.migrations, texts.applied(facts.applied, facts.migrations)),
    zone.isRight
      ? good(texts.zone, `${zoneText} (tzdata ${zone.tzdata})`)
      : bad(row(texts.zone, `${zoneText}: ${texts.oldZone(zone.tzdata)}`)),
    good(texts.channels, facts.isSandbox ? simulatedText(texts) : providersText(facts)),
  ];
  if (facts.busyPort !== undefined) lines.push(bad(texts.busy(facts.busyPort, facts.port)));
  return lines;
}

function addressLines({ publicUrl, isSandbox }: StartFacts, texts: StartTexts): string[] {
  const cabinet = `${publicUrl}/app`;
  const lines = [
    row(texts.site, publicUrl),
    row(texts.cabinet, isSandbox ? `${cabinet}   ${texts.demo}` : cabinet),
  ];
  if (isSandbox) lines.push(row(texts.phone, `${publicUrl}/try`));
  lines.push(
    row(texts.api, `${publicUrl}/api   OpenAPI: ${publicUrl}/api/openapi.json`),
    row(texts.docs, `${publicUrl}/docs   ${texts.errors}: ${publicUrl}/docs/errors`),
  );
  if (!isSandbox) lines.push(row(texts.desk, `${publicUrl}/admin   ${texts.operatorHint}`));
  return lines.map((line) => `  ${line}`);
}

function keyLines(facts: StartFacts, texts: StartTexts, paint: Paint): string[] {
  const { demoCompanyId } = facts;
  const companyId = demoCompanyId ?? 'ID';
  const create = `npm run zhiber -- key create --company ${companyId} --name ${texts.nameWord}`;
  const another = `  ${row(texts.anotherKey, create)}`;
  if (demoCompanyId === undefined) {
    const company = `npm run zhiber -- company create --name ${texts.nameWord}`;
    const topup = 'npm run zhiber -- topup --company ID --amount 5000';
    const steps = [row(texts.company, company), row(texts.topup, topup), row(texts.key, create)];
    return steps.map((step) => `  ${step}`);
  }
  if (facts.demoKeys === undefined) return [another];
  const { live, test } = facts.demoKeys;
  const body = { phone: FIXED_PHONE };
  return [
    `  ${row(texts.liveKey, `${live}   ${paint('dim', texts.once)}`)}`,
    `  ${row(texts.testKey, `${test}   ${paint('dim', texts.once)}`)}`,
    another,
    `  ${texts.firstSend}`,
    ...curl(`${facts.localUrl}/api/otp/send`, test, body),
    ...curl(`${facts.localUrl}/api/otp/verify`, test, { ...body, code: FIXED_CODE }),
  ];
}

function curl(url: string, key: string, body: object): string[] {
  return [
    `    curl -s ${url} -H 'Authorization: Bearer ${key}' \\`,
    `      -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
  ];
}

function row(label: string, text: string): string {
  return `${label.padEnd(LABEL_WIDTH)} ${text}`;
}

/** Relative to the working directory when the path is below it. */
function shortPath(dir: string): string {
  const relative = path.relative('', dir);
  return relative.startsWith('..') || path.isAbsolute(relative) ? dir : `./${relative}`;
}

/** The same facts as JSON. */
export function startJson(facts: StartFacts): object {
  const { publicUrl, demoKeys } = facts;
  return {
    version: facts.version,
    pid: process.pid,
    processes: facts.processes,
    database: { embedded: facts.isEmbedded, server_version: facts.serverVersion },
    migrations: { applied: facts.applied, total: facts.migrations },
    time_zone: { name: facts.zone.name, offset: facts.zone.offset, tzdata: facts.zone.tzdata },
    channels: facts.isSandbox ? 'sandbox' : 'providers',
    port: facts.port,
    busy_port: facts.busyPort ?? null,
    urls: {
      site: publicUrl,
      ...(facts.isSandbox ? { try: `${publicUrl}/try` } : {}),
      api: `${publicUrl}/api`,
      openapi: `${publicUrl}/api/openapi.json`,
      docs: `${publicUrl}/docs`,
      errors: `${publicUrl}/docs/errors`,
    },
    company_id: facts.demoCompanyId ?? null,
    keys: demoKeys ?? null,
  };
}
