/**
 * The marketing templates of the business account. Follows "Template management" and "Template
 * components" of the WhatsApp Business Platform.
 *
 * Only templates that can be filled are used: numbered variables in the body, no variable elsewhere
 * but at the end of one URL button, which has to lead to our short links, and no media.
 */
import { type JsonObject, objectsIn, readObject } from '../../json-object.ts';
import type { ProviderClient } from '../../runtime/provider-client.ts';
import type { MarketingTemplate } from '../channel.ts';

export type CloudTemplate = MarketingTemplate & {
  /** The place of the button that gets the end of the link. */
  linkButton: number | undefined;
};

export type CloudTemplates = {
  /** Undefined until they have been read once. */
  known(): readonly CloudTemplate[] | undefined;
  /** Read again when they are older than `FRESH_MS`. Throws when they were never read. */
  list(signal: AbortSignal): Promise<readonly CloudTemplate[]>;
  /** Undefined when it does not exist, or is no longer approved. Throws when that is not known. */
  find(
    wanted: { name: string; language: string },
    signal: AbortSignal,
  ): Promise<CloudTemplate | undefined>;
};

export type TemplatesSetup = {
  version: string;
  token: string;
  wabaId: string;
  /** The prefix of short links, if known. */
  linkBase?: string | undefined;
};

export const FRESH_MS = 2 * 60_000;
/** A template that is not in the list may have been approved since; it is not looked up more often. */
const LOOK_AGAIN_MS = 30_000;
/** Shorter than an attempt to send, which may wait for it. */
const READ_TIMEOUT_MS = 2_500;
const PAGE_SIZE = 100;
/** A business account has at most 6,000 templates. */
const PAGES_MAX = 60;

export function openCloudTemplates(
  client: ProviderClient,
  /** Called at each reading: the address of short links is known only once the server listens. */
  setup: () => TemplatesSetup,
  /** Called when a reading begins; the result gets all templates of the account. */
  onReading: () => (listed: readonly JsonObject[]) => void,
): CloudTemplates {
  let kept: { templates: readonly CloudTemplate[]; atMs: number } | undefined;
  let reading: Promise<readonly CloudTemplate[]> | undefined;

  const readOnce = () => {
    if (reading !== undefined) return reading;
    const { linkBase, ...account } = setup();
    const learn = onReading();
    reading = readTemplates(client, account, AbortSignal.timeout(READ_TIMEOUT_MS))
      .then((listed) => {
        learn(listed);
        const templates = listed.flatMap((each) => toTemplate(each, linkBase));
        kept = { templates, atMs: performance.now() };
        return templates;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const isOlderThan = (ms: number) => kept === undefined || performance.now() - kept.atMs > ms;

  return {
    known: () => kept?.templates,
    async list(signal) {
      if (kept !== undefined && !isOlderThan(FRESH_MS)) return kept.templates;
      try {
        return await untilAborted(signal, readOnce());
      } catch (error) {
        if (kept === undefined) throw error;
        return kept.templates;
      }
    },
    async find({ name, language }, signal) {
      const findIn = (templates: readonly CloudTemplate[] | undefined) =>
        templates?.find((each) => each.name === name && each.language === language);
      const found = findIn(kept?.templates);
      if (found !== undefined || !isOlderThan(LOOK_AGAIN_MS)) return found;
      return findIn(await untilAborted(signal, readOnce()));
    },
  };
}

async function readTemplates(
  client: ProviderClient,
  setup: Omit<TemplatesSetup, 'linkBase'>,
  signal: AbortSignal,
): Promise<JsonObject[]> {
  const listed: JsonObject[] = [];
  let after: string | undefined;
  for (let page = 1; page <= PAGES_MAX; page++) {
    const query = new URLSearchParams({
      fields: 'name,language,status,category,parameter_format,components',
      limit: String(PAGE_SIZE),
      ...(after !== undefined && { after }),
    });
    const answer = await client.call({
      method: 'GET',
      path: `/${setup.version}/${setup.wabaId}/message_templates?${query}`,
      headers: { authorization: `Bearer ${setup.token}` },
      signal,
    });
    const found = answer.kind === 'answer' ? readObject(answer.text) : undefined;
    if (answer.kind !== 'answer' || answer.status !== 200 || !Array.isArray(found?.data)) {
      throw new Error('Meta did not return the templates');
    }
    listed.push(...objectsIn(found.data));
    after = nextCursor(found);
    if (after === undefined) break;
  }
  return listed;
}

/** Only the cursor is used: `next` is an address, and contains the token. */
function nextCursor({ paging }: JsonObject): string | undefined {
  const [{ next, cursors } = {}] = objectsIn([paging]);
  const [{ after } = {}] = objectsIn([cursors]);
  return typeof next === 'string' && typeof after === 'string' ? after : undefined;
}

/** The template in a list of one; none when it is not approved, not for marketing, or not for us. */
export function toTemplate(listed: JsonObject, linkBase: string | undefined): CloudTemplate[] {
  const { name, language, status, category, parameter_format } = listed;
  if (status !== 'APPROVED' || category !== 'MARKETING') return [];
  if (typeof name !== 'string' || typeof language !== 'string') return [];
  const components = objectsIn(listed.components);
  const partOf = (type: string) => components.find((component) => component.type === type);
  const body = partOf('BODY')?.text;
  const header = partOf('HEADER');
  const isPlainHeader =
    header === undefined || (header.format === 'TEXT' && !String(header.text).includes('{{'));
  const variables = typeof body === 'string' ? countVariables(body) : undefined;
  const linkButton = findLinkButton(objectsIn(partOf('BUTTONS')?.buttons), linkBase);
  const isFillable =
    (parameter_format ?? 'POSITIONAL') === 'POSITIONAL' &&
    components.every(({ type }) => FILLABLE.has(type)) &&
    isPlainHeader &&
    linkButton !== 'unusable';
  if (!isFillable || typeof body !== 'string' || variables === undefined) return [];
  return [{ name, language, body, variables, hasLink: linkButton !== undefined, linkButton }];
}

/** Carousels, offers with a deadline and the like need more than texts. */
const FILLABLE = new Set<unknown>(['HEADER', 'BODY', 'FOOTER', 'BUTTONS']);
const FIXED_BUTTONS = new Set<unknown>(['QUICK_REPLY', 'PHONE_NUMBER', 'URL']);

/** Undefined unless the variables are {{1}}, {{2}} … without a gap. */
function countVariables(body: string): number | undefined {
  const names = new Set([...body.matchAll(/\{\{(.*?)\}\}/g)].map(([, name]) => name?.trim()));
  const isNumbered = [...names].every((name) => /^[1-9]\d?$/.test(name ?? ''));
  const highest = Math.max(0, ...[...names].map(Number));
  return isNumbered && highest === names.size ? names.size : undefined;
}

function findLinkButton(
  buttons: readonly JsonObject[],
  linkBase: string | undefined,
): number | undefined | 'unusable' {
  if (!buttons.every(({ type }) => FIXED_BUTTONS.has(type))) return 'unusable';
  const places = buttons.flatMap(({ url }, place) => (String(url).includes('{{') ? [place] : []));
  const [place] = places;
  if (place === undefined) return undefined;
  const isOurs = linkBase === undefined || buttons[place]?.url === `${linkBase}/{{1}}`;
  return places.length === 1 && isOurs ? place : 'unusable';
}

/** A shared reading goes on for the others when one caller gives up. */
function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('called off'));
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
