import type { Lang } from './language.ts';

/** Words of the commands about companies, prices, payments and sender names. */
const EN = {
  badMoment: (name: string, text: string) =>
    `${name} should be a day (2026-12-01), a time of today (14:05) or both ("2026-12-01 14:05") in Almaty, not "${text}".`,
  badSearch: (text: string) => `"${text}" is no phone, message id or request id.`,
  badRange: '--since should be before --until.',
  storyIsCut: 'There was more: choose a shorter time with --since and --until.',
  badEmail: (text: string) => `"${text}" is not an e-mail address.`,
  yes: 'yes',
  no: 'no',

  priceLine: (item: string, tokens: number, isOwn: boolean) =>
    `${item.padEnd(10)} ${tokens} ₸${isOwn ? '  own price' : ''}`,
  priceHistory: 'History:',
  priceVersion: (version: {
    id: number;
    from: string;
    item: string;
    tokens: number | null;
    company: string | null;
    state: string;
    by: string | null;
  }) =>
    `  ${version.id}  ${version.from}  ${version.item}  ` +
    `${version.tokens === null ? 'the common price' : `${version.tokens} ₸`}` +
    `${version.company === null ? '' : `  ${version.company}`}  ${version.state}` +
    `${version.by === null ? '' : `  by ${version.by}`}`,
  priceStates: { holds: 'holds', future: 'set for later', past: 'past', withdrawn: 'withdrawn' },
  sinceStart: 'from the beginning',
  priceSet: (price: {
    item: string;
    tokens: number | null;
    company: number | null;
    from: string;
  }) =>
    `${price.item} costs ${price.tokens === null ? 'the common price' : `${price.tokens} ₸`}` +
    `${price.company === null ? '' : ` for company ${price.company}`} from ${price.from} on.`,
  priceReach: (preview: { before: number; others: number; sends: number; days: number }) =>
    `It was ${preview.before} ₸. In the last ${preview.days} days it would have applied to ${preview.sends} sends` +
    `${preview.others > 0 ? `; companies with a price of their own: ${preview.others}` : ''}.`,
  priceInPast: 'A price cannot be set for the past: its charges have been made.',
  commonNeedsNumber: '"common" is for the price of one company: give --company ID.',
  noPrice: (id: number) => `There is no price ${id}. \`zhiber price list\` shows them.`,
  priceHolds: (id: number) => `Price ${id} holds already. Set another one instead.`,
  priceWithdrawnBefore: (id: number) => `Price ${id} has been withdrawn before.`,
  priceWithdrawn: (id: number) => `Price ${id} is withdrawn and never takes effect.`,
};

export type RecordTexts = typeof EN;

const RU: RecordTexts = {
  badMoment: (name, text) =>
    `${name}: нужен день (2026-12-01), время сегодня (14:05) или вместе («2026-12-01 14:05») по Алматы, а не «${text}».`,
  badSearch: (text) => `«${text}» — не телефон, не номер сообщения и не номер запроса.`,
  badRange: '--since должно быть раньше --until.',
  storyIsCut: 'Показано не всё: выберите время короче через --since и --until.',
  badEmail: (text) => `«${text}» — не адрес почты.`,
  yes: 'да',
  no: 'нет',

  priceLine: (item, tokens, isOwn) => `${item.padEnd(10)} ${tokens} ₸${isOwn ? '  своя цена' : ''}`,
  priceHistory: 'История:',
  priceVersion: (version) =>
    `  ${version.id}  ${version.from}  ${version.item}  ` +
    `${version.tokens === null ? 'общая цена' : `${version.tokens} ₸`}` +
    `${version.company === null ? '' : `  ${version.company}`}  ${version.state}` +
    `${version.by === null ? '' : `  задал ${version.by}`}`,
  priceStates: {
    holds: 'действует',
    future: 'задана заранее',
    past: 'прежняя',
    withdrawn: 'отменена',
  },
  sinceStart: 'с самого начала',
  priceSet: (price) =>
    `${price.item}: ${price.tokens === null ? 'общая цена' : `${price.tokens} ₸`}` +
    `${price.company === null ? '' : ` для компании ${price.company}`}, с ${price.from}.`,
  priceReach: (preview) =>
    `Было ${preview.before} ₸. За последние ${preview.days} дней это касалось бы отправок: ${preview.sends}` +
    `${preview.others > 0 ? `; компаний со своей ценой: ${preview.others}` : ''}.`,
  priceInPast: 'Цену нельзя задать задним числом: за прошлое уже списано.',
  commonNeedsNumber: '«common» — для цены одной компании: укажите --company ID.',
  noPrice: (id) => `Цены ${id} нет. Все цены показывает \`zhiber price list\`.`,
  priceHolds: (id) => `Цена ${id} уже действует. Задайте вместо неё другую.`,
  priceWithdrawnBefore: (id) => `Цена ${id} уже отменена.`,
  priceWithdrawn: (id) => `Цена ${id} отменена и не начнёт действовать.`,
};

export const RECORD_TEXTS: Readonly<Record<Lang, RecordTexts>> = { en: EN, ru: RU };
