/** The validation rules of the Cloud API for a send, each with its error code. */

import { type Json, readJson } from '../frame/read-body.ts';

export const TEMPLATE_STATUSES = ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED'] as const;

/** A message template of the account. */
export type Template = {
  name: string;
  language: string;
  category: 'AUTHENTICATION' | 'UTILITY' | 'MARKETING';
  status: (typeof TEMPLATE_STATUSES)[number];
  /** With placeholders like `{{1}}`. Meta itself writes the body of an authentication template. */
  body: string;
  /** The URL of the button, to which its value is appended; undefined without a URL button. */
  buttonUrl?: string;
  /** Buttons before the one above that take no value. */
  quickReplies?: readonly string[];
  /** A line above the body. */
  header?: { format: 'TEXT' | 'IMAGE'; text?: string };
};

export type Refusal = { code: number; details: string };
export type ReadMessage = {
  to: string;
  /** What the person sees, including the URL of the button. */
  text: string;
  type: string;
  isMarketing?: boolean;
  ref?: string;
  code?: string;
};

const PARAMETER_LENGTH_MAX = 15;
const BODY_LENGTH_MAX = 1_024;
const TEXT_LENGTH_MAX = 4_096;
const CALLBACK_TEXT_LENGTH_MAX = 512;

export function isRefusal(value: object): value is Refusal {
  return 'details' in value;
}

/** Validates a call as strictly as Meta does, by the rules that depend on the call alone. */
export function readMessage(body: Buffer, templates: readonly Template[]): ReadMessage | Refusal {
  const call = readJson(body) ?? {};
  if (call.messaging_product !== 'whatsapp') return missing('messaging_product', 100);
  if (typeof call.to !== 'string') return missing('to', 100);
  const to = call.to.replaceAll(/[+\s()-]/g, '');
  if (!/^\d{7,15}$/.test(to)) return { code: 131009, details: 'to is not a phone number' };
  if ((call.recipient_type ?? 'individual') !== 'individual') {
    return { code: 100, details: 'recipient_type must be individual' };
  }
  const ref = call.biz_opaque_callback_data;
  const isValidRef = typeof ref === 'string' && ref.length <= CALLBACK_TEXT_LENGTH_MAX;
  if (ref !== undefined && !isValidRef) {
    return { code: 100, details: 'biz_opaque_callback_data is too long or not a text' };
  }
  const content =
    call.type === 'template'
      ? readTemplate(asObject(call.template), templates)
      : call.type === 'text'
        ? readText(asObject(call.text))
        : { code: 131051, details: 'this type of message is not supported' };
  if (isRefusal(content)) return content;
  return { to, type: call.type as string, ...(isValidRef ? { ref } : {}), ...content };
}

type Content = { text: string; code?: string; isMarketing?: boolean };

function readText({ body, preview_url }: Json): Content | Refusal {
  if (typeof body !== 'string' || body === '') return missing('text.body');
  if (body.length > TEXT_LENGTH_MAX) return { code: 100, details: 'text.body is too long' };
  if (preview_url !== undefined && typeof preview_url !== 'boolean') {
    return { code: 100, details: 'text.preview_url must be a boolean' };
  }
  return { text: body };
}

const INACTIVE: Partial<Record<Template['status'], Refusal>> = {
  PAUSED: { code: 132015, details: 'the template is paused due to low quality' },
  DISABLED: { code: 132016, details: 'the template is disabled' },
  PENDING: { code: 132001, details: 'the template is not approved' },
  REJECTED: { code: 132001, details: 'the template is not approved' },
};

function readTemplate(call: Json, templates: readonly Template[]): Content | Refusal {
  const language = asObject(call.language).code;
  const template = templates.find((each) => each.name === call.name && each.language === language);
  if (template === undefined) {
    return { code: 132001, details: `template ${call.name} does not exist in ${language}` };
  }
  const inactive = INACTIVE[template.status];
  if (inactive !== undefined) return inactive;
  const components = objectsIn(call.components);
  const values = readValues(components.find(({ type }) => type === 'body'));
  const place = String(template.quickReplies?.length ?? 0);
  const buttonValues = readValues(components.find((each) => isUrlButton(each, place)));
  if (isRefusal(values)) return values;
  if (isRefusal(buttonValues)) return buttonValues;
  const expected = new Set(template.body.match(/\{\{\d+\}\}/g)).size;
  const buttonExpected = template.buttonUrl === undefined ? 0 : 1;
  if (values.length !== expected || buttonValues.length !== buttonExpected) {
    return {
      code: 132000,
      details: `number of values (${values.length}, ${buttonValues.length}) does not match the expected number (${expected}, ${buttonExpected})`,
    };
  }
  return template.category === 'AUTHENTICATION'
    ? fillCode(template, values, buttonValues)
    : fill(template, values, buttonValues);
}

function isUrlButton({ type, sub_type, index }: Json, place: string): boolean {
  return type === 'button' && sub_type === 'url' && String(index) === place;
}

function fillCode(template: Template, [code = '']: string[], [button]: string[]) {
  if (/:\/\/|www\.|\.\w{2,}\//.test(code)) {
    return { code: 132012, details: 'an authentication template takes no URL' };
  }
  if (code.length > PARAMETER_LENGTH_MAX) {
    return { code: 100, details: `a value may have ${PARAMETER_LENGTH_MAX} characters` };
  }
  if (button !== code) return { code: 132000, details: 'the code of the button differs' };
  return { text: template.body.replaceAll('{{1}}', () => code), code };
}

function fill(template: Template, values: string[], [button = '']: string[]): Content | Refusal {
  const body = template.body.replaceAll(/\{\{(\d+)\}\}/g, (_, n) => values[Number(n) - 1] ?? '');
  if (body.length > BODY_LENGTH_MAX) return { code: 132005, details: 'the text is too long' };
  const isMarketing = template.category === 'MARKETING';
  const text = template.buttonUrl === undefined ? body : `${body}\n${template.buttonUrl}${button}`;
  return { text, isMarketing };
}

function readValues(component: Json | undefined): string[] | Refusal {
  const values: string[] = [];
  for (const { type, text } of objectsIn(component?.parameters)) {
    if (type !== 'text') return { code: 132012, details: 'a value of another type is expected' };
    if (typeof text !== 'string' || text === '') return missing('parameters.text');
    if (/[\n\t]| {5}/.test(text)) {
      return { code: 132012, details: 'a value may hold no line breaks, tabs or long gaps' };
    }
    values.push(text);
  }
  return values;
}

function missing(name: string, code = 131008): Refusal {
  return { code, details: `The parameter ${name} is required` };
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function objectsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}
