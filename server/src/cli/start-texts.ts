import type { Lang } from './grammar/language.ts';

const EN = {
  sandbox: 'sandbox: nothing leaves this machine',
  publicSandbox: 'public sandbox: everybody who reaches it sees its codes and keys',
  live: 'live: messages go to real phones',
  database: 'Database',
  embedded: (version: string, dir: string) => `PostgreSQL ${version}, embedded, in ${dir}`,
  external: (version: string) => `PostgreSQL ${version}, from DATABASE_URL`,
  migrations: 'Migrations',
  applied: (applied: number, total: number) =>
    applied === 0 ? `up to date (${total})` : `${applied} applied`,
  zone: 'Time zone',
  oldZone: (tzdata: string) => `should be +05:00; update Node, its tzdata is ${tzdata}`,
  channels: 'Channels',
  simulated: 'simulated, no real money is spent',
  busy: (port: number, other: number) => `Port ${port} is busy → ${other}`,
  site: 'Site',
  cabinet: 'Cabinet',
  demo: '(a demo company is one click away)',
  phone: 'Virtual phone',
  api: 'API',
  errors: 'Errors',
  liveKey: 'Live key',
  testKey: 'Test key',
  once: '(shown once)',
  firstSend: 'Commands that send the first code and verify it:',
  anotherKey: 'Another key',
  company: 'Company',
  topup: 'Top-up',
  key: 'API key',
  nameWord: 'NAME',
};

export type StartTexts = typeof EN;

const RU: StartTexts = {
  sandbox: 'песочница: ничего не уходит с этой машины',
  publicSandbox: 'открытая песочница: коды и ключи видны всем, кто её откроет',
  live: 'боевой режим: сообщения уходят на настоящие телефоны',
  database: 'База данных',
  embedded: (version, dir) => `PostgreSQL ${version}, встроенная, в ${dir}`,
  external: (version) => `PostgreSQL ${version}, из DATABASE_URL`,
  migrations: 'Миграции',
  applied: (applied, total) =>
    applied === 0 ? `все на месте (${total})` : `применено: ${applied}`,
  zone: 'Часовой пояс',
  oldZone: (tzdata) => `должно быть +05:00; обновите Node, его tzdata — ${tzdata}`,
  channels: 'Каналы',
  simulated: 'симулятор, деньги не тратятся',
  busy: (port, other) => `Порт ${port} занят → ${other}`,
  site: 'Сайт',
  cabinet: 'Кабинет',
  demo: '(демо-компания — в один клик)',
  phone: 'Вирт. телефон',
  api: 'API',
  errors: 'Ошибки',
  liveKey: 'Боевой ключ',
  testKey: 'Тестовый ключ',
  once: '(показан один раз)',
  firstSend: 'Первая отправка и её проверка — скопируйте:',
  anotherKey: 'Ещё ключ',
  company: 'Компания',
  topup: 'Её токены',
  key: 'Её ключ',
  nameWord: 'ИМЯ',
};

export const START_TEXTS: Readonly<Record<Lang, StartTexts>> = { en: EN, ru: RU };
