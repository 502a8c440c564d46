import type { ErrorEntry } from '../api/errors.ts';
import { CELL_LENGTH_MAX, COLUMNS_MAX, RECIPIENTS_MAX } from './broadcast-words.ts';
import { OWNED_COMPANIES_MAX } from './company.ts';
import { PHONE_SEARCHES_PER_HOUR_MAX } from './messages.ts';
import { OPEN_TOPUPS_MAX } from './topups.ts';

/**
 * The error codes of the cabinet, beside those of the API. Integrators never get them, so they have
 * no documentation page; the cabinet shows them in the reader's language.
 */
export const CABINET_ERRORS = {
  not_signed_in: {
    status: 401,
    message: 'Войдите в кабинет',
    advice: 'Сеанс закончился или был завершён. Войдите снова.',
    retry: false,
  },
  wrong_credentials: {
    status: 401,
    message: 'Неверная почта, пароль или код',
    advice: 'Проверьте, что введено, или войдите другим способом.',
    retry: false,
  },
  wrong_code: {
    status: 401,
    message: 'Неверный код',
    advice: 'Введите новый код из приложения или один из кодов восстановления.',
    retry: false,
  },
  second_factor_required: {
    status: 401,
    message: 'Подтвердите вход вторым фактором',
    advice: 'Введите код из приложения или воспользуйтесь ключом доступа.',
    retry: false,
  },
  passkey_refused: {
    status: 401,
    message: 'Ключ доступа не подошёл',
    advice: 'Попробуйте ещё раз или войдите другим способом.',
    retry: false,
  },
  stale_sign_in: {
    status: 403,
    message: 'Подтвердите, что это вы',
    advice: 'Для этого действия нужен недавний вход: введите пароль или код.',
    retry: false,
  },
  no_right: {
    status: 403,
    message: 'У вашей роли нет такого права',
    advice: 'Права меняет руководитель или управляющий компании.',
    retry: false,
  },
  no_company: {
    status: 403,
    message: 'Сначала создайте компанию',
    advice: 'Создайте компанию или примите приглашение.',
    retry: false,
  },
  person_blocked: {
    status: 403,
    message: 'Учётная запись заблокирована',
    advice: 'Напишите оператору сервиса.',
    retry: false,
  },
  second_factor_needed: {
    status: 403,
    message: 'Включите второй фактор',
    advice: 'Без него в эту компанию не войти: так решил её руководитель или оператор сервиса.',
    retry: false,
  },
  view_only: {
    status: 403,
    message: 'Кабинет открыт только для просмотра',
    advice: 'Оператор ничего не меняет в кабинете компании. Закончите просмотр.',
    retry: false,
  },
  own_correction: {
    status: 403,
    message: 'Эту корректировку решает другой оператор',
    advice: 'Вы запросили её сами, поэтому нужен второй человек.',
    retry: false,
  },
  foreign_request: {
    status: 403,
    message: 'Запрос пришёл с чужой страницы',
    advice: 'Обновите страницу и повторите.',
    retry: false,
  },
  broadcast_not_draft: {
    status: 422,
    message: 'Эту рассылку уже нельзя изменить',
    advice: 'Она запущена или ждёт согласования. Отзовите её, пока она не началась.',
    retry: false,
  },
  broadcast_outdated: {
    status: 422,
    message: 'Рассылка изменилась на другой странице',
    advice: 'Обновите страницу и проверьте ещё раз.',
    retry: false,
  },
  broadcast_not_ready: {
    status: 422,
    message: 'Рассылку ещё нельзя запустить',
    advice: 'Пройдите все шаги: на последнем видно, чего не хватает.',
    retry: false,
  },
  broadcast_not_waiting: {
    status: 422,
    message: 'Рассылка не ждёт согласования или начала',
    advice: 'Обновите страницу: возможно, она уже началась.',
    retry: false,
  },
  broadcast_not_running: {
    status: 422,
    message: 'Рассылка сейчас не идёт',
    advice: 'Обновите страницу: возможно, она уже закончилась.',
    retry: false,
  },
  paused_by_operator: {
    status: 403,
    message: 'Рассылку приостановил оператор сервиса',
    advice: 'Продолжить её может только он: напишите оператору.',
    retry: false,
  },
  own_broadcast: {
    status: 403,
    message: 'Рассылку согласует другой человек',
    advice: 'Вы её составили или отправили на согласование.',
    retry: false,
  },
  name_differs: {
    status: 422,
    message: 'Название введено неверно',
    advice: 'Введите название рассылки так, как оно написано на странице.',
    retry: false,
  },
  phone_needed: {
    status: 422,
    message: 'Сначала подтвердите свой номер телефона',
    advice: 'Добавьте номер в профиле: сообщение придёт на него.',
    retry: false,
  },
  name_taken: {
    status: 422,
    message: 'Такое имя уже есть',
    advice: 'Выберите другое имя.',
    retry: false,
  },
  last_owner: {
    status: 422,
    message: 'В компании должен остаться руководитель',
    advice: 'Сначала назначьте другого руководителя.',
    retry: false,
  },
  invitation_ended: {
    status: 422,
    message: 'Приглашение больше не действует',
    advice: 'Попросите прислать новое: приглашение живёт 7 дней.',
    retry: false,
  },
  link_ended: {
    status: 422,
    message: 'Ссылка больше не действует',
    advice: 'Ссылкой из письма пользуются один раз. Запросите новое письмо.',
    retry: false,
  },
  contact_taken: {
    status: 422,
    message: 'Этот номер уже у другой учётной записи',
    advice: 'Войдите по этому номеру или укажите другой.',
    retry: false,
  },
  weak_password: {
    status: 422,
    message: 'Этот пароль подбирают одним из первых',
    advice: 'Придумайте другой, лучше подлиннее: несколько слов, которые ничего не говорят о вас.',
    retry: false,
  },
  personal_password: {
    status: 422,
    message: 'Пароль составлен из того, что о вас известно',
    advice: 'Имя, почту, номер и название сервиса пробуют первыми. Придумайте другой пароль.',
    retry: false,
  },
  too_many: {
    status: 422,
    message: 'Больше создать нельзя',
    advice: 'Удалите ненужное.',
    retry: false,
  },
  too_many_companies: {
    status: 422,
    message: 'Больше компаний создать нельзя',
    advice: `Один человек руководит не более чем ${OWNED_COMPANIES_MAX} компаниями. Для новой назначьте другого руководителя в одной из прежних.`,
    retry: false,
  },
  key_not_active: {
    status: 422,
    message: 'Ключ отозван, или срок его действия истёк',
    advice: 'Продлите срок ключа или создайте новый.',
    retry: false,
  },
  key_needed: {
    status: 422,
    message: 'Нужен действующий ключ',
    advice: 'Создайте боевой ключ, у которого включён этот канал.',
    retry: false,
  },
  link_closed: {
    status: 422,
    message: 'Эту ссылку уже не включить',
    advice: 'Её срок истёк, или её отключила служба поддержки. Создайте новую.',
    retry: false,
  },
  group_linked: {
    status: 422,
    message: 'Эта группа уже привязана',
    advice: 'Найдите её в списке групп.',
    retry: false,
  },
  group_unproven: {
    status: 422,
    message: 'Эту группу можно привязать только из неё самой',
    advice: 'Получите приглашение и напишите в группе слово из него.',
    retry: false,
  },
  groups_not_connected: {
    status: 422,
    message: 'Группы этого мессенджера не подключены',
    advice: 'Выберите другой мессенджер или обратитесь к оператору сервиса.',
    retry: false,
  },
  too_many_topups: {
    status: 422,
    message: 'Слишком много неоплаченных пополнений',
    advice: `Одновременно их может быть не больше ${OPEN_TOPUPS_MAX}. Оплатите или отмените прежние.`,
    retry: false,
  },
  topup_closed: {
    status: 422,
    message: 'Это пополнение уже нельзя отменить',
    advice: 'Оно оплачено, проверяется или закрыто. Обновите страницу.',
    retry: false,
  },
  correction_too_large: {
    status: 422,
    message: 'На балансе нет столько свободных денег',
    advice: 'Списать можно не больше, чем доступно: без удержанного.',
    retry: false,
  },
  correction_closed: {
    status: 422,
    message: 'Эта корректировка уже решена или её срок истёк',
    advice: 'Обновите страницу. Если она ещё нужна, запросите новую.',
    retry: false,
  },
  price_holds: {
    status: 422,
    message: 'Эта цена уже действует или отменена',
    advice: 'Отменить можно только цену, которая ещё не действует. Задайте новую.',
    retry: false,
  },
  nothing_to_repeat: {
    status: 422,
    message: 'Повторять некому',
    advice:
      'Неудачных отправок нет, или все эти люди отписались. Получателям с неизвестным исходом не повторяем: они могли получить сообщение.',
    retry: false,
  },
  changed_meanwhile: {
    status: 409,
    message: 'Пока вы смотрели, это изменилось',
    advice: 'Обновите страницу и проверьте ещё раз.',
    retry: false,
  },
  payment_unavailable: {
    status: 502,
    message: 'Банк сейчас не принимает платежи',
    advice: 'Деньги не списаны. Повторите чуть позже или выберите другой способ оплаты.',
    retry: true,
  },
  seller_unknown: {
    status: 422,
    message: 'Оператор сервиса не указал свои реквизиты',
    advice: 'Без них нельзя выписать документ. Напишите оператору сервиса.',
    retry: false,
  },
  order_closed: {
    status: 422,
    message: 'Этот заказ уже закрыт',
    advice: 'Он оплачен, отменён или его срок истёк. Создайте новый.',
    retry: false,
  },
  month_not_over: {
    status: 422,
    message: 'Месяц ещё не закончился',
    advice: 'Акт появится в первый день следующего месяца.',
    retry: false,
  },
  rows_not_checked: {
    status: 422,
    message: 'Получатели ещё не проверены',
    advice: 'Загрузите получателей и выберите столбец с телефоном.',
    retry: false,
  },
  file_unreadable: {
    status: 422,
    message: 'Файл не удалось прочитать',
    advice: 'Сохраните таблицу как XLSX или CSV и загрузите снова.',
    retry: false,
  },
  file_empty: {
    status: 422,
    message: 'В файле нет ни одной строки',
    advice: 'Проверьте, что загружен нужный файл, а получатели на первом листе.',
    retry: false,
  },
  file_too_large: {
    status: 422,
    message: 'Файл слишком большой',
    advice: 'Удалите лишние листы, столбцы и оформление или сохраните таблицу как CSV.',
    retry: false,
  },
  too_many_rows: {
    status: 422,
    message: `Больше ${RECIPIENTS_MAX.toLocaleString('ru')} строк`,
    advice: 'Разделите получателей на несколько рассылок.',
    retry: false,
  },
  too_many_columns: {
    status: 422,
    message: `Больше ${COLUMNS_MAX} столбцов`,
    advice: 'Оставьте телефон и столбцы, которые нужны в тексте.',
    retry: false,
  },
  cell_too_long: {
    status: 422,
    message: `Ячейка длиннее ${CELL_LENGTH_MAX} символов`,
    advice: 'Сократите её или удалите столбец, если он не нужен.',
    retry: false,
  },
  unsubscribed_by_person: {
    status: 422,
    message: 'Этот человек отписался сам',
    advice: 'Убрать из списка можно только номера, которые добавила компания.',
    retry: false,
  },
  too_many_streams: {
    status: 429,
    message: 'Слишком много открытых вкладок',
    advice: 'Закройте лишние вкладки кабинета.',
    retry: true,
  },
  phone_search_limited: {
    status: 429,
    message: 'Слишком много поисков по номеру телефона',
    advice:
      `Кто видит номера скрытыми, ищет не больше ${PHONE_SEARCHES_PER_HOUR_MAX} разных номеров в час. ` +
      'Повторите через retry_after секунд.',
    retry: true,
  },
  test_event_limited: {
    status: 429,
    message: 'Слишком много тестовых событий',
    advice: 'Повторите через retry_after секунд.',
    retry: true,
  },
  webhook_off: {
    status: 422,
    message: 'Вебхук отключён',
    advice: 'Сначала включите его.',
    retry: false,
  },
  sign_in_limited: {
    status: 429,
    message: 'Слишком много попыток',
    advice: 'Повторите через retry_after секунд.',
    retry: true,
  },
} as const satisfies Record<string, ErrorEntry>;

export type CabinetErrorCode = keyof typeof CABINET_ERRORS;
