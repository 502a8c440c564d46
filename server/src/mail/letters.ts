import type { Lang } from '@zhiber/contract/languages.ts';
import type { Letter } from './mailer.ts';

export type LetterKind =
  | 'confirm_address'
  | 'new_address'
  | 'known_address'
  | 'new_password'
  | 'invitation'
  | 'attempts'
  | 'sign_in_changed'
  | 'low_balance'
  | 'webhook_off'
  | 'receipt'
  | 'paper';

/** `notYou` replaces the default advice for people who did not cause the letter. */
type LetterText = { subject: string; text: string; button: string; notYou?: string };

/** {company}, {available}, {threshold}, {paper} and {address} are replaced with facts of the letter. */
const TEXTS: Record<Lang, Record<LetterKind, LetterText> & { notYou: string }> = {
  ru: {
    confirm_address: {
      subject: 'Подтвердите адрес',
      text: 'Вы начали регистрацию в Zhiber. Чтобы завершить её, подтвердите адрес. Ссылка действует 24 часа.',
      button: 'Подтвердить адрес',
    },
    new_address: {
      subject: 'Подтвердите новый адрес',
      text: 'Вы меняете адрес учётной записи Zhiber. Откройте ссылку там, где вы вошли. Она действует 24 часа.',
      button: 'Подтвердить адрес',
    },
    known_address: {
      subject: 'У вас уже есть учётная запись',
      text: 'Кто-то указал этот адрес в Zhiber, но учётная запись с ним уже есть. Войдите или задайте новый пароль на странице входа.',
      button: 'Войти',
    },
    new_password: {
      subject: 'Новый пароль',
      text: 'Чтобы задать новый пароль для Zhiber, откройте ссылку. Она действует один час.',
      button: 'Задать пароль',
    },
    invitation: {
      subject: 'Приглашение в компанию «{company}»',
      text: 'Вас пригласили в компанию «{company}» в Zhiber. Приглашение действует 7 дней.',
      button: 'Принять приглашение',
    },
    attempts: {
      subject: 'Кто-то подбирает вход в вашу учётную запись',
      text: 'К вашей учётной записи Zhiber много раз подряд ввели неверный пароль или код. Вход оттуда на время закрыт.',
      button: 'Открыть профиль',
      notYou: 'Если это были не вы, смените пароль и включите второй фактор.',
    },
    sign_in_changed: {
      subject: 'Вход в вашу учётную запись изменён',
      text: 'В вашей учётной записи Zhiber изменили телефон, почту, пароль или второй фактор. Что именно, видно в профиле.',
      button: 'Открыть профиль',
      notYou: 'Если это были не вы, смените пароль, завершите другие сеансы и напишите нам.',
    },
    webhook_off: {
      subject: 'Вебхук компании «{company}» отключён',
      text: 'Адрес {address} не принимает события Zhiber, поэтому мы перестали их отправлять. События сохраняются 14 дней: исправьте приём, включите вебхук и получите пропущенное.',
      button: 'Открыть вебхуки',
      notYou: 'Такое письмо получают все, кто управляет вебхуками компании.',
    },
    low_balance: {
      subject: 'На балансе «{company}» осталось {available}',
      text: 'На балансе компании «{company}» осталось {available}: это ниже порога {threshold}, который вы задали. Когда деньги закончатся, отправки остановятся.',
      button: 'Пополнить баланс',
      notYou:
        'Такое письмо приходит не чаще раза в сутки. Порог и адреса меняют на странице баланса.',
    },
    receipt: {
      subject: '{paper} — «{company}»',
      text: 'Компания «{company}» прислала вам документ из сервиса Zhiber: {paper}. Он во вложении. По ссылке можно проверить, что он подлинный.',
      button: 'Проверить квитанцию',
      notYou: 'Если вы не ждали этого документа, просто удалите письмо.',
    },
    paper: {
      subject: '{paper} — «{company}»',
      text: 'Компания «{company}» прислала вам документ из сервиса Zhiber: {paper}. Он во вложении.',
      button: 'О сервисе Zhiber',
      notYou: 'Если вы не ждали этого документа, просто удалите письмо.',
    },
    notYou: 'Если это были не вы, ничего делать не нужно.',
  },
  kk: {
    confirm_address: {
      subject: 'Мекенжайды растаңыз',
      text: 'Сіз Zhiber-ге тіркеле бастадыңыз. Аяқтау үшін мекенжайды растаңыз. Сілтеме 24 сағат жарамды.',
      button: 'Мекенжайды растау',
    },
    new_address: {
      subject: 'Жаңа мекенжайды растаңыз',
      text: 'Сіз Zhiber тіркелгісінің мекенжайын өзгертіп жатырсыз. Сілтемені жүйеге кірген жеріңізде ашыңыз. Ол 24 сағат жарамды.',
      button: 'Мекенжайды растау',
    },
    known_address: {
      subject: 'Сізде тіркелгі бұрыннан бар',
      text: 'Біреу Zhiber-де осы мекенжайды көрсетті, бірақ онымен тіркелгі бұрыннан бар. Кіріңіз немесе кіру бетінде жаңа құпиясөз қойыңыз.',
      button: 'Кіру',
    },
    new_password: {
      subject: 'Жаңа құпиясөз',
      text: 'Zhiber үшін жаңа құпиясөз қою үшін сілтемені ашыңыз. Ол бір сағат жарамды.',
      button: 'Құпиясөз қою',
    },
    invitation: {
      subject: '«{company}» компаниясына шақыру',
      text: 'Сізді Zhiber-дегі «{company}» компаниясына шақырды. Шақыру 7 күн жарамды.',
      button: 'Шақыруды қабылдау',
    },
    attempts: {
      subject: 'Біреу тіркелгіңізге кіруге әрекеттеніп жатыр',
      text: 'Zhiber тіркелгіңізге қатарынан көп рет қате құпиясөз немесе код енгізілді. Сол жерден кіру уақытша жабылды.',
      button: 'Бейінді ашу',
      notYou: 'Егер бұл сіз болмасаңыз, құпиясөзді ауыстырып, екінші факторды қосыңыз.',
    },
    sign_in_changed: {
      subject: 'Тіркелгіңізге кіру жолы өзгерді',
      text: 'Zhiber тіркелгіңізде телефон, пошта, құпиясөз немесе екінші фактор өзгертілді. Нақты не өзгергені бейінде көрінеді.',
      button: 'Бейінді ашу',
      notYou:
        'Егер бұл сіз болмасаңыз, құпиясөзді ауыстырып, басқа сеанстарды аяқтаңыз және бізге жазыңыз.',
    },
    webhook_off: {
      subject: '«{company}» компаниясының вебхугы өшірілді',
      text: '{address} мекенжайы Zhiber оқиғаларын қабылдамайды, сондықтан оларды жіберуді тоқтаттық. Оқиғалар 14 күн сақталады: қабылдауды түзетіп, вебхукты қосыңыз да, өткізіп алғанын алыңыз.',
      button: 'Вебхуктарды ашу',
      notYou: 'Мұндай хатты компанияның вебхуктарын басқаратын барлық адам алады.',
    },
    low_balance: {
      subject: '«{company}» балансында {available} қалды',
      text: '«{company}» компаниясының балансында {available} қалды: бұл сіз қойған {threshold} шегінен төмен. Ақша біткенде жіберу тоқтайды.',
      button: 'Балансты толтыру',
      notYou:
        'Мұндай хат тәулігіне бір реттен жиі келмейді. Шек пен мекенжайлар баланс бетінде өзгертіледі.',
    },
    receipt: {
      subject: '{paper} — «{company}»',
      text: '«{company}» компаниясы сізге Zhiber сервисінен құжат жіберді: {paper}. Ол хатқа тіркелген. Түпнұсқа екенін сілтеме арқылы тексеруге болады.',
      button: 'Түбіртекті тексеру',
      notYou: 'Бұл құжатты күтпесеңіз, хатты өшіре салыңыз.',
    },
    paper: {
      subject: '{paper} — «{company}»',
      text: '«{company}» компаниясы сізге Zhiber сервисінен құжат жіберді: {paper}. Ол хатқа тіркелген.',
      button: 'Zhiber туралы',
      notYou: 'Бұл құжатты күтпесеңіз, хатты өшіре салыңыз.',
    },
    notYou: 'Егер бұл сіз болмасаңыз, ештеңе істеудің қажеті жоқ.',
  },
  en: {
    confirm_address: {
      subject: 'Confirm your address',
      text: 'You have started to sign up for Zhiber. Confirm your address to finish. The link works for 24 hours.',
      button: 'Confirm address',
    },
    new_address: {
      subject: 'Confirm your new address',
      text: 'You are changing the address of your Zhiber account. Open the link where you are signed in. It works for 24 hours.',
      button: 'Confirm address',
    },
    known_address: {
      subject: 'You already have an account',
      text: 'Somebody has entered this address at Zhiber, but there is an account with it already. Sign in, or choose a new password on the sign-in page.',
      button: 'Sign in',
    },
    new_password: {
      subject: 'A new password',
      text: 'Open the link to choose a new password for Zhiber. It works for one hour.',
      button: 'Choose a password',
    },
    invitation: {
      subject: 'An invitation to “{company}”',
      text: 'You are invited to the company “{company}” at Zhiber. The invitation lasts 7 days.',
      button: 'Accept the invitation',
    },
    attempts: {
      subject: 'Somebody is trying to get into your account',
      text: 'A wrong password or code was entered for your Zhiber account many times in a row. Nobody can sign in from there for a while.',
      button: 'Open the profile',
      notYou: 'If it was not you, change your password and turn on the second factor.',
    },
    sign_in_changed: {
      subject: 'How you sign in was changed',
      text: 'The phone, the e-mail, the password or the second factor of your Zhiber account was changed. The profile shows which.',
      button: 'Open the profile',
      notYou: 'If it was not you, change your password, end the other sessions and write to us.',
    },
    webhook_off: {
      subject: 'A webhook of “{company}” was switched off',
      text: '{address} does not accept the events of Zhiber, so we have stopped sending them. Events are kept for 14 days: repair the receiver, switch the webhook on and catch up.',
      button: 'Open webhooks',
      notYou: 'Everybody who manages the webhooks of the company gets this letter.',
    },
    low_balance: {
      subject: '{available} left on the balance of “{company}”',
      text: 'There is {available} left on the balance of “{company}”, below the threshold of {threshold} that you have set. When the money is used up, sending stops.',
      button: 'Top up the balance',
      notYou:
        'You get this e-mail once a day at most. The threshold and the addresses are set on the balance page.',
    },
    receipt: {
      subject: '{paper} — “{company}”',
      text: 'The company “{company}” has sent you a document from Zhiber: {paper}. It is attached. Follow the link to check that it is genuine.',
      button: 'Check the receipt',
      notYou: 'If you did not expect this document, just delete this e-mail.',
    },
    paper: {
      subject: '{paper} — “{company}”',
      text: 'The company “{company}” has sent you a document from Zhiber: {paper}. It is attached.',
      button: 'About Zhiber',
      notYou: 'If you did not expect this document, just delete this e-mail.',
    },
    notYou: 'If it was not you, there is nothing you need to do.',
  },
};

