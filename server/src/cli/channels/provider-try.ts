import { readFile } from 'node:fs/promises';
import { codeText } from '@zhiber/contract/message/message-text.ts';
import type { Outcome, OutgoingMessage } from '../../channels/channel.ts';
import type { ProviderReport } from '../../channels/provider.ts';
import { callbackUrlOf, valuesOf } from '../../channels/provider-file/file-provider.ts';
import { readSent } from '../../channels/provider-file/read-answer.ts';
import { isProven, openCallback, readReports } from '../../channels/provider-file/read-callback.ts';
import { type ReadValue, renderRequest } from '../../channels/provider-file/render-request.ts';
import { shortRefText } from '../../channels/short-ref.ts';
import type {
  ProviderDescription,
  ReceiptsDescription,
  RequestDescription,
} from '../../config/provider-file/description.ts';
import { readProviderFile } from '../../config/provider-file/read-provider-file.ts';
import { SECRET_PREFIX } from '../../config/read-provider-files.ts';
import type { CompanyId, MessageId } from '../../ids.ts';
import { type Phone, parsePhone } from '../../phone.ts';
import { type Command, Refusal, type Report, UsageError } from '../grammar/command.ts';
import type { Env } from '../grammar/language.ts';
import { readHttpMessage, toAnswer, toCallback } from './http-message.ts';
import { TRY_TEXTS } from './try-texts.ts';

const PHONE = '+77010000001';
const CODE = '482913';
const TTL_SECONDS = 300;
const PUBLIC_URL = 'https://zhiber.example';
/** Always the same, so that a callback can be written that names it. */
const REF = {
  companyId: 1 as CompanyId,
  attempt: 1,
  messageId: '0198c0de-0000-7000-8000-000000000000' as MessageId,
};
/** What the provider would have called the message. */
const PROVIDER_ID = '12345';
const MASK = '***';

export const providerTry: Command = {
  name: 'provider try',
  usage: 'FILE [--to PHONE] [--text TEXT] [--answer FILE] [--callback FILE]',
  summary: {
    en: 'Shows the requests of a provider file, and how an answer or callback is read, without sending',
    ru: 'Показывает запросы файла провайдера и как читаются ответ и вызов, ничего не отправляя',
  },
  options: { to: 'text', text: 'text', answer: 'text', callback: 'text' },
  operands: ['FILE'],
  async run({ given, env, lang }) {
    const [file = ''] = given.operands;
    const texts = TRY_TEXTS[lang];
    const { description, mistakes } = readProviderFile((await readBytes(file)).toString());
    if (description === undefined) {
      const lines = [texts.mistakes(file, mistakes.length), ...mistakes.map((one) => `  ${one}`)];
      return { facts: { mistakes }, lines, exitCode: 1 };
    }
    const message = messageOf(given.text('to') ?? PHONE, given.text('text'), description);
    const parts = [
      describeProvider(description, env, texts),
      ...describeRequests(description, { message, env }, texts),
    ];
    const answerFile = given.text('answer');
    if (answerFile !== undefined) {
      parts.push(describeAnswer(description, await readBytes(answerFile), texts));
    }
    const callbackFile = given.text('callback');
    if (callbackFile !== undefined) {
      const bytes = await readBytes(callbackFile);
      parts.push(describeCallback(description, { bytes, env }, texts));
    }
    return {
      facts: Object.assign({}, ...parts.map(({ facts }) => facts)),
      lines: parts.flatMap(({ lines }, index) => (index === 0 ? lines : ['', ...lines])),
      exitCode: parts.some(({ exitCode }) => exitCode === 1) ? 1 : 0,
    };
  },
};

type Texts = (typeof TRY_TEXTS)['en'];

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Refusal((say) => say.noFile(file, code));
  }
}

function messageOf(
  to: string,
  text: string | undefined,
  { channel }: ProviderDescription,
): OutgoingMessage & { to: { phone: Phone } } {
  const phone = parsePhone(to)?.phone;
  if (phone === undefined) throw new UsageError((say) => say.badPhone(to));
  const voice = { language: 'ru', brand: 'Zhiber', domain: null } as const;
  return {
    ref: REF,
    keyId: 0,
    isTest: false,
    to: { phone },
    content: 'code',
    language: 'ru',
    text: text ?? codeText(voice, { channel, code: CODE }),
    code: CODE,
    ttlSeconds: TTL_SECONDS,
  };
}

function describeProvider(
  { name, channel, secretNames }: ProviderDescription,
  env: Env,
  texts: Texts,
): Report {
  const secrets = secretNames.map((one) => {
    const setting = SECRET_PREFIX + one;
    return { setting, is_set: Boolean(env[setting]?.trim()) };
  });
  return {
    facts: { name, channel, secrets },
    lines: [
      `${name}: ${channel}`,
      ...secrets.map(({ setting, is_set }) => `  ${texts.secret(setting, is_set)}`),
    ],
  };
}

