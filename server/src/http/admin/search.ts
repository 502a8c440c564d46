import type { ADMIN_SEARCH_ENDPOINTS } from '@zhiber/contract/admin/search.ts';
import { conclusionText, eventText } from '../../messages/story-words.ts';
import { searchClient } from '../../operators/search-client.ts';
import { actorOf } from '../../operators/sign-in.ts';
import type { AdminHandlersOf } from './endpoint.ts';

export const ADMIN_SEARCH_HANDLERS: AdminHandlersOf<typeof ADMIN_SEARCH_ENDPOINTS> = {
  async findStory({ ctx }, { body, operator, origin }) {
    const { search, conclusion, events, companies, isCut } = await searchClient(
      ctx,
      actorOf(operator, origin),
      {
        text: body.search,
        from: body.from === undefined ? undefined : new Date(body.from),
        to: body.to === undefined ? undefined : new Date(body.to),
      },
    );
    const lang = body.language ?? 'ru';
    return {
      success: true,
      by: 'phone' in search ? 'phone' : 'id' in search ? 'message' : 'request',
      verdict: conclusion.verdict,
      conclusion: conclusionText(conclusion, companies, lang),
      is_cut: isCut,
      steps: events.map((event) => ({
        at: event.at.toISOString(),
        company: {
          id: event.companyId,
          name: companies.get(event.companyId) ?? String(event.companyId),
        },
        kind: event.kind,
        text: eventText(event, lang),
        channel: event.channel,
        cost: event.cost,
        message_id: event.messageId,
        request_id: event.requestId,
        mode: event.isTest ? 'test' : 'live',
      })),
    };
  },
};
