import type {
  BroadcastState,
  PauseReason,
  RecipientOutcome,
} from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Lang } from './language.ts';

type CompanyWords = {
  id: number;
  name: string;
  balance: number;
  held: number;
  debt: number;
  keys: number;
  members: number;
  suspended_at: Date | null;
};
type CompanyDetails = {
  businessId: string | null;
  created: string;
  sender: string | null;
  suspended: string | null;
};
type KeyWords = {
  key_id: number;
  name: string;
  mode: string;
  shown: string;
  channels: readonly string[];
  revoked_at: string | null;
  /** In Almaty, when there is an end. */
  expires: string | null;
  is_expired: boolean;
};
type MoneyWords = { balance: number; held: number; available: number; debt: number };
type PaymentWords = {
  at: string;
  reference: string | null;
  company_id: number;
  company_name: string;
  amount: number;
  provider: string;
  state: string;
  payments: readonly { receipt: number; amount: number; refunded: number }[];
};
type SenderWords = { name: string; at: string; note: string | null; companies: readonly number[] };

type Outcomes = Readonly<Record<RecipientOutcome, number>>;
const PAUSES_EN: Readonly<Record<PauseReason, string>> = {
  person: 'by a person',
  operator: 'by the operator',
  quiet: 'quiet hours',
  money: 'out of money',
  failures: 'too many failures',
  channel: 'channel unavailable',
  suspended: 'company suspended',
  late: 'start time missed',
};
const STATES_RU: Readonly<Record<BroadcastState, string>> = {
  draft: 'черновик',
  scheduled: 'запланирована',
  running: 'идёт',
  paused: 'на паузе',
  done: 'завершена',
  cancelled: 'остановлена',
};
const PAUSES_RU: Readonly<Record<PauseReason, string>> = {
  person: 'поставил человек',
  operator: 'остановил оператор',
  quiet: 'тихие часы',
  money: 'закончились деньги',
  failures: 'слишком много ошибок',
  channel: 'канал недоступен',
  suspended: 'компания приостановлена',
  late: 'время старта прошло',
};

