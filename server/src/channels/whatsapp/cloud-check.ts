/**
 * Checks the operator's set-up at Meta without sending anything. Follows "Template management" and
 * the phone number reference of the WhatsApp Business Platform.
 */

import { type JsonObject, objectsIn, readObject } from '../../json-object.ts';
import type { ProviderClient } from '../../runtime/provider-client.ts';
import type { MarketingTemplate } from '../channel.ts';
import { failedCheck } from '../http/provider-answer.ts';
import type { ProviderCheck } from '../provider.ts';
import { errorCodeIn } from './cloud-errors.ts';
import type { Templates } from './cloud-message.ts';

export type CheckedSetup = Templates & {
  version: string;
  token: string;
  phoneNumberId: string;
  wabaId?: string | undefined;
  linkBase?: string | undefined;
};

type ReadMarketing = (signal: AbortSignal) => Promise<readonly MarketingTemplate[]>;
type Answer = { fault: string } | { found: JsonObject };
type Read = (path: string) => Promise<Answer>;

/** Meta's error codes of a refused query, for the operator. */
const FAULTS: ReadonlyMap<number, string> = new Map([
  [0, 'Meta does not accept the access token.'],
  [190, 'Meta does not accept the access token.'],
  [10, 'The access token lacks a permission.'],
  [200, 'The access token lacks a permission.'],
  [33, 'Meta does not know this id, or the token may not use it.'],
  [100, 'Meta does not know this id, or the token may not use it.'],
]);
/** The languages that our messages are written in. */
const LANGUAGES = ['ru', 'kk'] as const;

export async function checkCloud(
  client: ProviderClient,
  setup: CheckedSetup,
  { readMarketing, signal }: { readMarketing: ReadMarketing; signal: AbortSignal },
): Promise<ProviderCheck> {
  const read: Read = async (path) => {
    const answer = await client.call({
      method: 'GET',
      path: `/${setup.version}/${path}`,
      headers: { authorization: `Bearer ${setup.token}` },
      signal,
    });
    if (answer.kind !== 'answer') return { fault: failedCheck('Meta', answer).detail };
    const found = readObject(answer.text);
    if (answer.status === 200 && found !== undefined) return { found };
    const code = errorCodeIn(answer.text);
    if (code === undefined) return { fault: failedCheck('Meta', answer).detail };
    return { fault: FAULTS.get(code) ?? `Meta answered with error ${code}.` };
  };

  const number = await read(`${setup.phoneNumberId}?fields=verified_name,quality_rating`);
  if ('fault' in number) return { ok: false, detail: number.fault };
  const { verified_name, quality_rating } = number.found;
  if (typeof verified_name !== 'string') {
    return { ok: false, detail: 'Meta answered, but not about a phone number.' };
  }
  const sender = `Sends as "${verified_name}", quality ${quality_rating}`;
  if (setup.wabaId === undefined) {
    return { ok: true, warning: true, detail: `${sender}; templates not checked.` };
  }
  const fault = await findTemplateFault(read, setup.wabaId, setup);
  if (fault !== undefined) return { ok: false, detail: fault };
  const marketing = await readMarketing(signal).catch(() => undefined);
  return {
    ok: true,
    detail: `${sender}; all templates approved. ${describeMarketing(marketing)}`,
  };
}

function describeMarketing(marketing: readonly MarketingTemplate[] | undefined): string {
  if (marketing === undefined) return 'Marketing templates could not be read.';
  const names = [...new Set(marketing.map(({ name }) => name))];
  return names.length === 0
    ? 'No marketing template that can be filled is approved, so no broadcasts by WhatsApp.'
    : `Broadcasts go by these marketing templates: ${names.join(', ')}.`;
}

type RequiredTemplate = {
  name: string;
  category: 'AUTHENTICATION' | 'UTILITY';
  /** The URL that the button must have; undefined when any will do. */
  target?: string | undefined;
};

async function findTemplateFault(
  read: Read,
  wabaId: string,
  { codeTemplate, linkTemplate, linkBase }: CheckedSetup,
): Promise<string | undefined> {
  const templates: RequiredTemplate[] = [{ name: codeTemplate, category: 'AUTHENTICATION' }];
  if (linkTemplate !== undefined) {
    const target = linkBase === undefined ? undefined : `${linkBase}/{{1}}`;
    templates.push({ name: linkTemplate, category: 'UTILITY', target });
  }
  for (const required of templates) {
    const query = new URLSearchParams({
      name: required.name,
      fields: 'name,status,category,language,components',
      limit: '100',
    });
    const answer = await read(`${wabaId}/message_templates?${query}`);
    if ('fault' in answer) return answer.fault;
    // Meta's filter matches longer names too.
    const found = objectsIn(answer.found.data).filter(({ name }) => name === required.name);
    for (const language of LANGUAGES) {
      const template = found.find((candidate) => candidate.language === language);
      const fault = templateFault(template, required);
      if (fault !== undefined) return `The template "${required.name}" in ${language} ${fault}.`;
    }
  }
  return undefined;
}

function templateFault(
  template: JsonObject | undefined,
  required: RequiredTemplate,
): string | undefined {
  if (template === undefined) return 'does not exist';
  const { status, category, components } = template;
  if (status !== 'APPROVED') return `is ${status}, not APPROVED`;
  if (category !== required.category) return `is ${category}, not ${required.category}`;
  // Meta does not return the components to everybody.
  return components === undefined ? undefined : buttonFault(objectsIn(components), required.target);
}

/** A copy-code or autofill button is listed as URL, or as OTP, the type it was created with. */
const BUTTON_TYPES = new Set<unknown>(['URL', 'OTP']);

/** The value of the first button follows its URL: the code, or the slug of the short link. */
function buttonFault(components: JsonObject[], target: string | undefined): string | undefined {
  const buttons = components.find(({ type }) => type === 'BUTTONS')?.buttons;
  const button = objectsIn(buttons)[0];
  if (!BUTTON_TYPES.has(button?.type)) return 'has no URL button in the first place';
  return target === undefined || button?.url === target
    ? undefined
    : `leads to ${button?.url}, not to ${target}`;
}
