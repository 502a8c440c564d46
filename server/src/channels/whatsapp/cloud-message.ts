/**
 * Builds the message forms of the Cloud API that we use. Follows "Send messages",
 * "Authentication templates" and "Template components" of the WhatsApp Business Platform.
 */
import type { OutgoingMessage } from '../channel.ts';
import { refText } from '../ref-text.ts';
import type { CloudTemplate } from './cloud-templates.ts';

/** A code needs a template; free text is allowed only while the person's window is open. */
export type MessageForm = 'code_template' | 'link_template' | 'free_text';

export type Templates = { codeTemplate: string; linkTemplate?: string | undefined };

/** The body of the call; undefined when the message lacks what the form needs. */
export function cloudMessage(
  message: OutgoingMessage,
  form: MessageForm,
  templates: Templates,
): Record<string, unknown> | undefined {
  return addressed(message, CONTENTS[form](message, templates));
}

/** A broadcast in its marketing template; undefined when the template wants other values. */
export function broadcastMessage(
  message: OutgoingMessage,
  { name, language, variables, linkButton }: CloudTemplate,
): Record<string, unknown> | undefined {
  // Meta allows no line breaks and no long gaps in a value.
  const values = (message.template?.variables ?? []).map((value) =>
    value.replaceAll(/\s+/g, ' ').trim(),
  );
  const suffix = suffixOf(message.link);
  const isComplete = values.length === variables && !values.includes('');
  if (!isComplete || (linkButton !== undefined && suffix === '')) return undefined;
  const components = [
    ...(values.length > 0 ? [bodyOf(values)] : []),
    ...(linkButton === undefined ? [] : [buttonOf(suffix, linkButton)]),
  ];
  return addressed(message, {
    type: 'template',
    template: { name, language: { code: language }, ...(components.length > 0 && { components }) },
  });
}

function addressed(
  message: OutgoingMessage,
  content: object | undefined,
): Record<string, unknown> | undefined {
  if (content === undefined || !('phone' in message.to)) return undefined;
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    // Without the plus, Meta may put the country code of the sender in front of it.
    to: `+${message.to.phone}`,
    biz_opaque_callback_data: refText(message.ref),
    ...content,
  };
}

type Content = (message: OutgoingMessage, templates: Templates) => object | undefined;

const CONTENTS: Readonly<Record<MessageForm, Content>> = {
  code_template({ code, language }, { codeTemplate }) {
    if (code === undefined) return undefined;
    // Meta requires the code twice: in the body, and for the copy button.
    return template({ name: codeTemplate, language, body: code, button: code });
  },
  link_template({ text, link, language }, { linkTemplate }) {
    const button = suffixOf(link);
    if (linkTemplate === undefined || link === undefined || button === '') return undefined;
    return template({
      name: linkTemplate,
      language,
      body: withoutLink(text, link) || LINK_TEXT[language],
      button,
    });
  },
  free_text({ text }) {
    return { type: 'text', text: { preview_url: false, body: text } };
  },
};

type Language = OutgoingMessage['language'];

/** The body when the text is only a link: Meta refuses an empty value. */
const LINK_TEXT = {
  ru: 'Ссылка',
  kk: 'Сілтеме',
  both: 'Ссылка / Сілтеме',
} as const satisfies Record<Language, string>;

function template(parts: { name: string; language: Language; body: string; button: string }) {
  const { name, language, body, button } = parts;
  return {
    type: 'template',
    template: {
      name,
      language: { code: language === 'kk' ? 'kk' : 'ru' },
      components: [bodyOf([body]), buttonOf(button, 0)],
    },
  };
}

function bodyOf(values: readonly string[]) {
  return { type: 'body', parameters: values.map((text) => ({ type: 'text', text })) };
}

function buttonOf(text: string, place: number) {
  const parameters = [{ type: 'text', text }];
  return { type: 'button', sub_type: 'url', index: String(place), parameters };
}

/** What a URL button gets: the template has the rest of the link. */
function suffixOf(link: string | undefined): string {
  return link?.slice(link.lastIndexOf('/') + 1) ?? '';
}

/** The text without the link, which goes to the button. Meta allows no line breaks in it. */
function withoutLink(text: string, link: string): string {
  const rest = text.replaceAll(link, ' ').replaceAll(/\s+/g, ' ').trim();
  // Drop a colon or dash that introduced the link.
  return rest.replace(/\s*[:—–-]$/, '');
}