/** Words of the commands about companies, prices, payments, sender names and broadcasts. */
const EN = {
  badMoment: (name: string, text: string) =>
    `${name} should be a day (2026-12-01), a time of today (14:05) or both ("2026-12-01 14:05") in Almaty, not "${text}".`,
  noArchive: 'No archive is configured (ARCHIVE_DIR or ARCHIVE_URL).',
  archiveAt: (place: string) => `The archive is in ${place}.`,
  archivedMonth: (month: {
    month: string;
    table: string;
    rows: number;
    files: number;
    bytes: number;
    is_kept: boolean;
  }) =>
    `  ${month.month} ${month.table}: ${month.rows} rows, ${month.files} files, ${month.bytes} bytes${month.is_kept ? ', still in the database' : ''}`,
  badMonth: (name: string, text: string) =>
    `${name} should be a month like 2026-09, not "${text}".`,
  badSearch: (text: string) => `"${text}" is no phone, message id or request id.`,
  badRange: '--since should be before --until.',
  storyIsCut: 'There was more: choose a shorter time with --since and --until.',
  badEmail: (text: string) => `"${text}" is not an e-mail address.`,

  noBroadcasts: 'No broadcasts yet.',
  noBroadcast: (id: string) => `There is no broadcast ${id}.`,
  noneRunning: 'No broadcast is running or waiting.',
  broadcastPaused: (id: string) => `Broadcast ${id} is paused until you resume it.`,
  broadcastResumed: (id: string) => `Broadcast ${id} goes on.`,
  broadcastNotRunning: (id: string) => `Broadcast ${id} is neither running nor waiting.`,
  broadcastNotHeld: (id: string) => `Broadcast ${id} was not paused by an operator.`,
  phoneUnsubscribed: (phone: string) => `+${phone} gets no broadcasts of anybody.`,
  phoneSubscribed: (phone: string) => `+${phone} may get broadcasts again.`,
  alreadyUnsubscribed: (phone: string) => `+${phone} gets none already.`,
  notUnsubscribed: (phone: string) => `+${phone} was not entered by an operator.`,
  ofCompany: (id: number) => `company ${id}`,
  broadcastState: (state: BroadcastState, pause: PauseReason | null) =>
    pause === null ? state : `${state}: ${PAUSES_EN[pause]}`,
  taken: (taken: number, all: number) => `${taken} of ${all}`,
  perSecond: (rate: number) => `${rate} per second`,
  endsAbout: (time: string) => `ends about ${time}`,
  broadcastOutcomes: (counts: Outcomes) =>
    `waiting ${counts.waiting}, sending ${counts.sending}, accepted ${counts.sent}, delivered ${counts.delivered}, ` +
    `read ${counts.read}, failed ${counts.failed}, unknown ${counts.unknown}, skipped ${counts.skipped}`,
  broadcastMoney: (charged: number, held: number) => `${charged} ₸ charged, ${held} ₸ reserved`,
  broadcastClicks: (clicked: number, unsubscribed: number) =>
    `${clicked} opened their link, ${unsubscribed} unsubscribed`,

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

  noCompanies: 'No companies yet.',
  companyLine: (company: CompanyWords) =>
    `${company.id}  ${company.name}  ${company.balance - company.held} ₸ available` +
    `${company.held > 0 ? `, ${company.held} ₸ held` : ''}${company.debt > 0 ? `, owes ${company.debt} ₸` : ''}` +
    `, keys: ${company.keys}, people: ${company.members}${company.suspended_at === null ? '' : ', suspended'}`,
  companyDetails: (details: CompanyDetails) =>
    `created ${details.created}, BIN ${details.businessId ?? 'not set'}, SMS sender ${details.sender ?? "of the provider's settings"}` +
    `${details.suspended === null ? '' : `, suspended: ${details.suspended}`}`,
  memberLine: (name: string, role: string, contact: string) => `  ${name}  ${role}  ${contact}`,
  ownerInvited: (email: string, until: string) =>
    `The owner ${email} joins with this link, once, until ${until} in Almaty:`,
  invitationMailed: 'The mail server has taken the letter with the link.',
  invitationNotMailed: 'No letter was sent: pass the link on yourself.',
  noKeys: 'The company has no keys.',
  keyLine: (key: KeyWords) =>
    `${key.key_id}  ${key.name}  ${key.mode}  ${key.shown}  ${key.channels.join(',')}` +
    `${key.revoked_at === null ? '' : '  revoked'}` +
    `${key.expires === null ? '' : `  ${key.is_expired ? 'expired' : 'expires'} ${key.expires}`}`,
  balanceLine: (money: MoneyWords) =>
    `${money.available} ₸ available; the balance is ${money.balance} ₸, held ${money.held} ₸` +
    `${money.debt > 0 ? `, owed ${money.debt} ₸` : ''}.`,

  noPayments: 'There are no such payments.',
  paymentLine: (payment: PaymentWords) =>
    `${payment.at}  ${payment.reference ?? '-'}  company ${payment.company_id} ${payment.company_name}  ` +
    `${payment.amount} ₸  ${payment.provider}  ${payment.state}` +
    payment.payments
      .map(
        ({ receipt, amount, refunded }) =>
          `  receipt ${receipt}: ${amount} ₸${refunded > 0 ? `, ${refunded} ₸ refunded` : ''}`,
      )
      .join(''),
  noOrder: (reference: string) => `There is no order ${reference}.`,
  bankReferenceUsed: (reference: string) =>
    `This payment of the bank has been credited to order ${reference}.`,
  creditedOtherAmount: (receipt: number, amount: number) =>
    `This payment was credited before with ${amount} ₸ (receipt ${receipt}). Nothing has changed.`,
  paidInFuture: '--paid-at should not be in the future.',
  noReceipt: (receipt: number) => `There is no payment with receipt ${receipt}.`,
  refundTooMuch: (left: number) => `Only ${left} ₸ of this payment are left to refund.`,
  refundAsked: (refund: { amount: number; bonus: number; owed: number }) =>
    `${refund.amount} ₸ taken back${refund.bonus > 0 ? ` with the bonus of ${refund.bonus} ₸` : ''}. The provider returns the money; where it makes no refunds, send it yourself and settle the refund at the desk.` +
    `${refund.owed > 0 ? ` The company owes ${refund.owed} ₸ of it: sends stop until a top-up pays it.` : ''}`,

  badSender: (name: string) =>
    `A sender name has 3 to 11 Latin letters, digits, spaces, dots, dashes or underscores and at least one letter, unlike "${name}".`,
  portedStored: (count: number) =>
    `Stored numbers: ${count}. The servers use them within a minute.`,
  badPorted: (line: number, operators: string) =>
    `Line ${line} should be a phone and an operator (${operators}), like 77011234567,beeline. Nothing was stored.`,
  noSenders: 'No sender names are registered.',
  senderLine: (sender: SenderWords) =>
    `${sender.name}  since ${sender.at}${sender.note === null ? '' : `  ${sender.note}`}` +
    `${sender.companies.length === 0 ? '' : `  companies: ${sender.companies.join(', ')}`}`,
  senderKnown: (name: string) => `The sender name ${name} is registered already.`,
  senderUnknown: (name: string) =>
    `The sender name ${name} is not registered: \`zhiber sender add\`.`,
  senderInUse: (name: string) => `The sender name ${name} is not registered, or a company uses it.`,
  senderAdded: (name: string) => `The sender name ${name} can be chosen for companies.`,
  senderRemoved: (name: string) => `The sender name ${name} is removed.`,
  senderSet: (company: number, name: string) => `SMS of company ${company} come from ${name}.`,
  senderCleared: (company: number) =>
    `SMS of company ${company} come from the name in the provider's settings.`,
};

