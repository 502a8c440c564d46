/** Generated from the OpenAPI description by `npm run api-types`; not edited by hand. */
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        OtpSendRequest: {
            /**
             * @description Телефон в любом привычном виде: +77011234567, 8 (701) 123-45-67, 77011234567.
             * @example +77011234567
             */
            phone: string;
            /**
             * @description Для чего код: login, registration… До 64 символов. При проверке — тот же.
             * @example login
             */
            purpose?: string;
            /**
             * @description Канал доставки. `auto` — каналы ключа по порядку: сначала мессенджеры, затем SMS.
             * @enum {string}
             */
            channel?: "whatsapp" | "telegram" | "sms" | "auto";
            /**
             * @description Ссылка, которая придёт сокращённой в том же сообщении.
             * @example https://example.kz/order/42
             */
            link?: string;
        };
        OtpSendAnswer: {
            /**
             * @description Всегда `true`: операция выполнена.
             * @constant
             */
            success: true;
            /** @description Текст для человека, всегда на русском языке. */
            message: string;
            /**
             * @description Канал, который принял сообщение.
             * @enum {string}
             */
            channel: "whatsapp" | "telegram" | "sms";
            /**
             * Format: uuid
             * @description Номер сообщения: по нему оно находится в кабинете и в вебхуках.
             */
            message_id: string;
            /** @description Сколько токенов списано. 1 токен = 1 ₸. */
            cost: number;
            /** @description Баланс после списания, в токенах. */
            balance: number;
            /** @description Сколько секунд действует код; обычно 300. */
            expires_in: number;
            /**
             * Format: uri
             * @description Короткая ссылка, если в запросе была `link`.
             */
            short_url?: string;
        };
        OtpVerifyRequest: {
            /**
             * @description Телефон, на который отправлен код.
             * @example +77011234567
             */
            phone: string;
            /**
             * @description Код строкой, как его ввёл человек; пробелы и дефисы не важны.
             * @example 482913
             */
            code: string;
            /**
             * @description То же значение, что при отправке.
             * @example login
             */
            purpose?: string;
        };
        OtpVerifyAnswer: {
            /**
             * @description Всегда `true`: операция выполнена.
             * @constant
             */
            success: true;
            /** @description Текст для человека, всегда на русском языке. */
            message: string;
        };
        LinkShortenRequest: {
            /**
             * @description Адрес http или https, до 2048 символов.
             * @example https://example.kz/order/42
             */
            url: string;
            /**
             * @description Свой короткий адрес: 2–64 латинских букв, цифр, «-» и «_». Регистр не важен.
             * @example spring-sale
             */
            alias?: string;
            /**
             * @description Сколько секунд действует ссылка. Не указано — бессрочно.
             * @example 86400
             */
            expires_in?: number;
        };
        LinkShortenAnswer: {
            /**
             * @description Всегда `true`: операция выполнена.
             * @constant
             */
            success: true;
            /** @description Текст для человека, всегда на русском языке. */
            message: string;
            /**
             * Format: uri
             * @description Короткая ссылка.
             */
            short_url: string;
            /** @description Сколько секунд действует ссылка, если срок был указан. */
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
             * @enum {string}
             */
            channel: "whatsapp" | "telegram" | "sms" | "auto";
            /**
             * @description Текст сообщения, до 500 символов. Каждый `:link` заменяется короткой ссылкой; без него ссылка добавляется в конец.
             * @example Ваш заказ готов: :link
             */
            text?: string;
        };
        LinkSendAnswer: {
            /**
             * @description Всегда `true`: операция выполнена.
             * @constant
             */
            success: true;
            /** @description Текст для человека, всегда на русском языке. */
            message: string;
            /**
             * @description Канал, который принял сообщение.
             * @enum {string}
             */
            channel: "whatsapp" | "telegram" | "sms";
            /**
             * Format: uuid
             * @description Номер сообщения: по нему оно находится в кабинете и в вебхуках.
             */
            message_id: string;
            /** @description Сколько токенов списано. 1 токен = 1 ₸. */
            cost: number;
            /** @description Баланс после списания, в токенах. */
            balance: number;
            /**
             * Format: uri
             * @description Короткая ссылка.
             */
            short_url: string;
            /** @description Сколько секунд действует ссылка. */
            expires_in: number;
        };
        GroupSendRequest: {
            /**
             * @description Номер или название группы, привязанной в кабинете, или её id в самом мессенджере.
             * @example Дежурные
             */
            group: string;
            /**
             * @description Текст, до 4096 символов. Каждый `:link` заменяется короткой ссылкой, если указана `link`.
             * @example Новая заявка: :link
             */
            text: string;
            /**
             * @description Мессенджер группы. `auto` — тот, в котором группа привязана.
             * @enum {string}
             */
            channel?: "whatsapp" | "telegram" | "auto";
            /**
             * @description Адрес http или https, до 2048 символов.
             * @example https://example.kz/order/42
             */
            link?: string;
        };
        GroupSendAnswer: {
            /**
             * @description Всегда `true`: операция выполнена.
             * @constant
             */
            success: true;
            /** @description Текст для человека, всегда на русском языке. */
            message: string;
            /**
             * @description Канал, который принял сообщение.
             * @enum {string}
             */
            channel: "whatsapp" | "telegram" | "sms";
            /**
             * Format: uuid
             * @description Номер сообщения: по нему оно находится в кабинете и в вебхуках.
             */
            message_id: string;
            /** @description Сколько токенов списано. 1 токен = 1 ₸. */
            cost: number;
            /** @description Баланс после списания, в токенах. */
            balance: number;
            /**
             * Format: uri
             * @description Короткая ссылка, если в запросе была `link`.
             */
            short_url?: string;
            /** @description Сколько секунд действует ссылка. */
            expires_in?: number;
        };
        HealthAnswer: {
            /**
             * @description Всегда `true`: операция выполнена.
             * @constant
             */
            success: true;
            /** @description Текст для человека, всегда на русском языке. */
            message: string;
            /**
             * @description Всегда `ok`.
             * @constant
             */
            status: "ok";
            /** @description Версия сервиса. */
            version: string;
            /**
             * Format: date-time
             * @description Время сервера, UTC.
             */
            time: string;
        };
        ErrorAnswer: {
            /**
             * @description Всегда `false`: операция не выполнена, токены не списаны.
             * @constant
             */
            success: false;
            /** @description Текст для человека, всегда на русском языке. */
            message: string;
            /**
             * @description Код ошибки. Список может расширяться: незнакомый код обрабатывайте по статусу HTTP.
             * @example validation_error
             * @example invalid_code
             * @example send_rate_limited
             */
            error_code: "missing_api_key" | "invalid_api_key" | "key_revoked" | "insufficient_tokens" | "origin_required" | "origin_not_allowed" | "company_suspended" | "host_not_allowed" | "blocked_by_fraud_guard" | "not_found" | "method_not_allowed" | "request_in_progress" | "payload_too_large" | "unsupported_media_type" | "validation_error" | "invalid_json" | "invalid_phone" | "country_not_supported" | "invalid_url" | "alias_taken" | "channel_disabled" | "channel_not_connected" | "channel_unsuitable" | "no_channel_available" | "text_too_long" | "group_not_found" | "invalid_code" | "code_expired" | "code_already_used" | "code_not_found" | "idempotency_key_reused" | "send_rate_limited" | "daily_limit_reached" | "too_many_attempts" | "api_rate_limited" | "spend_cap_reached" | "internal_error" | "delivery_failed" | "service_unavailable" | "delivery_unconfirmed" | (string & {});
            /** @description Номер запроса, тот же, что в заголовке X-Request-Id. */
            request_id: string;
            /**
             * Format: uri
             * @description Страница этой ошибки: что случилось и что делать.
             */
            docs_url: string;
            /** @description Что исправить: имя поля и тексты ошибок. */
            errors?: {
                [key: string]: string[];
            };
            /** @description Через сколько секунд повторить. */
            retry_after?: number;
            /** @description Сколько попыток ввода кода осталось. */
            attempts_left?: number;
            /** @description Сколько токенов нужно. */
            required?: number;
            /** @description Сколько токенов доступно. */
            balance?: number;
            /**
             * Format: uuid
             * @description Номер сообщения: по нему оно находится в кабинете и в вебхуках.
             */
            message_id?: string;
        };
        SandboxMessagesAnswer: {
            /**
             * @description Всегда `true`: операция выполнена.
             * @constant
             */
            success: true;
            /** @description Сообщения, новые в конце. */
            messages: components["schemas"]["SandboxMessage"][];
        };
        SandboxMessage: {
            /**
             * Format: uuid
             * @description Номер сообщения: по нему оно находится в кабинете и в вебхуках.
             */
            message_id: string;
            /**
             * @description Телефон получателя с плюсом; для группы — её id в мессенджере.
             * @example +77011234567
             */
            phone: string;
            /**
             * @description Канал, по которому пришло сообщение.
             * @enum {string}
             */
            channel: "whatsapp" | "telegram" | "sms";
            /**
             * @description Вид сообщения: `otp`, `link` или `group`; могут появиться новые.
             * @example otp
             * @example link
             * @example group
             */
            kind: string;
            /** @description Текст сообщения. */
            text: string;
            /** @description Код из сообщения, если он есть. */
            code: string | null;
            /** @description Короткая ссылка из сообщения, если она есть. */
            link: string | null;
            /**
             * Format: date-time
             * @description Когда пришло, UTC.
             */
            at: string;
        };
        SandboxClearedAnswer: {
            /**
             * @description Всегда `true`: операция выполнена.
             * @constant
             */
            success: true;
            /** @description Текст для человека, всегда на русском языке. */
            message: string;
        };
        MessageEvent: {
            /**
             * Format: uuid
             * @description Номер сообщения: по нему оно находится в кабинете и в вебхуках.
             */
            message_id: string;
            /**
             * @description Вид сообщения.
             * @enum {string}
             */
            kind: "otp" | "link" | "group" | "broadcast";
            /**
             * @description Телефон получателя, средние цифры скрыты.
             * @example +7701***4567
             */
            phone?: string;
            /** @description Номер группы, если сообщение ушло в группу. */
            group_id?: number;
            /** @description Значение `purpose`, с которым отправлен код. */
            purpose?: string;
            /**
             * Format: uuid
             * @description Номер рассылки.
             */
            broadcast_id?: string;
            /** @description Канал сообщения. */
            channel: ("whatsapp" | "telegram" | "sms") | null;
            /** @description Сколько токенов списано. 1 токен = 1 ₸. */
            cost: number;
            /** @description `true` — отправлено тестовым ключом, токены не списаны. */
            test: boolean;
            /**
             * @description Статус сообщения.
             * @enum {string}
             */
            state: "sent" | "delivered" | "read" | "failed";
            /** @description Почему не доставлено, по словам канала. */
            reason?: string;
        };
        FallbackEvent: {
            /**
             * Format: uuid
             * @description Номер сообщения: по нему оно находится в кабинете и в вебхуках.
             */
            message_id: string;
            /**
             * @description Вид сообщения.
             * @enum {string}
             */
            kind: "otp" | "link" | "group" | "broadcast";
            /**
             * @description Телефон получателя, средние цифры скрыты.
             * @example +7701***4567
             */
            phone?: string;
            /** @description Номер группы, если сообщение ушло в группу. */
            group_id?: number;
            /** @description Значение `purpose`, с которым отправлен код. */
            purpose?: string;
            /**
             * Format: uuid
             * @description Номер рассылки.
             */
            broadcast_id?: string;
            /** @description Канал сообщения. */
            channel: ("whatsapp" | "telegram" | "sms") | null;
            /** @description Сколько токенов списано. 1 токен = 1 ₸. */
            cost: number;
            /** @description `true` — отправлено тестовым ключом, токены не списаны. */
            test: boolean;
            /**
             * @description Статус сообщения.
             * @constant
             */
            state: "sent";
            /**
             * @description Канал, который не подтвердил доставку.
             * @enum {string}
             */
            from_channel: "whatsapp" | "telegram" | "sms";
        };
        VerifiedEvent: {
            /**
             * Format: uuid
             * @description Номер сообщения: по нему оно находится в кабинете и в вебхуках.
             */
            message_id: string;
            /**
             * @description Телефон получателя, средние цифры скрыты.
             * @example +7701***4567
             */
            phone: string;
            /** @description Значение `purpose`, с которым отправлен код. */
            purpose: string;
            /** @description `true` — отправлено тестовым ключом, токены не списаны. */
            test: boolean;
        };
        ClickEvent: {
            /** @description Короткое имя ссылки. */
            slug: string;
            /** @description Короткая ссылка. */
            short_url: string;
            /**
             * Format: uuid
             * @description Номер сообщения: по нему оно находится в кабинете и в вебхуках.
             */
            message_id?: string;
            /**
             * @description Телефон получателя, средние цифры скрыты.
             * @example +7701***4567
             */
            phone?: string;
            /** @description `true` — отправлено тестовым ключом, токены не списаны. */
            test: boolean;
        };
        BalanceLowEvent: {
            /** @description Баланс, в токенах. */
            balance: number;
            /** @description Порог, ниже которого опустился баланс. */
            threshold: number;
        };
        BroadcastFinishedEvent: {
            /**
             * Format: uuid
             * @description Номер рассылки.
             */
            broadcast_id: string;
            /** @description Название рассылки. */
            name: string;
            /**
             * @description Статус сообщения.
             * @enum {string}
             */
            state: "done" | "cancelled";
            /** @description Сколько получателей. */
            recipients: number;
        };
        PingEvent: {
            /** @description Текст для проверки. */
            text: string;
        };
        EventData: {
            "message.sent": {
                /** Format: uuid */
                message_id: string;
                /** @enum {unknown} */
                kind: "otp" | "link" | "group" | "broadcast";
                /** @example +7701***4567 */
                phone?: string;
                group_id?: number;
                purpose?: string;
                /** Format: uuid */
                broadcast_id?: string;
                channel: ("whatsapp" | "telegram" | "sms") | null;
                cost: number;
                test: boolean;
                /** @enum {unknown} */
                state: "sent" | "delivered" | "read" | "failed";
                reason?: string;
            };
            "message.delivered": {
                /** Format: uuid */
                message_id: string;
                /** @enum {unknown} */
                kind: "otp" | "link" | "group" | "broadcast";
                /** @example +7701***4567 */
                phone?: string;
                group_id?: number;
                purpose?: string;
                /** Format: uuid */
                broadcast_id?: string;
                channel: ("whatsapp" | "telegram" | "sms") | null;
                cost: number;
                test: boolean;
                /** @enum {unknown} */
                state: "sent" | "delivered" | "read" | "failed";
                reason?: string;
            };
            "message.read": {
                /** Format: uuid */
                message_id: string;
                /** @enum {unknown} */
                kind: "otp" | "link" | "group" | "broadcast";
                /** @example +7701***4567 */
                phone?: string;
                group_id?: number;
                purpose?: string;
                /** Format: uuid */
                broadcast_id?: string;
                channel: ("whatsapp" | "telegram" | "sms") | null;
                cost: number;
                test: boolean;
                /** @enum {unknown} */
                state: "sent" | "delivered" | "read" | "failed";
                reason?: string;
            };
            "message.failed": {
                /** Format: uuid */
                message_id: string;
                /** @enum {unknown} */
                kind: "otp" | "link" | "group" | "broadcast";
                /** @example +7701***4567 */
                phone?: string;
                group_id?: number;
                purpose?: string;
                /** Format: uuid */
                broadcast_id?: string;
                channel: ("whatsapp" | "telegram" | "sms") | null;
                cost: number;
                test: boolean;
                /** @enum {unknown} */
                state: "sent" | "delivered" | "read" | "failed";
                reason?: string;
            };
            "message.fallback": {
                /** Format: uuid */
                message_id: string;
                /** @enum {unknown} */
                kind: "otp" | "link" | "group" | "broadcast";
                /** @example +7701***4567 */
                phone?: string;
                group_id?: number;
                purpose?: string;
                /** Format: uuid */
                broadcast_id?: string;
                channel: ("whatsapp" | "telegram" | "sms") | null;
                cost: number;
                test: boolean;
                /** @constant */
                state: "sent";
                /** @enum {unknown} */
                from_channel: "whatsapp" | "telegram" | "sms";
            };
            "otp.verified": {
                /** Format: uuid */
                message_id: string;
                /** @example +7701***4567 */
                phone: string;
                purpose: string;
                test: boolean;
            };
            "link.clicked": {
                slug: string;
                short_url: string;
                /** Format: uuid */
                message_id?: string;
                /** @example +7701***4567 */
                phone?: string;
                test: boolean;
            };
            "balance.low": {
                balance: number;
                threshold: number;
            };
            "broadcast.finished": {
                /** Format: uuid */
                broadcast_id: string;
                name: string;
                /** @enum {unknown} */
                state: "done" | "cancelled";
                recipients: number;
            };
            "test.ping": {
                text: string;
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
