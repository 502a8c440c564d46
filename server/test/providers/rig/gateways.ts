/**
 * Gateways as the examples in docs/provider-files describe them, on Express and fast-xml-parser:
 * nothing of the service takes part in how they read and write.
 */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import express, { type Express, type Response } from 'express';
import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import type { Provider } from '../../../src/channels/provider.ts';
import { openFileProvider } from '../../../src/channels/provider-file/file-provider.ts';
import { readConfig } from '../../../src/config/config.ts';
import { type Scope, serve } from './local-server.ts';
import { TOOLS } from './tools.ts';

export const EXAMPLES = path.join(import.meta.dirname, '../../../../docs/provider-files');

export const SECRETS = {
  PROVIDER_SECRET_PLAIN_LOGIN: 'zhiber & co',
  PROVIDER_SECRET_PLAIN_PASSWORD: 'p+l/a=i?n%',
  PROVIDER_SECRET_FORM_TOKEN: 'form-token-1',
  PROVIDER_SECRET_FORM_CALLBACK_KEY: 'callback-key-1',
  PROVIDER_SECRET_XML_USER: 'xml-user',
  PROVIDER_SECRET_XML_PASSWORD: 'xml:password',
  PROVIDER_SECRET_XML_CALLBACK: 'in the path/1',
};

/** A message as the gateway understood it. */
export type Taken = { id: string; to: string; text: string; from: string; others: object };

export type Gateway = {
  app: Express;
  taken: Taken[];
  /** Answers the next send with this error code. */
  nextError: string | undefined;
  states: Map<string, string>;
};

function createGateway(): Gateway {
  return { app: express(), taken: [], nextError: undefined, states: new Map() };
}

/** True when the answer of this call was decided by the test. */
function isSpoiled(gateway: Gateway, fail: (code: string) => unknown): boolean {
  const { nextError } = gateway;
  gateway.nextError = undefined;
  if (nextError !== undefined) fail(nextError);
  return nextError !== undefined;
}

export function plainTextGateway(): Gateway {
  const gateway = createGateway();
  const { app, taken, states } = gateway;
  app.set('query parser', 'extended');
  app.use((request, response, next) => {
    const { login, password } = request.query;
    const isKnown = login === 'zhiber & co' && password === 'p+l/a=i?n%';
    if (isKnown) next();
    else response.type('text').send('ERR;1');
  });
  app.get('/send', ({ query }, response) => {
    response.type('text');
    if (isSpoiled(gateway, (code) => response.send(`ERR;${code}`))) return;
    const { to, text, from, valid } = query as Record<string, string>;
    const id = String(1_000 + taken.length);
    taken.push({ id, to: to ?? '', text: text ?? '', from: from ?? '', others: { valid } });
    response.send(`OK;${id}\r\n`);
  });
  app.get('/status', ({ query }, response) => {
    response.type('text').send(`STATUS;${states.get(String(query.id)) ?? 'NONE'}`);
  });
  app.get('/balance', (_, response) => response.type('text').send('1520.50'));
  return gateway;
}

export function formJsonGateway(): Gateway {
  const gateway = createGateway();
  const { app, taken, states } = gateway;
  const byReference = new Map<string, Taken>();
  app.use(express.urlencoded({ extended: false }));
  app.use((request, response, next) => {
    if (request.get('authorization') === 'Bearer form-token-1') next();
    else response.status(401).json({ status: 'error', error: { code: 'unauthorized' } });
  });
  app.post('/v2/messages', ({ body }, response) => {
    const fail = (code: string) =>
      response.status(code === '402' ? 402 : 422).json({ status: 'error', error: { code } });
    if (isSpoiled(gateway, fail)) return;
    const { recipient, body: text, sender, external_id, ...others } = body;
    const known = byReference.get(external_id);
    const message = known ?? { id: `m-${taken.length}`, to: recipient, text, from: sender, others };
    if (known === undefined) taken.push(message);
    byReference.set(external_id, message);
    response.status(201).json({ status: 'queued', data: { message_id: message.id } });
  });
  app.get('/v2/messages/by-external-id/:id', ({ params }, response) => {
    const message = byReference.get(params.id);
    const state = message === undefined ? 'unknown_message' : (states.get(message.id) ?? 'queued');
    response.json({ data: { state, message_id: message?.id } });
  });
  app.get('/v2/account', (_, response) => response.json({ balance: 99.5 }));
  return gateway;
}

/** The reports of the gateway in its own form, signed. */
export function signedReports(reports: object[]): {
  body: string;
  headers: Record<string, string>;
} {
  const body = JSON.stringify({ reports });
  const hex = createHmac('sha256', 'callback-key-1').update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-signature': `sha256=${hex}` };
  return { body, headers };
}

const XML = {
  ignoreAttributes: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
  suppressBooleanAttributes: false,
};

export function xmlGateway(): Gateway {
  const gateway = createGateway();
  const { app, taken } = gateway;
  const answer = (response: Response, content: object) =>
    response.type('text/xml').send(new XMLBuilder(XML).build({ response: content }));
  app.use(express.text({ type: 'text/xml' }));
  app.post('/api', (request, response) => {
    const login = `Basic ${btoa('xml-user:xml:password')}`;
    if (request.get('authorization') !== login) return response.status(401).end();
    const { request: sent } = new XMLParser(XML).parse(request.body, true);
    if (sent['@_type'] === 'balance') return answer(response, { balance: '700' });
    if (isSpoiled(gateway, (code) => answer(response, { error: { '@_code': code } }))) return;
    const { '@_to': to, '@_from': from, '@_report': report, '#text': text } = sent.sms;
    const id = `x${taken.length}`;
    taken.push({ id, to, from, text, others: { report } });
    return answer(response, { sms: { '@_id': id, '@_result': 'accepted' } });
  });
  return gateway;
}

export function xmlReports(reports: { id: string; status: string; to?: string }[]): string {
  const sms = reports.map(({ id, status, to }) => ({ '@_id': id, '@_to': to, status }));
  return new XMLBuilder(XML).build({ reports: { sms } });
}

/** The provider of an example, which talks to this gateway in place of the real one. */
export async function openExample(
  t: Scope,
  example: string,
  { app }: Gateway,
): Promise<{ provider: Provider; url: string }> {
  const url = await serve(t, app);
  const env = { ...SECRETS, PROVIDER_FILES: path.join(EXAMPLES, example) };
  const [config] = readConfig(env, (file) =>
    withAddress(readFileSync(file, 'utf8'), url),
  ).providers;
  if (config?.kind !== 'file') throw new Error('not described by a file');
  const { description, values: secrets, name } = config;
  const callbackUrl = `https://zhiber.example/callbacks/${name}`;
  const provider = openFileProvider({ description, secrets, callbackUrl }, TOOLS);
  t.after(() => provider.stop?.());
  return { provider, url };
}

/** The examples name gateways that do not exist. */
export function withAddress(text: string, url: string): string {
  return text.replaceAll(/https:\/\/\w+\.example\.kz/g, url);
}
