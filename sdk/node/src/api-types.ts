/** Generated from the OpenAPI description by `npm run api-types`; not edited by hand. */
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ErrorAnswer: {
            /** @constant */
            success: false;
            /** @description Текст для человека, всегда по-русски. */
            message: string;
            /** @enum {unknown} */
            error_code: "missing_api_key" | "invalid_api_key" | "key_revoked" | "insufficient_tokens" | "origin_required" | "origin_not_allowed" | "company_suspended" | "host_not_allowed" | "blocked_by_fraud_guard" | "not_found" | "method_not_allowed" | "request_in_progress" | "payload_too_large" | "unsupported_media_type" | "validation_error" | "invalid_json" | "invalid_phone" | "country_not_supported" | "invalid_url" | "alias_taken" | "channel_disabled" | "channel_not_connected" | "channel_unsuitable" | "no_channel_available" | "text_too_long" | "group_not_found" | "invalid_code" | "code_expired" | "code_already_used" | "code_not_found" | "idempotency_key_reused" | "send_rate_limited" | "daily_limit_reached" | "too_many_attempts" | "api_rate_limited" | "spend_cap_reached" | "internal_error" | "delivery_failed" | "service_unavailable" | "delivery_unconfirmed";
            /** @description То же значение, что в заголовке X-Request-Id. */
            request_id: string;
            /**
             * Format: uri
             * @description Страница этой ошибки.
             */
            docs_url: string;
            /** @description Что исправить, по полям. */
            errors?: {
                [key: string]: string[];
            };
            /** @description Через сколько секунд повторить. */
            retry_after?: number;
            /** @description Сколько попыток ввода осталось. */
            attempts_left?: number;
            /** @description Сколько токенов нужно. */
            required?: number;
            /** @description Сколько токенов доступно. */
            balance?: number;
            /** Format: uuid */
            message_id?: string;
        };
        OtpSendRequest: {
            /**
             * @description Телефон в любом привычном виде: +77011234567, 8 (701) 123-45-67, 77011234567.
             * @example +77011234567
             */
            phone: string;
            /**
             * @description Для чего код: login, registration… При проверке — тот же.
             * @example login
             */
            purpose?: string;
            /**
             * @description Канал доставки. `auto` — каналы ключа по порядку: сначала мессенджеры, затем SMS.
             * @enum {unknown}
             */
            channel?: "whatsapp" | "telegram" | "sms" | "auto";
            /**
             * @description Адрес http или https, до 2048 символов.
             * @example https://example.kz/order/42
             */
            link?: string;
        };
        OtpSendAnswer: {
            /** @constant */
            success: true;
            message: string;
            /**
             * @description Канал, который принял сообщение.
             * @enum {unknown}
             */
            channel: "whatsapp" | "telegram" | "sms";
            /** Format: uuid */
            message_id: string;
            /** @description Сколько токенов списано. */
            cost: number;
            /** @description Баланс после списания. */
            balance: number;
            /** @description Сколько секунд действует код. */
            expires_in: number;
            /** Format: uri */
            short_url?: string;
        };
        OtpVerifyRequest: {
            /**
             * @description Телефон в любом привычном виде: +77011234567, 8 (701) 123-45-67, 77011234567.
             * @example +77011234567
             */
            phone: string;
            /**
             * @description Код строкой, как его ввёл человек; пробелы и дефисы не важны.
             * @example 482913
             */
            code: string;
            /**
             * @description Для чего код: login, registration… При проверке — тот же.
             * @example login
             */
            purpose?: string;
        };
        OtpVerifyAnswer: {
            /** @constant */
            success: true;
            message: string;
        };
        LinkShortenRequest: {
            /**
             * @description Адрес http или https, до 2048 символов.
             * @example https://example.kz/order/42
             */
            url: string;
            /**
             * @description Своё короткое имя: латинские буквы, цифры, «-» и «_». Регистр не важен.
             * @example spring-sale
             */
            alias?: string;
            /**
             * @description Сколько секунд живёт ссылка. Не указано — бессрочно.
             * @example 86400
             */
            expires_in?: number;
        };
        LinkShortenAnswer: {
            /** @constant */
            success: true;
            message: string;
            /** Format: uri */
            short_url: string;
            expires_in?: number;
        };
        LinkSendRequest: {
            /**
             * @description Телефон в любом привычном виде: +77011234567, 8 (701) 123-45-67, 77011234567.
             * @example +77011234567
             */
            phone: string;
            /**
             * @description Адрес http или https, до 2048 символов.
             * @example https://example.kz/order/42
             */
            url: string;
            /**
             * @description Канал доставки. `auto` — каналы ключа по порядку: сначала мессенджеры, затем SMS.
             * @enum {unknown}
             */
            channel: "whatsapp" | "telegram" | "sms" | "auto";
            /**
             * @description Текст сообщения; каждый `:link` заменяется короткой ссылкой.
             * @example Ваш заказ готов: :link
             */
            text?: string;
        };
        LinkSendAnswer: {
            /** @constant */
            success: true;
            message: string;
            /**
             * @description Канал, который принял сообщение.
             * @enum {unknown}
             */
            channel: "whatsapp" | "telegram" | "sms";
            /** Format: uuid */
            message_id: string;
            /** @description Сколько токенов списано. */
            cost: number;
            /** @description Баланс после списания. */
            balance: number;
            /** Format: uri */
            short_url: string;
            /** @description Сколько секунд живёт ссылка. */
            expires_in: number;
        };
        GroupSendRequest: {
            /**
             * @description Id или имя привязанной группы, или её id в самом мессенджере.
             * @example Дежурные
             */
            group: string;
            /**
             * @description Текст; каждый `:link` заменяется короткой ссылкой, если задан link.
             * @example Новая заявка: :link
             */
            text: string;
            /**
             * @description Мессенджер группы. `auto` — тот, в котором группа привязана.
             * @enum {unknown}
             */
            channel?: "whatsapp" | "telegram" | "auto";
            /**
             * @description Адрес http или https, до 2048 символов.
             * @example https://example.kz/order/42
             */
            link?: string;
        };
        GroupSendAnswer: {
            /** @constant */
            success: true;
            message: string;
            /**
             * @description Канал, который принял сообщение.
             * @enum {unknown}
             */
            channel: "whatsapp" | "telegram" | "sms";
            /** Format: uuid */
            message_id: string;
            /** @description Сколько токенов списано. */
            cost: number;
            /** @description Баланс после списания. */
            balance: number;
            /** Format: uri */
            short_url?: string;
            expires_in?: number;
        };
        HealthAnswer: {
            /** @constant */
            success: true;
            message: string;
            /** @constant */
            status: "ok";
            version: string;
            /** Format: date-time */
            time: string;
        };
        EventData: {
            "message.sent": {
                /** Format: uuid */
                message_id: string;
                /** @example +7701***4567 */
                phone: string;
                /** @enum {unknown} */
                channel: "whatsapp" | "telegram" | "sms";
                /** @enum {unknown} */
                state: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "unconfirmed" | "unknown";
                cost: number;
            };
            "message.delivered": {
                /** Format: uuid */
                message_id: string;
                /** @example +7701***4567 */
                phone: string;
                /** @enum {unknown} */
                channel: "whatsapp" | "telegram" | "sms";
                /** @enum {unknown} */
                state: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "unconfirmed" | "unknown";
                cost: number;
            };
            "message.read": {
                /** Format: uuid */
                message_id: string;
                /** @example +7701***4567 */
                phone: string;
                /** @enum {unknown} */
                channel: "whatsapp" | "telegram" | "sms";
                /** @enum {unknown} */
                state: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "unconfirmed" | "unknown";
                cost: number;
            };
            "message.failed": {
                /** Format: uuid */
                message_id: string;
                /** @example +7701***4567 */
                phone: string;
                /** @enum {unknown} */
                channel: "whatsapp" | "telegram" | "sms";
                /** @enum {unknown} */
                state: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "unconfirmed" | "unknown";
                cost: number;
            };
            "message.fallback": {
                /** Format: uuid */
                message_id: string;
                /** @example +7701***4567 */
                phone: string;
                /** @enum {unknown} */
                channel: "whatsapp" | "telegram" | "sms";
                /** @enum {unknown} */
                state: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "unconfirmed" | "unknown";
                cost: number;
            };
            "otp.verified": {
                [key: string]: unknown;
            };
            "link.clicked": {
                [key: string]: unknown;
            };
            "balance.low": {
                [key: string]: unknown;
            };
            "broadcast.finished": {
                [key: string]: unknown;
            };
            "test.ping": {
                [key: string]: unknown;
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
