import { pluralEn } from '../plural.ts';
import type { errors as model } from './ru.ts';

export const errors = {
  codes: {
    no_connection: 'The server cannot be reached. Check your connection and try again.',
    internal_error: 'Something broke on the server. Try again a little later.',
    service_unavailable: 'The server is too busy right now. Try again a little later.',
    validation_error: 'Check what was entered.',
    not_found: 'This is not here: it may have been deleted.',
    not_signed_in: 'Your session has ended. Sign in again.',
    wrong_credentials: 'Wrong e-mail, password or code.',
    second_factor_required: 'Enter the code of your app.',
    stale_sign_in: 'Confirm that it is you.',
    no_right: 'Your role has no such right. An owner or a manager of the company can give it.',
    no_company: 'First create a company or accept an invitation.',
    foreign_request: 'The request did not come from the cabinet. Reload the page and try again.',
    name_taken: 'This name is taken. Choose another one.',
    last_owner: 'A company needs an owner. Appoint another one first.',
    invitation_ended: 'This invitation is no longer valid. Ask for a new one.',
    too_many: 'No more can be created. Delete what is not needed.',
    key_not_active: 'The key has been revoked. Create a new one.',
    sign_in_limited: 'Too many attempts to sign in.',
    invalid_phone: 'Check the phone number.',
    invalid_code: 'The code is wrong.',
    code_expired: 'The code has expired. Ask for a new one.',
    send_rate_limited: 'A code has been sent already.',
    too_many_attempts: 'Too many wrong attempts. Ask for a new code.',
  },
  retryIn: (seconds) => `Try again in ${seconds} s.`,
  attemptsLeft: (count) => `${count} ${pluralEn(count, 'attempt', 'attempts')} left.`,
} satisfies typeof model;
