/** Errors of the Bot API in its own wording; a plan that refuses names one as its `code`. */
import type { Reply } from '../frame/transmit.ts';

export type Refusal = {
  status: number;
  description: string;
  parameters?: Readonly<Record<string, number>>;
};

export const REFUSALS = {
  blocked: { status: 403, description: 'Forbidden: bot was blocked by the user' },
  deactivated: { status: 403, description: 'Forbidden: user is deactivated' },
  not_started: {
    status: 403,
    description: "Forbidden: bot can't initiate conversation with a user",
  },
  kicked: { status: 403, description: 'Forbidden: bot was kicked from the group chat' },
  kicked_from_supergroup: {
    status: 403,
    description: 'Forbidden: bot was kicked from the supergroup chat',
  },
  not_a_member: {
    status: 403,
    description: 'Forbidden: bot is not a member of the supergroup chat',
  },
  group_deleted: { status: 403, description: 'Forbidden: the group chat was deleted' },
  chat_id_empty: { status: 400, description: 'Bad Request: chat_id is empty' },
  chat_not_found: { status: 400, description: 'Bad Request: chat not found' },
  too_long: { status: 400, description: 'Bad Request: message is too long' },
  empty: { status: 400, description: 'Bad Request: message text is empty' },
  no_rights: {
    status: 400,
    description: 'Bad Request: not enough rights to send text messages to the chat',
  },
  no_plain_text: { status: 400, description: 'Bad Request: CHAT_SEND_PLAIN_FORBIDDEN' },
  phone_in_a_group: {
    status: 400,
    description: 'Bad Request: phone number can be requested in private chats only',
  },
  bad_webhook: {
    status: 400,
    description: 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook',
  },
  bad_secret: {
    status: 400,
    description: 'Bad Request: secret token contains unallowed characters',
  },
  unauthorized: { status: 401, description: 'Unauthorized' },
  not_found: { status: 404, description: 'Not Found' },
} satisfies Record<string, Refusal>;

export function flood(seconds: number): Refusal {
  return {
    status: 429,
    description: `Too Many Requests: retry after ${seconds}`,
    parameters: { retry_after: seconds },
  };
}

export function moved(newChatId: number): Refusal {
  return {
    status: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: newChatId },
  };
}

/** By its name above; any other name becomes the description of a 400. */
export function refusalNamed(name: string): Refusal {
  const known: Readonly<Record<string, Refusal>> = REFUSALS;
  return known[name] ?? { status: 400, description: `Bad Request: ${name}` };
}

export function toReply({ status, description, parameters }: Refusal): Reply {
  const body = { ok: false, error_code: status, description, parameters };
  return { status, body: JSON.stringify(body) };
}
