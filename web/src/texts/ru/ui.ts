import { MESSAGE_TEXTS_RU } from '@zhiber/contract/cabinet/message-texts.ts';
import type { TimelineStep } from '@zhiber/contract/cabinet/messages.ts';
import { capitaliseAll, stepTitle } from '../capitalise.ts';
import { pluralRu } from '../plural.ts';

const { modes, states, outcomes } = MESSAGE_TEXTS_RU;

/** Titles of the steps; the channel is left out where it is shown beside the title. */
const steps: Record<TimelineStep['step'], (channel?: string) => string> = {
  accepted: () => 'Запрос принят',
  attempt: (channel) => (channel ? `Отправляем через ${channel}` : 'Отправляем'),
  sent: stepTitle(states.sent),
  refused: stepTitle(outcomes.refused),
  unavailable: (channel) => (channel ? `${channel} недоступен` : 'Канал недоступен'),
  unknown: stepTitle(states.unknown),
  delivered: stepTitle(states.delivered),
  read: stepTitle(states.read),
  failed: stepTitle(states.failed),
  unconfirmed: stepTitle(outcomes.unconfirmed),
  fallback: (channel) => (channel ? `Следующий канал: ${channel}` : 'Следующий канал'),
  verified: () => 'Код введён верно',
  clicked: () => 'Ссылку открыли',
};

export const ui = {
  loading: 'Загружаем…',
  counting: (hours: number) =>
    `Ещё считаем: в цифрах пока нет ${hours} ${pluralRu(hours, 'самого раннего часа', 'самых ранних часов', 'самых ранних часов')}`,
  close: 'Закрыть',
  cancel: 'Отмена',
  save: 'Сохранить',
  toasts: 'Уведомления',
  undo: 'Отменить',
  copy: 'Скопировать',
  copied: 'Скопировано',
  notCopied: 'Не удалось скопировать: выделите текст и скопируйте сами',
  retry: 'Повторить',
  requestId: 'Номер запроса:',
  copyRequestId: 'Скопировать номер запроса',
  whatToMend: 'Что исправить',
  typeToConfirm: (word: string) => `Чтобы подтвердить, введите: ${word}`,
  showMore: 'Показать ещё',
  showNew: (count: number) => `Показать ${count} ${pluralRu(count, 'новое', 'новых', 'новых')}`,
  resetFilters: 'Сбросить фильтры',
  nothingMatches: 'Под эти фильтры ничего не подходит',
  noRight: 'У вашей роли нет доступа к этой странице',
  noRightAdvice: 'Права меняет руководитель или управляющий компании на странице «Команда».',
  asTable: 'Таблица',
  asChart: 'График',
  codeLanguage: 'Язык кода',
  almaty: 'Алматы',
  never: 'никогда',
  optional: 'необязательно',
  shortcutsTitle: 'Клавиши',
  shortcutsOn: 'Включить клавиши',
  shortcutsHint: 'Одиночные буквы срабатывают вне полей ввода.',
  modes: capitaliseAll(modes),
  states: capitaliseAll(states),
  steps,
  roles: {
    owner: 'Руководитель',
    manager: 'Управляющий',
    developer: 'Разработчик',
    accountant: 'Бухгалтер',
    marketer: 'Маркетолог',
    viewer: 'Наблюдатель',
  },
};
