import type { Mode, SettingSource } from '../../config/config.ts';
import type { Lang } from '../grammar/language.ts';
import type { CheckName } from './check.ts';

export type DoctorTexts = {
  settings: string;
  checks: string;
  good: string;
  warned(count: number): string;
  bad(count: number): string;
  sources: Record<SettingSource, string>;
  names: Record<CheckName, string>;
  oldNode(version: string, major: number): string;
  oldZone(zone: string): string;
  fresh(dir: string): string;
  notWritable(dir: string): string;
  diskFree(mb: number): string;
  diskFull(mb: number, min: number): string;
  external: string;
  embedded(isRunning: boolean): string;
  unreachable(reason: string): string;
  oldDatabase(version: string): string;
  oldFiles(majors: { from: number; to: number }): string;
  notDurable(settings: string): string;
  migrations(applied: number, pending: number): string;
  foreignMigration(name: string): string;
  clock(aheadMs: number): string;
  noBackup: string;
  lastBackup(hours: number, file: string): string;
  backupFailed(reason: string, hours: number | undefined): string;
  isStandby(version: string): string;
  timeline(number: number): string;
  noStandby: string;
  standbys(names: string): string;
  asynchronous: string;
  noSyncStandby: string;
  patientWithStandby(ms: number): string;
  standbyHolds(name: string, transactions: number): string;
  unreadSlot(name: string, mb: number): string;
  limitsFit: string;
  unusable(settings: string): string;
  unwise(settings: string): string;
  connections(max: number, needed: number): string;
  tooFew(max: number, needed: number): string;
  snapshotsYoung: string;
  snapshotOld(holder: string, minutes: number): string;
  secretUnused: string;
  secretLost: string;
  secretFits: string;
  secretWrong: string;
  modes: Record<Mode, string>;
  noNodes: string;
  runningNode(name: string, version: string, role: string): string;
  sandbox: string;
  circuitOpen(node: string): string;
  noCallbacks(providers: string): string;
  sandboxBank: string;
  noPayments: string;
  byOperator: string;
  noNotices(providers: string): string;
  anyPort: string;
  served(port: number, version: string): string;
  unwell(port: number): string;
  portFree(port: number): string;
  portMoves(port: number): string;
  portTaken(port: number): string;
};

