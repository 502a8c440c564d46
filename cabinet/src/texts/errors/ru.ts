import { pluralRu } from '../plural.ts';

/** What went wrong, by the code of the refusal. Codes that are not here are told by the server. */
export const errors = {
  codes: {
    no_connection: 'Нет связи с сервером. Проверьте интернет и повторите.',
    internal_error: 'На сервере что-то сломалось. Повторите чуть позже.',
    service_unavailable: 'Сервер сейчас не успевает. Повторите чуть позже.',
    validation_error: 'Проверьте, что введено.',
    not_found: 'Этого нет: возможно, удалено.',
    not_signed_in: 'Сеанс закончился. Войдите снова.',
    wrong_credentials: 'Неверная почта, пароль или код.',
    second_factor_required: 'Введите код из приложения.',
    stale_sign_in: 'Подтвердите, что это вы.',
    no_right: 'У вашей роли нет такого права. Его даёт руководитель или управляющий компании.',
    no_company: 'Сначала создайте компанию или примите приглашение.',
    foreign_request: 'Запрос пришёл не со страницы кабинета. Обновите страницу и повторите.',
    name_taken: 'Такое имя уже есть. Выберите другое.',
    last_owner: 'В компании должен остаться руководитель. Сначала назначьте другого.',
    invitation_ended: 'Приглашение больше не действует. Попросите прислать новое.',
    too_many: 'Больше создать нельзя. Удалите ненужное.',
    key_not_active: 'Ключ отозван. Создайте новый.',
    sign_in_limited: 'Слишком много попыток входа.',
    invalid_phone: 'Проверьте номер телефона.',
    invalid_code: 'Код не подошёл.',
    code_expired: 'Срок кода вышел. Запросите новый.',
    send_rate_limited: 'Код уже отправлен.',
    too_many_attempts: 'Слишком много неверных попыток. Запросите новый код.',
  },
  retryIn: (seconds: number) => `Повторите через ${seconds} с.`,
  attemptsLeft: (count: number) =>
    `${pluralRu(count, 'Осталась', 'Осталось', 'Осталось')} ${count} ${pluralRu(count, 'попытка', 'попытки', 'попыток')}.`,
};
