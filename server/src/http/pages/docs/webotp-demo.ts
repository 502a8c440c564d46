import { type Html, html } from '../html.ts';
import type { View } from '../layout.ts';

/** Its code is always 000000 with a test key, and no limit applies to it. */
const DEMO_PHONE = '+7 700 000 00 00';

/**
 * A form as a site should have it: one field, the browser's own autofill, WebOTP where there is one.
 * It sends with the test key of the page.
 */
export function webotpDemo({ texts }: View): Html {
  const words = texts.docs.webotp;
  return html`<section class="docs-demo" aria-label="${words.title}" data-webotp data-no-key="${words.noKey}" data-sent="${words.sent}" data-right="${words.right}" data-failed="${words.failed}" data-autofill="${words.autofill}">
<p>${words.text}</p>
<noscript><p>${words.needsScript}</p></noscript>
<div class="docs-demo-parts">
<div>
<form data-webotp-send>
<label for="demo-phone">${words.phone}</label>
<div class="docs-key-row"><input id="demo-phone" type="tel" inputmode="tel" autocomplete="tel" value="${DEMO_PHONE}" required>
<button class="button" type="submit">${words.send}</button></div>
</form>
<form data-webotp-check>
<label for="demo-code">${words.code}</label>
<div class="docs-key-row"><input id="demo-code" type="text" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 \\-]*" maxlength="12" required aria-describedby="demo-code-hint">
<button class="button main" type="submit">${words.check}</button></div>
<p class="note" id="demo-code-hint">${words.codeHint}</p>
</form>
<p role="status" data-webotp-status></p>
</div>
<section class="docs-phone" aria-label="${words.phoneTitle}"><p class="docs-group">${words.phoneTitle}</p>
<div role="log" aria-live="polite"><ul data-webotp-phone lang="ru"></ul></div><p class="note" data-webotp-empty>${words.waiting}</p></section>
</div>
</section>`;
}
