import type { PublicTexts } from '@zhiber/contract/pages.ts';

/** The catalogue of the API's errors. */
export const errorPages = {
  listTitle: 'API errors',
  listLead:
    'Every error answer has an error_code. Codes are never changed or renamed. An answer with an error never costs tokens.',
  columns: { code: 'Code', status: 'HTTP', meaning: 'What happened', retry: 'Retry?' },
  back: 'All errors',
  whatHappened: 'What happened',
  apiMessage: 'The message field of the answer',
  whatToDo: 'What to do',
  retryQuestion: 'Retry the request?',
  retryYes: 'yes',
  retryNo: 'no',
  retryYesLong:
    'Yes: the same request can succeed later. If there is a retry_after, wait that many seconds.',
  retryNoLong: 'No: the same request will get the same answer. Fix the cause first.',
  chargedQuestion: 'Were tokens charged?',
  chargedNever: 'No. An answer with success: false never costs tokens.',
  example: 'Example answer',
  related: 'Nearby',
  unknownTitle: 'There is no such error code',
  unknownText: 'Check that the code was copied whole, or look for it in the list.',
  codes: {
    missing_api_key: {
      meaning: 'The request has no API key.',
      advice:
        'Add the header “Authorization: Bearer KEY”. Keys are created in the company’s cabinet.',
    },
    invalid_api_key: {
      meaning: 'The API key is wrong.',
      advice:
        'Check that the key was copied whole: zk_live_ or zk_test_ and 38 characters after it.',
    },
    key_revoked: {
      meaning: 'The API key was revoked.',
      advice: 'Create a new key in the cabinet and replace it on your server.',
    },
    insufficient_tokens: {
      meaning: 'There are not enough tokens.',
      advice:
        'Top up the balance. required says how many are needed, balance how many are available. Live posts to groups need a first top-up: required is then the smallest one.',
    },
    origin_required: {
      meaning: 'The key is bound to a domain, and the request has no Origin header.',
      advice: 'A server that uses such a key adds “Origin: https://your-domain” itself.',
    },
    origin_not_allowed: {
      meaning: 'The key does not allow requests from this domain.',
      advice: 'Send requests from the domain that the key is bound to, or from a subdomain of it.',
    },
    company_suspended: {
      meaning: 'The company is suspended.',
      advice: 'The cabinet says why. Write to the operator of the service. Nothing is charged.',
    },
    host_not_allowed: {
      meaning: 'The sandbox answers only to the address of its own machine.',
      advice:
        'Call localhost. For a sandbox that answers to other names as well, the operator sets SANDBOX=public.',
    },
    blocked_by_fraud_guard: {
      meaning: 'Sending to this number was stopped by the fraud guard.',
      advice:
        'Premium, satellite and service numbers are not served. If the number is an ordinary one, hardly anybody enters the codes sent to numbers of this operator, and SMS there are paused: choose a messenger. No tokens were charged.',
    },
    not_found: {
      meaning: 'There is no such address.',
      advice: 'Check the path of the request: the API description lists all of them.',
    },
    method_not_allowed: {
      meaning: 'This method is not supported here.',
      advice: 'The Allow header lists the methods that are.',
    },
    request_in_progress: {
      meaning: 'A request with this Idempotency-Key is still running.',
      advice: 'Repeat it in a second with the same key: you will get the answer of the first one.',
    },
    payload_too_large: {
      meaning: 'The request is too large.',
      advice: 'The body may have 16 KiB at most.',
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
      meaning: 'The phone number is wrong.',
      advice:
        'Give the number with a plus and its country code, for example +77011234567. Without a plus, numbers of Kazakhstan and mobile numbers of Russia are understood; digits that could be a number of another country are not guessed. A landline gets no SMS.',
    },
    country_not_supported: {
      meaning: 'SMS are not sent to this country.',
      advice: 'Choose a messenger, or auto.',
    },
    invalid_url: {
      meaning: 'The link is wrong.',
      advice:
        'It must be an http or https address of up to 2048 characters, without a login inside.',
    },
    alias_taken: {
      meaning: 'This short name is already taken.',
      advice: 'Choose another one, or leave alias out: we will make one up.',
    },
    channel_disabled: {
      meaning: 'The channel is switched off for this key.',
      advice: 'Switch the channel on in the key’s settings, or choose another.',
    },
    channel_not_connected: {
      meaning: 'This channel is not connected.',
      advice:
        'The operator of the service has configured no provider for it. Choose another channel, or auto.',
    },
    channel_unsuitable: {
      meaning: 'This channel cannot carry such a message.',
      advice: 'Choose another channel, or auto.',
    },
    no_channel_available: {
      meaning: 'There is no suitable channel.',
      advice: 'Switch on a channel for the key that can carry this message to this number.',
    },
    text_too_long: {
      meaning: 'The text is too long.',
      advice: 'An SMS has two parts at most: 134 characters in Cyrillic, the link included.',
    },
    group_not_found: {
      meaning: 'The group was not found.',
      advice: 'Link the group to the company first, then give its id or name.',
    },
    invalid_code: {
      meaning: 'The code is wrong.',
      advice: 'attempts_left says how many tries remain.',
    },
    code_expired: {
      meaning: 'The code has expired.',
      advice: 'Send a new code.',
    },
    code_already_used: {
      meaning: 'The code was already used.',
      advice: 'A code works once. Send a new one.',
    },
    code_not_found: {
      meaning: 'No code was sent to this number for this purpose.',
      advice: 'The phone, the purpose and the key must be the same as when it was sent.',
    },
    idempotency_key_reused: {
      meaning: 'This Idempotency-Key was already used with another body.',
      advice: 'Make a new key for each new request.',
    },
    send_rate_limited: {
      meaning: 'A code was already sent to this number within the last minute.',
      advice: 'Repeat in retry_after seconds.',
    },
    daily_limit_reached: {
      meaning: 'The number of messages to this recipient has reached its limit.',
      advice: 'Repeat in retry_after seconds.',
    },
    too_many_attempts: {
      meaning: 'Too many wrong codes were entered.',
      advice:
        'A new code can be sent after retry_after seconds; 0 means now. Until then /otp/send answers the same, and nothing is charged.',
    },
    api_rate_limited: {
      meaning: 'Too many requests were made with this key.',
      advice: 'Repeat in retry_after seconds.',
    },
    spend_cap_reached: {
      meaning: 'The key has spent its cap for this month.',
      advice:
        'Raise the cap in the settings of the key, or wait: it starts again on the first day of the month in Almaty, in retry_after seconds. No tokens were charged.',
    },
    internal_error: {
      meaning: 'Something broke on our side.',
      advice: 'Tell us the request_id.',
    },
    delivery_failed: {
      meaning: 'No channel accepted the message.',
      advice: 'No tokens were charged. Check the number and the channel; you may send again.',
    },
    service_unavailable: {
      meaning: 'The service is unavailable for the moment.',
      advice: 'Repeat in retry_after seconds with the same Idempotency-Key.',
    },
    delivery_unconfirmed: {
      meaning: 'The channel did not confirm that it took the message.',
      advice:
        'No tokens were charged. The message may have arrived: its code works. You can send a new one in a minute.',
    },
  },
} satisfies PublicTexts['errorPages'];
