import type { Lang } from '../grammar/language.ts';

const EN = {
  hint: 'o open · l full log · r reset data · q quit',
  seconds: (value: number) => `${value.toFixed(1)} s`,
  millis: (value: number) => `${value} ms`,
  test: '(test)',
  sends: (count: number) => `${count} sends`,
  logOn: 'Full log: on. l turns it off.',
  logOff: 'Full log: off.',
  opening: (url: string) => `Opening ${url}`,
  notOpened: (url: string) => `No browser was found. Open ${url}`,
  askReset: (dir: string) =>
    `All data of this sandbox in ${dir} will be deleted. Enter: delete, any other key: keep.`,
  resetKept: 'Nothing was deleted.',
  resetting: 'Deleting the data and starting again…',
  noReset: 'The database comes from DATABASE_URL: its data is not deleted from here.',
  resetBusy: 'Another process uses the database: nothing was deleted.',
  quitting: 'Stopping…',
};

export type ConsoleTexts = typeof EN;

const RU: ConsoleTexts = {
  hint: 'o открыть · l полный журнал · r сброс данных · q выход',
  seconds: (value) => `${value.toFixed(1).replace('.', ',')} с`,
  millis: (value) => `${value} мс`,
  test: '(тест)',
  sends: (count) => `Отправок: ${count}`,
  logOn: 'Полный журнал включён. l — выключить.',
  logOff: 'Полный журнал выключен.',
  opening: (url) => `Открываю ${url}`,
  notOpened: (url) => `Браузер не найден. Откройте ${url}`,
  askReset: (dir) =>
    `Все данные песочницы в ${dir} будут удалены. Enter — удалить, любая другая клавиша — отмена.`,
  resetKept: 'Ничего не удалено.',
  resetting: 'Удаляю данные и запускаю заново…',
  noReset: 'База данных задана в DATABASE_URL: отсюда её данные не удаляются.',
  resetBusy: 'Базой пользуется другой процесс: ничего не удалено.',
  quitting: 'Останавливаю…',
};

export const CONSOLE_TEXTS: Readonly<Record<Lang, ConsoleTexts>> = { en: EN, ru: RU };
