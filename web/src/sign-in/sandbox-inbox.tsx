import { useQuery } from '@tanstack/react-query';
import { call } from '../call.ts';
import { queryOf } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Phone } from '../ui/phone/phone.tsx';

/** How a browser names what it has asked for; without a phone it has asked for letters. */
export type Asked = { requestToken: string; phone?: string };

const REFRESH_MS = 2_000;

export function useIsSandbox(): boolean {
  return useQuery(queryOf('signInOptions')).data?.is_sandbox ?? false;
}

/**
 * The virtual phone beside a form of the sandbox, where no other phone rings. It shows what this
 * browser has asked for, and nothing else.
 */
export function SandboxInbox(props: { asked: Asked | undefined; onCode?: (code: string) => void }) {
  const { asked, onCode } = props;
  const texts = useTexts().signIn.sandbox;
  const { data, isError } = useQuery({
    queryKey: ['sandboxInbox', asked],
    queryFn: ({ signal }) => call('sandboxInbox', { body: toBody(asked as Asked), signal }),
    enabled: asked !== undefined,
    refetchInterval: REFRESH_MS,
    gcTime: 0,
  });
  return (
    <div className="@container/playground grid content-start gap-2">
      <Phone
        messages={data?.messages ?? []}
        isLost={isError}
        isReplaying={false}
        codeWord={texts.enterCode}
        emptyHint={asked?.phone === undefined && asked !== undefined ? texts.noLetter : texts.hint}
        onCode={({ code }) => code !== null && onCode?.(code)}
      />
    </div>
  );
}

function toBody({ requestToken, phone }: Asked) {
  return { request_token: requestToken, ...(phone !== undefined && { phone }) };
}

const TOKEN_BYTES = 32;

/** A secret of this browser, for a letter that it asks for. */
export function newRequestToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