/** What a letter is about, where its kind says it. */
export type LetterFacts = {
  company?: string;
  available?: string;
  threshold?: string;
  /** The title of an attached paper. */
  paper?: string;
  /** Of an endpoint. */
  address?: string;
};

/** A letter in the recipient's language, as plain text and as HTML with the link as a button. */
export function letterOf(
  kind: LetterKind,
  lang: Lang,
  { to, link, ...facts }: { to: string; link: string } & LetterFacts,
): Letter {
  const { subject, text, button, notYou = TEXTS[lang].notYou }: LetterText = TEXTS[lang][kind];
  const fillIn = (template: string) =>
    template.replaceAll(
      /\{(company|available|threshold|paper|address)\}/g,
      (_, name: keyof LetterFacts) => oneLine(facts[name] ?? ''),
    );
  return {
    to,
    link,
    subject: fillIn(subject),
    text: `${fillIn(text)}\n\n${link}\n\n${notYou}\n\nZhiber\n`,
    html: `<!doctype html><html lang="${lang}"><meta charset="utf-8"><title>${escapeHtml(fillIn(subject))}</title>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a">
<p>${escapeHtml(fillIn(text))}</p>
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1a1a1a;color:#fff;text-decoration:none">${button}</a></p>
<p style="color:#666">${notYou}</p>
<p style="color:#666">Zhiber</p>
</body></html>`,
  };
}

/**
 * A company name is user input and goes into a mail header, so it must not break lines. The no-break
 * spaces of an amount stay.
 */
function oneLine(text: string): string {
  return text.replaceAll(/[^\S\u{a0}]+/gu, ' ').trim();
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] as string);
}
