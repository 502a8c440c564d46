import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePages } from './open-pages.ts';
import { onTry } from './try-page.ts';

const { openTry } = usePages();

/** What has the focus: the value of a radio, the name of a field, the words of anything else. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return '';
  if (element.type === 'radio') return element.value;
  const words = element.textContent.trim().replace(/\\s+/g, ' ');
  return element.getAttribute('aria-label') || element.name || words;
})()`;

/** Whether the focus can be seen: an outline or a shadow on the element or the label around it. */
const IS_FOCUS_VISIBLE = `(() => {
  const element = document.activeElement;
  return [element, element.closest('label')].some((one) => {
    if (one === null) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  });
})()`;

async function tabThrough(page: Page, stops: number): Promise<string[]> {
  const names: string[] = [];
  for (let stop = 0; stop < stops; stop++) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate<string>(FOCUSED);
    assert(await page.evaluate<boolean>(IS_FOCUS_VISIBLE), `the focus on ${name} is invisible`);
    names.push(name);
  }
  return names;
}

test('Tab goes through the page in the order it is read, and the focus is always seen', async () => {
  const { page } = await openTry();
  assert.deepEqual(await tabThrough(page, 22), [
    'К содержанию',
    'Zhiber',
    'Коды ошибок',
    'Справочник API',
    'Русский',
    'Қазақша',
    'English',
    'Тема',
    'Кабинет',
    'Горячие клавиши',
    'otpSend',
    'test',
    'phone',
    'scenario',
    '1Доставлено',
    '2Нет WhatsApp',
    '3WhatsApp не подтвердил',
    '4Все отказали',
    'link',
    'Дополнительно: назначение кода',
    'auto',
    'Отправить код⏎',
  ]);
});

test('the first Tab offers to skip to the content', async () => {
  const { page } = await openTry();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'content');
});

test('a code is sent, copied and verified without a mouse', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  await view.phone.focus();
  await page.keyboard.press('Enter');
  assert.equal(await view.lastCode(), '000000');
  // In a field the letters are only letters.
  await page.keyboard.press('End');
  await page.keyboard.press('c');
  assert.equal(await view.phone.inputValue(), '+77000000000c');
  await page.keyboard.press('Backspace');

  await view.radio('auto').focus();
  await page.keyboard.press('c');
  await view.toast('Код 000000 скопирован');
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), '000000');
  await page.keyboard.press('v');
  assert.equal(await page.evaluate(FOCUSED), 'code');
  await page.keyboard.press('Enter');
  await view.verified(/^Код подтверждён$/);
});

test('the digits choose the scenarios, and Enter outside of a control sends', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  const phones = ['+77000000000', '+77000000001', '+77000000002', '+77000000004'];
  for (const [index, phone] of phones.entries()) {
    await page.keyboard.press(String(index + 1));
    assert.equal(await view.phone.inputValue(), phone);
  }
  const pressed = page.getByRole('button', { pressed: true });
  assert.equal(await pressed.textContent(), '4Все отказали');
  await page.keyboard.press('2');
  await page.keyboard.press('Enter');
  await view.answered(/^200 /);
});

test('the question mark explains the keys, and there they can be switched off', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  const help = page.getByRole('dialog', { name: 'Горячие клавиши' });
  await page.keyboard.press('?');
  await help.waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });

  await view.button('Горячие клавиши').press('Enter');
  await help.waitFor();
  await help.getByRole('switch').press('Space');
  await help.getByRole('button', { name: 'Закрыть' }).press('Enter');
  await help.waitFor({ state: 'hidden' });
  assert.equal(
    await page.evaluate(FOCUSED),
    'Горячие клавиши',
    'the focus returns to where it was',
  );
  await page.keyboard.press('4');
  await page.keyboard.press('v');
  assert.equal(await view.phone.inputValue(), '+77000000000');
  assert.equal(await page.evaluate(FOCUSED), 'Горячие клавиши');
});

test('the arrow keys walk along the radios, and the fields follow', async () => {
  const { page } = await openTry();
  const view = onTry(page);
  await view.radio('Код').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert(await view.radio('Сократить').isChecked());
  assert(!(await view.phone.isVisible()));
  await view.button('Сократить ссылку').press('Enter');
  await view.answered(/^200 \d+\sмс POST \/links\/shorten /);
});