export type RecordTexts = typeof EN;

const RU: RecordTexts = {
  badMoment: (name, text) =>
    `${name}: нужен день (2026-12-01), время сегодня (14:05) или вместе («2026-12-01 14:05») по Алматы, а не «${text}».`,
  noArchive: 'Архив не настроен (ARCHIVE_DIR или ARCHIVE_URL).',
  archiveAt: (place) => `Архив: ${place}.`,
  archivedMonth: (month) =>
    `  ${month.month} ${month.table}: строк ${month.rows}, файлов ${month.files}, байт ${month.bytes}${month.is_kept ? ', ещё в базе' : ''}`,
  badMonth: (name, text) => `${name}: нужен месяц вида 2026-09, а не «${text}».`,
  badSearch: (text) => `«${text}» — не телефон, не номер сообщения и не номер запроса.`,
  badRange: '--since должно быть раньше --until.',
  storyIsCut: 'Показано не всё: выберите время короче через --since и --until.',
  badEmail: (text) => `«${text}» — не адрес почты.`,

  noBroadcasts: 'Рассылок пока нет.',
  noBroadcast: (id) => `Рассылки ${id} нет.`,
  noneRunning: 'Ни одна рассылка не идёт и не ждёт начала.',
  broadcastPaused: (id) => `Рассылка ${id} на паузе, пока вы её не продолжите.`,
  broadcastResumed: (id) => `Рассылка ${id} продолжается.`,
  broadcastNotRunning: (id) => `Рассылка ${id} не идёт и не ждёт начала.`,
  broadcastNotHeld: (id) => `Рассылку ${id} приостанавливал не оператор.`,
  phoneUnsubscribed: (phone) => `+${phone} больше не получает рассылок ни от кого.`,
  phoneSubscribed: (phone) => `+${phone} снова может получать рассылки.`,
  alreadyUnsubscribed: (phone) => `+${phone} уже не получает рассылок.`,
  notUnsubscribed: (phone) => `Оператор не вносил +${phone} в список.`,
  ofCompany: (id) => `компания ${id}`,
  broadcastState: (state, pause) =>
    pause === null ? STATES_RU[state] : `${STATES_RU[state]}: ${PAUSES_RU[pause]}`,
  taken: (taken, all) => `${taken} из ${all}`,
  perSecond: (rate) => `${String(rate).replace('.', ',')} в секунду`,
  endsAbout: (time) => `закончится примерно в ${time}`,
  broadcastOutcomes: (counts) =>
    `ждут ${counts.waiting}, отправляются ${counts.sending}, приняты каналом ${counts.sent}, ` +
    `доставлены ${counts.delivered}, прочитаны ${counts.read}, не доставлены ${counts.failed}, ` +
    `исход неизвестен ${counts.unknown}, пропущены ${counts.skipped}`,
  broadcastMoney: (charged, held) => `списано ${charged} ₸, в резерве ${held} ₸`,
  broadcastClicks: (clicked, unsubscribed) =>
    `перешли по ссылке ${clicked}, отписались ${unsubscribed}`,

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

  noCompanies: 'Компаний ещё нет.',
  companyLine: (company) =>
    `${company.id}  ${company.name}  доступно ${company.balance - company.held} ₸` +
    `${company.held > 0 ? `, удержано ${company.held} ₸` : ''}${company.debt > 0 ? `, долг ${company.debt} ₸` : ''}` +
    `, ключей: ${company.keys}, людей: ${company.members}${company.suspended_at === null ? '' : ', приостановлена'}`,
  companyDetails: (details) =>
    `создана ${details.created}, БИН ${details.businessId ?? 'не указан'}, отправитель SMS: ${details.sender ?? 'из настроек провайдера'}` +
    `${details.suspended === null ? '' : `, приостановлена: ${details.suspended}`}`,
  memberLine: (name, role, contact) => `  ${name}  ${role}  ${contact}`,
  ownerInvited: (email, until) =>
    `Владелец ${email} входит по этой ссылке, один раз, до ${until} по Алматы:`,
  invitationMailed: 'Почтовый сервер принял письмо со ссылкой.',
  invitationNotMailed: 'Письмо не отправлено: передайте ссылку сами.',
  noKeys: 'У компании нет ключей.',
  keyLine: (key) =>
    `${key.key_id}  ${key.name}  ${key.mode}  ${key.shown}  ${key.channels.join(',')}` +
    `${key.revoked_at === null ? '' : '  отозван'}` +
    `${key.expires === null ? '' : `  ${key.is_expired ? 'истёк' : 'истекает'} ${key.expires}`}`,
  balanceLine: (money) =>
    `Доступно ${money.available} ₸; баланс ${money.balance} ₸, удержано ${money.held} ₸` +
    `${money.debt > 0 ? `, долг ${money.debt} ₸` : ''}.`,

  noPayments: 'Таких платежей нет.',
  paymentLine: (payment) =>
    `${payment.at}  ${payment.reference ?? '-'}  компания ${payment.company_id} ${payment.company_name}  ` +
    `${payment.amount} ₸  ${payment.provider}  ${payment.state}` +
    payment.payments
      .map(
        ({ receipt, amount, refunded }) =>
          `  квитанция ${receipt}: ${amount} ₸${refunded > 0 ? `, возвращено ${refunded} ₸` : ''}`,
      )
      .join(''),
  noOrder: (reference) => `Счёта ${reference} нет.`,
  bankReferenceUsed: (reference) => `Этот платёж банка уже зачислен по счёту ${reference}.`,
  creditedOtherAmount: (receipt, amount) =>
    `Этот платёж уже зачислен: ${amount} ₸, квитанция ${receipt}. Ничего не изменилось.`,
  paidInFuture: '--paid-at не может быть в будущем.',
  noReceipt: (receipt) => `Платежа с квитанцией ${receipt} нет.`,
  refundTooMuch: (left) => `Из этого платежа можно вернуть только ${left} ₸.`,
  refundAsked: (refund) =>
    `Списано ${refund.amount} ₸${refund.bonus > 0 ? ` и бонус ${refund.bonus} ₸` : ''}. Деньги вернёт провайдер; если он возвратов не делает, отправьте их сами и закройте возврат за столом оператора.` +
    `${refund.owed > 0 ? ` Из них ${refund.owed} ₸ — долг компании: отправки стоят до пополнения.` : ''}`,

  badSender: (name) =>
    `Имя отправителя — 3–11 латинских букв, цифр, пробелов, точек, дефисов или подчёркиваний, хотя бы одна буква; «${name}» не подходит.`,
  noSenders: 'Зарегистрированных имён отправителя нет.',
  portedStored: (count) => `Номеров записано: ${count}. Серверы учтут их в течение минуты.`,
  badPorted: (line, operators) =>
    `В строке ${line} нужны номер и оператор (${operators}), как 77011234567,beeline. Ничего не записано.`,
  senderLine: (sender) =>
    `${sender.name}  с ${sender.at}${sender.note === null ? '' : `  ${sender.note}`}` +
    `${sender.companies.length === 0 ? '' : `  компании: ${sender.companies.join(', ')}`}`,
  senderKnown: (name) => `Имя отправителя ${name} уже зарегистрировано.`,
  senderUnknown: (name) => `Имя отправителя ${name} не зарегистрировано: \`zhiber sender add\`.`,
  senderInUse: (name) => `Имя отправителя ${name} не зарегистрировано, или им пользуется компания.`,
  senderAdded: (name) => `Имя отправителя ${name} можно выбрать для компаний.`,
  senderRemoved: (name) => `Имя отправителя ${name} убрано.`,
  senderSet: (company, name) => `SMS компании ${company} идут от имени ${name}.`,
  senderCleared: (company) => `SMS компании ${company} идут от имени из настроек провайдера.`,
};

export const RECORD_TEXTS: Readonly<Record<Lang, RecordTexts>> = { en: EN, ru: RU };
