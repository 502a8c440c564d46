import type { Command } from '../grammar/command.ts';
import { CLIENT_OPTIONS, callApi } from './call-api.ts';

/** The client commands pass their arguments on unchanged; the server validates them. */
export const send: Command = {
  name: 'send',
  usage: 'PHONE [--channel C] [--purpose P] [--link URL] --key KEY [--url BASE]',
  summary: { en: 'Sends a code through a running server', ru: 'Отправляет код через сервер' },
  options: { ...CLIENT_OPTIONS, channel: 'text', purpose: 'text', link: 'text' },
  operands: ['PHONE'],
  run: (call) =>
    callApi(call, {
      path: '/otp/send',
      body: {
        phone: call.given.operands[0],
        channel: call.given.text('channel'),
        purpose: call.given.text('purpose'),
        link: call.given.text('link'),
      },
    }),
};

export const verify: Command = {
  name: 'verify',
  usage: 'PHONE CODE [--purpose P] --key KEY [--url BASE]',
  summary: { en: 'Verifies a code', ru: 'Проверяет код' },
  options: { ...CLIENT_OPTIONS, purpose: 'text' },
  operands: ['PHONE', 'CODE'],
  run: (call) =>
    callApi(call, {
      path: '/otp/verify',
      body: {
        phone: call.given.operands[0],
        code: call.given.operands[1],
        purpose: call.given.text('purpose'),
      },
    }),
};