const EN: DoctorTexts = {
  settings: 'Settings',
  checks: 'Checks',
  good: 'Everything is fine.',
  warned: (count) => `Zhiber can start; warnings: ${count}.`,
  bad: (count) => `Failed checks: ${count}.`,
  sources: { environment: 'environment', default: 'default', 'not set': 'not set' },
  names: {
    settings: 'Setting',
    node: 'Node',
    time_zone: 'Time zone',
    data_folder: 'Data folder',
    disk: 'Disk',
    database: 'Database',
    durability: 'Durability',
    migrations: 'Migrations',
    clock: 'Clock',
    timeline: 'Timeline',
    replication: 'Replication',
    limits: 'Limits',
    connections: 'Connections',
    snapshots: 'Snapshots',
    backup: 'Backup',
    secret: 'Secret',
    mode: 'Mode',
    nodes: 'Running',
    channels: 'Channels',
    payments: 'Payments',
    callbacks: 'Callbacks',
    port: 'Port',
  },
  oldNode: (version, major) => `${version}; Zhiber needs Node ${major} or newer`,
  oldZone: (zone) => `${zone}; should be +05:00, update Node`,
  fresh: (dir) => `new, will be created in ${dir}`,
  notWritable: (dir) => `${dir} cannot be written to; change its permissions or set DATA_DIR`,
  diskFree: (mb) => `${mb} MB free`,
  diskFull: (mb, min) => `${mb} MB free; at least ${min} MB are needed`,
  external: 'from DATABASE_URL',
  embedded: (isRunning) => (isRunning ? 'embedded, running' : 'embedded, started for this check'),
  unreachable: (reason) => `cannot be used: ${reason}`,
  oldDatabase: (version) => `${version}; PostgreSQL 15 or newer is needed`,
  oldFiles: ({ from, to }) => `of PostgreSQL ${from}; the next start copies it into one of ${to}`,
  notDurable: (settings) => `${settings}; a power cut would lose paid messages`,
  migrations: (applied, pending) =>
    pending === 0
      ? `${applied} applied`
      : `${applied} applied, ${pending} pending until the next start`,
  foreignMigration: (name) => `${name} comes from a newer or different Zhiber`,
  noBackup: 'none yet: `zhiber backup` makes one, BACKUP_DIR makes one every night',
  lastBackup: (hours, file) => `${hours.toFixed(1)} hours old: ${file}`,
  backupFailed: (reason, hours) =>
    `the last nightly one failed: ${reason}; the last good one is ${hours === undefined ? 'missing' : `${hours.toFixed(1)} hours old`}`,
  clock: (aheadMs) => `the database and this machine differ by ${Math.abs(aheadMs)} ms`,
  isStandby: (version) => `${version}; it is a standby, name its primary`,
  timeline: (number) => `${number}, as new as this machine has seen`,
  noStandby: 'no standby',
  standbys: (names) => `commits wait for a standby (${names})`,
  asynchronous:
    'commits wait for no standby: a failover loses what was acknowledged last; set synchronous_standby_names',
  noSyncStandby: 'commits wait for a standby, and none is connected',
  patientWithStandby: (ms) =>
    `a standby that hangs holds commits up for ${ms === 0 ? 'ever' : `${ms / 1_000} s`}; set wal_sender_timeout to 5s`,
  standbyHolds: (name, transactions) =>
    `${name} has held old rows for ${transactions} transactions; sends of busy companies become slower until it lets go`,
  unreadSlot: (name, mb) =>
    `nobody reads the replication slot ${name}, and ${mb} MB of log are kept for it; drop it if its standby is gone`,
  limitsFit: 'the settings of the server fit',
  unusable: (settings) => `cannot work with ${settings}`,
  unwise: (settings) => `${settings} ends connections or transactions that are needed`,
  connections: (max, needed) =>
    `${max} may be open; the running nodes and one start need up to ${needed}`,
  tooFew: (max, needed) =>
    `only ${max} may be open, up to ${needed} are needed; raise max_connections or the limit of the role, or set DATABASE_DIRECT_URL and use PgBouncer`,
  snapshotsYoung: 'nothing holds old rows',
  snapshotOld: (holder, minutes) =>
    `${holder} has held old rows for ${minutes} minutes; sends of busy companies become slower until it ends`,
  secretUnused: 'not used yet',
  secretLost: 'is lost; set SECRET to the previous value',
  secretFits: 'matches the data',
  secretWrong: 'does not match the data; set SECRET to the previous value',
  modes: { sandbox: 'sandbox data', live: 'live data' },
  noNodes: 'no server',
  runningNode: (name, version, role) => `${name}: version ${version}, role ${role}`,
  sandbox: 'sandbox: no provider is configured, nothing leaves this machine',
  circuitOpen: (node) =>
    `it failed several times in a row, and gets one message a second now (${node})`,
  noCallbacks: (providers) =>
    `PUBLIC_URL should be an https address, or ${providers} cannot report delivery`,
  sandboxBank: "the sandbox's own bank: no money moves",
  noPayments: 'no way to pay is configured; only the operator can top up a balance',
  byOperator: 'paid by statement, there is nobody to ask',
  noNotices: (providers) =>
    `PUBLIC_URL should be an https address, or ${providers} cannot report payments`,
  anyPort: 'any free port',
  served: (port, version) => `${port}, served by Zhiber ${version}`,
  unwell: (port) => `${port} is served by Zhiber, but it is unhealthy: see its log`,
  portFree: (port) => `${port} is free`,
  portMoves: (port) => `${port} is taken by another program; a start takes the next free port`,
  portTaken: (port) => `${port} is taken by another program; stop it, or set PORT to a free port`,
};

