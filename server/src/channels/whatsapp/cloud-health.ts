/**
 * What Meta tells about the templates and the account, by webhooks ("message_template_status_update",
 * "message_template_quality_update", "account_update", "phone_number_quality_update") and by the list
 * of templates. A template of codes that cannot be used, or a disabled account, is an alarm: the
 * provider is down. Sends go on, since Meta answers each of them: the other language may work. All
 * else is a warning.
 */
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { asObject, type JsonObject, objectsIn } from '../../json-object.ts';
import { createProviderState, type ProviderState } from '../provider-state.ts';
import type { Templates } from './cloud-message.ts';

export type CloudHealth = {
  state(): ProviderState;
  /** Up, as long as nothing is known. */
  start(): void;
  /** A webhook of one of `HEALTH_FIELDS`, made at that time. */
  hear(field: string, value: JsonObject, atSeconds: number): void;
  /** Called when a reading of the templates begins; the result gets all of them. */
  learn(): (listed: readonly JsonObject[]) => void;
  /** What is wrong, for a check; undefined when nothing is. */
  trouble(): string | undefined;
};

export const HEALTH_FIELDS: ReadonlySet<unknown> = new Set([
  'message_template_status_update',
  'message_template_quality_update',
  'account_update',
  'phone_number_quality_update',
]);

/** A template in such a status cannot be sent. */
const UNUSABLE = new Set<unknown>([
  'PAUSED',
  'DISABLED',
  'REJECTED',
  'PENDING',
  'IN_APPEAL',
  'PENDING_DELETION',
  'DELETED',
  'ARCHIVED',
]);
const USABLE = new Set<unknown>(['APPROVED', 'REINSTATED', 'UNARCHIVED']);
const WORDS_LENGTH_MAX = 200;

/** `isDown`: codes cannot go. Undefined where the trouble is over. */
type Trouble = { text: string; isDown: boolean } | undefined;
/** What the news is about; newer news replace the older. */
type News = { about: string; trouble: Trouble };

export function openCloudHealth(
  { name, log, clock }: { name: string; log: Logger; clock: Clock },
  { codeTemplate, linkTemplate }: Templates,
): CloudHealth {
  const holder = createProviderState({ name, log, clock });
  const troubles = new Map<string, NonNullable<Trouble>>();
  const heardAtSeconds = new Map<string, number>();
  const isOurs = (template: unknown) =>
    template === codeTemplate || (linkTemplate !== undefined && template === linkTemplate);

  const describe = () => [...troubles.values()].map(({ text }) => text).join(' ');
  const tell = () => {
    const isUp = [...troubles.values()].every(({ isDown }) => !isDown);
    holder.set(isUp, describe() || 'No trouble with templates or the account is known.');
  };
  const warn = ({ text }: NonNullable<Trouble>) =>
    log.warn({ provider: name, why: text }, 'Meta warns');
  const take = ({ about, trouble }: News) => {
    const before = troubles.get(about)?.text;
    if (trouble === undefined) troubles.delete(about);
    else troubles.set(about, trouble);
    // The state logs what it is down for.
    if (trouble?.isDown === false && trouble.text !== before) warn(trouble);
  };

  const ofStatus = (template: unknown, language: unknown, status: unknown, more = ''): News[] => {
    const about = `status of ${template} in ${language}`;
    if (USABLE.has(status)) return [{ about, trouble: undefined }];
    if (!UNUSABLE.has(status)) return [];
    const text = `The template "${template}" in ${language} is ${status}${more}.`;
    return [{ about, trouble: { text, isDown: template === codeTemplate } }];
  };
  /** A flagged template can still be sent, and the list does not tell of the flag. */
  const ofFlag = (template: unknown, language: unknown, event: unknown): News[] => {
    const about = `flag of ${template} in ${language}`;
    if (USABLE.has(event)) return [{ about, trouble: undefined }];
    if (event !== 'FLAGGED') return [];
    const text = `The template "${template}" in ${language} is FLAGGED.`;
    return [{ about, trouble: { text, isDown: false } }];
  };
  const readNews: Readonly<Record<string, (value: JsonObject) => News[]>> = {
    message_template_status_update({ event, other_info, ...value }) {
      const { message_template_name: template, message_template_language: language } = value;
      const words = asObject(other_info)?.description;
      const more = typeof words === 'string' ? `: ${words.slice(0, WORDS_LENGTH_MAX)}` : '';
      return [
        ...ofStatus(template, language, event, more.replace(/\.$/, '')),
        ...ofFlag(template, language, event),
      ];
    },
    message_template_quality_update({ new_quality_score: score, ...value }) {
      const { message_template_name: template, message_template_language: language } = value;
      const isPoor = score === 'YELLOW' || score === 'RED';
      const text = `The quality of the template "${template}" in ${language} is ${score}.`;
      const about = `quality of ${template} in ${language}`;
      return [{ about, trouble: isPoor ? { text, isDown: false } : undefined }];
    },
    account_update: (value) => {
      const trouble = readAccount(value);
      return trouble === 'no news' ? [] : [{ about: 'account', trouble }];
    },
    phone_number_quality_update({ event }) {
      const isPoor = event === 'FLAGGED' || event === 'DOWNGRADE';
      const text = `Meta reports the sending number: ${event}.`;
      return [{ about: 'number', trouble: isPoor ? { text, isDown: false } : undefined }];
    },
  };

  return {
    state: holder.read,
    start: tell,
    hear(field, value, atSeconds) {
      for (const news of readNews[field]?.(value) ?? []) {
        // Meta repeats webhooks, and not in their order.
        if (atSeconds < (heardAtSeconds.get(news.about) ?? 0)) continue;
        heardAtSeconds.set(news.about, atSeconds);
        const isOfTemplate = 'message_template_name' in value;
        // A marketing template that cannot be used is no longer offered.
        if (!isOfTemplate || isOurs(value.message_template_name)) take(news);
        else if (news.trouble) warn(news.trouble);
      }
      tell();
    },
    learn() {
      const sinceSeconds = Math.floor(clock.now().getTime() / 1_000);
      return (listed) => {
        for (const { name: template, language, status } of listed.filter((one) => isOurs(one.name)))
          for (const news of ofStatus(template, language, status)) {
            // A webhook that came during the reading is newer.
            if (sinceSeconds > (heardAtSeconds.get(news.about) ?? 0)) take(news);
          }
        tell();
      };
    },
    trouble: () => describe() || undefined,
  };
}

/** What an event of the account means for sending; most mean nothing. */
function readAccount({ event, ban_info, restriction_info, violation_info }: JsonObject) {
  const said = (more: unknown) =>
    `Meta reports the account: ${event}${more === undefined ? '' : ` (${more})`}.`;
  switch (event) {
    case 'DISABLED_UPDATE': {
      const ban = asObject(ban_info)?.waba_ban_state;
      return ban === 'REINSTATE' ? undefined : { text: said(ban), isDown: ban === 'DISABLE' };
    }
    case 'ACCOUNT_DELETED':
    case 'ACCOUNT_OFFBOARDED':
      return { text: said(undefined), isDown: true };
    case 'ACCOUNT_RECONNECTED':
      return undefined;
    case 'ACCOUNT_RESTRICTION': {
      const [{ restriction_type, expiration } = {}] = objectsIn(restriction_info);
      const until = expiration === undefined ? '' : ` until ${expiration}`;
      return { text: said(`${restriction_type}${until}`), isDown: false };
    }
    case 'ACCOUNT_VIOLATION':
      return { text: said(asObject(violation_info)?.violation_type), isDown: false };
    default:
      return 'no news';
  }
}
