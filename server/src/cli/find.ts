import { almatyDay, almatyTime, HOUR_MS } from '../almaty.ts';
import { systemClock } from '../clock.ts';
import { type FoundStory, findStory, readStorySearch } from '../messages/find-story.ts';
import { conclusionText, eventText } from '../messages/story-words.ts';
import { type Command, UsageError } from './grammar/command.ts';
import type { Lang } from './grammar/language.ts';
import type { Texts } from './grammar/texts.ts';
import { optionalMoment } from './grammar/values.ts';
import { readStorage } from './with-storage.ts';

/** Nothing was found: a script can tell it from a story. */
const EXIT_NOTHING = 3;

export const find: Command = {
  name: 'find',
  usage: 'PHONE|MESSAGE_ID|REQUEST_ID [--since 14:00] [--until 15:00]',
  summary: {
    en: 'Tells why a client got no code: all companies, times of Almaty, today by default',
    ru: 'Объясняет, почему клиент не получил код: все компании, время Алматы, по умолчанию сегодня',
  },
  options: { since: 'text', until: 'text' },
  operands: ['PHONE|MESSAGE_ID|REQUEST_ID'],
  async run({ given, env, lang, texts }) {
    const text = given.operands[0] as string;
    const search = readStorySearch(text);
    if (search === undefined) throw new UsageError((say) => say.badSearch(text));
    const now = systemClock.now();
    const from = optionalMoment(given, 'since', now) ?? almatyDay(now);
    // The clock of the database may be ahead of ours.
    const to = optionalMoment(given, 'until', now) ?? new Date(now.getTime() + HOUR_MS);
    if (from >= to) throw new UsageError((say) => say.badRange);
    const story = await readStorage(env, (tools) => findStory(tools, search, { from, to }));
    return {
      facts: toFacts(story, lang),
      lines: toLines(story, lang, texts),
      exitCode: story.events.length === 0 ? EXIT_NOTHING : 0,
    };
  },
};

function toFacts({ conclusion, events, companies, isCut }: FoundStory, lang: Lang) {
  return {
    conclusion: conclusionText(conclusion, companies, lang),
    verdict: conclusion.verdict,
    is_cut: isCut,
    events: events.map((event) => ({
      at: event.at.toISOString(),
      company_id: event.companyId,
      company: companies.get(event.companyId) ?? null,
      event: event.kind,
      text: eventText(event, lang),
      channel: event.channel,
      reason: event.reason,
      error_code: event.errorCode,
      cost: event.cost,
      message_id: event.messageId,
      request_id: event.requestId,
      is_masked: event.isMasked,
      is_late: event.isLate,
      mode: event.isTest ? 'test' : 'live',
    })),
  };
}

function toLines(story: FoundStory, lang: Lang, texts: Texts): string[] {
  const { conclusion, events, companies, isCut } = story;
  return [
    conclusionText(conclusion, companies, lang),
    ...(events.length === 0 ? [] : ['']),
    ...events.map((event) => {
      const company = companies.get(event.companyId) ?? event.companyId;
      const id = event.requestId ?? (event.kind === 'accepted' ? event.messageId : null);
      return `${almatyTime(event.at)}  ${company}  ${eventText(event, lang)}${id === null ? '' : `  ${id}`}`;
    }),
    ...(isCut ? [texts.storyIsCut] : []),
  ];
}
