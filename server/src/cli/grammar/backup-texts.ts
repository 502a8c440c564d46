import type { Quieted } from '../../backups/quiet-restored.ts';
import type { Lang } from './language.ts';

const EN = {
  copying: 'Copying',
  checking: 'Checking',
  loading: 'Loading',
  indexing: 'Building indexes',
  backedUp: (file: string, megabytes: string, rows: number) =>
    `${file}: ${megabytes} MB, ${rows} rows.`,
  withSecret: 'The secret is in it: keep the file as safe as the secret.',
  withoutSecret: 'The secret is not in it: keep it elsewhere, a restore needs it.',
  secretNotHere: (dataDir: string) =>
    `The data was written with a secret that is neither in SECRET nor in ${dataDir}: set SECRET, or leave it out by --without-secret.`,
  backupChecked: (rows: number, invariants: number) =>
    `Checked: ${rows} rows were restored into a scratch database, and ${invariants} invariants hold there.`,
  backupUnchecked: 'Not checked, as you wished.',
  auditOfCopyBroken: (names: string) =>
    `The copy has everything, but the audit finds in it: ${names}.`,
  restored: (at: string, rows: number) => `Restored the backup of ${at}: ${rows} rows.`,
  restoredBefore: (at: string) => `The backup of ${at} was loaded before; what was left is done.`,
  secretBrought: (dataDir: string) => `The secret was put into ${dataDir}.`,
  quieted: ({ broadcasts, sends, fallbacks, webhooks }: Quieted) =>
    `Stopped, so that nothing is sent twice: ${broadcasts} broadcasts (\`zhiber broadcast resume\`), ` +
    `${sends} sends and ${fallbacks} fallbacks under way, ${webhooks} webhooks that waited.`,
  startNow: 'Start Zhiber now, and check it with `zhiber doctor`.',
  moved: (to: string, rows: number) => `Moved to ${to}: ${rows} rows, and the audit says the same.`,
  moveFinished: (to: string) =>
    `The move to ${to} was complete but for its last step, which is done.`,
  setAside: (schema: string) =>
    `What was there before is in the schema ${schema}; drop it when you do not need it.`,
  nowSetUrl: 'Set DATABASE_URL to it before the next start.',
  nowUnsetUrl: 'Remove DATABASE_URL before the next start.',
};
export type BackupTexts = typeof EN;

const RU: BackupTexts = {
  copying: 'Копирование',
  checking: 'Проверка',
  loading: 'Загрузка',
  indexing: 'Построение индексов',
  backedUp: (file, megabytes, rows) => `${file}: ${megabytes} МБ, строк: ${rows}.`,
  withSecret: 'Секрет внутри: храните файл так же надёжно, как сам секрет.',
  withoutSecret: 'Секрета внутри нет: храните его отдельно, без него не восстановить.',
  secretNotHere: (dataDir) =>
    `Данные записаны с секретом, которого нет ни в SECRET, ни в ${dataDir}: задайте SECRET или укажите --without-secret.`,
  backupChecked: (rows, invariants) =>
    `Проверено: во временную базу восстановлено строк: ${rows}; выполнено инвариантов: ${invariants}.`,
  backupUnchecked: 'Не проверено, как вы и просили.',
  auditOfCopyBroken: (names) => `В копии есть всё, но аудит нашёл в ней: ${names}.`,
  restored: (at, rows) => `Восстановлена копия от ${at}, строк: ${rows}.`,
  restoredBefore: (at) => `Копия от ${at} была загружена раньше; остальное сделано сейчас.`,
  secretBrought: (dataDir) => `Секрет помещён в ${dataDir}.`,
  quieted: ({ broadcasts, sends, fallbacks, webhooks }) =>
    `Остановлено, чтобы ничего не ушло дважды: рассылок: ${broadcasts} (\`zhiber broadcast resume\`), ` +
    `отправок в пути: ${sends}, переходов на другой канал: ${fallbacks}, ожидавших вебхуков: ${webhooks}.`,
  startNow: 'Теперь запустите Zhiber и проверьте его: `zhiber doctor`.',
  moved: (to, rows) => `Перенесено в ${to}, строк: ${rows}; аудит показывает то же самое.`,
  moveFinished: (to) => `Перенос в ${to} был закончен, кроме последнего шага; теперь сделан и он.`,
  setAside: (schema) => `Прежнее содержимое — в схеме ${schema}; удалите её, когда не понадобится.`,
  nowSetUrl: 'Перед следующим запуском укажите этот адрес в DATABASE_URL.',
  nowUnsetUrl: 'Перед следующим запуском уберите DATABASE_URL.',
};

export const BACKUP_TEXTS: Readonly<Record<Lang, BackupTexts>> = { en: EN, ru: RU };
