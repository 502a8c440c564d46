import type { AdminEndpoint } from '@zhiber/contract/admin/endpoint.ts';
import { ADMIN_SESSION_ENDPOINTS as S } from '@zhiber/contract/admin/session.ts';
import type { App } from '../../src/app.ts';
import type { PersonId } from '../../src/ids.ts';
import { createOperator } from '../../src/operators/manage-operators.ts';
import { type Authenticator, createAuthenticator } from '../cabinet/authenticator.ts';
import { type Call, createPageCaller } from '../cabinet/cabinet-client.ts';
import type { useService } from '../harness.ts';

export const PASSWORD = 'верный конь у юрты 5';

export type TestOperator = {
  personId: PersonId;
  email: string;
  /** The session cookie as `name=value`. Updated from the Set-Cookie headers of answers. */
  cookie: string;
};
export type OperatorWithApp = TestOperator & { app: Authenticator; recoveryCodes: string[] };

/** Makes operators in the way they are made, and calls endpoints as the pages of the desk do. */
export function createAdminClient(
  service: Pick<ReturnType<typeof useService>, 'ctx' | 'http' | 'sql'>,
) {
  const call = createPageCaller(service, {
    prefix: '/admin/api',
    header: 'x-zhiber-admin',
    cookie: 'zhiber-admin',
  });
  let made = 0;

  /** An address and the token of the link that `zhiber operator create` prints. */
  const invite = async (): Promise<{ email: string; token: string }> => {
    made += 1;
    const email = `operator${made}@zhiber.kz`;
    const created = await createOperator(service.ctx, {}, { email, name: `Оператор ${made}` });
    if (created.outcome !== 'welcomed') throw new Error(created.outcome);
    return { email, token: created.token };
  };

  /** After the welcome link: a session that waits for its second factor. */
  const halfOperator = async (): Promise<TestOperator> => {
    const { email, token } = await invite();
    const who = { cookie: '' };
    (await call(who, S.welcome, { body: { token, password: PASSWORD } })).ok();
    const [person] = await service.sql<{ id: PersonId }>('select id from person where email = $1', [
      email,
    ]);
    return { personId: person?.id as PersonId, email, cookie: who.cookie };
  };

  /** With an app for codes, in a complete session. */
  const operator = async (): Promise<OperatorWithApp> => {
    const half = await halfOperator();
    const { uri } = (await call(half, S.startSecondFactor)).ok();
    const app = createAuthenticator(uri);
    const body = { code: app.code() };
    const { recovery_codes: recoveryCodes } = (
      await call(half, S.confirmSecondFactor, { body })
    ).ok();
    return { ...half, app, recoveryCodes };
  };

  return {
    invite,
    halfOperator,
    operator,
    /** Calls with an operator's session; answers update their cookie. */
    as: (who: { cookie?: string }) => ({
      call: <Endpoint extends AdminEndpoint>(endpoint: Endpoint, request?: Call<Endpoint>) =>
        call(who, endpoint, request),
    }),
    /** Calls without a session. */
    call: <Endpoint extends AdminEndpoint>(endpoint: Endpoint, request?: Call<Endpoint>) =>
      call(undefined, endpoint, request),
  };
}

/** The desk of a whole application. */
export function openDeskOf({ ctx, http }: App): ReturnType<typeof createAdminClient> {
  return createAdminClient({ ctx, http, sql: (text, values) => ctx.db.query(text, values) });
}
