/** Runs calls of the installed client: a JSON object a line in, a JSON object a line out. */
import { createInterface } from 'node:readline';
import { verifyWebhook, WebhookError, Zhiber, ZhiberError } from '@zhiber/sdk';

const OPERATIONS = {
  send_code: (zhiber, ...args) => zhiber.otp.send(...args),
  verify_code: (zhiber, ...args) => zhiber.otp.verify(...args),
  shorten_link: (zhiber, ...args) => zhiber.links.shorten(...args),
  send_link: (zhiber, ...args) => zhiber.links.send(...args),
  send_to_group: (zhiber, ...args) => zhiber.groups.send(...args),
  health: (zhiber) => zhiber.health(),
};

const rename = (fields, change) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [change(name), value]));
const toSnake = (fields) =>
  rename(fields, (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
const toCamel = (fields) =>
  rename(fields, (name) => name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase()));

async function run({ client, operation, request, webhook }) {
  if (webhook !== undefined) {
    const body = Buffer.from(webhook.body, 'base64');
    const { id, type, data } = verifyWebhook(body, webhook.headers, webhook.secret, {
      toleranceSeconds: webhook.tolerance_seconds,
    });
    return { id, type, data: toSnake(data) };
  }
  const { timeout, deadline, max_retry_wait, ...rest } = client;
  const zhiber = new Zhiber({
    ...toCamel(rest),
    ...(timeout && { timeoutMs: timeout * 1000 }),
    ...(deadline && { deadlineMs: deadline * 1000 }),
    ...(max_retry_wait && { maxRetryWaitMs: max_retry_wait * 1000 }),
  });
  const { idempotency_key, ...fields } = request ?? {};
  const options = idempotency_key === undefined ? {} : { idempotencyKey: idempotency_key };
  return toSnake(await OPERATIONS[operation](zhiber, toCamel(fields), options));
}

function describe(error) {
  if (!(error instanceof ZhiberError || error instanceof WebhookError)) {
    return { class: error.name, message: error.message };
  }
  return { ...toSnake(error), class: error.name, message: error.message };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...task } = JSON.parse(line);
  run(task).then(
    (result) => console.log(JSON.stringify({ id, result })),
    (error) => console.log(JSON.stringify({ id, error: describe(error) })),
  );
}
