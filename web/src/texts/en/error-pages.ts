import type { PublicTexts } from '@zhiber/contract/pages.ts';

/** The catalogue of the API's errors. */
export const errorPages = {
  listTitle: 'API errors',
  listLead:
    'Every error response contains an error_code. Codes never change. Errors are never charged.',
  columns: { code: 'Code', status: 'HTTP', meaning: 'What happened', retry: 'Retry?' },
  back: 'All errors',
  whatHappened: 'What happened',
  apiMessage: 'The message field in the response',
  whatToDo: 'What to do',
  retryQuestion: 'Retry the request?',
  retryYes: 'yes',
  retryNo: 'no',
  retryYesLong:
    'Yes: the same request may succeed later. If retry_after is present, wait that many seconds.',
  retryNoLong: 'No: the same request will get the same response. Fix the cause first.',
  chargedQuestion: 'Were tokens charged?',
  chargedNever: 'No. A response with success: false is never charged.',
  example: 'Example response',
  related: 'Related errors',
  unknownTitle: 'There is no such error code',
  unknownText: 'Check that the code was copied in full, or find it in the list.',
  codes: {
    missing_api_key: {
      meaning: 'The request has no API key.',
      advice:
        'Add the header “Authorization: Bearer KEY”. Keys are created in the company’s dashboard.',
    },
    invalid_api_key: {
      meaning: 'The API key is invalid.',
      advice:
        'Check that the key was copied in full: zk_live_ or zk_test_ followed by 38 characters.',
    },
    key_revoked: {
      meaning: 'The API key was revoked, or it has expired.',
      advice:
        'Open the key in the dashboard. An expired key can be extended and works again within a second. For a revoked one, create a new key and replace it on your server.',
    },
    insufficient_tokens: {
      meaning: 'There are not enough tokens.',
      advice:
        'Top up the balance. required is how many are needed, balance is how many are available. Live keys can send messages to groups after the first top-up: required is then the minimum top-up.',
    },
    origin_required: {
      meaning: 'The key is bound to a domain, and the request has no Origin header.',
      advice: 'A server that uses such a key must add “Origin: https://your-domain”.',
    },
    origin_not_allowed: {
      meaning: 'The key does not allow requests from this domain.',
      advice: 'Send requests from the domain that the key is bound to, or from a subdomain of it.',
    },
    company_suspended: {
      meaning: 'The company is suspended.',
      advice:
        'The reason is shown in the dashboard. Contact the service operator. Nothing is charged.',
    },
    host_not_allowed: {
      meaning: 'The sandbox responds only at the address of its own machine.',
      advice:
        'Use localhost. To make the sandbox available under other names, the operator sets SANDBOX=public.',
    },
    blocked_by_fraud_guard: {
      meaning: 'Sending to this number was stopped by the fraud guard.',
      advice:
        'Premium, satellite and service numbers are not served. If the number is an ordinary one, codes sent to this operator’s numbers are hardly ever entered, so SMS to them are paused: choose a messenger. No tokens were charged.',
    },
    not_found: {
      meaning: 'There is no such address.',
      advice: 'Check the request path: all paths are listed in the API reference.',
    },
    method_not_allowed: {
      meaning: 'This method is not supported here.',
      advice: 'The Allow header lists the supported methods.',
    },
    request_in_progress: {
      meaning: 'A request with this Idempotency-Key is still running.',
      advice:
        'Repeat it in a second with the same key: you will get the response to the first request.',
    },
    payload_too_large: {
      meaning: 'The request is too large.',
      advice: 'The request body must not exceed 16 KiB.',
    },
    unsupported_media_type: {
      meaning: 'The body must be JSON.',
      advice: 'Add the header “Content-Type: application/json” and do not compress the body.',
    },
    validation_error: {
      meaning: 'Some fields of the request are wrong.',
      advice: 'The errors field lists what to correct.',
    },
    invalid_json: {
      meaning: 'The body is not a JSON object.',
      advice: 'Send a JSON object in UTF-8.',
    },
    invalid_phone: {
      meaning: 'The phone number is invalid.',
      advice:
        'Enter the number with a plus and the country code, for example +77011234567. Without a plus, numbers of Kazakhstan and mobile numbers of Russia are understood; digits that could be a number of another country are not guessed. SMS are not sent to landlines.',
    },
    country_not_supported: {
      meaning: 'SMS are not sent to this country.',
      advice: 'Choose a messenger or auto.',
    },
    invalid_url: {
      meaning: 'The link is invalid.',
      advice:
        'It must be an http or https address of up to 2048 characters, without a login or password in it.',
    },
    alias_taken: {
      meaning: 'This short address is already taken.',
      advice: 'Choose another one or omit alias, and we will generate one.',
    },
    channel_disabled: {
      meaning: 'The channel is switched off for this key.',
      advice: 'Switch the channel on in the key’s settings, or choose another.',
    },
    channel_not_connected: {
      meaning: 'This channel is not connected.',
      advice:
        'The service operator has not configured a provider for it. Choose another channel or auto.',
    },
    channel_unsuitable: {
      meaning: 'This channel cannot carry such a message.',
      advice: 'Choose another channel or auto.',
    },
    no_channel_available: {
      meaning: 'No suitable channel.',
      advice: 'Enable a channel for the key that can deliver this message to this number.',
    },
    text_too_long: {
      meaning: 'The text is too long.',
      advice: 'An SMS can have at most two parts: 134 characters in Cyrillic, including the link.',
    },
    group_not_found: {
      meaning: 'The group was not found.',
      advice: 'Link the group to the company first, then give its id or name.',
    },
    invalid_code: {
      meaning: 'Wrong code.',
      advice: 'attempts_left is the number of attempts left.',
    },
    code_expired: {
      meaning: 'The code has expired.',
      advice: 'Send a new code.',
    },
    code_already_used: {
      meaning: 'The code was already used.',
      advice: 'A code can be used once. Send a new one.',
    },
    code_not_found: {
      meaning: 'No code was sent to this number for this purpose.',
      advice: 'The phone, purpose and key must be the same as when the code was sent.',
    },
    idempotency_key_reused: {
      meaning: 'This Idempotency-Key was already used with another body.',
      advice: 'Use a new value for each new request.',
    },
    send_rate_limited: {
      meaning: 'A code was already sent to this number within the last minute.',
      advice: 'Retry in retry_after seconds.',
    },
    daily_limit_reached: {
      meaning: 'The message limit for this recipient has been reached.',
      advice: 'Retry in retry_after seconds.',
    },
    too_many_attempts: {
      meaning: 'Too many wrong codes were entered.',
      advice:
        'A new code can be sent after retry_after seconds; 0 means now. Until then /otp/send returns the same error, and nothing is charged.',
    },
    api_rate_limited: {
      meaning: 'Too many requests were made with this key.',
      advice: 'Retry in retry_after seconds.',
    },
    spend_cap_reached: {
      meaning: 'The key has spent its cap for the day or for the month.',
      advice:
        'Raise the cap in the settings of the key, or wait: the daily cap starts again at midnight in Almaty, the monthly one on the first of the month. That is in retry_after seconds. No tokens were charged.',
    },
    internal_error: {
      meaning: 'Internal error.',
      advice: 'Send us the request_id.',
    },
    delivery_failed: {
      meaning: 'No channel accepted the message.',
      advice: 'No tokens were charged. Check the number and the channel, then send again.',
    },
    service_unavailable: {
      meaning: 'The service is temporarily unavailable.',
      advice: 'Retry in retry_after seconds with the same Idempotency-Key.',
    },
    delivery_unconfirmed: {
      meaning: 'The channel did not confirm that it accepted the message.',
      advice:
        'No tokens were charged. The message may have arrived: the code is valid. You can send a new one in a minute.',
    },
  },
} satisfies PublicTexts['errorPages'];