function describeRequests(
  description: ProviderDescription,
  { message, env }: { message: OutgoingMessage & { to: { phone: Phone } }; env: Env },
  texts: Texts,
): Report[] {
  const publicUrl = env.PUBLIC_URL?.trim() || PUBLIC_URL;
  const callbackUrl = callbackUrlOf(
    { description, callbackUrl: `${publicUrl}/callbacks/${description.name}` },
    masked,
  );
  const sent = valuesOf(message, { to: message.to.phone, description, callbackUrl });
  const values: Readonly<Record<string, string | undefined>> = {
    ...sent,
    provider_id: PROVIDER_ID,
  };
  const { send, status, balance } = description;
  const requests = { send: send.request, status: status?.request, balance: balance?.request };
  return (['send', 'status', 'balance'] as const).flatMap((name): Report[] => {
    const request = requests[name];
    if (request === undefined) return [];
    const written = writeRequest(request, (value) => masked(value) ?? values[value]);
    if (written === undefined) {
      return [{ facts: { [name]: null }, lines: [texts.unwritable], exitCode: 1 }];
    }
    const { method, url, headers, body } = written;
    const lines = [
      `${method} ${url}`,
      ...Object.entries(headers).map((header) => header.join(': ')),
      ...(body === undefined ? [] : ['', ...body.split('\n')]),
    ];
    return [
      { facts: { [name]: written }, lines: [`${texts.requests[name]}:`, ...lines.map(indented)] },
    ];
  });
}

const indented = (line: string) => (line === '' ? '' : `  ${line}`);

const masked: ReadValue = (name) => (name.startsWith('secret.') ? MASK : undefined);

function writeRequest(request: RequestDescription, read: ReadValue) {
  const written = renderRequest(request, read);
  if (written === undefined) return undefined;
  const { method, path, headers, body } = written;
  const isBasic = headers.authorization?.startsWith('Basic ') === true;
  return {
    method,
    url: request.origin + path,
    headers: { ...headers, ...(isBasic && { authorization: `Basic ${MASK}` }) },
    body,
  };
}

function describeAnswer({ send }: ProviderDescription, bytes: Buffer, texts: Texts): Report {
  const answer = { kind: 'answer', ...toAnswer(readHttpMessage(bytes)) } as const;
  const outcome = readSent(answer, send.answer, shortRefText(REF));
  const { result } = outcome;
  const facts =
    result === 'accepted'
      ? { result, provider_id: outcome.providerId }
      : { result, reason: outcome.reason };
  return { facts: { answer: facts }, lines: [`${texts.answer}: ${outcomeText(outcome, texts)}`] };
}

function outcomeText(outcome: Outcome, texts: Texts): string {
  return outcome.result === 'accepted'
    ? texts.accepted(outcome.providerId)
    : `${texts.results[outcome.result]}: ${outcome.reason}`;
}

function describeCallback(
  { receipts }: ProviderDescription,
  { bytes, env }: { bytes: Buffer; env: Env },
  texts: Texts,
): Report {
  if (receipts === undefined) {
    return { facts: { callback: null }, lines: [`${texts.callback}: ${texts.noReports}`] };
  }
  const message = readHttpMessage(bytes);
  const request = toCallback(message, receipts.document.format === 'query');
  const document = openCallback(request, receipts);
  const reports = document === undefined ? [] : readReports(document, receipts);
  const proof = proofOf(message.head !== undefined, { receipts, env }, (secrets) =>
    isProven(request, receipts.proof, { document, secrets }),
  );
  const lines = reports.map((report) => texts.report(nameOf(report, texts), report));
  return {
    facts: { callback: { is_proven: IS_PROVEN[proof], reports: reports.map(toFacts) } },
    lines: [
      `${texts.callback}: ${texts[proof]}`,
      ...(lines.length === 0 ? [texts.noReports] : lines).map(indented),
    ],
  };
}

type Proof = 'proven' | 'notProven' | 'secretMissing' | 'noHead';
const IS_PROVEN: Record<Proof, boolean | null> = {
  proven: true,
  notProven: false,
  secretMissing: null,
  noHead: null,
};

function proofOf(
  hasHead: boolean,
  { receipts, env }: { receipts: ReceiptsDescription; env: Env },
  check: (secrets: ReadValue) => boolean,
): Proof {
  let isMissing = false;
  const secrets: ReadValue = (name) => {
    const value = env[SECRET_PREFIX + name.replace('secret.', '')]?.trim() || undefined;
    isMissing ||= value === undefined;
    return value;
  };
  if (!hasHead && receipts.document.format !== 'query') return 'noHead';
  const isRight = check(secrets);
  if (isMissing) return 'secretMissing';
  return isRight ? 'proven' : 'notProven';
}

function nameOf(report: ProviderReport, texts: Texts): string {
  return 'ref' in report ? texts.byReference(report.ref.messageId) : texts.byId(report.providerId);
}

function toFacts(report: ProviderReport) {
  const { receipt, reason = null } = report;
  return 'ref' in report
    ? { message_id: report.ref.messageId, receipt, reason }
    : { provider_id: report.providerId, receipt, reason };
}
