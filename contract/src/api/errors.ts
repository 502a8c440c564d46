/**
 * The error catalogue: one status, one Russian text and one piece of advice per code. A code
 * without one of them does not compile. `retry` says whether the same request can succeed later
 * without being changed.
 */
export type ErrorEntry = {
  status: 401 | 402 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 502 | 503 | 504;
  message: string;
  advice: string;
  retry: boolean;
};

export const ERRORS = {
  missing_api_key: {
    status: 401,
    message: 'Не указан ключ API',
    advice: 'Добавьте заголовок «Authorization: Bearer КЛЮЧ». Ключ создаётся в кабинете компании.',
    retry: false,
  },
  invalid_api_key: {
    status: 401,
    message: 'Неверный ключ API',
    advice: 'Проверьте, что ключ скопирован целиком: zk_live_ или zk_test_ и 38 символов после.',
    retry: false,
  },
  key_revoked: {
    status: 401,
    message: 'Ключ API отозван, или срок его действия истёк',
    advice:
      'Откройте ключ в кабинете. Срок можно продлить, и ключ заработает через секунду. Вместо отозванного создайте ' +
      'новый ключ и замените его на сервере.',
    retry: false,
  },
  insufficient_tokens: {
    status: 402,
    message: 'Недостаточно токенов',
    advice:
      'Пополните баланс. В поле required — сколько нужно, в balance — сколько доступно. Боевым ключом в группы ' +
      'пишут после первого пополнения: тогда required — наименьшая сумма пополнения.',
    retry: false,
  },
  origin_required: {
    status: 403,
    message: 'Ключ привязан к домену: укажите заголовок Origin',
    advice:
      'Сервер, который использует такой ключ, должен сам добавлять «Origin: https://ваш-домен».',
    retry: false,
  },
  origin_not_allowed: {
    status: 403,
    message: 'Запрос с этого домена для ключа не разрешён',
    advice: 'Отправляйте запросы с домена, к которому привязан ключ, или с его поддомена.',
    retry: false,
  },
  company_suspended: {
    status: 403,
    message: 'Работа компании приостановлена',
    advice: 'Причина указана в кабинете. Напишите оператору сервиса. Токены не списываются.',
    retry: false,
  },
  host_not_allowed: {
    status: 403,
    message: 'Песочница отвечает только по адресу своей машины',
    advice:
      'Обратитесь к localhost. Чтобы песочница была доступна и под другим именем, оператор задаёт ' +
      'SANDBOX=public.',
    retry: false,
  },
  blocked_by_fraud_guard: {
    status: 403,
    message: 'Отправка на этот номер остановлена защитой от мошенничества',
    advice:
      'На платные, спутниковые и служебные номера сообщения не отправляются. Если номер обычный, то коды на номера ' +
      'этого оператора почти никто не вводит, и SMS туда приостановлены: выберите мессенджер. ' +
      'Токены не списаны.',
    retry: false,
  },
  not_found: {
    status: 404,
    message: 'Такого адреса нет',
    advice: 'Проверьте путь запроса: адреса перечислены в справочнике API.',
    retry: false,
  },
  method_not_allowed: {
    status: 405,
    message: 'Этот метод здесь не поддерживается',
    advice: 'Допустимые методы перечислены в заголовке Allow.',
    retry: false,
  },
  request_in_progress: {
    status: 409,
    message: 'Запрос с этим Idempotency-Key ещё выполняется',
    advice: 'Повторите через секунду с тем же ключом: вернётся ответ первого запроса.',
    retry: true,
  },
  payload_too_large: {
    status: 413,
    message: 'Слишком большой запрос',
    advice: 'Тело запроса — не больше 16 КиБ.',
    retry: false,
  },
  unsupported_media_type: {
    status: 415,
    message: 'Тело запроса должно быть в формате JSON',
    advice: 'Добавьте заголовок «Content-Type: application/json» и не сжимайте тело.',
    retry: false,
  },
  validation_error: {
    status: 422,
    message: 'Проверьте поля запроса',
    advice: 'В поле errors перечислено, что исправить.',
    retry: false,
  },
  invalid_json: {
    status: 422,
    message: 'Тело запроса — не JSON-объект',
    advice: 'Отправьте объект JSON в кодировке UTF-8.',
    retry: false,
  },
  invalid_phone: {
    status: 422,
    message: 'Неверный номер телефона: укажите его с плюсом и кодом страны',
    advice:
      'Например +77011234567. Без плюса принимаются номера Казахстана и мобильные номера России; если ' +
      'без плюса номер может относиться и к другой стране, он не принимается. SMS на городские номера не отправляются.',
    retry: false,
  },
  country_not_supported: {
    status: 422,
    message: 'SMS в эту страну не отправляются',
    advice: 'Выберите мессенджер или auto.',
    retry: false,
  },
  invalid_url: {
    status: 422,
    message: 'Неверная ссылка',
    advice: 'Нужен адрес http или https до 2048 символов, без логина и пароля внутри.',
    retry: false,
  },
  alias_taken: {
    status: 422,
    message: 'Это короткое имя уже занято',
    advice: 'Выберите другое имя или не указывайте alias: имя создаст сервис.',
    retry: false,
  },
  channel_disabled: {
    status: 422,
    message: 'Канал отключён для этого ключа',
    advice: 'Включите канал в настройках ключа или выберите другой.',
    retry: false,
  },
  channel_not_connected: {
    status: 422,
    message: 'Этот канал не подключён',
    advice: 'Оператор сервиса не настроил провайдера этого канала. Выберите другой канал или auto.',
    retry: false,
  },
  channel_unsuitable: {
    status: 422,
    message: 'Этот канал не может передать такое сообщение',
    advice: 'Выберите другой канал или auto.',
    retry: false,
  },
  no_channel_available: {
    status: 422,
    message: 'Нет подходящего канала',
    advice: 'Включите для ключа канал, который может доставить это сообщение на этот номер.',
    retry: false,
  },
  text_too_long: {
    status: 422,
    message: 'Слишком длинный текст',
    advice: 'SMS — не больше двух частей: 134 символа с кириллицей вместе со ссылкой.',
    retry: false,
  },
  group_not_found: {
    status: 422,
    message: 'Группа не найдена',
    advice: 'Сначала привяжите группу к компании, затем укажите её id или имя.',
    retry: false,
  },
  invalid_code: {
    status: 422,
    message: 'Неверный код',
    advice: 'В поле attempts_left — сколько попыток осталось.',
    retry: false,
  },
  code_expired: {
    status: 422,
    message: 'Срок действия кода истёк',
    advice: 'Отправьте новый код.',
    retry: false,
  },
  code_already_used: {
    status: 422,
    message: 'Код уже использован',
    advice: 'Код действует один раз. Отправьте новый.',
    retry: false,
  },
  code_not_found: {
    status: 422,
    message: 'Код на этот номер с таким purpose не отправлялся',
    advice: 'Телефон, purpose и ключ должны быть теми же, что при отправке.',
    retry: false,
  },
  idempotency_key_reused: {
    status: 422,
    message: 'Этот Idempotency-Key уже использован с другим телом запроса',
    advice: 'Для каждого нового запроса создавайте новый ключ.',
    retry: false,
  },
  send_rate_limited: {
    status: 429,
    message: 'На этот номер код уже отправлен, подождите минуту',
    advice: 'Повторите через retry_after секунд.',
    retry: true,
  },
  daily_limit_reached: {
    status: 429,
    message: 'Достигнут лимит отправок этому получателю',
    advice: 'Повторите через retry_after секунд.',
    retry: true,
  },
  too_many_attempts: {
    status: 429,
    message: 'Слишком много неверных попыток. Запросите новый код',
    advice:
      'Новый код можно отправить через retry_after секунд; 0 — прямо сейчас. До этого /otp/send отвечает так же, ' +
      'и ничего не списывается.',
    retry: true,
  },
  api_rate_limited: {
    status: 429,
    message: 'Слишком много запросов с этим ключом',
    advice: 'Повторите через retry_after секунд.',
    retry: true,
  },
  spend_cap_reached: {
    status: 429,
    message: 'Ключ исчерпал лимит расходов на день или на месяц',
    advice:
      'Увеличьте лимит в настройках ключа или подождите: дневной обновится в полночь по времени Алматы, месячный — ' +
      'первого числа, через retry_after секунд. Токены не списаны.',
    retry: true,
  },
  internal_error: {
    status: 500,
    message: 'Внутренняя ошибка',
    advice: 'Сообщите нам request_id.',
    retry: true,
  },
  delivery_failed: {
    status: 502,
    message: 'Ни один канал не принял сообщение',
    advice: 'Токены не списаны. Проверьте номер и канал, можно отправить снова.',
    retry: true,
  },
  service_unavailable: {
    status: 503,
    message: 'Сервис временно недоступен',
    advice: 'Повторите через retry_after секунд с тем же Idempotency-Key.',
    retry: true,
  },
  delivery_unconfirmed: {
    status: 504,
    message: 'Канал не подтвердил приём сообщения',
    advice:
      'Токены не списаны. Сообщение могло дойти: код действует. Новый можно отправить через минуту.',
    retry: true,
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];
