import type { Outcome } from '../../channels/channel.ts';
import type { ProviderReport } from '../../channels/provider.ts';
import type { Lang } from '../grammar/language.ts';

const EN = {
  mistakes: (file: string, count: number) =>
    `${file} has ${count} mistake${count === 1 ? '' : 's'}:`,
  secret: (setting: string, isSet: boolean) => `${setting} is ${isSet ? 'set' : 'not set'}`,
  requests: {
    send: 'A message is sent by',
    status: 'Its status is asked by',
    balance: 'The balance is asked by',
  },
  unwritable: 'The message has characters that cannot be written in this request.',
  answer: 'The answer means',
  callback: 'The callback means',
  accepted: (id: string) => `accepted, with the id ${id}`,
  results: { refused: 'refused', unavailable: 'the provider is unavailable', unknown: 'unknown' },
  proven: 'it is from the provider',
  notProven: 'it would be refused: the secret or the signature is wrong',
  secretMissing: 'whether it is from the provider was not checked: its secret is not set',
  noHead:
    'whether it is from the provider was not checked: the file has no head like POST /callbacks/…',
  noReports: 'no receipt',
  report: (of: string, { receipt, reason }: ProviderReport) =>
    `${of}: ${receipt}${reason === undefined ? '' : `, ${reason}`}`,
  byReference: (messageId: string) => `the message ${messageId}`,
  byId: (id: string) => `the message with the provider's id ${id}`,
};
type TryTexts = Omit<typeof EN, 'results' | 'requests'> & {
  results: Record<Exclude<Outcome['result'], 'accepted'>, string>;
  requests: Record<'send' | 'status' | 'balance', string>;
};

const RECEIPTS: Record<ProviderReport['receipt'], string> = {
  delivered: 'доставлено',
  read: 'прочитано',
  failed: 'не доставлено',
};

const RU: TryTexts = {
  mistakes: (file, count) => `Ошибок в ${file}: ${count}.`,
  secret: (setting, isSet) => `${setting} ${isSet ? 'задан' : 'не задан'}`,
  requests: {
    send: 'Сообщение отправляется так',
    status: 'Статус запрашивается так',
    balance: 'Баланс запрашивается так',
  },
  unwritable: 'В сообщении есть знаки, которые нельзя записать в этом запросе.',
  answer: 'Ответ означает',
  callback: 'Вызов означает',
  accepted: (id) => `принято, номер ${id}`,
  results: {
    refused: 'отказ',
    unavailable: 'провайдер недоступен',
    unknown: 'неизвестно',
  },
  proven: 'он от провайдера',
  notProven: 'он был бы отклонён: секрет или подпись неверны',
  secretMissing: 'от провайдера ли он, не проверено: секрет не задан',
  noHead: 'от провайдера ли он, не проверено: в файле нет заголовка вида POST /callbacks/…',
  noReports: 'отчётов нет',
  report: (of, { receipt, reason }) =>
    `${of}: ${RECEIPTS[receipt]}${reason === undefined ? '' : `, ${reason}`}`,
  byReference: (messageId) => `сообщение ${messageId}`,
  byId: (id) => `сообщение с номером провайдера ${id}`,
};

export const TRY_TEXTS: Readonly<Record<Lang, TryTexts>> = { en: EN, ru: RU };
