import type { Outcome } from '../../channels/channel.ts';
import type { ImportedLine } from '../../topups/import-statement.ts';
import { reasonText } from '../../topups/statement-words.ts';
import { BACKUP_TEXTS } from './backup-texts.ts';
import { INCIDENT_TEXTS } from './incident-texts.ts';
import type { Lang } from './language.ts';
import { RECORD_TEXTS } from './record-texts.ts';

/** A decision of the guard, formatted for `guard list`. */
export type FoundSuspicious = {
  at: string;
  companyId: number;
  prefix: string;
  sent: number;
  verified: number;
  /** The upper bound of the verified share, in per cent. */
  most: string;
  action: 'recorded' | 'blocked';
  sends: number;
  probes: number;
};

/** A group, formatted for `group list`. */
export type SeenGroup = {
  channel: string;
  chatId: string;
  title: string;
  isLeft: boolean;
  link: { companyId: number; id: number; name: string } | undefined;
};

/** What became of the lines of a bank statement. */
export type StatementCounts = Record<ImportedLine['outcome'] | 'outgoing', number>;

const EN = {
  ...RECORD_TEXTS.en,
  ...INCIDENT_TEXTS.en,
  ...BACKUP_TEXTS.en,
  usage: 'Usage',
  commands: 'Commands',
  jsonNote: 'Every command takes --json: one JSON object on stdout.',
  settingsNote: 'Settings come from the environment and .env; `zhiber doctor` shows them all.',
  unknownCommand: (words: string, similar: readonly string[]) =>
    `There is no command "${words}"${similar.length === 0 ? '' : `, but: ${similar.join(', ')}`}. ` +
    '`zhiber help` lists them.',
  unknownOption: (option: string) => `There is no option ${option} here.`,
  optionWithoutValue: (option: string) => `The value of ${option} is missing or out of place.`,
  missing: (name: string) => `${name} is missing.`,
  unexpected: (text: string) => `Unexpected argument "${text}".`,
  badNumber: (name: string, text: string, range: { min: number; max: number }) =>
    range.max === Number.MAX_SAFE_INTEGER
      ? `${name} should be a whole number from ${range.min}, not "${text}".`
      : `${name} should be a whole number from ${range.min} to ${range.max}, not "${text}".`,
  badName: (name: string, max: number) => `${name} should be one line of 1 to ${max} characters.`,
  badChoice: (name: string, text: string, words: readonly string[]) =>
    `${name} should be one of ${words.join(', ')}, not "${text}".`,
  twice: (name: string, word: string) => `${name} names ${word} twice.`,
  testKeyHasNoCap: 'A test key takes no money: --monthly-cap and --daily-cap are for live keys.',
  badDomain: (text: string) => `--domain should be a domain like shop.kz, not "${text}".`,
  badUrl: (text: string) => `"${text}" is not an http or https address.`,

  noCompany: (id: number) => `There is no company ${id}.`,
  noPerson: (contact: string) => `Nobody signs in with ${contact}.`,
  alreadySuspended: (id: number) => `Company ${id} is suspended already.`,
  notSuspended: (id: number) => `Company ${id} is not suspended.`,
  alreadyBlocked: (contact: string) => `${contact} is blocked already.`,
  notBlocked: (contact: string) => `${contact} is not blocked.`,
  badHost: (text: string) => `"${text}" is not a host name like evil.example.`,
  alreadyBarred: (host: string) => `${host} is barred already.`,
  notBarred: (host: string) => `${host} is not barred.`,
  noKey: (id: number) => `There is no key ${id}.`,
  keyRevoked: (id: number) => `Key ${id} is revoked and cannot be rotated. Create a new one.`,
  noLink: (id: number, slug: string) => `Company ${id} has no short link "${slug}".`,
  groupLinked: (chat: string) => `The company has linked the group ${chat} already.`,
  groupNameTaken: (name: string) =>
    `The company already has a group named "${name}" in this messenger.`,
  topupTooSmall: (min: number) => `The smallest top-up is ${min} ₸ (TOPUP_MIN).`,

  companySuspended: (id: number) => `Company ${id} is suspended: its keys and links do not work.`,
  companyResumed: (id: number) => `Company ${id} works again.`,
  personBlocked: (contact: string) => `${contact} is blocked; all sessions have ended.`,
  personUnblocked: (contact: string) => `${contact} can sign in again.`,
  hostBarred: (host: string) => `Short links to ${host} and its subdomains are closed.`,
  hostUnbarred: (host: string) => `Short links to ${host} work again.`,
  alreadyOperator: (email: string) => `${email} is an operator already.`,
  operatorBlocked: (email: string) => `${email} is blocked. \`zhiber person unblock\` comes first.`,
  noOperator: (email: string) => `${email} is no operator.`,
  noOperators: 'There are no operators. `zhiber operator create` makes one.',
  operatorWelcomed: (email: string, endsAt: string) =>
    `${email} is an operator once this link was used. It works once, until ${endsAt} in Almaty:`,
  operatorSignsIn: (email: string) =>
    `${email} is an operator, and signs in to the desk with the password or passkey of the cabinet:`,
  operatorReset: (email: string, endsAt: string) =>
    `The password, second factor, passkeys and sessions of ${email} are gone, in the cabinet too.\n` +
    `This link sets new ones. It works once, until ${endsAt} in Almaty:`,
  operatorRemoved: (email: string) =>
    `${email} is no operator any more; their sessions have ended.`,
  operator: (
    email: string,
    name: string,
    { hasJoined, hasSecondFactor }: { hasJoined: boolean; hasSecondFactor: boolean },
  ) => {
    const lacking = hasSecondFactor ? '' : '  (no second factor yet)';
    return `${email}  ${name}${hasJoined ? lacking : '  (has not used the link yet)'}`;
  },
  noHosts: 'No host is barred.',
  barredHost: (host: string, reason: string, at: string) => `${at}  ${host}  ${reason}`,
  companyCreated: (id: number, balance: number) => `Company ${id} created; balance ${balance} ₸.`,
  keyCreated: (id: number, company: number) => `Key ${id} of company ${company}, shown only once:`,
  keyRotated: (id: number) => `Key ${id} has a new secret, shown only once:`,
  oldKeyUntil: (time: string) => `The old secret works until ${time}.`,
  oldKeyOver: 'The old secret no longer works.',
  keyIsRevoked: (id: number) => `Key ${id} is revoked.`,
  toppedUp: (amount: number, bonus: number, balance: number) =>
    `${amount} ₸ credited${bonus > 0 ? ` and ${bonus} ₸ as the first top-up bonus` : ''}; the balance is ${balance} ₸.`,
  toppedUpBefore: (receipt: number) =>
    `This reference was credited before, with receipt ${receipt}; nothing has changed.`,
  referenceTaken: (companyId: number) =>
    `This reference was credited before, to company ${companyId}.`,
  noFile: (file: string, code: string) => `${file} cannot be read (${code}).`,
  notAStatement: (message: string) => `This is not a bank statement that can be read. ${message}`,
  statementLine: ({ line, outcome, amount, reference, reason }: ImportedLine) =>
    [
      `line ${line}`,
      outcome.replace('_', ' '),
      ...(amount === undefined ? [] : [`${amount} ₸`]),
      ...(reference === undefined ? [] : [reference]),
      ...(reason === undefined ? [] : [reasonText(reason, 'en')]),
    ].join('  '),
  statementImported: (counts: StatementCounts) =>
    `${counts.credited + counts.other_amount} credited (${counts.other_amount} of another amount), ` +
    `${counts.already} already, ${counts.no_order} to match by hand, ${counts.unreadable} unreadable, ` +
    `${counts.outgoing} outgoing.`,
  groupAdded: (id: number) => `The group is linked; its id is ${id}.`,
  noGroups: 'No groups yet. Run `zhiber bot connect`, then add the bot to a group.',
  knownGroup: ({ channel, chatId, title, isLeft, link }: SeenGroup) =>
    `${channel}  ${chatId}  ${title}  ` +
    `${link === undefined ? 'not linked' : `company ${link.companyId}, group ${link.id} "${link.name}"`}` +
    `${isLeft ? '; the bot is no longer there' : ''}`,
  badPhone: (text: string) => `"${text}" is not a phone number.`,
  costlyPhone: (text: string) =>
    `${text} is a premium, satellite or other costly number. Zhiber does not send to such numbers.`,
  noSmsCountry: (text: string, countries: readonly string[]) =>
    `SMS is sent only to ${countries.join(', ')} (SMS_COUNTRIES); ${text} is in another country.`,
  notMobile: (text: string) =>
    `${text} cannot receive SMS: it is a landline, or in a range that no operator uses.`,
  noProvider: (what: string) => `No provider is configured for ${what}: see .env.example.`,
  noPublicUrl: 'Set PUBLIC_URL: Telegram sends updates to that address.',
  outcome: (outcome: Outcome) =>
    outcome.result === 'accepted'
      ? `accepted, with the id ${outcome.providerId}`
      : `${outcome.result}: ${outcome.reason}`,
  linkDisabled: (slug: string) => `The short link "${slug}" is permanently disabled.`,
  nothingSuspicious: 'Nothing suspicious has been found.',
  guardDecision: (found: FoundSuspicious) =>
    `${found.at}  company ${found.companyId}  +${found.prefix}  ${found.verified} of ${found.sent} codes verified ` +
    `(at most ${found.most} %)  ${found.sends} sends ${found.action}` +
    `${found.probes > 0 ? `, ${found.probes} of them let through as probes` : ''}`,
  migrated: (applied: number, total: number) =>
    applied === 0
      ? `Up to date: ${total} migrations.`
      : `Applied ${applied} of ${total} migrations.`,
  auditHolds: (invariants: number) => `All ${invariants} invariants hold.`,
  auditBroken: (broken: number, invariants: number) =>
    `${broken} of ${invariants} invariants are broken:`,
  auditMonths: (months: number) => `Closed months audited again: ${months}.`,
  auditTotals: (totals: {
    companies: number;
    messages: number;
    charged: number;
    balance: number;
  }) =>
    `${totals.companies} companies, ${totals.messages} messages, ${totals.charged} ₸ charged, ${totals.balance} ₸ on balances.`,

  keyNeeded: 'An API key is needed: --key KEY, or ZHIBER_KEY in the environment.',
  noServer: (url: string) =>
    `No server answers at ${url}. Start Zhiber with \`npm start\`, or give its address with --url.`,
  notZhiber: (url: string, status: number) =>
    `The server at ${url} is not Zhiber (HTTP ${status}). Give the address of Zhiber with --url.`,
  serverRefused: (message: string) => `The server has refused: ${message}`,
  listening: (url: string) => `Events are forwarded to ${url}. Press Ctrl-C to stop.`,
  listenerSecret: (secret: string) => `They are signed with the secret ${secret}`,
  forwarded: (type: string, status: number, ms: number) => `${type} → ${status} in ${ms} ms`,
  notForwarded: (type: string, reason: string) => `${type} → no answer: ${reason}`,
  triggered: (type: string, endpoints: number) =>
    endpoints === 0
      ? `${type} was made, but no endpoint of the company wants it.`
      : `${type} is sent to ${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}.`,
  noLogs: 'Nothing has happened in the last hour.',
};

