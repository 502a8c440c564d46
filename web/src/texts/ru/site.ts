import type { ChangelogTexts } from '@zhiber/contract/pages/changelog.ts';
import type { LegalTexts } from '@zhiber/contract/pages/legal.ts';

/** `/changelog`; its entries are in `web/src/texts/changelog.ts`. */
export const changelog = {
  title: 'Изменения',
  description: 'Что нового в API и кабинете Zhiber, по месяцам.',
  lead: 'Что изменилось в API и кабинете, по месяцам, сначала новое.',
  unchanged:
    'Основные методы API не менялись: `/otp/send`, `/otp/verify`, `/links/*`, `/group/send`, ключ в заголовке и JSON.',
  tags: {
    added: 'Добавлено',
    changed: 'Изменено',
    fixed: 'Исправлено',
    deprecated: 'Устарело',
  },
  permalink: 'Ссылка на это изменение',
  feeds: 'Подписаться',
  policyTitle: 'Как меняется API',
  policy: [
    'В адресах нет номера версии: они не меняются.',
    'Ответы только получают новые поля. Имена, типы и смысл полей, коды ошибок и статусы остаются прежними, поэтому неизвестные поля лучше пропускать.',
    'Если что-то придётся убрать, об этом заранее сообщат запись «Устарело» на этой странице и заголовки `Deprecation` и `Sunset` в самих ответах: с какого дня это устарело и когда перестанет работать.',
  ],
} satisfies ChangelogTexts;

/** `/terms` and `/privacy`. */
export const legal = {
  terms: 'Условия использования',
  privacy: 'Политика конфиденциальности',
  missing:
    'Это самостоятельная установка Zhiber, и её оператор ещё не опубликовал этот документ. По вопросам обратитесь к оператору.',
  sandbox:
    'Это песочница для знакомства с сервисом: она ничего не отправляет наружу и не принимает настоящих платежей. Документ публикует оператор рабочей установки.',
  onlyRussian: '',
} satisfies LegalTexts;