const RU: DoctorTexts = {
  settings: 'Настройки',
  checks: 'Проверки',
  good: 'Всё в порядке.',
  warned: (count) => `Запуск возможен; предупреждений: ${count}.`,
  bad: (count) => `Не прошло проверок: ${count}.`,
  sources: {
    environment: 'окружение',
    default: 'по умолчанию',
    'not set': 'не задано',
  },
  names: {
    settings: 'Настройка',
    node: 'Node',
    time_zone: 'Часовой пояс',
    data_folder: 'Папка данных',
    disk: 'Диск',
    database: 'База данных',
    durability: 'Надёжность',
    migrations: 'Миграции',
    clock: 'Часы',
    timeline: 'Линия времени',
    replication: 'Репликация',
    limits: 'Ограничения',
    connections: 'Соединения',
    snapshots: 'Снимки',
    backup: 'Копия',
    secret: 'Секрет',
    mode: 'Режим',
    nodes: 'Запущено',
    channels: 'Каналы',
    payments: 'Платежи',
    callbacks: 'Обратные вызовы',
    port: 'Порт',
  },
  oldNode: (version, major) => `${version}; нужен Node ${major} или новее`,
  oldZone: (zone) => `${zone}; должно быть +05:00, обновите Node`,
  fresh: (dir) => `ещё нет, появится в ${dir}`,
  notWritable: (dir) => `в ${dir} нельзя писать; измените права или задайте DATA_DIR`,
  diskFree: (mb) => `свободно ${mb} МБ`,
  diskFull: (mb, min) => `свободно ${mb} МБ; нужно не меньше ${min} МБ`,
  external: 'из DATABASE_URL',
  embedded: (isRunning) => (isRunning ? 'встроенная, работает' : 'встроенная, запущена на время'),
  unreachable: (reason) => `недоступна: ${reason}`,
  oldDatabase: (version) => `${version}; нужен PostgreSQL 15 или новее`,
  oldFiles: ({ from, to }) => `файлы PostgreSQL ${from}; следующий запуск перенесёт их в ${to}`,
  notDurable: (settings) => `${settings}; при сбое питания пропадут оплаченные сообщения`,
  migrations: (applied, pending) =>
    pending === 0 ? `применено ${applied}` : `применено ${applied}, при запуске ещё ${pending}`,
  foreignMigration: (name) => `${name} — от более новой или другой версии Zhiber`,
  noBackup: 'ещё нет: её делает `zhiber backup`, а каждую ночь — BACKUP_DIR',
  lastBackup: (hours, file) => `${hours.toFixed(1)} ч назад: ${file}`,
  backupFailed: (reason, hours) =>
    `ночная не удалась: ${reason}; последняя удачная — ${hours === undefined ? 'ещё не было' : `${hours.toFixed(1)} ч назад`}`,
  clock: (aheadMs) => `база и эта машина расходятся на ${Math.abs(aheadMs)} мс`,
  isStandby: (version) => `${version}; это резервный сервер, укажите основной`,
  timeline: (number) => `${number}, не старше того, что видела эта машина`,
  noStandby: 'резервного сервера нет',
  standbys: (names) => `запись ждёт резервный сервер (${names})`,
  asynchronous:
    'запись не ждёт резервный сервер: при переключении пропадёт подтверждённое последним; задайте synchronous_standby_names',
  noSyncStandby: 'запись ждёт резервный сервер, а он не подключён',
  patientWithStandby: (ms) =>
    `зависший резервный сервер задержит запись ${ms === 0 ? 'навсегда' : `на ${ms / 1_000} с`}; задайте wal_sender_timeout = 5s`,
  standbyHolds: (name, transactions) =>
    `${name} держит старые строки ${transactions} транзакций; пока это не кончится, отправки больших компаний замедляются`,
  unreadSlot: (name, mb) =>
    `слот репликации ${name} никто не читает, для него хранится ${mb} МБ журнала; удалите его, если сервера больше нет`,
  limitsFit: 'настройки сервера подходят',
  unusable: (settings) => `нельзя работать при ${settings}`,
  unwise: (settings) => `${settings} обрывает нужные соединения или транзакции`,
  connections: (max, needed) =>
    `можно ${max}; запущенным узлам и ещё одному запуску нужно до ${needed}`,
  tooFew: (max, needed) =>
    `можно только ${max}, а нужно до ${needed}; увеличьте max_connections или лимит роли, или задайте DATABASE_DIRECT_URL и поставьте PgBouncer`,
  snapshotsYoung: 'старые строки никто не держит',
  snapshotOld: (holder, minutes) =>
    `${holder} держит старые строки ${minutes} мин; пока это не кончится, отправки больших компаний замедляются`,
  secretUnused: 'им ещё ничего не записано',
  secretLost: 'потерян; задайте в SECRET прежний',
  secretFits: 'подходит к данным',
  secretWrong: 'не подходит к данным; задайте в SECRET прежний',
  modes: { sandbox: 'данные песочницы', live: 'боевые данные' },
  noNodes: 'ни одного сервера',
  runningNode: (name, version, role) => `${name}: версия ${version}, роль ${role}`,
  sandbox: 'песочница: провайдеры не настроены, ничего не уходит с этой машины',
  circuitOpen: (node) =>
    `несколько сбоев подряд, сейчас получает одно сообщение в секунду (${node})`,
  noCallbacks: (providers) =>
    `задайте в PUBLIC_URL адрес https, иначе ${providers} не сообщит, что стало с сообщением`,
  sandboxBank: 'свой банк песочницы: деньги не ходят',
  noPayments: 'способов оплаты нет; баланс пополняет только оператор',
  byOperator: 'оплату видно по выписке, спросить некого',
  noNotices: (providers) =>
    `задайте в PUBLIC_URL адрес https, иначе ${providers} не сообщит об оплате`,
  anyPort: 'любой свободный',
  served: (port, version) => `${port}, отвечает Zhiber ${version}`,
  unwell: (port) => `${port}: отвечает Zhiber, но работать не может; смотрите его журнал`,
  portFree: (port) => `${port} свободен`,
  portMoves: (port) => `${port} занят другой программой; запуск возьмёт следующий свободный`,
  portTaken: (port) => `${port} занят другой программой; остановите её или задайте PORT`,
};

export const DOCTOR_TEXTS: Readonly<Record<Lang, DoctorTexts>> = { en: EN, ru: RU };
