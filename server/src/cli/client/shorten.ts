import { LINK_TTL_SECONDS_MAX } from '@zhiber/contract/api/limits.ts';
import type { Command } from '../grammar/command.ts';
import { optionalNumber } from '../grammar/values.ts';
import { CLIENT_OPTIONS, callApi } from './call-api.ts';

export const shorten: Command = {
  name: 'shorten',
  usage: 'URL [--alias A] [--expires-in S] --key KEY [--url BASE]',
  summary: { en: 'Creates a short link', ru: 'Создаёт короткую ссылку' },
  options: { ...CLIENT_OPTIONS, alias: 'text', 'expires-in': 'text' },
  operands: ['URL'],
  run: async (call) =>
    callApi(call, {
      path: '/links/shorten',
      body: {
        url: call.given.operands[0],
        alias: call.given.text('alias'),
        expires_in: optionalNumber(call.given, 'expires-in', { min: 1, max: LINK_TTL_SECONDS_MAX }),
      },
    }),
};