export type Texts = typeof EN;

const STATEMENT_WORDS: Record<ImportedLine['outcome'], string> = {
  credited: 'зачислено',
  other_amount: 'зачислено, сумма другая',
  already: 'уже было',
  no_order: 'заказ не найден',
  unreadable: 'не прочитано',
};

const RU: Texts = {
  ...RECORD_TEXTS.ru,
  ...INCIDENT_TEXTS.ru,
  ...BACKUP_TEXTS.ru,
  usage: 'Вызов',
  commands: 'Команды',
  jsonNote: 'Каждая команда понимает --json: один объект JSON в stdout.',
  settingsNote: 'Настройки берутся из окружения и .env; все показывает `zhiber doctor`.',
  unknownCommand: (words, similar) =>
    `Нет команды «${words}»${similar.length === 0 ? '' : `, но есть: ${similar.join(', ')}`}. ` +
    'Список команд: `zhiber help`.',
  unknownOption: (option) => `Здесь нет параметра ${option}.`,
  optionWithoutValue: (option) => `Значение ${option} пропущено или стоит не на месте.`,
  missing: (name) => `Не указано: ${name}.`,
  unexpected: (text) => `Лишний аргумент: «${text}».`,
  badNumber: (name, text, range) =>
    range.max === Number.MAX_SAFE_INTEGER
      ? `${name}: нужно целое число от ${range.min}, а не «${text}».`
      : `${name}: нужно целое число от ${range.min} до ${range.max}, а не «${text}».`,
  badName: (name, max) => `${name}: нужна одна строка длиной от 1 до ${max} символов.`,
  badChoice: (name, text, words) => `${name}: нужно одно из ${words.join(', ')}, а не «${text}».`,
  twice: (name, word) => `${name}: ${word} указан дважды.`,
  testKeyHasNoCap:
    'Тестовый ключ ничего не расходует: --monthly-cap и --daily-cap — для боевых ключей.',
  badDomain: (text) => `--domain: нужен домен вроде shop.kz, а не «${text}».`,
  badUrl: (text) => `«${text}» — не адрес http или https.`,

  noCompany: (id) => `Компании ${id} нет.`,
  noPerson: (contact) => `С контактом ${contact} никто не входит.`,
  alreadySuspended: (id) => `Компания ${id} уже приостановлена.`,
  notSuspended: (id) => `Компания ${id} не приостановлена.`,
  alreadyBlocked: (contact) => `${contact}: вход уже закрыт.`,
  notBlocked: (contact) => `${contact}: вход не закрыт.`,
  badHost: (text) => `«${text}» — не имя сайта вроде evil.example.`,
  alreadyBarred: (host) => `${host} уже запрещён.`,
  notBarred: (host) => `${host} не запрещён.`,
  noKey: (id) => `Ключа ${id} нет.`,
  keyRevoked: (id) => `Ключ ${id} отозван, обновить его нельзя. Создайте новый.`,
  noLink: (id, slug) => `У компании ${id} нет короткой ссылки «${slug}».`,
  groupLinked: (chat) => `Группа ${chat} уже привязана к этой компании.`,
  groupNameTaken: (name) => `У компании уже есть группа «${name}» в этом мессенджере.`,
  topupTooSmall: (min) => `Наименьшее пополнение — ${min} ₸ (TOPUP_MIN).`,

  companySuspended: (id) => `Компания ${id} приостановлена: ключи и ссылки не работают.`,
  companyResumed: (id) => `Компания ${id} снова работает.`,
  personBlocked: (contact) => `${contact}: вход закрыт, все сеансы завершены.`,
  personUnblocked: (contact) => `${contact}: вход снова открыт.`,
  hostBarred: (host) => `Короткие ссылки на ${host} и его поддомены закрыты.`,
  hostUnbarred: (host) => `Короткие ссылки на ${host} снова работают.`,
  alreadyOperator: (email) => `${email} — уже оператор.`,
  operatorBlocked: (email) => `${email}: вход закрыт. Сначала \`zhiber person unblock\`.`,
  noOperator: (email) => `${email} — не оператор.`,
  noOperators: 'Операторов нет. Первого создаёт `zhiber operator create`.',
  operatorWelcomed: (email, endsAt) =>
    `${email} станет оператором, открыв эту ссылку. Она на один раз, до ${endsAt} по Алматы:`,
  operatorSignsIn: (email) =>
    `${email} — оператор, входит в панель оператора с паролем или ключом доступа от кабинета:`,
  operatorReset: (email, endsAt) =>
    `Пароль, второй фактор, ключи доступа и сеансы ${email} удалены, в кабинете тоже.\n` +
    `По этой ссылке задают новые. Она на один раз, до ${endsAt} по Алматы:`,
  operatorRemoved: (email) => `${email} больше не оператор, сеансы завершены.`,
  operator: (email, name, { hasJoined, hasSecondFactor }) => {
    const lacking = hasSecondFactor ? '' : '  (второго фактора ещё нет)';
    return `${email}  ${name}${hasJoined ? lacking : '  (ссылкой ещё не воспользовались)'}`;
  },
  noHosts: 'Запрещённых сайтов нет.',
  barredHost: (host, reason, at) => `${at}  ${host}  ${reason}`,
  companyCreated: (id, balance) => `Компания ${id} создана; на балансе ${balance} ₸.`,
  keyCreated: (id, company) => `Ключ ${id} компании ${company}, показан один раз:`,
  keyRotated: (id) => `У ключа ${id} новый секрет, показан один раз:`,
  oldKeyUntil: (time) => `Старый секрет работает до ${time}.`,
  oldKeyOver: 'Старый секрет больше не работает.',
  keyIsRevoked: (id) => `Ключ ${id} отозван.`,
  toppedUp: (amount, bonus, balance) =>
    `Зачислено ${amount} ₸${bonus > 0 ? ` и ${bonus} ₸ бонуса за первое пополнение` : ''}; баланс ${balance} ₸.`,
  toppedUpBefore: (receipt) =>
    `Этот платёж уже зачислен, квитанция ${receipt}; ничего не изменилось.`,
  referenceTaken: (companyId) => `Этот платёж уже зачислен компании ${companyId}.`,
  noFile: (file, code) => `Файл ${file} не читается (${code}).`,
  notAStatement: (message) => `Это не банковская выписка, которую можно прочесть. ${message}`,
  statementLine: ({ line, outcome, amount, reference, reason }) =>
    [
      `строка ${line}`,
      STATEMENT_WORDS[outcome],
      ...(amount === undefined ? [] : [`${amount} ₸`]),
      ...(reference === undefined ? [] : [reference]),
      ...(reason === undefined ? [] : [reasonText(reason, 'ru')]),
    ].join('  '),
  statementImported: (counts) =>
    `Зачислено: ${counts.credited + counts.other_amount} (из них на другую сумму: ${counts.other_amount}), ` +
    `уже было: ${counts.already}, без заказа: ${counts.no_order}, не прочитано: ${counts.unreadable}, ` +
    `расходных: ${counts.outgoing}.`,
  groupAdded: (id) => `Группа привязана, её номер ${id}.`,
  noGroups:
    'Ни одной группы нет. Добавьте в неё бота; чтобы Telegram о ней сообщил, нужен `zhiber bot connect`.',
  knownGroup: ({ channel, chatId, title, isLeft, link }) =>
    `${channel}  ${chatId}  ${title}  ` +
    `${link === undefined ? 'не привязана' : `компания ${link.companyId}, группа ${link.id} «${link.name}»`}` +
    `${isLeft ? '; бота там больше нет' : ''}`,
  badPhone: (text) => `«${text}» — не номер телефона.`,
  costlyPhone: (text) =>
    `${text} — платный, спутниковый или иной дорогой номер: туда не отправляем.`,
  noSmsCountry: (text, countries) =>
    `SMS отправляются только в ${countries.join(', ')} (SMS_COUNTRIES), а ${text} — в другой стране.`,
  notMobile: (text) => `${text} не принимает SMS: это городской номер или неиспользуемый диапазон.`,
  noProvider: (what) => `Для ${what} провайдер не настроен: смотрите .env.example.`,
  noPublicUrl: 'Задайте PUBLIC_URL: туда Telegram будет сообщать об обновлениях.',
  outcome: (outcome) =>
    outcome.result === 'accepted'
      ? `принято, номер ${outcome.providerId}`
      : `${OUTCOME_WORDS[outcome.result]}: ${outcome.reason}`,
  linkDisabled: (slug) => `Короткая ссылка «${slug}» отключена навсегда.`,
  nothingSuspicious: 'Ничего подозрительного не найдено.',
  guardDecision: (found) =>
    `${found.at}  компания ${found.companyId}  +${found.prefix}  введено кодов: ${found.verified} из ${found.sent} ` +
    `(не больше ${found.most} %)  ${found.action === 'blocked' ? 'остановлено' : 'замечено'} отправок: ${found.sends}` +
    `${found.probes > 0 ? `, из них пропущено для пробы: ${found.probes}` : ''}`,
  migrated: (applied, total) =>
    applied === 0
      ? `Всё на месте, миграций: ${total}.`
      : `Применено миграций: ${applied} из ${total}.`,
  auditHolds: (invariants) => `Все правила соблюдены: ${invariants}.`,
  auditBroken: (broken, invariants) => `Нарушено правил: ${broken} из ${invariants}:`,
  auditMonths: (months) => `Закрытых месяцев проверено заново: ${months}.`,
  auditTotals: (totals) =>
    `Компаний ${totals.companies}, сообщений ${totals.messages}, списано ${totals.charged} ₸, на балансах ${totals.balance} ₸.`,

  keyNeeded: 'Нужен API-ключ: --key КЛЮЧ или ZHIBER_KEY в окружении.',
  noServer: (url) =>
    `По адресу ${url} никто не отвечает. Запустите Zhiber (\`npm start\`) или укажите --url.`,
  notZhiber: (url, status) =>
    `По адресу ${url} отвечает не Zhiber (HTTP ${status}). Укажите --url.`,
  serverRefused: (message) => `Сервер отказал: ${message}`,
  listening: (url) => `События пересылаются на ${url}. Остановить: Ctrl-C.`,
  listenerSecret: (secret) => `Они подписаны секретом ${secret}`,
  forwarded: (type, status, ms) => `${type} → ${status} за ${ms} мс`,
  notForwarded: (type, reason) => `${type} → нет ответа: ${reason}`,
  triggered: (type, endpoints) =>
    endpoints === 0
      ? `Событие ${type} создано, но ни один вебхук компании на него не подписан.`
      : `Событие ${type} отправляется вебхукам: ${endpoints}.`,
  noLogs: 'За последний час ничего не было.',
};

const OUTCOME_WORDS = {
  refused: 'отказ',
  unavailable: 'недоступно',
  unknown: 'неизвестно',
} as const;

/** All texts that the commands print for people. */
export const TEXTS: Readonly<Record<Lang, Texts>> = { en: EN, ru: RU };
