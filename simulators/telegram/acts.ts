/** The acts of people that the control API of the bot can trigger. */
import { type Acts, act } from '../frame/control.ts';
import { withoutPlus } from '../frame/phone.ts';
import { type Field, flag, optional, phone, text } from '../frame/request-fields.ts';
import type { Person, TelegramPeople } from './people.ts';

const userId: Field<number> = {
  should: 'should be the id of a Telegram user, a whole number from 1',
  isRight: (value): value is number => Number.isSafeInteger(value) && Number(value) > 0,
};
const chatId: Field<number> = {
  should: 'should be the id of a group, a whole number below 0',
  isRight: (value): value is number => Number.isSafeInteger(value) && Number(value) < 0,
};

const PERSON = { phone, userId: optional(userId), name: optional(text) };
const NAME_DEFAULT = 'Айгерим';

/** Without a user id, the digits of the phone are used as one. */
function toPerson(given: {
  phone: string;
  userId?: number | undefined;
  name?: string | undefined;
}): Person {
  const { userId: id = Number(withoutPlus(given.phone)), name = NAME_DEFAULT } = given;
  return { userId: id, phone: given.phone, name };
}

/** The service's status for the last update; 0 when unreachable, or the kind is not allowed. */
async function report(status: Promise<number>) {
  return { serviceStatus: await status };
}

export function botActs(people: TelegramPeople, repeatUpdates: () => Promise<number>): Acts {
  return {
    start: act({ ...PERSON, payload: optional(text) }, (given) =>
      report(people.start(toPerson(given), given.payload)),
    ),
    'share-contact': act({ ...PERSON, isForged: optional(flag) }, (given) =>
      report(
        given.isForged === true
          ? people.forgeContact(toPerson(given))
          : people.shareContact(toPerson(given)),
      ),
    ),
    'share-foreign-contact': act({ ...PERSON, otherPhone: phone }, (given) =>
      report(people.shareForeignContact(toPerson(given), toPerson({ phone: given.otherPhone }))),
    ),
    'forward-contact': act({ ...PERSON, oldPhone: phone }, (given) =>
      report(people.forwardContact(toPerson(given), given.oldPhone)),
    ),
    say: act({ ...PERSON, text }, (given) => report(people.say(toPerson(given), given.text))),
    block: act(PERSON, (given) => report(people.block(toPerson(given)))),
    unblock: act(PERSON, (given) => report(people.unblock(toPerson(given)))),
    'add-to-group': act({ chatId, title: text }, (given) => report(people.addBotToGroup(given))),
    'add-to-group-by-link': act({ chatId, title: text, payload: text }, (given) =>
      report(people.addBotByLink(given)),
    ),
    'say-in-group': act({ chatId, text }, (given) =>
      report(people.sayInGroup(given.chatId, given.text)),
    ),
    'remove-from-group': act({ chatId }, (given) =>
      report(people.removeBotFromGroup(given.chatId)),
    ),
    'upgrade-group': act({ chatId }, async (given) => ({
      chatId: await people.upgradeGroup(given.chatId),
    })),
    'repeat-updates': act({}, () => report(repeatUpdates())),
  };
}
