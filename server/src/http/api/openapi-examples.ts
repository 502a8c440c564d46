/** A typical call and its answer for the OpenAPI description, by path. */

const SENT = {
  success: true,
  channel: 'whatsapp',
  message_id: '019a86b2-5c3e-7d41-9f0a-3b1c2d4e5f60',
  cost: 3,
  balance: 11047,
};

export const BODY_EXAMPLES: Readonly<Record<string, unknown>> = {
  '/otp/send': { phone: '+77011234567', purpose: 'login', channel: 'auto' },
  '/otp/verify': { phone: '+77011234567', code: '482913', purpose: 'login' },
  '/links/shorten': { url: 'https://example.kz/order/42', alias: 'order-42', expires_in: 86400 },
  '/links/send': {
    phone: '77011234567',
    url: 'https://example.kz/order/42',
    channel: 'auto',
    text: 'Ваш заказ готов: :link',
  },
  '/group/send': { group: 'Дежурные', text: 'Новая заявка', channel: 'auto' },
};

export const ANSWER_EXAMPLES: Readonly<Record<string, unknown>> = {
  '/otp/send': { ...SENT, message: 'Код отправлен через WhatsApp', expires_in: 300 },
  '/otp/verify': { success: true, message: 'Код подтверждён' },
  '/links/shorten': {
    success: true,
    message: 'Короткая ссылка готова',
    short_url: 'https://zhiber.kz/s/order-42',
    expires_in: 86400,
  },
  '/links/send': {
    ...SENT,
    message: 'Ссылка отправлена через WhatsApp',
    short_url: 'https://zhiber.kz/s/Kd7mWq3x',
    expires_in: 2592000,
  },
  '/group/send': { ...SENT, message: 'Сообщение отправлено в группу', cost: 0 },
  '/health': {
    success: true,
    message: 'Сервис работает',
    status: 'ok',
    version: '0.1.0',
    time: '2026-11-15T04:30:00.000Z',
  },
};
