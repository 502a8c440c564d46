/** What people can be made to do at the control address of the bot. */
import { type Acts, act } from '../frame/control.ts';
import { type Field, flag, optional, phone, text } from '../frame/given.ts';
import { withoutPlus } from '../frame/phone.ts';
import type { Person, TelegramPeople } from './people.ts';

const userId: Field<number> = {
  should: 'should be the id of a Telegram user, a whole number from 1',
  isRight: (value): value is number => Number.isSafeInteger(value) && Number(value) > 0,
};
const chatId: Field<number> = {
  should: 'should be the id of a group, a whole number below 0',
  isRight: (value): value is number => Number.isSafeInteger(value) && Number(value) < 0,
};

const WHO = { phone, userId: optional(userId), name: optional(text) };
const NAME = 'Айгерим';

/** Somebody who is nothing but a phone has the user id of the same digits. */
function personOf(given: {
  phone: string;
  userId?: number | undefined;
  name?: string | undefined;
}): Person {
  const { userId: id = Number(withoutPlus(given.phone)), name = NAME } = given;
  return { userId: id, phone: given.phone, name };
}

/** How the service answered the last update; 0 when it was not reached, or did not ask for such. */
async function told(status: Promise<number>) {
  return { serviceStatus: await status };
}

export function botActs(people: TelegramPeople, repeatUpdates: () => Promise<number>): Acts {
  return {
    start: act({ ...WHO, payload: optional(text) }, (given) =>
      told(people.start(personOf(given), given.payload)),
    ),
    'share-contact': act({ ...WHO, isForged: optional(flag) }, (given) =>
      told(
        given.isForged === true
          ? people.forgeContact(personOf(given))
          : people.shareContact(personOf(given)),
      ),
    ),
    'share-foreign-contact': act({ ...WHO, otherPhone: phone }, (given) =>
      told(people.shareForeignContact(personOf(given), personOf({ phone: given.otherPhone }))),
    ),
    'forward-contact': act({ ...WHO, oldPhone: phone }, (given) =>
      told(people.forwardContact(personOf(given), given.oldPhone)),
    ),
    say: act({ ...WHO, text }, (given) => told(people.say(personOf(given), given.text))),
    block: act(WHO, (given) => told(people.block(personOf(given)))),
    'add-to-group': act({ chatId, title: text }, (given) => told(people.addBotToGroup(given))),
    'add-to-group-by-link': act({ chatId, title: text, payload: text }, (given) =>
      told(people.addBotByLink(given)),
    ),
    'say-in-group': act({ chatId, text }, (given) =>
      told(people.sayInGroup(given.chatId, given.text)),
    ),
    'remove-from-group': act({ chatId }, (given) => told(people.removeBotFromGroup(given.chatId))),
    'upgrade-group': act({ chatId }, async (given) => ({
      chatId: await people.upgradeGroup(given.chatId),
    })),
    'repeat-updates': act({}, () => told(repeatUpdates())),
  };
}
